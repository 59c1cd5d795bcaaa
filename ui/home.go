package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

var tabNames = [tabs]string{"Calls", "Catalogue", "Wire", "Findings", "Server"}

// homeDo does what a key means in a tab of the home.
func (m *Model) homeDo(i keys.Intent) tea.Cmd {
	switch m.tab {
	case tabCalls:
		if i == keys.Open {
			if id := m.calls.Selected(m.sess); id != 0 {
				m.enterCall(id)
			}
			return nil
		}
		if id := m.calls.Selected(m.sess); id != 0 && i == keys.Edit {
			m.enterCall(id)
			return m.callDo(i)
		}
		m.calls.Do(i)
	case tabCatalogue:
		switch {
		case i == keys.Open, i == keys.Edit:
			return m.openEntry(i == keys.Edit)
		case m.focus == paneDetail:
			m.catalogue.Scroll(i)
		default:
			m.catalogue.Do(i)
		}
	case tabWire:
		switch {
		case i == keys.Open:
			m.fromWire()
		case i == keys.Fold:
			m.wireRaw = !m.wireRaw
		case m.focus == paneDetail:
			m.wireDoc.Do(i)
		case i == keys.Right, i == keys.Left:
			m.goPair()
		default:
			m.wire.Do(i)
		}
	case tabFindings:
		if f, ok := m.findings.Selected(); ok && i == keys.Open {
			m.tab, m.focus = tabWire, paneList
			_ = m.wire.SetFilter("", m.sess) // an empty filter can be read
			m.wire.Go(f.Frame)
			return nil
		}
		m.findings.Do(i)
	case tabServer:
		m.serverDoc.Do(i)
	}
	return nil
}

// enterCall goes to the screen of a call. The keyboard is with what goes on
// there: an ask of this call then opens in place.
func (m *Model) enterCall(id int) {
	m.place, m.call, m.zoom, m.tab = atCall, id, false, tabCalls
	m.shown = trace.AskID{}
	m.chooseAsk()
	m.chooseDetail()
	m.ladder.Follow()
	m.focus = paneNow
	if c := m.openCall(); c != nil && c.Status.Final() {
		m.focus = paneList
	}
}

// goPair goes from a request to its answer, and from an answer to its request.
func (m *Model) goPair() {
	seq := m.wire.Seq()
	if seq == 0 {
		return
	}
	switch pair := m.row(seq).Pair; {
	case pair == 0:
		m.say("there is no other end: neither a request with an answer, nor an answer")
	case !m.wire.Shows(pair):
		m.say(fmt.Sprintf("the filter hides the other end, event %d", pair))
	default:
		m.wire.Go(pair)
	}
}

// fromWire goes from a row of the wire to the call that it belongs to.
func (m *Model) fromWire() {
	seq := m.wire.Seq()
	if seq == 0 {
		return
	}
	r := m.row(seq)
	if r.Call == 0 || m.sess.Call(r.Call) == nil {
		m.focus = paneDetail
		return
	}
	m.enterCall(r.Call)
	m.focus = paneList
	m.ladder.Want(r.Round, seq)
}

func (m *Model) drawHome(s *draw.Screen, area draw.Rect) {
	bar, body := draw.CutTop(area, 1)
	m.tabBar(s, bar, tabNames[:], int(m.tab), "home")
	switch m.tab {
	case tabCalls:
		if len(m.sess.Calls) == 0 {
			s.Text(draw.Inset(body, 1, 1), s.Theme.Faint, "no call yet: 2 is the catalogue")
			return
		}
		m.calls.Draw(s, body, m.sess, m.now(), m.findingsOf, true)
	case tabCatalogue:
		m.drawCatalogue(s, body)
	case tabWire:
		m.drawWire(s, body)
	case tabFindings:
		m.findings.Sync(slices.Concat(m.unreadable(), m.broken(), m.lint.Findings()))
		m.findings.Draw(s, body, true)
	case tabServer:
		m.drawServer(s, body)
	}
}

// drawCatalogue draws what the server offers and, of one that has ended by itself
// meanwhile, below it with what it ended.
func (m *Model) drawCatalogue(s *draw.Screen, area draw.Rect) {
	why := m.nothingYet(s.Theme)
	if k := &m.sess.Catalogue; m.died() && len(k.Tools.Items)+len(k.Prompts.Items)+len(k.Resources.Items)+len(k.Templates.Items) > 0 {
		var end draw.Rect
		pane := draw.Pane{Title: "The server has ended"}
		most, _ := draw.CutTop(area, min(area.Dy()/2, 12))
		rows := inspect.EndKept(s, why, pane.Inner(most))
		area, end = draw.CutBottom(area, min(len(rows)+2, most.Dy()))
		inner := pane.Inner(end)
		for i, l := range rows {
			s.Line(draw.Row(inner, i), l)
		}
		pane.Draw(s, end)
	}
	m.catalogue.Draw(s, area, m.sess, why, true, m.focus == paneDetail)
}

// died reports whether the connection ended otherwise than by being closed.
func (m *Model) died() bool {
	c := &m.sess.Conn
	return c.Phase == trace.PhaseFailed || c.Phase == trace.PhaseExited && c.Reason != "closed"
}

// nothingYet says why the catalogue is empty.
func (m *Model) nothingYet(t *draw.Theme) []draw.Line {
	c := &m.sess.Conn
	switch c.Phase {
	case trace.PhaseFailed, trace.PhaseExited:
		out := []draw.Line{draw.L(t.Bad, "✖ "+text.CleanLine(string(c.Phase)+": "+c.Reason+endedWith(c))), {}}
		if tail := strings.TrimSpace(text.Clean(string(m.sess.Stderr.Latest()))); tail != "" {
			out = append(out, draw.L(t.Faint, "what it wrote last"))
			for _, l := range splitLines(tail) {
				out = append(out, draw.L(t.Text, l))
			}
		}
		return append(out, draw.Line{}, draw.L(t.Note, "R connects again; 5 shows each step"))
	case trace.PhaseReady:
		return []draw.Line{draw.L(t.Faint, "the server lists nothing")}
	}
	return []draw.Line{draw.L(t.Faint, text.CleanLine(string(c.Phase)+" "+c.Reason))}
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimRight(s, "\n"), "\n")
}

