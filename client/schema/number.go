package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// IsNumber says whether text is a number of JSON (RFC 8259, section 6), with
// nothing around it.
func IsNumber(text string) bool {
	if text == "" || text[0] != '-' && !isDigit(text[0]) || !isDigit(text[len(text)-1]) {
		return false // what stands around a JSON value is white space, and no more
	}
	return json.Valid([]byte(text))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxDigits bounds the digits of a number that is compared exactly.
const maxDigits = 5000

// checkNumber says why text is not a JSON number, or nil. A number that no
// double can hold is refused: most peers read it as infinity and send null.
func checkNumber(text string) error {
	if !IsNumber(text) {
		return numberHint(text)
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return fmt.Errorf("%s is not finite: beyond what a double holds, most programs read it as infinity or null", clip(text))
	}
	return nil
}

func numberHint(text string) error {
	switch {
	case text == "":
		return errors.New("a number is needed")
	case text == "-" || strings.HasSuffix(text, ".") || strings.HasSuffix(strings.ToLower(text), "e") ||
		strings.HasSuffix(strings.ToLower(text), "e-") || strings.HasSuffix(strings.ToLower(text), "e+"):
		return fmt.Errorf("%s is not finished", clip(text))
	case strings.HasPrefix(text, "+"):
		return fmt.Errorf("%s: JSON has no plus sign before a number", clip(text))
	case strings.HasPrefix(text, ".") || strings.HasPrefix(text, "-."):
		return fmt.Errorf("%s: JSON needs a digit before the point", clip(text))
	case strings.Contains(text, ",") && IsNumber(strings.ReplaceAll(text, ",", ".")):
		return fmt.Errorf("%s: write the decimal point as a point", clip(text))
	}
	if trimmed := strings.TrimLeft(strings.TrimPrefix(text, "-"), "0"); trimmed != "" && IsNumber(trimmed) {
		return fmt.Errorf("%s: JSON numbers have no leading zeros", clip(text))
	}
	return fmt.Errorf("%s is not a number", clip(text))
}

// exact returns the value of a JSON number, or nil where it is so large, so
// small or so long that exact arithmetic would take its time.
func exact(text string) *big.Rat {
	if len(text) > maxDigits {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent > 400 || exponent < -400 {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// isInteger reports whether a JSON number has no fraction. 1.0 has none.
func isInteger(text string) bool {
	if r := exact(text); r != nil {
		return r.IsInt()
	}
	return !strings.ContainsAny(text, ".eE")
}

func sameNumber(a, b string) bool {
	x, y := exact(a), exact(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

// decimal writes r without rounding, as a decimal where it has one.
func decimal(r *big.Rat) string {
	if r == nil {
		return "?"
	}
	if r.IsInt() {
		return r.Num().String()
	}
	if n, ok := r.FloatPrec(); ok && n <= 40 {
		return r.FloatString(n)
	}
	return r.RatString()
}

// clip shortens text for use within a message.
func clip(text string) string {
	const limit = 60
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	cut := limit
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return strconv.Quote(text[:cut]) + "…"
}
