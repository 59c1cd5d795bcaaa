package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mcptui/client/lint"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/text"
)

// chooseDetail shows the state of a call until the person chooses another tab; of
// a call that ended without any there is more to see in the response.
func (m *Model) chooseDetail() {
	c := m.openCall()
	if m.chosen || c == nil {
		return
	}
	m.detail = detailState
	if c.Status.Final() && !slices.ContainsFunc(c.Rounds, func(r *session.Round) bool { return r.StateIn != nil || r.StateOut != nil }) {
		m.detail = detailResponse
	}
}

// frames returns the frames that a round began and ended with. Where it began
// with an answer inside an open request, or ended with a request of the
// server's own, those.
func (m *Model) frames(c *session.Call, r *session.Round) (request, response int) {
	request, response = r.Request, r.Response
	if request == 0 {
		if parent := c.Round(r.Parent); parent != nil {
			for _, id := range parent.Asks {
				if a := m.sess.Ask(id); a != nil && a.Answer != 0 {
					request = a.Answer
					break
				}
			}
		}
	}
	if response == 0 && len(r.Asks) > 0 {
		response = r.Asks[0].Frame
	}
	return request, response
}

func (m *Model) drawDetail(s *draw.Screen, area draw.Rect, c *session.Call) {
	pane := draw.Pane{Focus: m.focus == paneDetail}
	bar, body := draw.CutTop(pane.Inner(area), 1)
	m.tabBar(s, bar, detailNames[:], int(m.detail), "detail")
	if r := m.round(c); r != nil {
		pane.Title = fmt.Sprintf("Round %d", r.N)
		m.detailLines(s, body, c, r)
	}
	pane.Above, pane.Below = m.detailDoc.Above(), m.detailDoc.Below()
	pane.Draw(s, area)
}

func (m *Model) detailLines(s *draw.Screen, area draw.Rect, c *session.Call, r *session.Round) {
	t, doc := s.Theme, &m.detailDoc
	id := [3]int{int(m.detail), c.ID, r.N}
	version := any([2]any{m.sess.Rows.Len(), m.now().Truncate(time.Second)})
	request, response := m.frames(c, r)
	switch m.detail {
	case detailState:
		doc.Lines(id, version, func() []draw.Line { return m.states.State(m.sess, c, r, m.wall(), t) })
	case detailDiff:
		doc.Lines(id, version, func() []draw.Line { return m.states.Diff(m.sess, c, r, m.wall(), t) })
	case detailRequest:
		m.drawBodyOr(s, area, request, "nothing was sent in this round")
		return
	case detailResponse:
		m.drawBodyOr(s, area, response, m.nothingCame(c)...)
		return
	case detailHeaders:
		doc.Lines(id, [2]int{m.sess.Rows.Len(), len(m.bodies.order)}, func() []draw.Line { return m.headerLines(c, request, t) })
	case detailFindings:
		doc.Lines(id, [2]int{m.sess.Rows.Len(), m.judged()}, func() []draw.Line { return m.findingLines(c, t) })
	case detailLog:
		doc.Lines(id, [3]int{len(r.Notes), r.NotesCut, m.wire.Supplied()}, func() []draw.Line { return m.logLines(s, c, r) })
	case detailReentry:
		doc.Lines(id, m.reentered.version, func() []draw.Line { return m.reentered.lines(c, t) })
	}
	doc.Draw(s, area)
}

func (m *Model) drawBodyOr(s *draw.Screen, area draw.Rect, seq int, none ...string) {
	if seq == 0 {
		m.detailDoc.Lines(strings.Join(none, "\n"), 0, func() (out []draw.Line) {
			for _, l := range none {
				out = append(out, draw.L(s.Theme.Faint, l))
			}
			return out
		})
		m.detailDoc.Draw(s, area)
		return
	}
	m.drawBody(s, area, &m.detailDoc, seq, m.wireRaw)
}

// nothingCame says why a round shows no response: of a call that has ended, with
// the reason of its end. What came in its place belongs to no request.
func (m *Model) nothingCame(c *session.Call) []string {
	switch {
	case m.calls.Over && !c.Status.Final():
		return []string{"nothing had come when the recording ended"}
	case !c.Status.Final():
		return []string{"nothing came yet"}
	}
	out := []string{"no answer that belongs to this request came; see Wire"}
	if c.Note != "" {
		out = append(out, string(c.Status)+": "+text.CleanLine(c.Note))
	}
	return out
}

