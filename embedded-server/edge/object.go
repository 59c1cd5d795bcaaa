package edge

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// member is one name and value of a JSON object, the value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// object is a JSON object whose members keep their order and their bytes, so
// that editing one member leaves the others as they were.
type object []member

// readObject splits a JSON object into its members without copying it. raw must
// be valid JSON; false: it is another kind of value.
func readObject(raw []byte) (object, bool) {
	s := scanner{b: raw}
	if s.space(); !s.take('{') {
		return nil, false
	}
	o := object{}
	for {
		if s.space(); s.done() || s.take('}') {
			return o, true
		}
		key, ok := text(s.value())
		if !ok {
			return nil, false // not valid JSON after all
		}
		s.space()
		s.take(':')
		s.space()
		o = append(o, member{key, s.value()})
		s.space()
		s.take(',')
	}
}

// scanner walks over valid JSON.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) done() bool { return s.i >= len(s.b) }

func (s *scanner) space() {
	for !s.done() && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\n' || s.b[s.i] == '\r') {
		s.i++
	}
}

func (s *scanner) take(c byte) bool {
	if s.done() || s.b[s.i] != c {
		return false
	}
	s.i++
	return true
}

// value skips one value and gives its bytes.
func (s *scanner) value() json.RawMessage {
	start, depth := s.i, 0
	for !s.done() {
		switch c := s.b[s.i]; c {
		case '"':
			s.str()
			if depth == 0 {
				return s.b[start:s.i:s.i]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.b[start:s.i:s.i] // a literal, ended by what surrounds it
			}
			if depth--; depth == 0 {
				s.i++
				return s.b[start:s.i:s.i]
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return s.b[start:s.i:s.i]
			}
		}
		s.i++
	}
	return s.b[start:s.i:s.i]
}

// str skips a string.
func (s *scanner) str() {
	for s.i++; !s.done(); s.i++ {
		switch s.b[s.i] {
		case '\\':
			s.i++
		case '"':
			s.i++
			return
		}
	}
	s.i = min(s.i, len(s.b))
}

// get finds the last member of that name, as decoders do.
func (o object) get(key string) json.RawMessage {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].value
		}
	}
	return nil
}

// has tells a member that is null from one that is not there.
func (o object) has(key string) bool { return o.get(key) != nil }

// without removes every member of these names.
func (o object) without(keys ...string) object {
	kept := make(object, 0, len(o))
	for _, m := range o {
		drop := false
		for _, k := range keys {
			drop = drop || m.key == k
		}
		if !drop {
			kept = append(kept, m)
		}
	}
	return kept
}

// with sets a member, in place where there is one.
func (o object) with(key string, value json.RawMessage) object {
	set := make(object, 0, len(o)+1)
	done := false
	for _, m := range o {
		if m.key != key {
			set = append(set, m)
		} else if !done {
			set, done = append(set, member{key, value}), true
		}
	}
	if !done {
		set = append(set, member{key, value})
	}
	return set
}

// unique drops all but the last of members with one name, which takes the place
// of the first: two readers of one message must not see different values.
func (o object) unique() object {
	if len(o) < 2 {
		return o
	}
	place := make(map[string]int, len(o))
	u := make(object, 0, len(o))
	for _, m := range o {
		if i, again := place[m.key]; again {
			u[i] = m
			continue
		}
		place[m.key] = len(u)
		u = append(u, m)
	}
	return u
}

func (o object) encode() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.key))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encode marshals without turning <, > and & into escapes: a message should
// read as its author wrote it.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Only our own structs and strings come here, and they always encode.
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// text reads a JSON string; false for any other kind of value.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}
