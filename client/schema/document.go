package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// value is one JSON value with the bytes that it was written with. encoding/json
// loses member order, duplicate names and the spelling of numbers and strings,
// all of which have to survive here.
type value struct {
	kind    byte   // one of { [ " 0 t f n
	raw     []byte // exactly this value, without the white space round it
	text    string // the decoded string, when kind is "
	members []member
	items   []*value
	index   map[string]int // for objects with many members; last of a name wins
}

type member struct {
	name  string
	value *value
}

func (v *value) buildIndex() {
	if len(v.members) <= 12 {
		return
	}
	v.index = make(map[string]int, len(v.members))
	for i, m := range v.members {
		v.index[m.name] = i
	}
}

// get returns the member of that name, the last where there are several, or
// nil.
func (v *value) get(name string) *value {
	if v == nil || v.kind != '{' {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return v.members[i].value
		}
		return nil
	}
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// unique returns the members without those that a later one of the same name
// overrides.
func (v *value) unique() []member {
	seen := make(map[string]int, len(v.members))
	out := make([]member, 0, len(v.members))
	for _, m := range v.members {
		if i, ok := seen[m.name]; ok {
			out[i] = m
			continue
		}
		seen[m.name] = len(out)
		out = append(out, m)
	}
	return out
}

func (v *value) is(kind byte) bool { return v != nil && v.kind == kind }

func (v *value) isBool() bool { return v != nil && (v.kind == 't' || v.kind == 'f') }

// str returns the string that v holds, or "".
func (v *value) str() string {
	if v.is('"') {
		return v.text
	}
	return ""
}

// typeName is the JSON type of v in the words of JSON Schema.
func (v *value) typeName() string {
	switch v.kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	}
	return "number"
}

// plain converts v to what encoding/json would make of it, with numbers as
// written.
func (v *value) plain() any {
	switch v.kind {
	case '{':
		m := make(map[string]any, len(v.members))
		for _, e := range v.members {
			m[e.name] = e.value.plain()
		}
		return m
	case '[':
		a := make([]any, len(v.items))
		for i, e := range v.items {
			a[i] = e.plain()
		}
		return a
	case '"':
		return v.text
	case 't':
		return true
	case 'f':
		return false
	case 'n':
		return nil
	}
	return json.Number(v.raw)
}

// size is the number of values in v, itself included.
func (v *value) size() int {
	n := 1
	for _, m := range v.members {
		n += m.value.size()
	}
	for _, e := range v.items {
		n += e.size()
	}
	return n
}

// equal compares two values as JSON Schema does: numbers by what they amount
// to, objects without regard to order.
func equal(a, b *value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case '"':
		return a.text == b.text
	case '0':
		return bytes.Equal(a.raw, b.raw) || sameNumber(string(a.raw), string(b.raw))
	case '[':
		if len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !equal(a.items[i], b.items[i]) {
				return false
			}
		}
	case '{':
		am, bm := a.unique(), b.unique()
		if len(am) != len(bm) {
			return false
		}
		for _, m := range am {
			other := b.get(m.name)
			if other == nil || !equal(m.value, other) {
				return false
			}
		}
	}
	return true
}

// lookup follows a JSON Pointer (RFC 6901) below v.
func (v *value) lookup(pointer string) *value {
	if pointer == "" {
		return v
	}
	if pointer[0] != '/' {
		return nil
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = unescape(token)
		switch {
		case v.is('{'):
			v = v.get(token)
		case v.is('['):
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.items) {
				return nil
			}
			v = v.items[i]
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape makes name one token of a JSON Pointer (RFC 6901).
func Escape(name string) string { return pointerEscaper.Replace(name) }

func unescape(token string) string { return pointerUnescaper.Replace(token) }

// quote encodes text as a JSON string without the HTML escapes that
// encoding/json adds: what is sent should look like what was typed.
func quote(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return []byte(`""`) // a Go string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// oneLine removes insignificant white space from raw where it holds a line
// break, which a message on a stdio transport must not (Transports, "stdio").
// Other bytes stay as they are.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
