package compare

import (
	"fmt"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// View is a comparison on the screen: the list of differences, and the selected
// one before and after, side by side where there is room.
type View struct {
	before, after string // what is compared, clean
	rows          []Difference
	quiet         int
	list          draw.List
	old, new      inspect.Doc
	at            int // the pane that has the focus: 0 the list, 1 before, 2 after
	areas         [3]draw.Rect
}

// NewView returns a view of differences between two things with clean names.
func NewView(before, after string, rows []Difference) *View {
	v := &View{before: before, after: after, rows: rows}
	for _, r := range rows {
		v.quiet += rank(r)
	}
	return v
}

// sideBySide is how many columns it takes to show before and after in a row.
const sideBySide = 100

// Draw draws the comparison.
func (v *View) Draw(s *draw.Screen, area draw.Rect) {
	s.Clear(area)
	top, rest := draw.CutTop(area, max(6, min(len(v.rows)+2, area.Dy()*9/20)))
	if len(v.rows) == 0 {
		top, rest = area, draw.Rect{}
	}
	v.areas = [3]draw.Rect{top}
	v.drawList(s, top)
	if rest.Empty() {
		return
	}
	if rest.Dx() >= sideBySide {
		v.areas[1], v.areas[2] = draw.CutLeft(rest, rest.Dx()/2)
	} else {
		v.areas[1], v.areas[2] = draw.CutTop(rest, rest.Dy()/2)
	}
	x := v.selected()
	v.value(s, 1, &v.old, "before", v.before, func() []draw.Line { before, _ := values(x, s.Theme); return before })
	v.value(s, 2, &v.new, "after", v.after, func() []draw.Line { _, after := values(x, s.Theme); return after })
}

func (v *View) drawList(s *draw.Screen, area draw.Rect) {
	pane := draw.Pane{Title: v.before + " ─▶ " + v.after + ": " + v.summary(), Focus: v.at == 0}
	inner := pane.Inner(area)
	if len(v.rows) == 0 {
		s.Wrapped(draw.Inset(inner, 1, 0), s.Theme.Good, "✓ nothing differs: the same params, asks, answers, states and result")
	}
	group := 0
	for _, r := range v.rows {
		group = max(group, s.Width.Of(named(r.Group, inner.Dx())))
	}
	group = min(group, max(12, inner.Dx()/4))
	v.list.Draw(s, inner, draw.Source{Len: len(v.rows), Key: func(i int) any { return i }, Row: func(i, width int) draw.Line {
		return v.row(s, i, group, width)
	}}, v.at == 0)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, area)
}

func (v *View) summary() string {
	n := len(v.rows) - v.quiet
	out := text.Count(n, "difference")
	if n == 0 {
		out = "no difference"
	}
	if v.quiet > 0 {
		out += fmt.Sprintf(", %d of time and ids", v.quiet)
	}
	return out
}

func (v *View) row(s *draw.Screen, i, group, width int) draw.Line {
	t, x := s.Theme, v.rows[i]
	mark, st := "~ ", t.Warn
	switch x.Op {
	case state.Added:
		mark, st = "+ ", t.Added
	case state.Removed:
		mark, st = "- ", t.Removed
	}
	if x.Quiet {
		st = t.Faint
	}
	path := text.CleanLine(x.Path)
	line := draw.L(st, mark+s.Width.Pad(named(x.Group, width), group)+" ")
	if path != "" {
		path = tail(s, path, max(12, width/3)) + " "
		line = line.With(t.Name, path)
	}
	room := max(8, (width-group-3-s.Width.Of(path)-4)/2)
	if x.Op != state.Changed {
		room *= 2
	}
	before, after := beside(s, x, room)
	if x.Before != nil {
		line = line.With(t.Removed, before)
	}
	if x.Op == state.Changed {
		line = line.With(t.Faint, " ─▶ ")
	}
	if x.After != nil {
		line = line.With(t.Added, after)
	}
	return line
}

// named is the name of a group, in fewer words where there is little room.
func named(group string, width int) string {
	group = text.CleanLine(group)
	if rest, ok := strings.CutPrefix(group, "round "); ok && width < sideBySide-2 {
		return strings.Replace(rest, ": ", " ", 1)
	}
	return group
}

