package ladder

import (
	"strconv"
	"strings"
	"time"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// View draws the ladder of one call. The zero value is ready; what is selected
// stays selected while rows come.
type View struct {
	Marks  map[int]draw.Run // what is to be said of the requests of rounds
	InHand trace.AskID      // the ask that the person is at: it may have been set aside, but is no more

	list  draw.List
	steps []Step
	call  int
	stick bool // the selection was moved by the person and stays where it is
	want  want // what to select once the rows are known
}

// want is a row to select: that of a frame, else the first of a round.
type want struct{ round, seq int }

// Draw draws the ladder into area, the lanes' names in its first row.
func (v *View) Draw(s *draw.Screen, area draw.Rect, sess *session.Session, c *session.Call, now time.Duration, focus bool) {
	if c.ID != v.call {
		*v = View{call: c.ID, want: v.want, Marks: v.Marks, InHand: v.InHand}
	}
	v.steps = Steps(sess, c, now)
	for i, st := range v.steps {
		v.steps[i].Aside = st.Aside && st.Ask != v.InHand
		if st.Seq != 0 && st.From == Client && st.To == Server {
			v.steps[i].Mark = v.Marks[st.Round]
		}
	}
	v.selectWanted()
	if !v.stick {
		v.list.Cursor = v.newest()
	}
	head, body := draw.CutTop(area, 1)
	if area.Dy() < 4 {
		body = area
	} else {
		g := newGrid(area.Dx() - 2)
		head.Min.X += 2
		s.Line(head, g.head(s))
	}
	v.list.Draw(s, body, draw.Source{Len: len(v.steps), Row: func(i, width int) draw.Line {
		open := i > 0 && v.steps[i-1].Open
		return newGrid(width).row(s, v.steps[i], open)
	}}, focus)
}

// newest is the row that the person most likely wants: the first ask that
// waits, else the last row.
func (v *View) newest() int {
	for i, st := range v.steps {
		if st.Live && st.To == You {
			return i
		}
	}
	return len(v.steps) - 1
}

// Above and Below return how many rows are out of sight.
func (v *View) Above() int { return v.list.Above() }

// Below returns how many rows are out of sight below.
func (v *View) Below() int { return v.list.Below() }

// Move moves the selection by rows.
func (v *View) Move(n int) { v.list.Move(n); v.stick = true }

// Page moves the selection by pages.
func (v *View) Page(n int) { v.list.Page(n); v.stick = true }

// Wheel scrolls.
func (v *View) Wheel(n int) { v.list.Wheel(n); v.stick = true }

// Follow lets the selection go with what happens again.
func (v *View) Follow() { v.stick = false }

// Click selects the row at a cell.
func (v *View) Click(x, y int) bool {
	ok := v.list.Click(x, y)
	v.stick = v.stick || ok
	return ok
}

// Selected returns the selected row; ok is false before the first Draw.
func (v *View) Selected() (st Step, ok bool) {
	if v.list.Cursor < 0 || v.list.Cursor >= len(v.steps) {
		return Step{}, false
	}
	return v.steps[v.list.Cursor], true
}

// Want selects the row of a frame, or else the first one of a round, at the
// next Draw; the call may be another one by then.
func (v *View) Want(round, seq int) { v.want = want{round, seq} }

func (v *View) selectWanted() {
	if v.want == (want{}) {
		return
	}
	found := -1
	for i, st := range v.steps {
		if st.Seq == v.want.seq {
			found = i
			break
		}
		if st.Round == v.want.round && found < 0 {
			found = i
		}
	}
	v.want = want{}
	if found >= 0 {
		v.list.Cursor, v.stick = found, true
	}
}

// grid says where the lanes stand in a row of some width.
type grid struct {
	lane  [3]int // columns of the lanes
	width int
	time  int // columns for who had control and how long; 0 for none
}

const roundColumns = 3

func newGrid(width int) grid {
	g := grid{width: width}
	switch {
	case width >= 56:
		g.time = 14
	case width >= 36:
		g.time = 8
	}
	left, right := roundColumns, width-g.time-1
	span := right - left
	g.lane = [3]int{left, left + max(2, span*2/5), max(left+4, right)}
	return g
}

func (g grid) head(s *draw.Screen) draw.Line {
	t := s.Theme
	line := draw.Line{{Text: strings.Repeat(" ", g.lane[You]), Style: t.Faint}}
	line = line.With(t.Ask, s.Width.Pad("you", g.lane[Client]-g.lane[You]-2))
	line = line.With(t.Client, s.Width.Pad("client", g.lane[Server]-g.lane[Client]-1))
	return line.With(t.Server, "server")
}

// row draws one step. Open says whether a request lay open at the server
// before it: its lane is thick then.
func (g grid) row(s *draw.Screen, st Step, open bool) draw.Line {
	t := s.Theme
	number := strings.Repeat(" ", roundColumns)
	if st.First {
		number = s.Width.Pad(strconv.Itoa(st.Round), roundColumns)
	}
	line := draw.Line{{Text: number, Style: t.Bold}}
	style := g.tone(t, st)
	bar := func(l Lane) draw.Run {
		if l == Server && (open || st.Open) {
			return draw.Run{Text: "┃", Style: t.Server}
		}
		return draw.Run{Text: "│", Style: t.Faint}
	}
	for l := You; l < Server; l++ {
		line = append(line, bar(l))
		span := g.lane[l+1] - g.lane[l] - 1
		text := strings.Repeat(" ", span)
		switch {
		case st.From == l && st.To == l+1:
			text = arrow(s.Width, st.label(s.Width, span), span, false)
		case st.From == l+1 && st.To == l:
			text = arrow(s.Width, st.label(s.Width, span), span, true)
		case st.From == st.To && (st.To == l || st.To == Server && l == Client):
			text = s.Width.Pad(" "+st.label(s.Width, span+tight-1), span)
		}
		line = line.With(style, text)
	}
	line = append(line, bar(Server))
	if st.Timed && g.time > 0 {
		line = line.With(g.timeStyle(t, st), " "+s.Width.Truncate(g.timing(st), g.time))
	} else if g.time > 0 && st.Mark.Text != "" {
		line = append(line.With(t.Text, " "), st.Mark)
	}
	return line
}

// label is the longest one that fits on an arrow of span columns.
func (st Step) label(w text.Width, span int) string {
	switch room := span - tight; {
	case w.Of(st.Label) <= room, st.Short == "":
		return st.Label
	case w.Of(st.Short) <= room, st.Least == "":
		return st.Short
	}
	return st.Least
}

func (g grid) timing(st Step) string {
	d := text.Duration(st.Took)
	if st.Live {
		d = text.Duration(st.Took.Truncate(time.Second)) + "…"
		if st.Took < time.Second {
			d = "now…"
		}
	}
	switch {
	case st.Aside:
		return "later"
	case st.Staged:
		return "not sent"
	}
	if g.time < 12 {
		return d
	}
	return [...]string{"you ", "client ", "server "}[st.Who] + d
}

func (g grid) timeStyle(t *draw.Theme, st Step) draw.Style {
	switch {
	case st.Live && st.Who == You:
		return t.Ask
	case st.Live:
		return t.Warn
	}
	return t.Faint
}

func (g grid) tone(t *draw.Theme, st Step) draw.Style {
	switch st.Tone {
	case Asking:
		return t.Ask
	case Good:
		return t.Good
	case Bad:
		return t.Bad
	case Quiet:
		return t.Faint
	}
	return t.Text
}

// Columns that stand round the label of an arrow.
const wide, tight = 5, 3

// arrow draws a label on an arrow of some columns: "─ tools/call 3 ──▶", and
// " tools/call 3 ▶" where that is all there is room for.
func arrow(w text.Width, label string, span int, left bool) string {
	switch n := w.Of(label); {
	case span < tight+2:
		if left {
			return "◀" + strings.Repeat("─", max(0, span-1))
		}
		return strings.Repeat("─", max(0, span-1)) + "▶"
	case n > span-wide && left:
		return "◀ " + w.Pad(label, span-tight) + " "
	case n > span-wide:
		return " " + w.Pad(label, span-tight) + " ▶"
	case left:
		return "◀─ " + label + " " + strings.Repeat("─", span-wide-n+1)
	default:
		return "─ " + label + " " + strings.Repeat("─", span-wide-n+1) + "▶"
	}
}
