package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/trace"
	"mcptui/ui/keys"
)

// leave drops the session; it asks once where something would be lost. Act is
// what the person wants to do, as a sentence begins with it.
func (m *Model) leave(act string, then func(*Model) tea.Cmd) tea.Cmd {
	why := m.unfinished()
	if why == "" {
		return then(m)
	}
	text := why + " " + act + " all the same?"
	if m.opts.Unrecorded == nil || m.unrecorded.why != nil {
		text += " The log of this session is dropped; " + keys.Of(keys.Record) + " saves it."
	}
	m.overlay = &confirm{text: text, yes: then}
	return nil
}

// quit ends the program; it asks once where something would be lost, and twice
// always leaves.
func (m *Model) quit() tea.Cmd {
	if c, asked := m.overlay.(*confirm); asked && c.quits {
		return m.end()
	}
	cmd := m.leave("Quit", (*Model).end)
	if c, asks := m.overlay.(*confirm); asks {
		c.quits = true
	}
	return cmd
}

// suspend gives the terminal back to the shell that started the program. Servers go
// on meanwhile: they are in process groups of their own.
func (m *Model) suspend() tea.Cmd {
	if !m.opts.Suspends {
		m.say("there is no shell behind this that could bring it back")
		return nil
	}
	return tea.Suspend
}

// quitUnseen ends the program from a window that is too small to ask in: where
// something would be lost, it takes the key twice.
func (m *Model) quitUnseen() tea.Cmd {
	if m.quitting || m.unfinished() == "" {
		return m.end()
	}
	m.quitting = true
	return nil
}

func (m *Model) end() tea.Cmd {
	m.stop()
	return tea.Quit
}

// unfinished says what would be lost with the session, "" for nothing.
func (m *Model) unfinished() string {
	if m.opts.Control == nil { // a recording stays where it is
		return ""
	}
	for _, c := range m.sess.Calls {
		if c.Status == trace.Holding {
			return "A retry is held."
		}
	}
	for _, d := range m.drafts {
		if d.shown().Changed() {
			return "A retry was edited."
		}
	}
	for id, p := range m.panels {
		if a := m.sess.Ask(id); a != nil && answerable(a) && p.Changed() {
			return "An answer was begun."
		}
	}
	if m.unsent() {
		return "A request was edited."
	}
	for _, f := range m.args {
		if f.panel.Changed() && !f.sent {
			return "A form was changed."
		}
	}
	switch n := len(m.sess.Waiting()); n {
	case 0:
		return ""
	case 1:
		return "An ask waits for an answer."
	default:
		return fmt.Sprintf("%d asks wait for an answer.", n)
	}
}
