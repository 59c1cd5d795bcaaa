package header

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mcptui/client/rpc"
)

// Field is one header to send.
type Field struct{ Name, Value string }

// Param is a tool parameter that is mirrored into a header.
type Param struct {
	Header string   // the full name, Mcp-Param- included
	Path   []string // the properties that lead to it from the schema's root
}

const annotation = "x-mcp-header"

// Params finds the annotated parameters of a tool's input schema. The error says
// why the annotations, and with them the tool, must not be used over HTTP.
func Params(inputSchema []byte) ([]Param, error) {
	w := walker{seen: map[string]string{}}
	if err := w.schema(inputSchema, nil, true, 0); err != nil {
		return nil, err
	}
	return w.found, nil
}

type walker struct {
	found []Param
	seen  map[string]string // lower-case header to the path that took it
}

// The schema-valued keywords of JSON Schema, by the shape of their value. An
// annotation below any of them is not statically reachable.
var (
	oneSchema  = []string{"items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "additionalItems"}
	schemaList = []string{"prefixItems", "oneOf", "anyOf", "allOf", "items"}
	schemaMap  = []string{"$defs", "definitions", "patternProperties", "dependentSchemas"}
)

const maxDepth = 200 // deeper than any schema that a person wrote

func (w *walker) schema(raw []byte, path []string, reachable bool, depth int) error {
	if depth > maxDepth || len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	for key, value := range rpc.Members(raw) {
		var err error
		switch {
		case key == annotation:
			err = w.annotated(raw, value, path, reachable)
		case key == "properties":
			for name, sub := range rpc.Members(value) {
				if err = w.schema(sub, append(slices.Clip(path), name), reachable, depth+1); err != nil {
					return err
				}
			}
		case slices.Contains(schemaMap, key):
			for name, sub := range rpc.Members(value) {
				if err = w.schema(sub, append(slices.Clip(path), key, name), false, depth+1); err != nil {
					return err
				}
			}
		default:
			if slices.Contains(oneSchema, key) {
				err = w.schema(value, append(slices.Clip(path), key), false, depth+1)
			}
			if err == nil && slices.Contains(schemaList, key) {
				for _, sub := range rpc.Elements(value) {
					if err = w.schema(sub, append(slices.Clip(path), key), false, depth+1); err != nil {
						return err
					}
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) annotated(schema, value []byte, path []string, reachable bool) error {
	where := strings.Join(path, ".")
	name, ok := rpc.String(value)
	switch {
	case len(path) == 0:
		return fmt.Errorf("x-mcp-header stands on the whole schema, not on a property")
	case !reachable:
		return fmt.Errorf("x-mcp-header at %q is not reachable through \"properties\" alone", where)
	case !ok:
		return fmt.Errorf("x-mcp-header of %q is not a string", where)
	case name == "":
		return fmt.Errorf("x-mcp-header of %q is empty", where)
	case !token(name):
		return fmt.Errorf("x-mcp-header %q of %q is not a header name", name, where)
	}
	if other, taken := w.seen[strings.ToLower(name)]; taken {
		return fmt.Errorf("x-mcp-header %q of %q is taken by %q already", name, where, other)
	}
	if err := primitive(rpc.Member(schema, "type"), where); err != nil {
		return err
	}
	w.seen[strings.ToLower(name)] = where
	w.found = append(w.found, Param{Header: "Mcp-Param-" + name, Path: path})
	return nil
}

// primitive checks the declared type. A primitive that may also be null is let
// through: the header is left out for null.
func primitive(declared []byte, where string) error {
	types := [][]byte{declared}
	if len(declared) > 0 && declared[0] == '[' {
		types = nil
		for _, t := range rpc.Elements(declared) {
			if string(t) != `"null"` {
				types = append(types, t)
			}
		}
	}
	for _, t := range types {
		switch string(t) {
		case `"string"`, `"integer"`, `"boolean"`:
		case "":
			return fmt.Errorf("x-mcp-header stands on %q, which has no type", where)
		default:
			return fmt.Errorf("x-mcp-header stands on %q of type %s; only string, integer and boolean are allowed", where, t)
		}
	}
	if len(types) == 0 {
		return fmt.Errorf("x-mcp-header stands on %q, which has no usable type", where)
	}
	return nil
}

// token checks the syntax of an HTTP field name (RFC 9110, section 5.1).
func token(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0 {
			continue
		}
		return false
	}
	return s != ""
}

// Values reads the headers of a call's annotated parameters out of its
// arguments. What is absent, null, or no primitive has no header.
func Values(params []Param, arguments []byte) []Field {
	var out []Field
	for _, p := range params {
		if v, ok := text(rpc.Member(arguments, p.Path...)); ok {
			out = append(out, Field{p.Header, Encode(v)})
		}
	}
	return out
}

func text(raw []byte) (string, bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", false
	case string(raw) == "true", string(raw) == "false":
		return string(raw), true
	case raw[0] == '"':
		return rpc.String(raw)
	case raw[0] == '{', raw[0] == '[':
		return "", false
	}
	if !strings.ContainsAny(string(raw), ".eE") || len(raw) > 40 {
		return string(raw), true
	}
	if n, ok := new(big.Rat).SetString(string(raw)); ok && n.IsInt() && n.Num().BitLen() < 128 {
		return n.Num().String(), true
	}
	return string(raw), true
}

// Standard gives the headers that every modern request carries: its method and,
// for the three methods that name something, that name. The names must equal
// what the body says.
func Standard(method string, params []byte) []Field {
	out := []Field{{"Mcp-Method", Encode(method)}}
	member := ""
	switch method {
	case "tools/call", "prompts/get":
		member = "name"
	case "resources/read":
		member = "uri"
	}
	if name, ok := rpc.String(rpc.Member(params, member)); ok && member != "" {
		out = append(out, Field{"Mcp-Name", Encode(name)})
	}
	return out
}
