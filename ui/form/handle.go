package form

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/keys"
)

func itoa(i int) string { return strconv.Itoa(i) }

// key takes a key: acts first, then the editor of the row, then moving about.
func (f *Form) key(k tea.KeyPressMsg) (Outcome, tea.Cmd) {
	f.view.free = false
	intent := keys.Lookup(f.Scope(), k)
	if f.asJSON != nil {
		return f.keyJSON(k, intent), nil
	}
	if cmd, done := f.completing(intent, k); done {
		return Outcome{}, cmd
	}
	if out, done := f.Do(intent); done || out.Act != None {
		return out, nil
	}
	if f.focus >= len(f.rows) {
		return f.keyButton(k), nil
	}
	if f.edit != nil && f.edit.key(k) {
		return Outcome{}, nil
	}
	f.keyRow(k)
	return Outcome{}, nil
}

// Do takes an intent and says whether it meant something here. Moving off
// either end of a form without buttons does not.
func (f *Form) Do(i keys.Intent) (Outcome, bool) {
	switch i {
	case keys.Send:
		return f.send(), true
	case keys.Decline:
		return Outcome{Act: Decline}, true
	case keys.Cancel:
		return Outcome{Act: Cancel}, true
	case keys.Later, keys.Escape:
		if f.asJSON != nil {
			return f.escapeJSON(), true
		}
		if f.Busy() {
			f.closeList()
			return Outcome{}, true
		}
		f.leave()
		f.focusOn(f.focus)
		return Outcome{Act: Later}, true
	case keys.NextField, keys.PrevField:
		step := 1
		if i == keys.PrevField {
			step = -1
		}
		if f.asJSON != nil {
			return Outcome{}, f.moveJSON(step)
		}
		return Outcome{}, f.move(step)
	case keys.AsJSON:
		f.beside = 0
		if f.asJSON != nil {
			return Outcome{Act: Outside, Text: f.asJSON.Text()}, true
		}
		return f.toJSON(), true
	default:
		return Outcome{}, f.asJSON == nil && f.doRow(i)
	}
}

// doRow takes the intents that mean something on a row only.
func (f *Form) doRow(i keys.Intent) bool {
	switch i {
	case keys.State:
		f.cycle()
	case keys.AddItem:
		f.addItem()
	case keys.RemoveItem:
		f.removeItem()
	case keys.Recent:
		f.fillRecent()
	default:
		return false
	}
	return true
}

func (f *Form) current() *row {
	if f.focus < len(f.rows) {
		return &f.rows[f.focus]
	}
	return nil
}

// stops is the number of places that the focus can be at.
func (f *Form) stops() int { return len(f.rows) + len(f.opt.Buttons) }

// move moves the focus, round the ends where there are buttons.
func (f *Form) move(step int) bool {
	if name := f.memberName(); name != "" && step > 0 { // its value is what comes next
		f.addMember(f.current().node, name)
		return true
	}
	f.leave() // may change the rows
	n := f.stops()
	to := f.focus + step
	if to < 0 || to >= n {
		if len(f.opt.Buttons) == 0 || n == 0 {
			f.focusOn(f.focus)
			return false
		}
		to = (to + n) % n
	}
	f.focusOn(to)
	return true
}

// leave ends the editing of the focused row.
func (f *Form) leave() {
	r := f.current()
	if r == nil || f.edit == nil {
		return
	}
	if name := f.memberName(); name != "" { // typed, and so kept, as in every field
		f.edit = nil
		f.keepMember(r.node, name)
		return
	}
	f.left[r.node] = true
	f.edit.close()
	f.completions = completions{}
	if r.kind == field && r.node.AsJSON() && r.node.State() == schema.Set {
		// Text that is no JSON stays as it is, with its problem beside it.
		if r.node.EditAsJSON(false) == nil {
			f.rebuild()
		}
	}
	f.edit = nil
}

