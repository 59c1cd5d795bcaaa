package schema

import (
	"errors"
	"fmt"
	"slices"
)

// touch notes that a person changed n: the bytes of everything round it no
// longer hold, and a group that was left out is there now.
func (n *Node) touch() {
	n.touched = true
	n.raw = nil
	for p := n.Parent; p != nil; p = p.Parent {
		p.touched = true
		p.raw = nil
		p.state = Set
		p.opened = true
	}
}

// SetText replaces the text of a String, Integer, Number or JSON field, or of
// any field that is edited as JSON. The text is kept as it is, finished or not.
func (n *Node) SetText(text string) {
	if n.state == Set && n.text == text {
		return
	}
	if n.raw != nil {
		n.kept = n.raw
	}
	n.touch()
	n.state, n.text = Set, text
	if n.kept != nil && text == n.was {
		n.raw = n.kept // typed and taken back: the old spelling holds again
	}
}

// Choose picks option i of a Boolean or Choice; of a MultiChoice it adds i.
func (n *Node) Choose(i int) {
	if i < 0 || i >= len(n.Field.Options) {
		return
	}
	n.touch()
	n.choose(i)
}

func (n *Node) choose(i int) {
	n.state, n.asJSON, n.opened = Set, false, true
	if n.Field.Kind != MultiChoice {
		n.chosen = []int{i}
	} else if !slices.Contains(n.chosen, i) {
		n.chosen = append(n.chosen, i)
	}
}

// Toggle adds option i of a MultiChoice, or takes it out.
func (n *Node) Toggle(i int) {
	if at := slices.Index(n.chosen, i); at >= 0 && n.state == Set && !n.asJSON {
		n.touch()
		n.chosen = slices.Delete(slices.Clone(n.chosen), at, at+1)
		return
	}
	n.Choose(i)
}

// SetVariant picks variant i of a Variant. What was filled in under members of
// the same name is taken along.
func (n *Node) SetVariant(i int) {
	variants := n.Field.Variants()
	if i < 0 || i >= len(variants) || i == n.variant && n.state == Set && !n.asJSON {
		return
	}
	var before *value
	if len(n.children) == 1 {
		if raw, problems := n.children[0].json(); len(problems) == 0 && raw != nil {
			before = mustParse(raw)
		}
	}
	n.touch()
	c := n.pick(i)
	if c.state == Unset {
		c.initial(0)
	}
	if before.is('{') && c.Field.Kind == Object {
		for _, m := range c.children {
			old := before.get(m.Name)
			if old != nil && (m.Field.Kind != Choice || len(m.Field.Options) > 1) && m.fits(old) {
				m.load(old)
			}
		}
		c.raw = nil
	}
}

// pick makes variant i the child of n.
func (n *Node) pick(i int) *Node {
	c := n.draft.node(n.Field.Variants()[i], n, n.Name)
	n.state, n.asJSON, n.opened, n.variant, n.children = Set, false, true, i, []*Node{c}
	c.seed(0)
	return c
}

// SetNull makes the value null. Whether null is allowed is for Check to say.
func (n *Node) SetNull() {
	n.touch()
	n.state = Null
}

// Unset leaves the member out. What was filled in comes back with Fill.
func (n *Node) Unset() {
	if n.state == Unset {
		return
	}
	n.touch()
	n.state = Unset
}

// Fill makes n Set: with what was filled in before, else its default, else the
// plainest value of its kind.
func (n *Node) Fill() {
	if n.state == Set {
		return
	}
	n.touch()
	switch {
	case n.asJSON, n.opened, n.text != "", len(n.chosen) > 0:
		n.state = Set
	case n.Field.Default != nil && string(n.Field.Default) != "null" && n.draft.Form.goodDefault(n.Field):
		n.load(mustParse(n.Field.Default))
		n.touched = true
	default:
		n.initial(0)
	}
}

// initial is the plainest value of the kind: empty text, the first option, an
// opened group.
func (n *Node) initial(depth int) {
	n.state = Set
	switch n.Field.Kind {
	case Boolean, Choice:
		if len(n.Field.Options) > 0 {
			first := 0
			if n.Field.Kind == Boolean && string(n.Field.Options[0].Value) == "true" {
				first = 1 // the plainest boolean is false
			}
			n.chosen = []int{first}
		}
	case Object, Array:
		if n.recurs() || depth >= maxSeed || n.draft.made > maxSeeded {
			depth = maxSeed // open this group, and none below it
		}
		n.open(depth)
	case JSON:
		// Where nothing is known, a null to be deleted first would only be in
		// the way.
		if skeleton := n.Field.Skeleton(); string(skeleton) != "null" {
			n.text = string(skeleton)
		}
	}
}

