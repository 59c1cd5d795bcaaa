package form

import (
	"mcptui/client/schema"
	"mcptui/ui/keys"
)

// addItem adds an element to the array that the focus is on or in.
func (f *Form) addItem() {
	r := f.current()
	if r == nil {
		return
	}
	array := r.node
	if array.Field.Kind != schema.Array || array.AsJSON() {
		if array, _ = element(r.node); array == nil || array.Field.Kind != schema.Array {
			f.toMember(r.node)
			return
		}
	}
	f.leave()
	n, err := array.Append()
	if err != nil {
		f.say(err.Error(), true)
		return
	}
	delete(f.collapsed, array)
	f.rebuild()
	f.changed()
	f.focusOn(f.firstIn(f.rowOf(n)))
}

// firstIn is the row in which something is filled in first of what begins at row i:
// of an object its first member.
func (f *Form) firstIn(i int) int {
	for i+1 < len(f.rows) && f.rows[i].kind == group && f.rows[i].node.Field.Kind == schema.Object && f.rows[i+1].depth > f.rows[i].depth {
		i++
	}
	return i
}

// toMember goes to the row in which a member is added to what a node lies in.
func (f *Form) toMember(n *schema.Node) {
	for ; n != nil; n = n.Parent {
		if f.memberRow(n) < 0 {
			continue
		}
		if r := f.current(); r.kind != addMember || r.node != n {
			f.leave() // may change the rows
			f.focusOn(f.memberRow(n))
		}
		f.say("there is no list here; a member is added by its name", false)
		return
	}
	f.say("there is no list here to add to; "+keys.Of(keys.AsJSON)+" edits the whole as JSON", false)
}

// memberRow is the row in which a member is added to n, -1 where none can be.
func (f *Form) memberRow(n *schema.Node) int {
	for i, r := range f.rows {
		if r.kind == addMember && r.node == n {
			return i
		}
	}
	return -1
}

func (f *Form) removeItem() {
	r := f.current()
	if r == nil {
		return
	}
	parent, i := element(r.node)
	if parent == nil {
		f.say("this is no item of a list", false)
		return
	}
	f.edit = nil
	if err := parent.Remove(i); err != nil {
		f.say(err.Error(), true)
		return
	}
	f.rebuild()
	f.changed()
	to := parent
	if left := parent.Children(); len(left) > 0 && parent.Field.Kind == schema.Array {
		to = left[min(i, len(left)-1)]
	}
	f.focusOn(f.rowOf(to))
}

// fillRecent fills in what was sent before; after the oldest comes what stood
// there first.
func (f *Form) fillRecent() {
	n := len(f.opt.Recent)
	if n == 0 {
		f.say("nothing was sent before", false)
		return
	}
	if f.recent == 0 {
		f.first, _ = f.draft.JSON()
	}
	f.recent = (f.recent + 1) % (n + 1)
	raw, note := f.first, "what stood here before"
	if f.recent > 0 {
		raw, note = f.opt.Recent[f.recent-1], "recent value "+itoa(f.recent)+" of "+itoa(n)
	}
	if err := f.Load(raw); err != nil {
		f.say(err.Error(), true)
		return
	}
	f.say(note, false)
}