// focusOn puts the focus on a row or a button and makes its editor.
func (f *Form) focusOn(i int) {
	f.focus = max(0, min(i, f.stops()-1))
	f.edit = nil
	f.view.scrolled, f.view.free = 0, false
	if r := f.current(); r != nil {
		f.edit = f.editorOf(*r)
	}
}

func (f *Form) keyButton(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "enter", "space":
		if i := f.focus - len(f.rows); i < len(f.opt.Buttons) {
			return f.press(i)
		}
	case "right":
		f.focusOn(min(f.focus+1, f.stops()-1))
	case "left":
		f.focusOn(max(f.focus-1, len(f.rows)))
	case "up":
		if len(f.rows) > 0 {
			f.focusOn(len(f.rows) - 1)
		}
	case "pgup":
		f.view.scrollHead(-1)
	case "pgdown":
		f.view.scrollHead(1)
	}
	return Outcome{}
}

func (f *Form) press(i int) Outcome {
	if act := f.opt.Buttons[i].Act; act != Send {
		if act == Outside {
			out, _ := f.Do(keys.AsJSON)
			return out
		}
		return Outcome{Act: act}
	}
	return f.send()
}

// keyRow is for the keys that the editor of the row has no use for.
func (f *Form) keyRow(k tea.KeyPressMsg) {
	r := f.current()
	switch k.String() {
	case "up":
		if f.focus > 0 {
			f.move(-1)
		}
	case "down":
		if f.focus < f.stops()-1 {
			f.move(1)
		}
	case "enter":
		switch {
		case r.kind == group:
			f.toggle(r.node)
		case r.kind == addItem:
			f.addItem()
		case !f.move(1): // the last one, with no button of the form's behind it
			f.say(keys.Of(keys.Send)+" sends", false)
		}
	case "space", "right", "left":
		switch {
		case r.kind == group:
			f.fold(r.node, k.String())
		case r.kind == addItem && k.String() == "space":
			f.addItem()
		}
	case "backspace", "delete":
		if r.kind == group && optional(r.node) && r.node.State() != schema.Unset {
			r.node.Unset()
			f.reshaped()
		}
	case "pgdown":
		if !f.view.scrollText(1) {
			f.page(1)
		}
	case "pgup":
		if !f.view.scrollText(-1) {
			f.page(-1)
		}
	default:
		if k.Text != "" && k.Mod&(tea.ModAlt|tea.ModCtrl) == 0 && f.toMeant() {
			f.edit.key(k)
		}
	}
}

func (f *Form) page(step int) {
	to := f.focus + step*max(1, f.view.rows.Dy()-2)
	f.leave()
	f.focusOn(max(0, min(to, len(f.rows)-1)))
}

// reshaped is called after a change that adds or takes rows.
func (f *Form) reshaped() {
	f.rebuild()
	f.changed()
	f.focusOn(f.focus)
}

func (f *Form) toggle(n *schema.Node) {
	if n.State() != schema.Set {
		n.Fill()
		delete(f.collapsed, n)
		f.reshaped()
		if next := f.focus + 1; next < len(f.rows) && f.rows[next].depth > f.rows[f.focus].depth {
			f.move(1) // it was opened to be filled in
		}
		return
	}
	f.collapsed[n] = !f.collapsed[n]
	f.rebuild()
}

func (f *Form) fold(n *schema.Node, key string) {
	open := n.State() == schema.Set && !f.collapsed[n]
	if key == "space" || key == "right" && !open || key == "left" && open {
		f.toggle(n)
	}
}

func optional(n *schema.Node) bool { return n.Optional() && !n.Field.Required }

// cycle goes from a value to null to left out, as far as the schema allows.
func (f *Form) cycle() {
	r := f.current()
	if r == nil || r.kind > group {
		return
	}
	before := r.node.State()
	r.node.Cycle()
	f.reshaped()
	if r.node.State() == before {
		f.say("this field must have a value", false)
	}
}
