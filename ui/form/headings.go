package form

import (
	"mcptui/client/schema"
	"mcptui/ui/keys"
)

// What is typed on a row without an editor goes to where it is meant, where that is
// one place: it must not vanish.

// meant is the field that text typed on the focused row is for, nil where the row
// has no single one. Of an array it is a new element. Name says that the text is the
// name of a member.
func (f *Form) meant() (fd *schema.Field, name bool) {
	r := f.current()
	if r == nil || f.edit != nil || r.kind == field {
		return nil, false
	}
	n := r.node
	switch n.Field.Kind {
	case schema.Array:
		if fd := n.Field.Element(len(n.Children())); fd != nil && single(fd) {
			return fd, false
		}
	case schema.Object:
		declared := n.Field.Children()
		switch {
		case len(declared) == 0 && namesMembers(n):
			return n.Field, true
		case len(declared) == 1 && !namesMembers(n) && single(declared[0]) && len(n.Children()) <= 1:
			return declared[0], false
		}
	}
	return nil, false
}

// single reports whether a field is one row in which something is typed or chosen.
func single(fd *schema.Field) bool {
	switch fd.Kind {
	case schema.Object, schema.Array, schema.Variant:
		return false
	}
	return true
}

// toMeant goes there, and makes it where it is not there yet. False means that there
// is nothing to type into, and that the form says what to press.
func (f *Form) toMeant() bool {
	fd, name := f.meant()
	if fd == nil {
		f.typesNowhere()
		return false
	}
	r := *f.current()
	before := len(r.node.Children())
	if r.kind == group {
		f.open(r.node)
	}
	made := len(r.node.Children()) > before
	switch {
	case name:
		f.focusOn(f.memberRow(r.node))
	case r.node.Field.Kind == schema.Object:
		f.focusOn(f.rowOf(r.node.Children()[0]))
	case made: // with the elements that it needs
		f.focusOn(f.rowOf(r.node.Children()[0]))
	default:
		f.addItem()
	}
	return f.edit != nil
}

// open shows what lies below a group, and gives it a value where it has none.
func (f *Form) open(n *schema.Node) {
	if n.State() != schema.Set {
		n.Fill()
	}
	delete(f.collapsed, n)
	f.reshaped()
}

// typesNowhere says what to press where text was typed that is meant for no one place.
func (f *Form) typesNowhere() {
	r := f.current()
	said := keys.Of(keys.NextField) + " goes on to where text can be typed"
	switch {
	case r.kind == field:
		said = keys.Of(keys.AsJSON) + " edits it: it is too long to be typed in here"
	case r.node.Field.Kind == schema.Array && r.node.Field.Element(len(r.node.Children())) == nil:
		said = "the list takes no more items; " + said
	case r.kind == addItem:
		said = keys.Of(keys.Open) + " adds an item"
	case r.node.State() != schema.Set || f.collapsed[r.node]:
		said = keys.Of(keys.Open) + " opens it, to be filled in"
	case r.node.Field.Kind == schema.Array:
		said = keys.Of(keys.AddItem) + " adds an item"
	}
	f.say("nothing was typed: "+said, false)
}
