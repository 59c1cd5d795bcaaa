package form

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// longestDocument is the longest document, in bytes, that is edited in place;
// what is longer goes to $EDITOR at once.
const longestDocument = 256 << 10

// toJSON shows the whole form as a JSON document, or asks for an editor
// outside where it is too long.
func (f *Form) toJSON() Outcome {
	f.leave()
	raw, _ := f.draft.JSON()
	if f.outside != "" || len(raw) > longestDocument {
		f.focusOn(f.focus)
		if f.outside == "" {
			f.outside = editor.Pretty(raw)
		}
		f.say("too long to edit in place ("+text.Size(int64(len(f.outside)))+"): it goes to $EDITOR", false)
		return Outcome{Act: Outside, Text: f.outside}
	}
	f.asJSON, f.beside = editor.New(raw), 0
	f.armed = false
	f.say("Esc goes back to the form, Ctrl+E again opens $EDITOR", false)
	return Outcome{}
}

// SetText takes the document back from an editor outside.
func (f *Form) SetText(s string) {
	f.armed = false
	if len(s) > longestDocument {
		f.outside = s // to go on with, where it is no JSON
		if err := f.Load([]byte(s)); err != nil {
			f.say(text.CleanLine(err.Error())+"; Ctrl+E goes on with the text", true)
			return
		}
		f.outside, f.edited = "", true
		f.say("", false)
		return
	}
	f.outside = ""
	if f.asJSON == nil {
		f.leave()
		raw, _ := f.draft.JSON()
		if len(raw) > longestDocument {
			raw = []byte(s) // what it was is of no use to compare with
			f.edited = true
		}
		f.asJSON = editor.New(raw)
	}
	f.asJSON.SetText(s)
	f.say("", false)
	f.judge()
}

// escapeJSON goes back to the form with what the document holds. A document
// that is no JSON stays: nothing that was typed is lost.
func (f *Form) escapeJSON() Outcome {
	if !f.asJSON.Changed() {
		f.asJSON, f.beside = nil, 0
		f.say("", false)
		f.focusOn(f.focus)
		return Outcome{}
	}
	raw, err := f.asJSON.Value()
	if err != nil {
		if f.bad { // told already: then it is set aside as it is
			return Outcome{Act: Later}
		}
		// What can be done comes first: the end is what a small window cuts.
		f.say("mend it to go back to the form, or Esc again for later: "+text.CleanLine(err.Error()), true)
		return Outcome{}
	}
	if err := f.Load(raw); err != nil {
		f.say(text.CleanLine(err.Error()), true)
		return Outcome{}
	}
	f.touched()
	return Outcome{}
}

// touched notes that the value came from a person, whatever its parts say.
func (f *Form) touched() { f.edited = true }

// keyJSON takes a key while the document is shown: acts, Tab to the buttons
// and back, the rest types.
func (f *Form) keyJSON(k tea.KeyPressMsg, intent keys.Intent) Outcome {
	switch intent {
	case keys.None:
	case keys.NextField, keys.PrevField, keys.Send, keys.Decline, keys.Cancel, keys.Later, keys.AsJSON:
		out, _ := f.Do(intent)
		return out
	default:
		return Outcome{} // of the rows, which are not shown
	}
	if f.beside > 0 {
		switch k.String() {
		case "enter", "space":
			return f.press(f.beside - 1)
		case "left":
			f.beside = max(1, f.beside-1)
		case "right":
			f.beside = min(len(f.opt.Buttons), f.beside+1)
		case "up":
			f.beside = 0
		}
		return Outcome{}
	}
	f.asJSON.Key(k)
	f.armed = false
	f.say("", false)
	f.judge()
	return Outcome{}
}

// moveJSON goes on from the document to the buttons and back.
func (f *Form) moveJSON(step int) bool {
	n := len(f.opt.Buttons) + 1
	f.beside = (f.beside + step + n) % n
	return n > 1
}

// judge says what is wrong with the document while it is typed, once it is
// JSON at all.
func (f *Form) judge() {
	if raw, err := f.asJSON.Value(); err == nil {
		if ps := schema.Blocking(f.schema.Validate(raw)); len(ps) > 0 {
			f.say(text.CleanLine(ps[0].String()), true)
		}
	}
}

// endsEmpty reports whether a field that is typed as JSON becomes what its
// schema says again when it is emptied. Of groups the JSON may be about to be
// typed anew, and a choice that cannot be left out has no empty state.
func endsEmpty(n *schema.Node) bool {
	switch n.Field.Kind {
	case schema.String, schema.Integer, schema.Number:
		return n.AsJSON()
	case schema.Boolean, schema.Choice, schema.MultiChoice:
		return n.AsJSON() && n.Optional()
	}
	return false
}

// endJSON does so: nobody has to know JSON to get out of it.
func (f *Form) endJSON(n *schema.Node) {
	n.SetText("null") // whatever can be read, to be replaced at once
	if n.EditAsJSON(false) != nil || n.AsJSON() {
		n.SetText("")
		return
	}
	if k := n.Field.Kind; k == schema.String || k == schema.Integer || k == schema.Number {
		n.SetText("")
	}
	if n.Optional() {
		n.Unset()
	}
	f.rebuild()
	f.focusOn(f.focus)
}
