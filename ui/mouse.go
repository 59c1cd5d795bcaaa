package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// rows that one turn of the wheel scrolls.
const turn = 3

func in(r draw.Rect, x, y int) bool { return image.Pt(x, y).In(r) }

// click does what lies at a cell: a tab, a row, a button. A second click on the
// row that is selected opens it.
func (m *Model) click(x, y int) tea.Cmd {
	if m.switching != nil {
		return nil
	}
	if m.overlay != nil {
		if _, ok := m.overlay.(decider); ok && m.tooEarly("a click") {
			return nil
		}
		return m.overlay.click(m, x, y)
	}
	if z, ok := m.zones.Hit(x, y).(tabZone); ok {
		if z.of == "detail" {
			m.focus = paneDetail
		}
		m.goTab(z.at)
		return nil
	}
	if y == 0 && m.waitsForYou() && x > m.size.Dx()-16 {
		m.nextWaiting()
		return nil
	}
	switch m.place {
	case atCall:
		return m.clickCall(x, y)
	case atArgs, atAsk:
		if p, _ := m.typing(); p != nil {
			return m.panelAct(p, p.Click(x, y))
		}
		return nil
	}
	return m.clickHome(x, y)
}

func (m *Model) clickCall(x, y int) tea.Cmd {
	switch {
	case in(m.frame.ladder, x, y):
		before, _ := m.ladder.Selected()
		had := m.focus == paneList
		m.focus = paneList
		if m.ladder.Click(x, y) {
			if after, _ := m.ladder.Selected(); had && after == before {
				m.openStep()
			}
		}
	case in(m.frame.now, x, y):
		m.focus = paneNow
		if p, _ := m.typing(); p != nil {
			return m.panelAct(p, p.Click(x, y))
		}
	case in(m.frame.detail, x, y):
		m.focus = paneDetail
	}
	return nil
}

func (m *Model) clickHome(x, y int) tea.Cmd {
	switch m.tab {
	case tabCalls:
		before := m.calls.Selected(m.sess)
		if m.calls.Click(x, y) && m.calls.Selected(m.sess) == before {
			return m.homeDo(keys.Open)
		}
	case tabCatalogue:
		_, before, _, had := m.catalogue.Selected(m.sess)
		if m.catalogue.Click(x, y) {
			m.focus = paneList
			if _, after, _, ok := m.catalogue.Selected(m.sess); had && ok && string(after.Raw) == string(before.Raw) {
				return m.openEntry(false)
			}
		}
	case tabFindings:
		before, _ := m.findings.Selected()
		if m.findings.Click(x, y) {
			if after, _ := m.findings.Selected(); after == before {
				return m.homeDo(keys.Open)
			}
		}
	case tabWire:
		if m.wire.Click(x, y) {
			m.focus = paneList
		} else {
			m.focus = paneDetail
		}
	}
	return nil
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	n := turn
	switch msg.Button {
	case tea.MouseWheelUp:
		n = -turn
	case tea.MouseWheelDown:
	default:
		return
	}
	if m.overlay != nil {
		m.overlay.wheel(n)
		return
	}
	switch m.place {
	case atCall:
		m.wheelCall(msg.X, msg.Y, n)
	case atArgs, atAsk:
		if p, _ := m.typing(); p != nil {
			p.Wheel(msg.X, msg.Y, n)
		}
	default:
		m.wheelHome(msg.X, msg.Y, n)
	}
}

func (m *Model) wheelCall(x, y, n int) {
	switch {
	case in(m.frame.ladder, x, y):
		m.ladder.Wheel(n)
	case in(m.frame.detail, x, y):
		m.detailDoc.Scroll(n)
	case in(m.frame.now, x, y):
		if d := m.drafts[m.call]; d != nil {
			d.shown().Wheel(x, y, n)
			return
		}
		if a := m.sess.Ask(m.shown); a != nil && answerable(a) {
			m.panel(a).Wheel(x, y, n)
			return
		}
		m.nowDoc.Scroll(n)
	}
}

func (m *Model) wheelHome(x, y, n int) {
	switch m.tab {
	case tabCalls:
		m.calls.Wheel(n)
	case tabCatalogue:
		m.catalogue.Wheel(x, y, n)
	case tabWire:
		if m.wire.Over(x, y) {
			m.wire.Wheel(n)
		} else {
			m.wireDoc.Scroll(n)
		}
	case tabFindings:
		m.findings.Wheel(n)
	case tabServer:
		m.serverDoc.Scroll(n)
	}
}