// Cycle goes on to the next state that makes sense: a value, null where it is
// allowed, left out where it is allowed.
func (n *Node) Cycle() {
	switch {
	case n.state == Set && n.Field.Nullable:
		n.SetNull()
	case n.state != Unset && n.Optional() && !n.Field.Required:
		n.Unset()
	default:
		n.Fill()
	}
}

// Errors of changes that a draft cannot make.
var (
	ErrNoElement = errors.New("the schema allows no further elements here")
	ErrNoMember  = errors.New("the schema allows no further members here")
	errNotArray  = errors.New("not a list of elements")
	errNotObject = errors.New("not a group of members")
)

// Append adds an element to an Array and returns it. More than the schema's
// maximum may be added: Check says so.
func (n *Node) Append() (*Node, error) {
	if n.Field.Kind != Array || n.asJSON {
		return nil, errNotArray
	}
	if n.elementField(len(n.children)) == nil {
		return nil, ErrNoElement
	}
	fresh := !n.opened
	n.touch()
	if n.state != Set {
		n.state = Set
	}
	n.opened = true
	if fresh {
		n.children = nil
	}
	return n.add(0), nil
}

// Remove takes element i out of an Array, or the member at i out of an Object
// where the schema does not declare it.
func (n *Node) Remove(i int) error {
	if i < 0 || i >= len(n.children) || n.asJSON {
		return fmt.Errorf("there is no element %d", i)
	}
	switch n.Field.Kind {
	case Array:
	case Object:
		if !n.children[i].unknown {
			n.children[i].Unset()
			return nil
		}
	default:
		return errNotArray
	}
	n.touch()
	n.children = slices.Delete(slices.Clone(n.children), i, i+1)
	if n.Field.Kind == Array {
		n.refit()
	}
	return nil
}

// Move puts element i of an Array at j.
func (n *Node) Move(i, j int) error {
	if n.Field.Kind != Array || n.asJSON {
		return errNotArray
	}
	if i < 0 || j < 0 || i >= len(n.children) || j >= len(n.children) {
		return fmt.Errorf("there is no element %d", max(i, j))
	}
	n.touch()
	c := n.children[i]
	n.children = slices.Insert(slices.Delete(slices.Clone(n.children), i, i+1), j, c)
	n.refit()
	return nil
}

// refit gives the elements of a tuple the fields of their new places.
func (n *Node) refit() {
	if len(n.Field.Prefix()) == 0 {
		return
	}
	for i, c := range n.children {
		f := n.elementField(i)
		if f == nil || f == c.Field {
			continue
		}
		raw, _ := c.json()
		n.children[i] = n.draft.node(f, n, "")
		if raw != nil {
			n.children[i].load(mustParse(raw))
		}
	}
}

// AddMember adds a member that the schema does not declare to an Object and
// returns it, or returns the one that has the name already.
func (n *Node) AddMember(name string) (*Node, error) {
	if n.Field.Kind != Object || n.asJSON {
		return nil, errNotObject
	}
	if n.state != Set {
		n.Fill()
	}
	if c := n.Child(name); c != nil {
		c.Fill()
		return c, nil
	}
	if n.Field.Extra() == nil {
		return nil, ErrNoMember
	}
	c := n.unknownMember(name)
	n.children = append(n.children, c)
	c.touch()
	c.initial(0)
	return c, nil
}

func (n *Node) unknownMember(name string) *Node {
	f := n.Field.Extra()
	if f == nil {
		f = n.draft.Form.anyField()
	}
	c := n.draft.node(f, n, name)
	c.unknown = true
	return c
}

// EditAsJSON turns the editing of n as JSON text on or off. Turning it off
// fails where the text is not JSON; a value that the field cannot show stays
// JSON text without an error.
func (n *Node) EditAsJSON(on bool) error {
	if on == n.asJSON {
		return nil
	}
	if on {
		raw, _ := n.json()
		if raw == nil { // it was left out, and now is there
			n.touch()
			raw = n.Field.Skeleton()
		}
		keep := n.raw
		n.asJSON, n.text, n.was, n.kept = true, string(raw), string(raw), keep
		n.state = Set
		return nil
	}
	v, err := parse([]byte(n.text))
	if err != nil {
		return err
	}
	touched := n.touched
	n.load(v)
	n.touched = touched
	return nil
}

// Reset puts n back to what a fresh form has.
func (n *Node) Reset() {
	n.touch()
	fresh := n.draft.node(n.Field, n.Parent, n.Name)
	fresh.unknown = n.unknown
	fresh.seed(0)
	*n = *fresh
	for _, c := range n.children {
		c.Parent = n
	}
}