func (m *Model) drawWire(s *draw.Screen, area draw.Rect) {
	list, detail := draw.CutTop(area, area.Dy()*3/5)
	if area.Dx() >= 130 {
		list, detail = draw.CutLeft(area, area.Dx()*3/5)
	}
	if m.zoom {
		list, detail = area, draw.Rect{}
		if m.focus == paneDetail {
			list, detail = draw.Rect{}, area
		}
	}
	if !list.Empty() {
		m.wire.Draw(s, list, m.sess, m.focus != paneDetail)
	}
	if detail.Empty() {
		return
	}
	seq := m.wire.Seq()
	pane := draw.Pane{Title: "JSON", Right: "space: bytes", Focus: m.focus == paneDetail}
	if m.wireRaw {
		pane.Title, pane.Right = "Bytes", "space: JSON"
	}
	m.wireDetail(s, pane.Inner(detail), seq)
	pane.Above, pane.Below = m.wireDoc.Above(), m.wireDoc.Below()
	pane.Draw(s, detail)
}

func (m *Model) wireDetail(s *draw.Screen, area draw.Rect, seq int) {
	if seq == 0 {
		return
	}
	row := m.row(seq)
	switch row.Part {
	case session.PartFrame:
		m.drawBody(s, area, &m.wireDoc, seq, m.wireRaw)
		return
	}
	if b, ok := m.bodies.get(seq); ok {
		m.wireDoc.Lines([2]any{"event", seq}, 0, func() []draw.Line { return inspect.Event(b.event, s.Theme) })
	} else {
		m.wireDoc.Lines([2]any{"wait", seq}, 0, func() []draw.Line { return nil })
	}
	m.wireDoc.Draw(s, area)
}

// drawBody draws the body of a frame, as JSON or as its bytes.
func (m *Model) drawBody(s *draw.Screen, area draw.Rect, doc *inspect.Doc, seq int, raw bool) {
	b, ok := m.bodies.get(seq)
	switch {
	case !ok:
		doc.Lines([2]any{"wait", seq}, 0, func() []draw.Line { return []draw.Line{draw.L(s.Theme.Faint, "…")} })
	case b.err != nil:
		doc.Lines([2]any{"lost", seq}, 0, func() []draw.Line {
			return []draw.Line{draw.L(s.Theme.Bad, "✖ "+text.CleanLine(b.err.Error()))}
		})
	case raw:
		doc.Raw(seq, b.body)
	default:
		doc.Lines([2]any{"json", seq}, 0, func() []draw.Line { return inspect.Message(b.body, s.Theme) })
	}
	doc.Draw(s, area)
}

func (m *Model) drawServer(s *draw.Screen, area draw.Rect) {
	pane := draw.Pane{Title: "Server", Focus: true}
	m.serverDoc.Lines("server", [3]int{len(m.sess.Conn.Steps), int(m.sess.Stderr.Total) + m.sess.Logged<<40, m.changeCount()}, func() []draw.Line {
		return append(inspect.Server(m.sess, s.Theme), m.changeLines(s.Theme)...)
	})
	m.serverDoc.Draw(s, pane.Inner(area))
	pane.Above, pane.Below = m.serverDoc.Above(), m.serverDoc.Below()
	pane.Draw(s, area)
}

// tabBar draws tabs that can be clicked. Where they do not fit, the names of those
// that are not open are cut, down to their numbers.
func (m *Model) tabBar(s *draw.Screen, row draw.Rect, names []string, at int, of string) {
	labels := tabLabels(s, names, at, row.Dx()-1)
	x := row.Min.X + 1
	for i, label := range labels {
		st := s.Theme.Faint
		if i == at {
			st = s.Theme.Selected
		}
		cell := row
		cell.Min.X = x
		if cell.Empty() {
			return
		}
		x += s.Text(cell, st, label)
		cell.Max.X = x
		m.zones.Add(cell, tabZone{of, i})
	}
}

// tabLabels words tabs in some columns: first the blanks in front give way, then
// the names of the tabs that are not open.
func tabLabels(s *draw.Screen, names []string, at, width int) []string {
	longest := 0
	for _, name := range names {
		longest = max(longest, len([]rune(name)))
	}
	word := func(open, format string, keep int) ([]string, int) {
		labels, total := make([]string, len(names)), 0
		for i, name := range names {
			switch r := []rune(name); {
			case i == at:
				labels[i] = fmt.Sprintf(open, i+1, name)
			case keep == 0:
				labels[i] = fmt.Sprintf("%d ", i+1)
			case len(r) > keep:
				labels[i] = fmt.Sprintf(format, i+1, string(r[:keep-1])+"…")
			default:
				labels[i] = fmt.Sprintf(format, i+1, name)
			}
			total += s.Width.Of(labels[i])
		}
		return labels, total
	}
	if labels, total := word("[%d %s]", " %d %s ", longest); total <= width {
		return labels
	}
	for keep := longest; keep > 2; keep-- {
		if labels, total := word("[%d %s] ", "%d %s ", keep); total <= width {
			return labels
		}
	}
	labels, _ := word("[%d %s] ", "%d %s ", 0)
	return labels
}

// tabZone is a tab that can be clicked.
type tabZone struct {
	of string
	at int
}
