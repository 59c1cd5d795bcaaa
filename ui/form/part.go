package form

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// Part is a form within a panel that has the message and the buttons itself:
// the form is made without any, and the panel hands it keys, clicks and
// intents one by one.
type Part struct {
	*Form
	// Outside edits a text in $EDITOR and ends in a call of Form.SetText. Nil
	// means that there is no such editor.
	Outside func(text string) tea.Cmd

	cmd tea.Cmd
}

// NewPart returns a form for a schema, filled in with a value where there is
// one. A value that is no JSON is shown as the document that it is.
func NewPart(schemaJSON []byte, value json.RawMessage, o Options) *Part {
	o.Buttons = nil
	f := New(schema.Parse(schemaJSON), o)
	if value != nil {
		if err := f.Load(value); err != nil {
			f.SetText(string(value))
		}
	}
	return &Part{Form: f}
}

// Draw draws the form.
func (p *Part) Draw(s *draw.Screen, area draw.Rect, focus bool) { p.DrawFocus(s, area, focus) }

// Key types. Commands that come of it are kept for Cmd.
func (p *Part) Key(k tea.KeyPressMsg) {
	out, cmd := p.Handle(k)
	p.keep(out, cmd)
}

// Types reports whether a key only types or moves about where the focus is: it
// chooses nothing, adds nothing and leads to no act.
func (p *Part) Types(k tea.KeyPressMsg) bool {
	if p.asJSON != nil {
		return true
	}
	switch e := p.edit.(type) {
	case *typed:
		return k.String() != "enter" || e.lines
	case *choice:
		if e.isOpen { // what is highlighted is chosen
			return false
		}
	}
	switch k.String() {
	case "up", "down":
		return true
	case "enter", "space", "left", "right", "backspace", "delete":
		return false
	}
	if p.edit != nil || k.Text == "" {
		return false
	}
	fd, _ := p.meant()
	if fd == nil {
		return true // it does nothing
	}
	switch fd.Kind {
	case schema.Boolean, schema.Choice, schema.MultiChoice:
		return false
	}
	return true
}

// Paste types many characters at once.
func (p *Part) Paste(s string) { p.paste(s) }

// Do takes an intent. False for NextField and PrevField means that the form
// was left at that end.
func (p *Part) Do(i keys.Intent) bool {
	if cmd, done := p.completing(i, tea.KeyPressMsg{}); done {
		p.keep(Outcome{}, cmd)
		return true
	}
	out, done := p.Form.Do(i)
	p.keep(out, nil)
	return done && out.Act != Later
}

// Wants is how many rows show the focused field as it is filled in so far, with
// the JSON: what a field takes is said where there is more room.
func (p *Part) Wants(width int) int {
	const row, sends = 1, 1
	if p.edit == nil {
		return row + sends + 1
	}
	return row + sends + max(2, p.edit.height(width-4, 10)-1)
}

// Enter puts the focus on the first field where step is above 0, on the last one
// where it is below: the form is gone into from outside.
func (p *Part) Enter(step int) {
	if p.asJSON != nil {
		return
	}
	p.leave()
	if step > 0 {
		p.focusOn(0)
	} else {
		p.focusOn(len(p.rows) - 1)
	}
}

// Click puts the focus where it was clicked.
func (p *Part) Click(x, y int) bool {
	if p.view.zones.Hit(x, y) == nil {
		return false
	}
	p.keep(p.click(x, y), nil)
	return true
}

// Wheel scrolls the rows, or the document.
func (p *Part) Wheel(n int) { p.wheel(p.view.rows.Min.X, p.view.rows.Min.Y, n) }

// Value returns what would be sent and what speaks against it, and goes to the
// first of that. The error says that there is nothing that could be sent.
func (p *Part) Value() (json.RawMessage, []string, error) {
	if err := p.unmatched(); err != nil {
		return nil, nil, err
	}
	p.leave()
	raw, problems := p.Form.Value()
	if !json.Valid(raw) {
		return nil, nil, fmt.Errorf("%s", problems[0].Message)
	}
	blocking := schema.Blocking(problems)
	if len(blocking) == 0 {
		p.focusOn(p.focus)
		return raw, nil, nil
	}
	p.tried = true
	p.check()
	p.toFirst(blocking)
	p.say("", false) // the panel says it
	var say []string
	for _, b := range blocking {
		say = append(say, text.CleanLine(b.String()))
	}
	return raw, say, nil
}

// Cmd returns the command that the last message led to, once.
func (p *Part) Cmd() tea.Cmd {
	cmd := p.cmd
	p.cmd = nil
	return cmd
}

func (p *Part) keep(out Outcome, cmd tea.Cmd) {
	if out.Act == Outside && p.Outside != nil {
		cmd = p.Outside(out.Text)
	}
	if cmd != nil {
		p.cmd = tea.Batch(p.cmd, cmd)
	}
}
