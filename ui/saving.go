package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/copyas"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// save writes the message at hand to a file. Where it holds binary content, the
// person chooses between that and the message.
func (m *Model) save() tea.Cmd {
	what, seq := m.subject()
	switch {
	case m.opts.Save == nil:
		m.say("nothing can be saved here")
		return nil
	case seq == 0:
		m.say("there is no message here")
		return nil
	}
	hint := strings.TrimPrefix(what, "the ") + fmt.Sprintf("-%d.json", seq)
	log := m.opts.Log
	return m.run(func() doneMsg {
		body, err := log.Body(seq)
		if err != nil {
			return doneMsg{err: err}
		}
		parts := copyas.Binaries(body)
		return doneMsg{then: func(m *Model) tea.Cmd {
			if len(parts) == 0 {
				return m.saveAs(hint, body)
			}
			m.overlay = saveChoice(what, hint, body, parts)
			return nil
		}}
	})
}

func saveChoice(what, hint string, body []byte, parts []copyas.Binary) *chooser {
	var rows []palette.Row
	for _, p := range parts {
		rows = append(rows, palette.Row{Name: text.CleanLine(p.Name + "  " + p.MIME + "  " + text.Size(int64(p.Size)))})
	}
	rows = append(rows, palette.Row{Name: what + ", as it crossed the wire  " + text.Size(int64(len(body)))})
	return &chooser{list: palette.New("Save", rows), pick: func(m *Model, i int) tea.Cmd {
		if i == len(parts) {
			return m.saveAs(hint, body)
		}
		save := m.opts.Save
		return m.run(func() doneMsg {
			content, err := parts[i].Bytes()
			if err != nil {
				return doneMsg{err: err}
			}
			path, err := save(parts[i].Name, content)
			return doneMsg{err: err, file: path}
		})
	}}
}
