package ui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/keys"
	"mcptui/ui/ladder"
	"mcptui/ui/text"
)

// leave drops the session; it asks once where something would be lost. Act is
// what the person wants to do, as a sentence begins with it.
func (m *Model) leave(act string, then func(*Model) tea.Cmd) tea.Cmd {
	why := m.unfinished()
	if why == "" {
		return then(m)
	}
	text := why + " " + act + " all the same?"
	if m.dropsLog() {
		text += " The log of this session is dropped."
	}
	c := &confirm{text: text, yes: then}
	if m.dropsLog() {
		c.focus(sayNo) // a key pressed without reading must not be what drops it
	}
	m.overlay = c
	return nil
}

// dropsLog reports whether the log is kept nowhere once the session is left.
func (m *Model) dropsLog() bool {
	recorded := m.opts.Unrecorded != nil && m.unrecorded.why == nil
	return !recorded && (m.saved == 0 || m.saved != m.sess.Rows.Len())
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
		if m.dropsLog() && m.opts.Record != nil {
			c.text = strings.TrimSuffix(c.text, ".") + "; " + keys.Of(keys.Record) + " saves it first."
			c.save = func(m *Model) tea.Cmd {
				return m.saveWhole(func(m *Model, path string) tea.Cmd {
					m.parted = path
					return m.end()
				})
			}
			c.focus(saySave)
		}
	}
	return cmd
}

// Farewell is what is to be told once the program has ended: where the session
// was saved to on leaving; "" for nothing.
func (m *Model) Farewell() string {
	if m.parted == "" {
		return ""
	}
	return "the session is saved to " + text.CleanLine(m.parted)
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
	var names []string
	for _, a := range m.sess.Asks {
		if p := m.panels[a.ID]; p != nil && answerable(a) && p.Changed() {
			names = append(names, askTitle(a))
		}
	}
	if len(names) > 0 {
		return "The answer to " + m.quoted(names) + " was begun."
	}
	if m.unsent() {
		return "A request was edited."
	}
	for _, key := range slices.Sorted(maps.Keys(m.args)) {
		if f := m.args[key]; f.panel.Changed() && !f.sent {
			names = append(names, f.panel.Title)
		}
	}
	if len(names) > 0 {
		return "The form of " + m.quoted(names) + " was changed."
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

// askTitle is what a person knows an ask by.
func askTitle(a *session.Ask) string {
	if said := text.CleanLine(a.Message); a.ID.Key == "" && said != "" {
		return said
	}
	return ladder.AskName(a)
}

// quoted names the first of several, and counts the others.
func (m *Model) quoted(names []string) string {
	const room = 40 // columns
	out := `"` + m.width.Truncate(names[0], room) + `"`
	if n := len(names) - 1; n > 0 {
		out += " and " + text.Count(n, "other")
	}
	return out
}
