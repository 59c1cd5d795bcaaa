// Package calls is the list of calls, the home of the debugger: one row a call
// with its tool, how it stands and who waits, rounds, time and findings: how many
// there are, behind the sign of the worst.
package calls

import (
	"fmt"
	"time"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/findings"
	"mcptui/ui/keys"
	"mcptui/ui/ladder"
	"mcptui/ui/text"
)

// View is the list. The zero value is ready; it follows the newest call until
// the person moves.
type View struct {
	Over   bool        // the session is a recording that has ended: what is open stays open
	InHand trace.AskID // the ask that the person is at: it may have been set aside, but is no more

	list  draw.List
	moved bool
	n     int
}

// Draw draws the list. Findings returns what was found in a call.
func (v *View) Draw(s *draw.Screen, area draw.Rect, sess *session.Session, now time.Duration, found func(call int) []lint.Finding, focus bool) {
	pane := draw.Pane{Title: "Calls", Right: fmt.Sprint(len(sess.Calls)), Focus: focus}
	inner := pane.Inner(area)
	v.n = len(sess.Calls)
	if !v.moved {
		v.list.Cursor = v.n - 1
	}
	head, body := draw.CutTop(inner, 1)
	c := columns(inner.Dx() - 2)
	head.Min.X += 2
	s.Line(head, c.line(s, s.Theme.Faint, "#", "what", "stands", "rounds", "time", "findings"))
	v.list.Draw(s, body, draw.Source{Len: v.n, Row: func(i, width int) draw.Line {
		return v.row(s, sess, sess.Calls[i], now, found(sess.Calls[i].ID), columns(width))
	}}, focus)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, area)
}

// Selected returns the number of the selected call, 0 where there is none.
func (v *View) Selected(sess *session.Session) int {
	i := v.list.Cursor
	if !v.moved {
		i = len(sess.Calls) - 1
	}
	if i < 0 || i >= len(sess.Calls) {
		return 0
	}
	return sess.Calls[i].ID
}

// Do moves, and says whether the intent meant something here.
func (v *View) Do(i keys.Intent) bool {
	if i == keys.Follow {
		v.moved = false
		return true
	}
	if !keys.Walk(&v.list, i) {
		return false
	}
	v.moved = true
	return true
}

// Wheel scrolls.
func (v *View) Wheel(n int) { v.list.Wheel(n); v.moved = true }

// Click selects the row at a cell.
func (v *View) Click(x, y int) bool {
	ok := v.list.Click(x, y)
	v.moved = v.moved || ok
	return ok
}

// widths of the columns; 0 where there is no room for one.
type widths struct{ number, what, stands, rounds, took, findings int }

func columns(width int) widths {
	w := widths{number: 4, rounds: 7, took: 8, findings: 9}
	if width < 60 { // the name and who is waited for say more
		w.took, w.findings = 0, 5
	}
	if width < 50 {
		w.rounds = 0
	}
	rest := width - w.number - w.rounds - w.took - w.findings
	w.stands = min(34, max(8, rest/2))
	w.what = max(6, rest-w.stands)
	return w
}

func (w widths) line(s *draw.Screen, st draw.Style, cells ...string) draw.Line {
	var line draw.Line
	for i, n := range []int{w.number, w.what, w.stands, w.rounds, w.took, w.findings} {
		if n == 0 {
			line = line.With(st, "")
			continue
		}
		line = line.With(st, s.Width.Pad(cells[i], n-1)+" ")
	}
	return line
}

func (v *View) row(s *draw.Screen, sess *session.Session, c *session.Call, now time.Duration, found []lint.Finding, w widths) draw.Line {
	t := s.Theme
	stands, style := v.StandsIn(t, s.Width, w.stands-1, sess, c)
	mark, grave := findings.Worst(t, found)
	note := ""
	if len(found) > 0 {
		note = fmt.Sprintf("%s %d", mark, len(found))
	}
	line := w.line(s, t.Text, fmt.Sprint(c.ID), what(c), stands, fmt.Sprint(len(c.Rounds)), text.Duration(c.Lasted(now)), note)
	line[2].Style = style
	line[5].Style = grave
	return line
}

func what(c *session.Call) string {
	name := ladder.Name(c)
	if c.Method != "tools/call" && c.Name != "" {
		name = text.CleanLine(c.Method) + " " + name
	}
	if c.Again != 0 {
		name += fmt.Sprintf(" (%d again)", c.Again)
	}
	return name
}

// Stands words how a call stands and who is waited for.
func (v *View) Stands(t *draw.Theme, sess *session.Session, c *session.Call) (string, draw.Style) {
	if v.Over && !c.Status.Final() {
		return "open when the recording ended", t.Warn
	}
	switch c.Status {
	case trace.Running:
		if c.Wait != nil {
			return text.CleanLine(c.Wait.Note), t.Warn
		}
		if c.Last != nil {
			return "● " + ladder.Progress(c.Last), t.Note
		}
		return "● the server works", t.Note
	case trace.Asking:
		word := ""
		for _, a := range sess.Waiting() {
			switch {
			case a.Owner.Call != c.ID:
			case a.ID == v.InHand:
				return "◆ you: " + ladder.AskName(a), t.Ask
			case word == "":
				if word = ladder.AskName(a); a.Status == session.Later {
					word += ", later"
				}
			}
		}
		if word == "" {
			word = "send"
		}
		return "◆ you: " + word, t.Ask
	case trace.Holding:
		return "◆ held, send or drop", t.Ask
	case trace.Done:
		return "✓ done", t.Good
	case trace.ToolError:
		return "✖ the tool failed", t.Bad
	case trace.Failed:
		return "✖ error", t.Bad
	}
	return ended + ladder.Ended(c)[0], t.Bad
}

// ended is before how a call ended that has no result.
const ended = "✖ "

// StandsIn is Stands in some columns: of how a call ended the reason is what is
// kept.
func (v *View) StandsIn(t *draw.Theme, w text.Width, columns int, sess *session.Session, c *session.Call) (string, draw.Style) {
	words, style := v.Stands(t, sess, c)
	if w.Of(words) <= columns || !c.Status.Final() {
		return words, style
	}
	all := ladder.Ended(c)
	if words != ended+all[0] {
		return words, style
	}
	for _, words = range all {
		if words = ended + words; w.Of(words) <= columns {
			break
		}
	}
	return words, style
}
