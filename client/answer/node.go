package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcptui/client/position"
	"mcptui/client/schema"
)

// Error is a mistake in a file of answers.
type Error struct {
	File         string
	Line, Column int // from 1; Column is 0 where it is not known
	Message      string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// reader reads one file. Its nodes keep the text of scalars and where they
// stand, which decoding into Go values would lose.
type reader struct {
	file string
	left int // nodes that may still be visited, against alias bombs

	counted, lines, columns int // of JSON: how far, in bytes, lines and then columns
}

const (
	maxFile  = 16 << 20
	maxNodes = 100_000
	maxDepth = 200
)

func (r *reader) errorf(n *yaml.Node, format string, args ...any) error {
	return &Error{r.file, n.Line, n.Column, fmt.Sprintf(format, args...)}
}

func (r *reader) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d:%d", r.file, n.Line, n.Column) }

// document reads the one document of a file, JSON or YAML; nil for an empty
// one.
func (r *reader) document(data []byte) (*yaml.Node, error) {
	if len(data) > maxFile {
		return nil, &Error{r.file, 1, 1, "larger than 16 MB"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if json.Valid(data) {
		if at, bad := position.NotUTF8(data); bad {
			line, column := position.Of(data, at)
			return nil, &Error{r.file, line, column, fmt.Sprintf("not UTF-8: the byte 0x%02x", data[at])}
		}
		return r.json(data)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := decoder.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, r.broken(data, decoder, err)
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, r.errorf(&more, "a second document: a file of answers has one")
	} else if !errors.Is(err, io.EOF) {
		return nil, r.broken(data, decoder, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// json makes nodes of a JSON file. YAML is almost, but not quite, a superset
// of JSON: escaped surrogate pairs and tabs trip it.
func (r *reader) json(data []byte) (*yaml.Node, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return r.jsonNode(decoder, data, 0)
}

func (r *reader) jsonNode(decoder *json.Decoder, data []byte, depth int) (*yaml.Node, error) {
	at := int(decoder.InputOffset())
	for at < len(data) && strings.IndexByte(" \t\r\n,:", data[at]) >= 0 {
		at++
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	n.Line, n.Column = r.placeOf(data, at)
	if depth > maxDepth {
		return nil, r.errorf(n, "nested more than %d levels deep", maxDepth)
	}
	token, err := decoder.Token()
	if err != nil {
		return nil, r.errorf(n, "%v", err)
	}
	switch token := token.(type) {
	case json.Delim:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		if token == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for decoder.More() {
			child, err := r.jsonNode(decoder, data, depth+1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		if _, err := decoder.Token(); err != nil {
			return nil, r.errorf(n, "%v", err)
		}
	case string:
		n.Tag, n.Value, n.Style = "!!str", token, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!float", token.String()
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(token)
	case nil:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}

// placeOf is position.Of for offsets that only grow: it goes on from the last one.
func (r *reader) placeOf(data []byte, offset int) (line, column int) {
	line, column = position.Of(data[r.counted:offset], offset)
	if line > 1 {
		r.lines, r.columns = r.lines+line-1, 0
	}
	r.counted, r.columns = offset, r.columns+column-1
	return r.lines + 1, r.columns + 1
}

// pair is one member of a mapping.
type pair struct {
	key, value *yaml.Node
}

// resolve follows aliases.
func (r *reader) resolve(n *yaml.Node, depth int) (*yaml.Node, error) {
	if r.left--; r.left < 0 || depth > maxDepth {
		return nil, r.errorf(n, "too large or too deep")
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n, nil
}

// members returns the members of a mapping. Names must be unique; a merge key
// (<<) brings in those that are not there.
func (r *reader) members(n *yaml.Node, depth int) ([]pair, error) {
	n, err := r.resolve(n, depth)
	if err != nil {
		return nil, err
	}
	if n.Kind != yaml.MappingNode {
		return nil, r.errorf(n, "a mapping is needed here, not %s", describe(n))
	}
	var own, merged []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			sources := []*yaml.Node{value}
			if value.Kind == yaml.SequenceNode {
				sources = value.Content
			}
			for _, source := range sources {
				more, err := r.members(source, depth+1)
				if err != nil {
					return nil, err
				}
				merged = append(merged, more...)
			}
			continue
		}
		for key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return nil, r.errorf(key, "a name must be text")
		}
		if slices.ContainsFunc(own, func(p pair) bool { return p.key.Value == key.Value }) {
			return nil, r.errorf(key, "%q is there twice", key.Value)
		}
		own = append(own, pair{key, value})
	}
	for _, p := range merged {
		if !slices.ContainsFunc(own, func(o pair) bool { return o.key.Value == p.key.Value }) {
			own = append(own, p)
		}
	}
	return own, nil
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

// unknown is the error of a name that is not among names.
func (r *reader) unknown(n *yaml.Node, what string, names ...string) error {
	if near := schema.Nearest(n.Value, names); near != "" {
		return r.errorf(n, "unknown %s %q; did you mean %q?", what, n.Value, near)
	}
	return r.errorf(n, "unknown %s %q; there are %s", what, n.Value, strings.Join(names, ", "))
}

// scalar is the JSON that a scalar is by YAML's own rules.
func (r *reader) scalar(n *yaml.Node) (json.RawMessage, error) {
	if n.Style == 0 && schema.IsNumber(n.Value) {
		return json.RawMessage(n.Value), nil // also one that YAML finds too large
	}
	switch n.ShortTag() {
	case "!!null":
		return json.RawMessage("null"), nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			return nil, r.errorf(n, "%q is not true or false", n.Value)
		}
		return json.RawMessage(strconv.FormatBool(b)), nil
	case "!!int", "!!float":
		return r.number(n)
	}
	return encode(n.Value), nil
}

func (r *reader) number(n *yaml.Node) (json.RawMessage, error) {
	if schema.IsNumber(n.Value) {
		return json.RawMessage(n.Value), nil
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	if i, ok := new(big.Int).SetString(text, 0); ok {
		return json.RawMessage(i.String()), nil
	}
	var f float64
	if err := n.Decode(&f); err == nil {
		if raw, err := json.Marshal(f); err == nil {
			return raw, nil
		}
	}
	return nil, r.errorf(n, "%s is not a number that JSON can hold", n.Value)
}

// plain is the JSON that a node is by YAML's own rules.
func (r *reader) plain(n *yaml.Node, depth int) (json.RawMessage, error) {
	n, err := r.resolve(n, depth)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.MappingNode:
		members, err := r.members(n, depth)
		if err != nil {
			return nil, err
		}
		out := []byte{'{'}
		for i, m := range members {
			value, err := r.plain(m.value, depth+1)
			if err != nil {
				return nil, err
			}
			out = member(out, i, m.key.Value, value)
		}
		return append(out, '}'), nil
	case yaml.SequenceNode:
		out := []byte{'['}
		for i, e := range n.Content {
			value, err := r.plain(e, depth+1)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, value...)
		}
		return append(out, ']'), nil
	}
	return r.scalar(n)
}

// member appends one member to an object that is being written.
func member(out []byte, i int, name string, value json.RawMessage) []byte {
	if i > 0 {
		out = append(out, ',')
	}
	out = append(append(out, encode(name)...), ':')
	return append(out, value...)
}
