package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/ladder"
	"mcptui/ui/text"
)

// detailTab is a tab below a call's ladder.
type detailTab int

const (
	detailState detailTab = iota
	detailDiff
	detailRequest
	detailResponse
	detailHeaders
	detailFindings
	detailLog
	detailReentry
	details
)

var detailNames = [details]string{"State", "Diff", "Request", "Response", "Headers", "Findings", "Log", "Re-entry"}

// frame is where the panes of the call's screen were drawn.
type frame struct{ ladder, now, detail draw.Rect }

// layOut divides the call's screen. The ask wins where space is short.
func (m *Model) layOut(area draw.Rect) frame {
	var f frame
	asking := m.sess.Ask(m.shown) != nil || m.drafts[m.call] != nil
	switch {
	case m.zoom:
		switch m.focus {
		case paneList:
			f.ladder = area
		case paneNow:
			f.now = area
		default:
			f.detail = area
		}
	case area.Dx() >= 100 && area.Dy() >= 24:
		top, bottom := draw.CutTop(area, area.Dy()*3/5)
		f.detail = bottom
		f.ladder, f.now = draw.CutLeft(top, area.Dx()/2)
	case area.Dy() < 12:
		// One at a time: the pane that has the focus.
		switch m.focus {
		case paneList:
			f.ladder = area
		case paneNow:
			f.now = area
		default:
			f.detail = area
		}
	case m.focus == paneDetail:
		f.ladder, f.detail = draw.CutTop(area, max(5, area.Dy()/3))
	case asking:
		f.now, f.ladder = draw.CutTop(area, max(10, area.Dy()*13/20))
	default:
		f.ladder, f.now = draw.CutTop(area, area.Dy()/2)
	}
	return f
}

func (m *Model) drawCall(s *draw.Screen, area draw.Rect) {
	c := m.openCall()
	if c == nil {
		s.Text(draw.Inset(area, 1, 1), s.Theme.Faint, "the call begins …")
		return
	}
	m.frame = m.layOut(area)
	if !m.frame.ladder.Empty() {
		m.drawLadder(s, m.frame.ladder, c)
	}
	if !m.frame.now.Empty() {
		m.drawNow(s, m.frame.now, c)
	}
	if !m.frame.detail.Empty() {
		m.drawDetail(s, m.frame.detail, c)
	}
}

func (m *Model) drawLadder(s *draw.Screen, area draw.Rect, c *session.Call) {
	pane := draw.Pane{Title: fmt.Sprintf("%d %s  ", c.ID, ladder.Name(c)), Focus: m.focus == paneList}
	stands, _ := m.calls.StandsIn(s.Theme, s.Width, area.Dx()-s.Width.Of(pane.Title)-4, m.sess, c)
	pane.Title += stands
	if c.Hold && !c.Status.Final() {
		pane.Foot = "retries are held"
	}
	m.ladder.Marks = m.verdicts(c, s.Theme)
	m.ladder.Draw(s, pane.Inner(area), m.sess, c, m.now(), m.focus == paneList)
	pane.Above, pane.Below = m.ladder.Above(), m.ladder.Below()
	pane.Draw(s, area)
}

// drawNow draws what goes on: the ask, what is waited for, or the result.
func (m *Model) drawNow(s *draw.Screen, area draw.Rect, c *session.Call) {
	focus := m.focus == paneNow
	if d := m.drafts[c.ID]; d != nil {
		d.draw(s, area, focus)
		return
	}
	if a := m.sess.Ask(m.shown); a != nil && a.Owner.Call == c.ID && answerable(a) {
		m.panel(a).Draw(s, area, focus)
		return
	}
	pane := draw.Pane{Title: "Now", Focus: focus}
	inner := pane.Inner(area)
	switch seq := m.resultOf(c); {
	case seq != 0:
		pane.Title = "Result"
		if r := m.round(c); r != nil && r.Response == seq && branched(c) {
			pane.Title = fmt.Sprintf("Result of round %d", r.N)
		}
		if len(c.Late) > 0 {
			pane.Title = "Result, too late"
		}
		if b, ok := m.bodies.get(seq); ok {
			m.nowDoc.Lines([2]any{"result", seq}, 0, func() []draw.Line { return m.resultLines(c, seq, b.body, s.Theme) })
		} else {
			m.nowDoc.Lines("wait", 0, func() []draw.Line { return nil })
		}
	default:
		version := [4]any{m.now(), m.sess.Rows.Len(), m.ended, len(m.bodies.order)}
		if words := m.lastWords(s.Theme, c); len(words) > 0 {
			inner = m.drawEnd(s, inner, c, words)
			m.nowDoc.Tail([2]any{"last words", c.ID}, version, func() []draw.Line { return words })
			break
		}
		m.nowDoc.Lines([2]any{"now", c.ID}, version, func() []draw.Line { return m.waiting(s.Theme, c) })
	}
	m.nowDoc.Draw(s, inner)
	pane.Above, pane.Below = m.nowDoc.Above(), m.nowDoc.Below()
	pane.Draw(s, area)
}

