package answer

import (
	"encoding/json"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"mcptui/client/schema"
)

// coercer makes JSON of a node, with scalars as the asked schema wants them. A
// scalar that cannot be made so is a problem, and stays what YAML takes it for.
type coercer struct {
	*reader
	problems []schema.Problem
	strays   []Stray
}

// Stray is a member of an answer that the asked form does not declare: sent, since that
// may be on purpose, but a slip as a rule.
type Stray struct {
	At   string // where its name stands: file:line:column
	Path string // JSON pointer within the content
	Name string
	Near string // the declared name that is most like it, "" for none
}

// maxStrays bounds what is told of one answer.
const maxStrays = 20

// value coerces n to the first of fields that it fits; there are several where
// a form has variants, none where the schema says nothing.
func (c *coercer) value(n *yaml.Node, fields []*schema.Field, path string, depth int) (json.RawMessage, error) {
	n, err := c.resolve(n, depth)
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 {
		return c.plain(n, depth)
	}
	var kept json.RawMessage
	var first coercer
	for i, field := range fields {
		try := coercer{reader: c.reader}
		raw, err := try.field(n, field, path, depth)
		if err != nil {
			return nil, err
		}
		if len(try.problems) == 0 && (len(fields) == 1 || len(schema.Blocking(field.Check(raw))) == 0) {
			c.take(try, fields, path)
			return raw, nil
		}
		if i == 0 {
			kept, first = raw, try
		}
	}
	c.take(first, fields, path)
	return kept, nil
}

// take takes over what was found in one of several variants. What another of them
// declares is no stray.
func (c *coercer) take(found coercer, fields []*schema.Field, path string) {
	c.problems = append(c.problems, found.problems...)
	if len(found.strays) == 0 {
		return
	}
	var names []string
	for _, field := range fields {
		more, _ := declared(field, 0)
		names = append(names, more...)
	}
	for _, s := range found.strays {
		if s.Path == path+"/"+schema.Escape(s.Name) {
			if slices.Contains(names, s.Name) {
				continue
			}
			s.Near = schema.Nearest(s.Name, names)
		}
		c.strays = append(c.strays, s)
	}
}

func (c *coercer) field(n *yaml.Node, field *schema.Field, path string, depth int) (json.RawMessage, error) {
	if field.Kind == schema.Variant && n.Kind != yaml.ScalarNode {
		return c.value(n, field.Variants(), path, depth+1)
	}
	switch {
	case n.Kind == yaml.MappingNode && field.Kind == schema.Object:
		return c.object(n, field, func(name string) []*schema.Field {
			if child := field.Child(name); child != nil {
				return []*schema.Field{child}
			}
			if extra := field.Extra(); extra != nil {
				return []*schema.Field{extra}
			}
			return nil
		}, path, depth)
	case n.Kind == yaml.SequenceNode && (field.Kind == schema.Array || field.Kind == schema.MultiChoice):
		return c.array(n, field, path, depth)
	case n.Kind != yaml.ScalarNode:
		return c.plain(n, depth)
	}
	return c.scalarOf(n, path, field.Coerce)
}

// object makes an object of n as the schema of in wants it: fields are those that a
// member may have.
func (c *coercer) object(n *yaml.Node, in *schema.Field, fields func(string) []*schema.Field, path string, depth int) (json.RawMessage, error) {
	members, err := c.members(n, depth)
	if err != nil {
		return nil, err
	}
	names, closed := declared(in, 0)
	out := []byte{'{'}
	for i, m := range members {
		at := path + "/" + schema.Escape(m.key.Value)
		if closed && !slices.Contains(names, m.key.Value) && len(c.strays) < maxStrays {
			c.strays = append(c.strays, Stray{c.at(m.key), at, m.key.Value, schema.Nearest(m.key.Value, names)})
		}
		value, err := c.value(m.value, fields(m.key.Value), at, depth+1)
		if err != nil {
			return nil, err
		}
		out = member(out, i, m.key.Value, value)
	}
	return append(out, '}'), nil
}

// declared are the names of the members that a field declares, in any of its variants.
// Closed is that it names some, and does not itself say that there may be others.
func declared(field *schema.Field, depth int) (names []string, closed bool) {
	switch field.Kind {
	case schema.Object:
		for _, child := range field.Children() {
			names = append(names, child.Name)
		}
		return names, len(names) > 0 && !field.Open()
	case schema.Variant:
		const deepest = 4
		variants := field.Variants()
		closed = len(variants) > 0 && depth < deepest
		for i := 0; closed && i < len(variants); i++ {
			var more []string
			more, closed = declared(variants[i], depth+1)
			names = append(names, more...)
		}
		return names, closed
	}
	return nil, false // anything may be there
}

func (c *coercer) array(n *yaml.Node, field *schema.Field, path string, depth int) (json.RawMessage, error) {
	out := []byte{'['}
	for i, e := range n.Content {
		at := fmt.Sprintf("%s/%d", path, i)
		e, err := c.resolve(e, depth+1)
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		switch element := field.Element(i); {
		case field.Kind == schema.MultiChoice && e.Kind == yaml.ScalarNode:
			value, err = c.scalarOf(e, at, field.CoerceOption)
		case element == nil || field.Kind == schema.MultiChoice:
			value, err = c.plain(e, depth+1)
		default:
			value, err = c.value(e, []*schema.Field{element}, at, depth+1)
		}
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

func (c *coercer) scalarOf(n *yaml.Node, path string, coerce func(schema.Scalar) (json.RawMessage, error)) (json.RawMessage, error) {
	own, err := c.scalar(n)
	if err != nil {
		own = encode(n.Value) // .inf may yet be the text that a field wants
	}
	raw, err := coerce(schema.Scalar{Text: n.Value, JSON: own})
	if err != nil {
		c.problems = append(c.problems, schema.Problem{Path: path, Message: err.Error(), Kind: schema.Unfinished})
		return own, nil
	}
	return raw, nil
}
