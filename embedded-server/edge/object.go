package edge

import (
	"bytes"
	"encoding/json"
)

// member is one name and value of a JSON object, the value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// object is a JSON object whose members keep their order and their bytes, so
// that editing one member leaves the others as they were.
type object []member

// readObject reports false for anything that is not one JSON object.
func readObject(raw []byte) (object, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o := object{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, false
		}
		key, ok := t.(string)
		if !ok {
			return nil, false
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return nil, false
		}
		o = append(o, member{key, v})
	}
	if _, err := d.Token(); err != nil {
		return nil, false
	}
	return o, true
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

// unique drops all but the last of members with one name: two readers of one
// message must not see different values.
func (o object) unique() object {
	seen := make(map[string]bool, len(o))
	for _, m := range o {
		seen[m.key] = true
	}
	if len(seen) == len(o) {
		return o
	}
	u := object{}
	for _, m := range o {
		u = u.with(m.key, o.get(m.key))
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
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}
