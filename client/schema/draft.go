package schema

import (
	"encoding/json"
	"strconv"
	"strings"
)

// State is what a node holds.
type State int

const (
	// Unset: the member is left out.
	Unset State = iota
	// Null: the value is null.
	Null
	// Set: there is a value, perhaps an unfinished one.
	Set
)

func (s State) String() string { return [...]string{"left out", "null", "set"}[s] }

// Limits on drafts. Beyond them a value is edited as JSON.
const (
	maxSeed     = 24      // levels of required groups that a fresh form opens by itself
	maxSeeded   = 3000    // nodes of a fresh form
	maxNodes    = 300_000 // nodes altogether
	maxElements = 20_000  // elements of one list
)

// Draft is what a person has filled in so far. It is not safe for use by
// several goroutines at once.
type Draft struct {
	Form *Form
	Root *Node

	made int // nodes
}

// Node is one place of a draft: a field and what stands there.
type Node struct {
	Field  *Field
	Parent *Node  // nil at the root
	Name   string // member name, where the parent is an Object

	draft    *Draft
	state    State
	text     string   // of String, Integer, Number and JSON: what is being typed
	was      string   // the text that raw stands for
	raw      []byte   // the exact bytes of a value that nobody has changed
	kept     []byte   // raw as it was before the text was changed
	chosen   []int    // of Boolean, Choice and MultiChoice: options, in the order chosen
	variant  int      // of Variant: which, -1 for none
	children []*Node  // of Object: declared members and then others; of Array: elements; of Variant: the chosen one
	order    []string // of Object: the order of the members in the loaded JSON
	asJSON   bool     // the text is JSON, whatever the kind
	opened   bool     // children have been made
	touched  bool     // changed by a person since it was seeded or loaded
	unknown  bool     // a member that the schema does not declare
}

// New returns a draft with the schema's defaults in it. Optional members
// without a default are left out.
func (f *Form) New() *Draft {
	d := &Draft{Form: f}
	d.Root = d.node(f.Root, nil, "")
	d.Root.seed(0)
	if d.Root.state == Unset {
		d.Root.open(0)
	}
	return d
}

func (d *Draft) node(f *Field, parent *Node, name string) *Node {
	d.made++
	return &Node{Field: f, Parent: parent, Name: name, draft: d, variant: -1}
}

// seed puts the value of a fresh form into n: its default, or the only value
// that there can be, or for a required group its own seeds.
func (n *Node) seed(depth int) {
	f := n.Field
	if f.Default != nil && n.draft.Form.goodDefault(f) {
		n.load(mustParse(f.Default))
		return
	}
	if !f.Required {
		return
	}
	switch f.Kind {
	case Choice:
		if len(f.Options) == 1 && !f.Nullable {
			n.choose(0)
		}
	case Object:
		if depth < maxSeed && n.draft.made < maxSeeded && !n.recurs() {
			n.open(depth)
		}
	case Variant:
		// A choice of variant is the person's; it starts with none.
	}
}

// recurs reports whether n's own schema lies on the way to it: a value that
// requires itself has no end.
func (n *Node) recurs() bool {
	if n.Field.Place == "" && n.Parent == nil {
		return false
	}
	for p := n.Parent; p != nil; p = p.Parent {
		for _, part := range n.Field.view.parts {
			for _, other := range p.Field.view.parts {
				if part == other {
					return true
				}
			}
		}
	}
	return false
}

// open makes n Set, with its children seeded where it has none yet.
func (n *Node) open(depth int) {
	n.state = Set
	if n.opened || n.asJSON {
		return
	}
	n.opened = true
	switch n.Field.Kind {
	case Object:
		for _, f := range n.Field.Children() {
			c := n.draft.node(f, n, f.Name)
			n.children = append(n.children, c)
			c.seed(depth + 1)
		}
	case Array:
		least := min(max(n.Field.MinItems, len(n.Field.Prefix())), 50)
		for len(n.children) < least && depth < maxSeed && n.draft.made < maxSeeded {
			if n.add(depth+1) == nil {
				break
			}
		}
	}
}

// add appends one element to an Array, or returns nil where none is allowed.
func (n *Node) add(depth int) *Node {
	f := n.elementField(len(n.children))
	if f == nil {
		return nil
	}
	c := n.draft.node(f, n, "")
	n.children = append(n.children, c)
	c.seed(depth)
	if c.state == Unset {
		c.initial(depth)
	}
	return c
}

func (n *Node) elementField(i int) *Field {
	if prefix := n.Field.Prefix(); i < len(prefix) {
		return prefix[i]
	}
	return n.Field.Item()
}

// State says whether n holds a value, null, or is left out.
func (n *Node) State() State { return n.state }

// Text is what is being typed, for String, Integer, Number and JSON, and for
// any kind while AsJSON.
func (n *Node) Text() string { return n.text }

// Chosen are the indexes of the chosen options, in the order chosen.
func (n *Node) Chosen() []int { return n.chosen }

// Variant is the index of the chosen variant, or -1.
func (n *Node) Variant() int { return n.variant }

// Children are the members of an Object (declared ones first, in the schema's
// order, also those left out), the elements of an Array, or the one chosen
// node of a Variant. They belong to the draft: change them by its methods only.
func (n *Node) Children() []*Node { return n.children }

// AsJSON says that n is edited as JSON text, because a person wants it so or
// because its value does not fit the field.
func (n *Node) AsJSON() bool { return n.asJSON }

// Touched reports whether a person changed n or anything below it.
func (n *Node) Touched() bool { return n.touched }

// Unknown reports whether n is a member that the schema does not declare.
func (n *Node) Unknown() bool { return n.unknown }

// Optional reports whether n can be left out.
func (n *Node) Optional() bool {
	return n.Parent != nil && n.Parent.Field.Kind == Object && !n.Parent.asJSON
}

// Path is the JSON Pointer of n within the value.
func (n *Node) Path() string {
	var tokens []string
	for c := n; c.Parent != nil; c = c.Parent {
		switch c.Parent.Field.Kind {
		case Array:
			tokens = append(tokens, strconv.Itoa(c.index()))
		case Variant:
			// The variant is the value itself.
		default:
			tokens = append(tokens, Escape(c.Name))
		}
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String()
}

func (n *Node) index() int {
	for i, c := range n.Parent.children {
		if c == n {
			return i
		}
	}
	return -1
}

// Child returns the member of that name, or nil.
func (n *Node) Child(name string) *Node {
	for _, c := range n.children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Find returns the node at a JSON Pointer, or the nearest one above it where
// the draft has none there, so that a problem always has a place to be shown.
func (d *Draft) Find(path string) *Node {
	n := d.Root
	if path == "" {
		return n
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		for n.Field.Kind == Variant && len(n.children) == 1 && !n.asJSON {
			n = n.children[0]
		}
		var next *Node
		switch n.Field.Kind {
		case Object:
			next = n.Child(unescape(token))
		case Array:
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.children) {
				next = n.children[i]
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func mustParse(raw json.RawMessage) *value {
	v, err := parse(raw)
	if err != nil {
		return &value{kind: 'n', raw: []byte("null")}
	}
	return v
}