// exchange returns the HTTP events of the exchange that carried a frame.
func (m *Model) exchange(seq int) []int {
	if seq == 0 || m.row(seq).Exchange == 0 {
		return nil
	}
	const near = 200 // rows that may lie between the request line and its frame
	n := m.row(seq).Exchange
	var out []int
	for i := max(0, seq-near); i < m.sess.Rows.Len() && len(out) < 8; i++ {
		if r := m.sess.Rows.Row(i + 1); r.Part == session.PartHTTP && r.Exchange == n {
			out = append(out, r.Seq)
			if r.Seq > seq && len(out) > 2 {
				break
			}
		}
	}
	return out
}

// headerLines are the headers of a round, and how those of the request fit its
// body.
func (m *Model) headerLines(c *session.Call, request int, t *draw.Theme) []draw.Line {
	var events []trace.Event
	var sent []trace.Header
	for _, seq := range m.exchange(request) {
		if b, ok := m.bodies.get(seq); ok && b.event.HTTP != nil {
			events = append(events, b.event)
			if b.event.HTTP.Stage == trace.HTTPRequest {
				sent = b.event.HTTP.Headers
			}
		}
	}
	out := inspect.Exchange(events, t)
	if b, ok := m.bodies.get(request); ok && sent != nil {
		it, _ := m.sess.Catalogue.Tools.Item(c.Name)
		out = append(inspect.Verdicts(lint.Headers(sent, b.body, rpc.Member(it.Raw, "inputSchema")), t), out...)
	}
	return out
}

// shownNotes is how many logs of a round are shown from its start, and from its
// end where there are many.
const shownNotes = 400

// shownOf are the notes of a round that are shown: all, or the first and the
// newest.
func shownOf(r *session.Round) (first, last []int) {
	if n := len(r.Notes); n > 2*shownNotes {
		return r.Notes[:shownNotes], r.Notes[n-shownNotes:]
	}
	return r.Notes, nil
}

// logLine is a log with its level, or else the event as the wire shows it.
func (m *Model) logLine(s *draw.Screen, seq int) draw.Line {
	i, ok := slices.BinarySearchFunc(m.sess.Logs, seq, func(l session.LogEntry, seq int) int { return l.Seq - seq })
	if !ok {
		return m.noteLine(s, seq)
	}
	t, l := s.Theme, m.sess.Logs[i]
	line := draw.L(t.Faint, fmt.Sprintf("%4d %8s ", seq, fmt.Sprintf("%d.%03d", int(l.At.Seconds()), l.At.Milliseconds()%1000)))
	line = line.With(t.Server, "◀─ ").With(levelStyle(t, l.Level), s.Width.Pad("log "+text.CleanLine(l.Level), 14)+" ")
	if l.Logger != "" {
		line = line.With(t.Faint, text.CleanLine(l.Logger)+" ")
	}
	return line.With(t.Text, text.CleanLine(l.Text))
}

// levelStyle is how a level of RFC 5424 is coloured.
func levelStyle(t *draw.Theme, level string) draw.Style {
	switch level {
	case "error", "critical", "alert", "emergency":
		return t.Bad
	case "warning":
		return t.Warn
	}
	return t.Note
}

// logLines are the logs, progress and noise of a round.
func (m *Model) logLines(s *draw.Screen, c *session.Call, r *session.Round) []draw.Line {
	var out []draw.Line
	first, last := shownOf(r)
	for _, seq := range first {
		out = append(out, m.logLine(s, seq))
	}
	if last != nil {
		out = append(out, draw.L(s.Theme.Faint, fmt.Sprintf("… %d more, all in the wire …", len(r.Notes)+r.NotesCut-2*shownNotes)))
	}
	for _, seq := range last {
		out = append(out, m.logLine(s, seq))
	}
	if len(out) == 0 {
		return []draw.Line{draw.L(s.Theme.Faint, "no logs, progress or stray output in this round")}
	}
	return out
}
