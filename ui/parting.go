package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// parting asks what becomes of the log before the server is switched: it is
// dropped with the connection unless it is saved.
type parting struct {
	list  *serverList // that it was asked from
	why   string
	then  func(*Model) tea.Cmd
	at    int // of its choices, the one that has the focus
	zones draw.Zones
}

// choices are what can be answered, with their keys.
var choices = [...]draw.Button{{ID: 0, Label: "Save and switch", Key: keys.Of(keys.Record)}, {ID: 1, Label: "Switch", Key: "y"}, {ID: 2, Label: "Stay", Key: "Esc"}}

// partFrom leaves the session for another server. It asks once where calls were made
// that nothing keeps, or something is unfinished.
func (m *Model) partFrom(l *serverList, then func(*Model) tea.Cmd) tea.Cmd {
	recorded := m.opts.Unrecorded != nil && m.unrecorded.why == nil
	if recorded || m.opts.Control == nil || m.opts.Record == nil {
		return m.leave("Switch", then)
	}
	why := m.unfinished()
	switch {
	case why != "":
		why += " Switch all the same?"
	case len(m.sess.Calls) == 0, m.saved == m.sess.Rows.Len():
		return then(m)
	}
	if why != "" {
		why += " "
	}
	m.overlay = &parting{list: l, why: why + "The log of this session is dropped unless it is saved.", then: then}
	return nil
}

func (p *parting) draw(m *Model, s *draw.Screen, area draw.Rect) {
	box := draw.Center(area, min(64, area.Dx()), min(7, area.Dy()))
	s.Clear(box)
	pane := draw.Pane{Title: "Sure?", Focus: true}
	inner := draw.Inset(pane.Inner(box), 1, 0)
	buttons := choices
	buttons[p.at].Hot = true
	body, foot := draw.CutBottom(inner, s.ButtonRows(inner.Dx(), buttons[:]))
	s.Wrapped(body, s.Theme.Text, p.why)
	p.zones.Reset()
	s.Buttons(foot, &p.zones, buttons[:])
	pane.Right, pane.Foot = m.justOpened()
	pane.Draw(s, box)
}

// decides reports whether a key leaves the session.
func (p *parting) decides(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "W", "y", "Y", "enter", "space":
		return true
	}
	return false
}

func (p *parting) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	n := len(choices)
	switch k.String() {
	case "W":
		return p.choose(m, 0)
	case "y", "Y":
		return p.choose(m, 1)
	case "n", "N", "q", "esc":
		return p.choose(m, 2)
	case "enter", "space":
		return p.choose(m, p.at)
	case "right", "tab":
		p.at = (p.at + 1) % n
	case "left", "shift+tab":
		p.at = (p.at + n - 1) % n
	}
	return nil
}

func (p *parting) choose(m *Model, at int) tea.Cmd {
	m.overlay, m.parted = nil, ""
	switch at {
	case 0:
		m.overlay = p.list
		return m.saveWhole(func(m *Model, path string) tea.Cmd {
			m.parted = path
			return p.then(m)
		})
	case 1:
		return p.then(m)
	}
	return nil
}

func (p *parting) click(m *Model, x, y int) tea.Cmd {
	if at, ok := p.zones.Hit(x, y).(int); ok {
		return p.choose(m, at)
	}
	return nil
}

func (p *parting) wheel(int)            {}
func (p *parting) paste(*Model, string) {}