// resultOf returns the frame that ended a call, 0 where none did: that of the
// selected round, where its branch ended there, else the last one.
func (m *Model) resultOf(c *session.Call) int {
	if r := m.round(c); r != nil && branched(c) && r.Response != 0 && len(r.Asks) == 0 && r.StateOut == nil {
		return r.Response
	}
	return resultOf(c)
}

// branched reports whether a call is a tree.
func branched(c *session.Call) bool {
	seen := map[int]bool{}
	for _, r := range c.Rounds {
		if r.Parent != 0 && seen[r.Parent] {
			return true
		}
		seen[r.Parent] = true
	}
	return false
}

// resultOf returns the frame that ended a call, 0 where none did.
func resultOf(c *session.Call) int {
	if n := len(c.Late); n > 0 {
		return c.Late[n-1]
	}
	switch c.Status {
	case trace.Done, trace.ToolError, trace.Failed, trace.Violated:
		if r := c.LastRound(); r != nil {
			return r.Response
		}
	}
	return 0
}

// waiting says who is waited for, how long, and how long still.
func (m *Model) waiting(t *draw.Theme, c *session.Call) []draw.Line {
	stands, st := m.calls.Stands(t, m.sess, c)
	out := []draw.Line{draw.L(st, stands)}
	if c.Status == trace.Limited && m.opts.Control != nil {
		out = append(out, draw.Line{}, draw.L(t.Note, m.moreRoundsWords(c)))
	}
	r := c.LastRound()
	if c.Status != trace.Running || r == nil || m.calls.Over {
		return out
	}
	if a := m.maybeOurs(c); a != nil {
		out = append(out, draw.L(t.Ask, "◆ the server asks something that may belong to this call: ! goes there; the deadline stands still"))
	}
	took := (m.now() - r.Begun).Truncate(time.Second)
	out = append(out, draw.L(t.Text, fmt.Sprintf("round %d, %s so far", r.N, text.Duration(took))))
	if left, ok := m.deadline(c); ok {
		style := t.Faint
		if left < 10*time.Second {
			style = t.Warn
		}
		out = append(out, draw.L(style, fmt.Sprintf("deadline %s (of %s%s)", text.Left(left), text.Duration(m.opts.Timeout), extendedWords(m.extended[c.ID]))).
			With(t.Faint, " · "+keys.Of(keys.Extend)+" puts it off"))
	}
	if quiet := m.now() - m.sess.Conn.LastIn; quiet > 3*time.Second {
		out = append(out, draw.L(t.Warn, "nothing was heard of the server for "+text.Duration(quiet.Truncate(time.Second))))
	}
	if c.Last != nil {
		out = append(out, draw.Line{}, inspect.Bar(c.Last, 30, t))
	}
	return append(out, draw.Line{}, draw.L(t.Faint, "x gives the call up"))
}

