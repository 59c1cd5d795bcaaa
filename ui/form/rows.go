package form

import (
	"mcptui/client/schema"
	"mcptui/ui/text"
)

// kind says what a row is.
type kind int

const (
	field     kind = iota // a value that is typed or chosen
	group                 // the head of an object, array or variant with rows below
	addItem               // adds an element to an array
	addMember             // adds a member that the schema does not declare
)

// row is one line of the form and what it stands for.
type row struct {
	kind  kind
	node  *schema.Node
	depth int
}

// maxRows bounds a form; what lies beyond is edited as JSON.
const maxRows = 2000

// rebuild makes the rows anew after the shape of the draft changed; the focus
// stays where it was.
func (f *Form) rebuild() {
	var at row
	onButton := f.focus - len(f.rows)
	if f.focus < len(f.rows) {
		at = f.rows[f.focus]
	}
	f.rows = f.rows[:0]
	root := f.draft.Root
	if root.Field.Kind == schema.Object && !root.AsJSON() && root.State() != schema.Null {
		f.members(root, 0)
	} else {
		f.add(root, 0)
	}
	f.view.stale = true
	if onButton >= 0 && at.node == nil {
		f.focus = len(f.rows) + onButton
		return
	}
	for i, r := range f.rows {
		if r.kind == at.kind && r.node == at.node {
			f.focus = i
			return
		}
	}
	f.focus = min(f.focus, max(0, len(f.rows)-1))
}

// members adds the rows of an object. A schema that only does not forbid members
// that it does not name gets no row for them.
func (f *Form) members(n *schema.Node, depth int) {
	for _, c := range n.Children() {
		f.add(c, depth)
	}
	if namesMembers(n) {
		f.rows = append(f.rows, row{addMember, n, depth})
	}
}

// namesMembers reports whether an object has a row for members of other names.
func namesMembers(n *schema.Node) bool {
	return n.Field.Open() || n.Parent != nil && n.Field.Extra() != nil && len(n.Field.Children()) == 0
}

func (f *Form) add(n *schema.Node, depth int) {
	if len(f.rows) >= maxRows {
		return
	}
	if !isGroup(n) {
		f.rows = append(f.rows, row{field, n, depth})
		return
	}
	f.rows = append(f.rows, row{group, n, depth})
	if n.State() != schema.Set || f.collapsed[n] {
		return
	}
	switch n.Field.Kind {
	case schema.Object:
		f.members(n, depth+1)
	case schema.Array:
		for _, c := range n.Children() {
			f.add(c, depth+1)
		}
		if n.Field.Element(len(n.Children())) != nil {
			f.rows = append(f.rows, row{addItem, n, depth + 1})
		}
	case schema.Variant:
		for _, c := range n.Children() {
			if c.Field.Kind == schema.Object && !c.AsJSON() && c.State() == schema.Set {
				f.members(c, depth+1)
			} else {
				f.add(c, depth+1)
			}
		}
	}
}

func isGroup(n *schema.Node) bool {
	if n.AsJSON() {
		return false
	}
	switch n.Field.Kind {
	case schema.Object, schema.Array, schema.Variant:
		return true
	}
	return false
}

// label is what a row is called.
func label(r row) string {
	n := r.node
	switch r.kind {
	case addItem:
		return "+ add"
	case addMember:
		return "+ member"
	}
	switch {
	case n.Parent == nil:
		if n.Field.Title != "" {
			return text.CleanLine(n.Field.Title)
		}
		return "value"
	case n.Parent.Field.Kind == schema.Array:
		for i, c := range n.Parent.Children() {
			if c == n {
				return "#" + itoa(i+1)
			}
		}
	case n.Parent.Field.Kind == schema.Variant:
		if l := n.Field.Label(); l != "" {
			return text.CleanLine(l)
		}
		return "value"
	}
	l := n.Field.Title
	if l == "" {
		l = n.Name
	}
	if l == "" {
		return `""`
	}
	return text.CleanLine(l)
}

// element returns the array that holds n or something above it, and the index
// there; the nearest one.
func element(n *schema.Node) (array *schema.Node, i int) {
	for c := n; c != nil && c.Parent != nil; c = c.Parent {
		p := c.Parent
		if p.Field.Kind == schema.Array || p.Field.Kind == schema.Object && c.Unknown() {
			for i, e := range p.Children() {
				if e == c {
					return p, i
				}
			}
		}
	}
	return nil, -1
}

// reveal opens every group above n.
func (f *Form) reveal(n *schema.Node) {
	for p := n.Parent; p != nil; p = p.Parent {
		delete(f.collapsed, p)
	}
	f.rebuild()
}

// rowOf returns the row of n, or of the nearest node above it that has one.
func (f *Form) rowOf(n *schema.Node) int {
	for ; n != nil; n = n.Parent {
		for i, r := range f.rows {
			if r.node == n && r.kind <= group {
				return i
			}
		}
	}
	return 0
}

// toFirst goes to the first problem in the order of the rows.
func (f *Form) toFirst(problems []schema.Problem) {
	say := func(p schema.Problem) string {
		where := ""
		if p.Path != "" {
			where = text.CleanLine(p.Path[1:]) + " "
		}
		return where + text.CleanLine(p.Message) + "; " + sendAgain
	}
	f.say(say(problems[0]), true)
	if f.asJSON != nil {
		return
	}
	for _, p := range problems {
		f.reveal(f.draft.Find(p.Path))
	}
	best, at := problems[0], len(f.rows)
	for _, p := range problems {
		if i := f.rowOf(f.draft.Find(p.Path)); i < at {
			best, at = p, i
		}
	}
	f.say(say(best), true)
	f.focusOn(at)
}

const sendAgain = "send again to send it all the same"