// tail keeps the end of a path, which says more than its start.
func tail(s *draw.Screen, path string, room int) string {
	for cut := false; s.Width.Of(path) > room; cut = true {
		if cut {
			path = strings.TrimPrefix(path, "…")
		}
		_, n := s.Width.Next(path)
		head, rest := s.Width.Cut(path, max(1, n))
		if head == "" {
			return s.Width.Truncate(path, room)
		}
		path = "…" + rest
	}
	return path
}

func (v *View) selected() Difference {
	if v.list.Cursor < 0 || v.list.Cursor >= len(v.rows) {
		return Difference{}
	}
	return v.rows[v.list.Cursor]
}

func (v *View) value(s *draw.Screen, at int, doc *inspect.Doc, title, of string, build func() []draw.Line) {
	area := v.areas[at]
	if area.Empty() {
		return
	}
	pane := draw.Pane{Title: title + ": " + of, Focus: v.at == at}
	doc.Lines(v.list.Cursor, 0, build)
	doc.Draw(s, pane.Inner(area))
	pane.Above, pane.Below = doc.Above(), doc.Below()
	pane.Draw(s, area)
}

// mostLines of a value are laid out.
const mostLines = 5000

// values lays both values out in full, the lines that differ in colour.
func values(x Difference, t *draw.Theme) (before, after []draw.Line) {
	a, b := lay(x, x.Before, t), lay(x, x.After, t)
	from := 0
	for from < len(a) && from < len(b) && a[from].Plain() == b[from].Plain() {
		from++
	}
	behind := 0
	for behind < len(a)-from && behind < len(b)-from && a[len(a)-1-behind].Plain() == b[len(b)-1-behind].Plain() {
		behind++
	}
	paint(a[from:len(a)-behind], t.Removed)
	paint(b[from:len(b)-behind], t.Added)
	if x.Before == nil {
		a = []draw.Line{draw.L(t.Faint, "not there")}
	}
	if x.After == nil {
		b = []draw.Line{draw.L(t.Faint, "not there")}
	}
	return a, b
}

// lay lays one value out: a text as its lines, anything else as JSON.
func lay(x Difference, raw []byte, t *draw.Theme) []draw.Line {
	if raw == nil {
		return nil
	}
	s := string(raw)
	if x.JSON {
		var ok bool
		if s, ok = rpc.String(raw); !ok {
			lines, _ := draw.JSON(raw, t, mostLines)
			return lines
		}
	}
	var out []draw.Line
	for _, l := range strings.Split(text.Clean(s), "\n") {
		if out = append(out, draw.L(t.Text, l)); len(out) >= mostLines {
			break
		}
	}
	return out
}

func paint(lines []draw.Line, st draw.Style) {
	for i, l := range lines {
		lines[i] = draw.L(st, l.Plain())
	}
}

// Do does what a key means, and says whether it meant something.
func (v *View) Do(i keys.Intent) bool {
	switch i {
	case keys.NextPane, keys.Open:
		v.at = (v.at + 1) % 3
		return true
	case keys.PrevPane:
		v.at = (v.at + 2) % 3
		return true
	}
	switch v.at {
	case 1:
		return v.old.Do(i)
	case 2:
		return v.new.Do(i)
	}
	return keys.Walk(&v.list, i)
}

// Click selects the row, or the pane, at a cell.
func (v *View) Click(x, y int) {
	for i, r := range v.areas {
		if x >= r.Min.X && x < r.Max.X && y >= r.Min.Y && y < r.Max.Y {
			v.at = i
		}
	}
	v.list.Click(x, y)
}

// Wheel scrolls the pane that has the focus.
func (v *View) Wheel(n int) {
	switch v.at {
	case 1:
		v.old.Scroll(n)
	case 2:
		v.new.Scroll(n)
	default:
		v.list.Wheel(n)
	}
}

// Text is the comparison as plain text, for the clipboard and for files. It is
// not cleaned: it holds values as they were written.
func (v *View) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", v.before, v.after)
	group := ""
	for _, x := range v.rows {
		if x.Group != group {
			group = x.Group
			fmt.Fprintf(&b, "@@ %s\n", group)
		}
		path := x.Path
		if path != "" {
			path += ": "
		}
		if x.Before != nil {
			fmt.Fprintf(&b, "- %s%s\n", path, oneLine(x.Before))
		}
		if x.After != nil {
			fmt.Fprintf(&b, "+ %s%s\n", path, oneLine(x.After))
		}
	}
	return b.String()
}

func oneLine(raw []byte) string { return strings.ReplaceAll(string(raw), "\n", " ") }
