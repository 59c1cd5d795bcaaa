// Package wire shows everything that crossed the connection, one event a row:
// frames, HTTP exchanges, stderr, stray lines, phases and acts. It filters and
// follows; what a row holds is shown beside it, as JSON or as its bytes.
package wire

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// View is the list of rows. The zero value shows everything and stands at the
// first row; set Follow to go with the newest.
type View struct {
	list   draw.List
	filter Filter
	source string
	err    error
	shown  []int32 // indexes of the rows that fit, where there is a filter
	seen   int     // rows that the filter has looked at, or that the job looks at
	total  int
	area   draw.Rect

	job     *Job
	running bool
	turn    int // counts filters
	want    int // index of the row that was selected before the filter, -1 for none

	far      map[int]session.Row // rows that the session has given up, read back from the log
	missing  []int
	supplied int
}

// New returns a view that follows the newest row.
func New() *View { return &View{list: draw.List{Follow: true}, want: -1} }

// SetFilter filters anew. Where the filter cannot be read the old one stays and
// the error says why. The selected row stays selected where it is still shown.
func (v *View) SetFilter(s string, sess *session.Session) error {
	f, err := ParseFilter(s)
	v.source, v.err = s, err
	if err != nil {
		return err
	}
	at := v.index()
	if v.want >= 0 && v.Searching() > 0 {
		at = v.want // still looked for
	}
	v.filter, v.shown, v.seen, v.job, v.running, v.want = f, nil, 0, nil, false, at
	v.turn++
	if v.Sync(sess); f.Empty() {
		v.goTo(at)
	}
	return nil
}

// Filter returns the filter as it was typed.
func (v *View) Filter() string { return v.source }

func (v *View) len() int {
	if v.filter.Empty() {
		return v.total
	}
	return len(v.shown)
}

func (v *View) row(i int) int {
	if v.filter.Empty() {
		return i
	}
	return int(v.shown[i])
}

func (v *View) index() int {
	if v.list.Follow {
		v.list.Cursor = v.len() - 1
	}
	if v.list.Cursor < 0 || v.list.Cursor >= v.len() {
		return -1
	}
	return v.row(v.list.Cursor)
}

// Seq returns the number of the selected event, 0 where there is none.
func (v *View) Seq() int { return v.index() + 1 }

// Go selects an event, or the one nearest before it that is shown.
func (v *View) Go(seq int) {
	v.list.Follow, v.want = false, seq-1
	v.goTo(seq - 1)
}

// Shows reports whether an event is in the list.
func (v *View) Shows(seq int) bool {
	if v.filter.Empty() {
		return seq >= 1 && seq <= v.total
	}
	_, ok := slices.BinarySearch(v.shown, int32(seq-1))
	return ok
}

