package ui

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/ask"
	"mcptui/ui/form"
)

// form makes the editor of a value that fits a schema.
func (m *Model) form(schema []byte, value json.RawMessage) ask.Editor {
	if m.opts.Form != nil {
		return m.opts.Form(schema, value)
	}
	return m.part(schema, value, form.Options{})
}

// part makes a form that stands in a panel.
func (m *Model) part(schema []byte, value json.RawMessage, o form.Options) *form.Part {
	p := form.NewPart(schema, value, o)
	if m.opts.Editor != nil {
		p.Outside = func(text string) tea.Cmd { return m.outside(text, p.SetText) }
	}
	return p
}

// outside edits a text with the person's own editor, which has the terminal
// meanwhile.
func (m *Model) outside(text string, set func(string)) tea.Cmd {
	return m.run(func() doneMsg {
		run, read, err := m.opts.Editor(text)
		if err != nil {
			return doneMsg{err: err}
		}
		return doneMsg{then: func(*Model) tea.Cmd {
			return tea.Exec(run, func(err error) tea.Msg {
				if err != nil {
					return doneMsg{err: err, aside: true}
				}
				edited, err := read()
				return doneMsg{err: err, aside: true, then: func(*Model) tea.Cmd { set(edited); return nil }}
			})
		}}
	})
}
