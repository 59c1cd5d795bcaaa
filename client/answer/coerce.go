package answer

import (
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"mcptui/client/schema"
)

// coercer makes JSON of a node, with scalars as the asked schema wants them. A
// scalar that cannot be made so is a problem, and stays what YAML takes it for.
type coercer struct {
	*reader
	problems []schema.Problem
}

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
	var problems []schema.Problem
	for i, field := range fields {
		try := coercer{reader: c.reader}
		raw, err := try.field(n, field, path, depth)
		if err != nil {
			return nil, err
		}
		if len(try.problems) == 0 && (len(fields) == 1 || len(schema.Blocking(field.Check(raw))) == 0) {
			return raw, nil
		}
		if i == 0 {
			kept, problems = raw, try.problems
		}
	}
	c.problems = append(c.problems, problems...)
	return kept, nil
}

func (c *coercer) field(n *yaml.Node, field *schema.Field, path string, depth int) (json.RawMessage, error) {
	if field.Kind == schema.Variant && n.Kind != yaml.ScalarNode {
		return c.value(n, field.Variants(), path, depth+1)
	}
	switch {
	case n.Kind == yaml.MappingNode && field.Kind == schema.Object:
		return c.object(n, func(name string) []*schema.Field {
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

func (c *coercer) object(n *yaml.Node, fields func(string) []*schema.Field, path string, depth int) (json.RawMessage, error) {
	members, err := c.members(n, depth)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for i, m := range members {
		value, err := c.value(m.value, fields(m.key.Value), path+"/"+schema.Escape(m.key.Value), depth+1)
		if err != nil {
			return nil, err
		}
		out = member(out, i, m.key.Value, value)
	}
	return append(out, '}'), nil
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