func (v *View) goTo(index int) {
	if v.list.Follow || index < 0 {
		return
	}
	lo, hi := 0, v.len()
	for lo < hi {
		mid := (lo + hi) / 2
		if v.row(mid) <= index {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	v.list.Cursor = max(0, lo-1)
}

// Following reports whether the newest row is followed.
func (v *View) Following() bool { return v.list.Follow }

// Do moves, and says whether the intent meant something here.
func (v *View) Do(i keys.Intent) bool {
	v.want = -1
	if i == keys.Follow {
		v.list.Follow = !v.list.Follow
		return true
	}
	return keys.Walk(&v.list, i)
}

// Wheel scrolls.
func (v *View) Wheel(n int) { v.want = -1; v.list.Wheel(n) }

// Over reports whether a cell belongs to the pane.
func (v *View) Over(x, y int) bool { return image.Pt(x, y).In(v.area) }

// Click selects the row at a cell.
func (v *View) Click(x, y int) bool { v.want = -1; return v.list.Click(x, y) }

// Draw draws the pane.
func (v *View) Draw(s *draw.Screen, area draw.Rect, sess *session.Session, focus bool) {
	v.Sync(sess)
	v.area = area
	pane := draw.Pane{Title: "Wire", Focus: focus}
	pane.Right = fmt.Sprintf("%d", v.total)
	if !v.filter.Empty() || v.err != nil {
		pane.Title = "Wire /" + text.CleanLine(v.source)
		pane.Right = fmt.Sprintf("%d of %d", v.len(), v.total)
	}
	switch {
	case v.err != nil:
		pane.Foot = "⚠ " + text.CleanLine(v.err.Error())
	case v.Searching() > sliceRows:
		pane.Foot = fmt.Sprintf("%d more to look at", v.Searching())
	case v.list.Follow:
		pane.Foot = "following"
	}
	inner := pane.Inner(area)
	if v.len() == 0 {
		s.Text(inner, s.Theme.Faint, "nothing yet")
		switch {
		case v.Searching() > 0:
			s.Text(inner, s.Theme.Faint, "looking…")
		case !v.filter.Empty():
			s.Text(inner, s.Theme.Faint, "no row fits the filter")
		}
	}
	v.list.Draw(s, inner, draw.Source{Len: v.len(), Key: func(i int) any {
		r := v.at(sess, v.row(i)+1)
		return rowKey{r.Seq, r.Pair, r.Gone}
	}, Row: func(i, width int) draw.Line {
		r := v.at(sess, v.row(i)+1)
		return Line(s, &r, width)
	}}, focus)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, area)
}

// rowKey changes when a row's text does: a request learns of its response.
type rowKey struct {
	seq, pair int
	gone      bool
}

// Line draws one event as a row.
func Line(s *draw.Screen, r *session.Row, width int) draw.Line {
	t := s.Theme
	if r.Gone {
		return draw.L(t.Faint, fmt.Sprintf("%4d …", r.Seq))
	}
	line := draw.L(t.Faint, fmt.Sprintf("%4d %8s ", r.Seq, clock(r)))
	mark, style := mark(t, r)
	line = line.With(style, mark+" ")
	line = line.With(style, s.Width.Pad(what(r), max(10, min(34, width*2/5)))+" ")
	switch {
	case r.Problem != "":
		line = line.With(t.Warn, "⚠ "+text.CleanLine(r.Problem)+" ")
	case r.Kind == rpc.Failure:
		line = line.With(t.Bad, fmt.Sprintf("%d %s ", r.Code, text.CleanLine(r.Text)))
	case r.Name != "":
		line = line.With(t.Text, text.CleanLine(r.Name)+" ")
	}
	if r.Call != 0 {
		where := fmt.Sprintf("call %d", r.Call)
		if r.Round != 0 {
			where += fmt.Sprintf("/%d", r.Round)
		}
		line = line.With(t.Faint, where+" ")
	}
	if r.Took != 0 {
		line = line.With(t.Faint, text.Duration(r.Took)+" ")
	}
	if r.Kind == rpc.Request && r.Pair == 0 {
		line = line.With(t.Warn, "open ")
	}
	if r.Size > 0 {
		line = line.With(t.Faint, text.Size(int64(r.Size)))
	}
	if r.Part != session.PartFrame && r.Text != "" {
		line = line.With(t.Text, " "+text.CleanLine(strings.TrimSpace(r.Text)))
	} else if r.Method == "notifications/message" || r.Method == "notifications/progress" || r.Kind == rpc.NotJSON {
		line = line.With(t.Text, " "+text.CleanLine(r.Text))
	}
	return line
}

func clock(r *session.Row) string {
	return fmt.Sprintf("%d.%03d", int(r.At.Seconds()), r.At.Milliseconds()%1000)
}

func mark(t *draw.Theme, r *session.Row) (string, draw.Style) {
	switch {
	case r.Part == session.PartFrame && r.Dir == trace.Out:
		return "─▶", t.Client
	case r.Part == session.PartFrame:
		return "◀─", t.Server
	case r.Part == session.PartNoise:
		return "⚠ ", t.Warn
	case r.Part == session.PartPhase:
		return "● ", t.Note
	case r.Part == session.PartAct:
		return "▸ ", t.Ask
	}
	return "  ", t.Faint
}

// what names an event: method or kind, and id.
func what(r *session.Row) string {
	switch r.Part {
	case session.PartFrame:
		name := r.Method
		switch r.Kind {
		case rpc.Result, rpc.Failure:
			name = string(r.Kind)
			if r.Kind == rpc.Result && r.Text == session.InputRequired {
				name = r.Text // as the ladder calls it: it ends no call
			}
			if r.Method != "" {
				name = r.Method + " " + name
			}
		case rpc.Batch, rpc.Invalid, rpc.NotJSON:
			name = string(r.Kind)
		}
		if r.ID != "" {
			name = string(r.ID) + " " + name
		}
		return text.CleanLine(name)
	case session.PartHTTP:
		out := "HTTP"
		if r.Method != "" {
			out += " " + r.Method
		}
		if r.Status != 0 {
			out += fmt.Sprintf(" %d", r.Status)
		}
		return text.CleanLine(out)
	}
	return string(r.Part)
}
