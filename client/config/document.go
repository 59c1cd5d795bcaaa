package config

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"mcptui/client/position"
)

// document is a file as it stands, kept for what is said later about places in it.
type document struct {
	file     string
	raw      []byte // without a byte order mark
	standard []byte // as JSON: nothing has moved, so its places are those of raw
	root     hujson.Value
	family   string // what names the servers: "mcpServers", "servers", "mcp/servers"
	above    string // the JSON pointer of the object that it is a member of
}

func (d *document) broken(offset int, format string, args ...any) error {
	return broken(d.file, d.raw, offset, format, args...)
}

// decode reads a value of the file; what says what it is.
func (d *document) decode(v hujson.Value, into any, what string) error {
	text := d.standard[v.StartOffset:v.EndOffset]
	if fault := position.Because(text, json.Unmarshal(text, into)); fault != nil {
		return d.broken(v.StartOffset+fault.Offset, "%s: %w", what, fault)
	}
	return nil
}

// variableAt is the offset of a variable in the text that a path of names leads to,
// or of that text where it spells the variable with escapes.
func (d *document) variableAt(v hujson.Value, variable string, path ...string) int {
	at := below(&v, path...)
	if at == nil {
		return v.StartOffset
	}
	return at.StartOffset + max(0, bytes.Index(d.raw[at.StartOffset:at.EndOffset], []byte(variable)))
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// below follows a path of names, in any case as encoding/json looks for them, and of
// indexes; nil where it leads nowhere.
func below(v *hujson.Value, path ...string) *hujson.Value {
	for _, step := range path {
		var next *hujson.Value
		switch in := v.Value.(type) {
		case *hujson.Object:
			for i := range in.Members {
				if strings.EqualFold(nameOf(in.Members[i]), step) {
					next = &in.Members[i].Value
					break
				}
			}
		case *hujson.Array:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(in.Elements) {
				next = &in.Elements[i]
			}
		}
		if next == nil {
			return nil
		}
		v = next
	}
	return v
}

// repeated is the first member of an object whose name was there before, by the key
// that makes names the same.
func repeated(v hujson.Value, key func(name string) string) *hujson.ObjectMember {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	there := map[string]bool{}
	for i := range o.Members {
		k := key(nameOf(o.Members[i]))
		if there[k] {
			return &o.Members[i]
		}
		there[k] = true
	}
	return nil
}

// again is the second member of an object that has this name.
func again(v *hujson.Value, name string) *hujson.ObjectMember {
	if v == nil {
		return nil
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	there := false
	for i := range o.Members {
		switch {
		case nameOf(o.Members[i]) != name:
		case there:
			return &o.Members[i]
		default:
			there = true
		}
	}
	return nil
}
