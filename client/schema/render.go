package schema

import (
	"errors"
	"fmt"
	"slices"
)

// JSON returns the value as it will be sent, byte for byte, and what stands in
// the way of making it: text that is not finished or not of its type, nothing
// chosen. Where there are problems the bytes are still JSON, with such text as
// a JSON string in its place, fit for a preview and for sending a wrong value
// on purpose. Check adds what the schema says.
//
// Values that nobody changed are the bytes that they came with; only line
// breaks between tokens are removed, since a message must be one line.
func (d *Draft) JSON() ([]byte, []Problem) {
	raw, problems := d.Root.json()
	if raw == nil {
		raw = []byte("{}")
	}
	return oneLine(raw), problems
}

// JSON returns the value of n alone, or nil where it is left out.
func (n *Node) JSON() ([]byte, []Problem) {
	raw, problems := n.json()
	return oneLine(raw), problems
}

// renderer writes a draft out in one pass.
type renderer struct {
	out      []byte
	problems []Problem
}

func (n *Node) json() ([]byte, []Problem) {
	if n.state == Unset {
		return nil, nil
	}
	var r renderer
	r.write(n)
	return r.out, r.problems
}

func (r *renderer) write(n *Node) {
	switch {
	case n.raw != nil:
		r.out = append(r.out, n.raw...)
	case n.state == Null:
		r.out = append(r.out, "null"...)
	case n.asJSON || n.Field.Kind == JSON:
		r.text(n)
	default:
		r.kind(n)
	}
}

func (r *renderer) kind(n *Node) {
	switch n.Field.Kind {
	case String:
		r.out = append(r.out, quote(n.text)...)
	case Integer, Number:
		r.number(n)
	case Boolean, Choice:
		if len(n.chosen) != 1 {
			r.stop(n, errors.New("nothing is chosen"), "null")
			return
		}
		r.out = append(r.out, n.Field.Options[n.chosen[0]].Value...)
	case MultiChoice:
		r.out = append(r.out, '[')
		for i, o := range n.chosen {
			r.comma(i)
			r.out = append(r.out, n.Field.Options[o].Value...)
		}
		r.out = append(r.out, ']')
	case Object:
		r.object(n)
	case Array:
		r.out = append(r.out, '[')
		for i, c := range n.children {
			r.comma(i)
			if c.state == Unset {
				r.stop(c, errors.New("an element cannot be left out: remove it"), "null")
				continue
			}
			r.write(c)
		}
		r.out = append(r.out, ']')
	case Variant:
		if len(n.children) != 1 || n.children[0].state == Unset {
			r.stop(n, errors.New("no variant is chosen"), "null")
			return
		}
		r.write(n.children[0])
	}
}

func (r *renderer) comma(i int) {
	if i > 0 {
		r.out = append(r.out, ',')
	}
}

func (r *renderer) object(n *Node) {
	r.out = append(r.out, '{')
	i := 0
	for _, c := range n.inOrder() {
		if c.state == Unset {
			continue
		}
		r.comma(i)
		i++
		r.out = append(r.out, quote(c.Name)...)
		r.out = append(r.out, ':')
		r.write(c)
	}
	r.out = append(r.out, '}')
}

// inOrder returns the members as the loaded JSON had them, others after.
func (n *Node) inOrder() []*Node {
	if len(n.order) == 0 {
		return n.children
	}
	rank := make(map[string]int, len(n.order))
	for i, name := range n.order {
		rank[name] = i
	}
	sorted := slices.Clone(n.children)
	slices.SortStableFunc(sorted, func(a, b *Node) int {
		return place(rank, a.Name) - place(rank, b.Name)
	})
	return sorted
}

func place(rank map[string]int, name string) int {
	if i, ok := rank[name]; ok {
		return i
	}
	return len(rank)
}

func (r *renderer) number(n *Node) {
	if err := checkNumber(n.text); err != nil {
		if IsNumber(n.text) { // not finite, but it can be written
			r.stop(n, err, n.text)
			return
		}
		r.stop(n, err, string(quote(n.text)))
		return
	}
	if n.Field.Kind == Integer && !isInteger(n.text) {
		r.stop(n, fmt.Errorf("%s is not a whole number", n.text), n.text)
		return
	}
	r.out = append(r.out, n.text...)
}

// text writes a node that is edited as JSON.
func (r *renderer) text(n *Node) {
	v, err := parse([]byte(n.text))
	if err != nil {
		r.stop(n, err, string(quote(n.text)))
		return
	}
	r.out = append(r.out, v.raw...)
}

// stop notes why n has no proper value, and writes a stand-in.
func (r *renderer) stop(n *Node, err error, instead string) {
	r.problems = append(r.problems, Problem{Path: n.Path(), Message: err.Error(), Kind: Unfinished})
	r.out = append(r.out, instead...)
}
