package rpc

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Encode builds a message out of raw parts, in the customary order of members.
// Nil parts are left out.
func Encode(id ID, method string, params, result, failure []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0"`)
	if id != "" {
		b.WriteString(`,"id":`)
		b.WriteString(string(id))
	}
	if method != "" {
		b.WriteString(`,"method":`)
		b.Write(Quote(method))
	}
	for _, part := range []struct {
		name string
		raw  []byte
	}{{"params", params}, {"result", result}, {"error", failure}} {
		if part.raw != nil {
			b.WriteString(`,"` + part.name + `":`)
			b.Write(part.raw)
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// EncodeError builds an error member.
func EncodeError(code int, message string) []byte {
	return []byte(`{"code":` + strconv.Itoa(code) + `,"message":` + string(Quote(message)) + `}`)
}

// Quote writes a JSON string without escaping what need not be escaped.
func Quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return []byte(`""`) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Field is a member for Object.
type Field struct {
	Name string
	Raw  []byte
}

// Object builds an object out of raw members; nil members are left out.
func Object(fields ...Field) []byte {
	b := []byte{'{'}
	for _, f := range fields {
		if f.Raw == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, Quote(f.Name)...), ':'), f.Raw...)
	}
	return append(b, '}')
}

// With returns the object with members set, every other member as it stood and
// in its place. Nil removes one.
func With(object []byte, set ...Field) []byte {
	var out []Field
	done := map[string]bool{}
	for k, v := range Members(object) {
		raw := v
		for _, f := range set {
			if f.Name == k {
				raw, done[k] = f.Raw, true
			}
		}
		out = append(out, Field{k, raw})
	}
	for _, f := range set {
		if !done[f.Name] {
			out = append(out, f)
		}
	}
	return Object(out...)
}
