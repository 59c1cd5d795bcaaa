package state

import (
	"bytes"
	"encoding/json"
	"strconv"

	"mcptui/client/rpc"
)

// Op is what happened to a place between two states.
type Op string

// Changes of a place.
const (
	Added   Op = "add"
	Removed Op = "remove"
	Changed Op = "change"
)

// maxChanges bounds a list of changes: two payloads that have nothing in common
// are not worth more.
const maxChanges = 1000

// Change is one difference between two payloads. Values are as they were
// written; Before is nil for what was added, After for what was removed.
type Change struct {
	Path   string // JSON Pointer; "" is the whole payload
	Op     Op
	Before json.RawMessage
	After  json.RawMessage
}

// Comparison is how two states relate.
type Comparison struct {
	Same         bool // byte for byte
	SizeBefore   int  // bytes of the values
	SizeAfter    int
	Readable     bool     // both have a payload, and Changes says all
	Changes      []Change // payload by payload; nil where one of them has none
	FormatBefore string   // chains of layers, where they differ
	FormatAfter  string
	Prefix       int // characters that both begin with, and
	Suffix       int // end with, not counting the prefix
}

// Growth is how many bytes the state grew by; negative where it shrank.
func (c Comparison) Growth() int { return c.SizeAfter - c.SizeBefore }

// Diff lists what differs between two payloads, in the order of the first and
// then of what is new. It is nil where one of the states has no payload.
func Diff(before, after *Decoded) []Change {
	if before == nil || after == nil || before.Payload == nil || after.Payload == nil {
		return nil
	}
	var out differ
	out.value("", before.Payload, after.Payload, 0)
	return out
}

// Compare relates two states whatever they are.
func Compare(before, after *Decoded) Comparison {
	c := Comparison{
		Same:       before.Raw == after.Raw,
		SizeBefore: before.Size(), SizeAfter: after.Size(),
		Readable: before.Payload != nil && after.Payload != nil,
		Changes:  Diff(before, after),
	}
	if b, a := before.Chain(), after.Chain(); b != a {
		c.FormatBefore, c.FormatAfter = b, a
	}
	b, a := []rune(before.Value), []rune(after.Value)
	for c.Prefix < len(b) && c.Prefix < len(a) && b[c.Prefix] == a[c.Prefix] {
		c.Prefix++
	}
	for most := min(len(b), len(a)) - c.Prefix; c.Suffix < most && b[len(b)-1-c.Suffix] == a[len(a)-1-c.Suffix]; {
		c.Suffix++
	}
	return c
}

type differ []Change

func (d *differ) add(path string, op Op, before, after []byte) {
	if len(*d) < maxChanges {
		*d = append(*d, Change{path, op, before, after})
	}
}

func (d *differ) value(path string, before, after []byte, level int) {
	switch {
	case bytes.Equal(before, after), sameText(before, after):
	case level < 64 && kind(before) == '{' && kind(after) == '{':
		d.objects(path, before, after, level)
	case level < 64 && kind(before) == '[' && kind(after) == '[':
		d.arrays(path, before, after, level)
	default:
		d.add(path, Changed, before, after)
	}
}

func kind(raw []byte) byte {
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

// sameText compares strings by what they say, not by how they are escaped.
func sameText(a, b []byte) bool {
	s, ok := rpc.String(a)
	t, ok2 := rpc.String(b)
	return ok && ok2 && s == t
}

func (d *differ) objects(path string, before, after []byte, level int) {
	now := map[string][]byte{}
	for k, v := range rpc.Members(after) {
		now[k] = v
	}
	was := map[string]bool{}
	for k, v := range rpc.Members(before) {
		at := path + "/" + escapePointer(k)
		was[k] = true
		if v2, ok := now[k]; ok {
			d.value(at, v, v2, level+1)
		} else {
			d.add(at, Removed, v, nil)
		}
	}
	for k, v := range rpc.Members(after) {
		if !was[k] {
			d.add(path+"/"+escapePointer(k), Added, nil, v)
		}
	}
}

// arrays compares element by element between what both begin and end with, so
// that one more in front or behind is one change.
func (d *differ) arrays(path string, before, after []byte, level int) {
	b, a := elements(before), elements(after)
	from := 0
	for from < len(b) && from < len(a) && bytes.Equal(b[from], a[from]) {
		from++
	}
	behind := 0
	for behind < len(b)-from && behind < len(a)-from && bytes.Equal(b[len(b)-1-behind], a[len(a)-1-behind]) {
		behind++
	}
	b, a = b[:len(b)-behind], a[:len(a)-behind]
	for i := from; i < len(b) || i < len(a); i++ {
		at := path + "/" + strconv.Itoa(i)
		switch {
		case i >= len(b):
			d.add(at, Added, nil, a[i])
		case i >= len(a):
			d.add(at, Removed, b[i], nil)
		default:
			d.value(at, b[i], a[i], level+1)
		}
	}
}

func elements(array []byte) [][]byte {
	var out [][]byte
	for _, v := range rpc.Elements(array) {
		out = append(out, v)
	}
	return out
}
