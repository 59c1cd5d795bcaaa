package form

import (
	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
)

func (f *Form) paste(s string) {
	f.view.free = false
	s = editor.LineEnds(s)
	switch {
	case f.asJSON != nil:
		if !f.asJSON.Paste(s) {
			f.say(editor.TooManyLines, true)
			return
		}
		f.say("", false)
		f.armed = false
	case f.edit != nil:
		f.edit.paste(s)
	case f.focus < len(f.rows) && f.toMeant():
		f.edit.paste(s)
	case f.focus < len(f.rows):
		f.say("nothing was pasted: this row takes no text; Ctrl+E edits the whole as JSON", true)
	}
}

func (f *Form) click(x, y int) Outcome {
	f.view.free = false
	switch z := f.view.zones.Hit(x, y).(type) {
	case buttonZone:
		if f.asJSON != nil {
			f.beside = int(z) + 1
			return f.press(int(z))
		}
		f.leave()
		f.focusOn(len(f.rows) + int(z))
		return f.press(int(z))
	case rowZone:
		same := int(z) == f.focus
		if !same {
			f.leave()
			f.focusOn(min(int(z), len(f.rows)-1))
		}
		r := f.current()
		switch {
		case r == nil:
		case r.kind == group && r.node.Field.Kind != schema.Variant:
			f.toggle(r.node)
		case r.kind == addItem:
			f.addItem()
		case f.edit != nil:
			f.edit.press(-1)
		}
	case optionZone:
		if z.row != f.focus {
			f.leave()
			f.focusOn(z.row)
		}
		if f.edit != nil {
			f.edit.press(z.entry)
		}
	}
	return Outcome{}
}

func (f *Form) wheel(x, y, n int) {
	switch {
	case f.asJSON != nil:
		f.asJSON.Wheel(n)
	case inside(f.view.head, x, y):
		f.view.headTop += n
	case f.edit != nil && f.edit.open() && inside(f.view.list, x, y):
		f.edit.wheel(n)
	default:
		f.view.free = true
		f.view.top += n
	}
}

func inside(r draw.Rect, x, y int) bool {
	return x >= r.Min.X && x < r.Max.X && y >= r.Min.Y && y < r.Max.Y
}