// drawEnd says above the last words of a server how the call ended, and returns
// the rest of the area: it takes the rows that the words leave, and of many words
// half of the area. Where there are few rows, the words say more.
func (m *Model) drawEnd(s *draw.Screen, area draw.Rect, c *session.Call, words []draw.Line) draw.Rect {
	stands, st := m.calls.Stands(s.Theme, m.sess, c)
	if area.Dy() >= 6 {
		need := 1 // what says whose words they are
		for _, l := range words {
			if need += len(inspect.Wrap(s.Width, l, area.Dx())); need > area.Dy() {
				break
			}
		}
		head := inspect.Wrap(s.Width, draw.L(st, stands), area.Dx())
		if room := max(2, area.Dy()/2, area.Dy()-need); len(head) > room {
			head = head[:room]
			last := head[room-1].Plain()
			head[room-1] = draw.L(st, s.Width.Truncate(last+" …", area.Dx()))
		}
		for i, l := range head {
			s.Line(draw.Row(area, i), l)
		}
		_, area = draw.CutTop(area, len(head))
	}
	if area.Dy() >= 3 {
		s.Line(draw.Row(area, 0), draw.L(s.Theme.Faint, "what it wrote last"))
		_, area = draw.CutTop(area, 1)
	}
	return area
}

// lastWords are what a server wrote to its standard error from the last message
// of a call on that ended with it, up to the end of that server.
func (m *Model) lastWords(t *draw.Theme, c *session.Call) []draw.Line {
	var wrote []byte
	for _, seq := range m.wroteLast(c) {
		if b, ok := m.bodies.get(seq); ok && b.event.Stderr != nil {
			wrote = append(wrote, b.event.Stderr.Bytes...)
		}
	}
	lines := splitLines(strings.TrimRight(text.Clean(string(wrote)), " \n"))
	if len(lines) == 0 {
		return nil
	}
	var out []draw.Line
	const most = 500
	for _, l := range lines[max(0, len(lines)-most):] {
		out = append(out, draw.L(t.Text, l))
	}
	return out
}

// wroteLast are the last events of standard error that lastWords tells of.
func (m *Model) wroteLast(c *session.Call) (out []int) {
	const behind, most = 2000, 8 // rows that are looked at, and pieces that are read
	if c.Status != trace.Lost || len(c.Frames) == 0 {
		return nil
	}
	from := c.Frames[len(c.Frames)-1]
	for seq := from + 1; seq <= min(m.sess.Rows.Len(), from+behind); seq++ {
		switch r := m.sess.Rows.Row(seq); {
		case r.Part == session.PartStderr:
			out = append(out, seq)
		case r.Part == session.PartPhase && strings.HasPrefix(r.Text, string(trace.PhaseStarting)):
			return out[max(0, len(out)-most):]
		}
	}
	return out[max(0, len(out)-most):]
}

// extendedWords says how often a deadline was put off.
func extendedWords(n int) string {
	if n == 0 {
		return ""
	}
	return ", put off " + text.Count(n, "time")
}

// round is what the detail is about: the round of the selected row.
func (m *Model) round(c *session.Call) *session.Round {
	if st, ok := m.ladder.Selected(); ok {
		if r := c.Round(st.Round); r != nil {
			return r
		}
	}
	return c.LastRound()
}

// callDo does what a key means in the call's screen.
func (m *Model) callDo(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Fold:
		m.wireRaw = !m.wireRaw
		return nil
	case keys.Open:
		if m.focus == paneNow {
			return m.followLinks()
		}
	case keys.Edit:
		if c := m.openCall(); c != nil && c.Status.Final() && m.drafts[c.ID] == nil {
			return m.argumentsOf(c)
		}
		m.focus = paneNow // where the ask or the held retry is
		return nil
	}
	switch m.focus {
	case paneNow:
		m.nowDoc.Do(i)
	case paneDetail:
		m.detailDoc.Do(i)
	default:
		m.ladderDo(i)
	}
	return nil
}

func (m *Model) ladderDo(i keys.Intent) {
	if keys.Walk(&m.ladder, i) {
		return
	}
	switch i {
	case keys.Follow:
		m.ladder.Follow()
	case keys.Open:
		m.openStep()
	}
}

// openStep opens what a row of the ladder shows: an ask that can be answered,
// else the message in the detail.
func (m *Model) openStep() {
	st, ok := m.ladder.Selected()
	if !ok {
		return
	}
	if a := m.sess.Ask(st.Ask); a != nil && answerable(a) {
		m.shown, m.picked, m.focus = a.ID, a.ID, paneNow
		return
	}
	m.focus, m.chosen = paneDetail, true
	switch {
	case st.Ask != (trace.AskID{}), st.From == ladder.Server:
		m.detail = detailResponse
	case st.To == ladder.Server:
		m.detail = detailRequest
	}
}
