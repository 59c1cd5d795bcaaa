package conform

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// typeOf is the JSON type of a decoded value, "" for what JSON does not have.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number, float64:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

// Limits on numbers that are worked with: beyond, exact arithmetic takes its
// time.
const (
	maxDigits   = 5000
	maxExponent = 400
)

// number is the exact value of a number, nil where it is beyond the limits.
func number(v any) *big.Rat {
	switch v := v.(type) {
	case float64:
		return new(big.Rat).SetFloat64(v)
	case json.Number:
		text := string(v)
		if len(text) > maxDigits {
			return nil
		}
		if i := strings.IndexAny(text, "eE"); i >= 0 {
			if e, err := strconv.Atoi(text[i+1:]); err != nil || e > maxExponent || e < -maxExponent {
				return nil
			}
		}
		if r, ok := new(big.Rat).SetString(text); ok {
			return r
		}
	}
	return nil
}

func isInteger(v any) bool {
	if n, ok := v.(json.Number); ok && !strings.ContainsAny(string(n), ".eE") {
		return true
	}
	r := number(v)
	return r != nil && r.IsInt()
}

// equal compares as JSON Schema does: numbers by what they amount to.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number, float64:
		if typeOf(b) != "number" {
			return false
		}
		if a == b {
			return true
		}
		x, y := number(a), number(b)
		return x != nil && y != nil && x.Cmp(y) == 0
	}
	return typeOf(a) == typeOf(b) && a == b
}
