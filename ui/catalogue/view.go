package catalogue

import (
	"image"
	"slices"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// View is the list and what the selected entry says. The zero value is ready.
type View struct {
	list   draw.List
	rows   []row
	held   *row // what the person went to; nil as long as nobody went anywhere
	seeks  bool // the filter has found nothing yet: the best of what comes is selected
	chose  bool // the person went to an entry while the filter stood
	Filter string
	doc    inspect.Doc
	left   draw.Rect
	right  draw.Rect
}

// Selected returns the selected entry; rejected says why it must not be used.
func (v *View) Selected(sess *session.Session) (kind Kind, it session.Item, rejected string, ok bool) {
	v.sync(sess)
	if v.list.Cursor >= len(v.rows) || v.list.Cursor < 0 || !v.rows[v.list.Cursor].selectable() {
		return 0, session.Item{}, "", false
	}
	r := v.rows[v.list.Cursor]
	return r.kind, r.item, r.rejected, true
}

// SetFilter shows the entries that hold a text, and selects the one that it names
// best. Where the person went to an entry while a filter stood, or takes the filter
// away, the selected one stays selected as long as it is shown.
func (v *View) SetFilter(s string, sess *session.Session) {
	v.sync(sess)
	if s == v.Filter {
		return
	}
	var was *row
	if i := v.list.Cursor; (v.chose || s == "") && i < len(v.rows) && v.rows[i].selectable() {
		was = &v.rows[i]
	}
	v.Filter, v.seeks = s, s != ""
	v.rows = rows(&sess.Catalogue, s)
	if was != nil {
		if i := slices.IndexFunc(v.rows, was.same); i >= 0 {
			v.list.Cursor, v.seeks = i, false
		}
	}
	v.chose = v.chose && !v.seeks && s != ""
	v.sync(sess)
	v.hold()
}

func (v *View) sync(sess *session.Session) {
	v.rows = rows(&sess.Catalogue, v.Filter)
	if i := best(v.rows, v.Filter); v.seeks && i >= 0 {
		v.list.Cursor = i
		return
	}
	v.list.Cursor = max(0, min(v.list.Cursor, len(v.rows)-1))
	v.settle(1)
	if v.held == nil || len(v.rows) > 0 && v.rows[v.list.Cursor].same(*v.held) {
		return
	}
	if i := slices.IndexFunc(v.rows, v.held.same); i >= 0 {
		v.list.Cursor = i
	}
}

// hold keeps the selection on its entry from now on, whatever comes or goes above it.
func (v *View) hold() {
	if i := v.list.Cursor; i >= 0 && i < len(v.rows) && v.rows[i].selectable() {
		r := v.rows[i]
		v.held, v.seeks = &r, false
	}
}

// choose is hold for an entry that the person went to.
func (v *View) choose() {
	v.hold()
	v.chose = v.Filter != ""
}

// settle moves the selection off a heading.
func (v *View) settle(step int) {
	for range 2 {
		for i := v.list.Cursor; i >= 0 && i < len(v.rows); i += step {
			if v.rows[i].selectable() {
				v.list.Cursor = i
				return
			}
		}
		step = -step
	}
}

// Do moves, and says whether the intent meant something here.
func (v *View) Do(i keys.Intent) bool {
	if !keys.Walk(&v.list, i) {
		return false
	}
	step := 1
	if i == keys.Up || i == keys.PageUp || i == keys.Last {
		step = -1 // away from the headings, the way that the cursor came
	}
	v.settle(step)
	v.choose()
	return true
}

// Scroll scrolls what the selected entry says.
func (v *View) Scroll(i keys.Intent) bool { return v.doc.Do(i) }

// Wheel scrolls what lies below the cell.
func (v *View) Wheel(x, y, n int) {
	if image.Pt(x, y).In(v.right) {
		v.doc.Scroll(n)
		return
	}
	v.list.Wheel(n)
	v.settle(1)
	v.choose()
}

// Click selects the entry at a cell.
func (v *View) Click(x, y int) bool {
	before := v.list.Cursor
	if !v.list.Click(x, y) {
		return false
	}
	if !v.rows[v.list.Cursor].selectable() {
		v.list.Cursor = before
		return false
	}
	v.choose()
	return true
}

// Draw draws both panes; below 60 columns the list alone. Empty is what stands
// there while nothing is listed.
func (v *View) Draw(s *draw.Screen, area draw.Rect, sess *session.Session, empty []draw.Line, focus, right bool) {
	v.sync(sess)
	v.left, v.right = area, draw.Rect{}
	switch {
	case area.Dx() >= 60:
		v.left, v.right = draw.CutLeft(area, max(28, area.Dx()*2/5))
	case area.Dy() >= 14:
		v.left, v.right = draw.CutTop(area, area.Dy()*3/5)
	}
	pane := draw.Pane{Title: "Catalogue", Focus: focus && !right}
	if v.Filter != "" {
		pane.Title = "Catalogue /" + text.CleanLine(v.Filter)
	}
	inner := pane.Inner(v.left)
	if len(v.rows) == 0 {
		if v.Filter != "" {
			empty = []draw.Line{draw.L(s.Theme.Faint, "nothing fits the filter")}
		}
		for y, row := range inspect.EndKept(s, empty, inner) {
			s.Line(draw.Row(inner, y), row)
		}
	}
	v.list.Draw(s, inner, draw.Source{Len: len(v.rows), Row: func(i, width int) draw.Line { return v.line(s, i, width) }}, focus && !right)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, v.left)
	if !v.right.Empty() {
		v.drawDetail(s, focus && right)
	}
}

func (v *View) line(s *draw.Screen, i, width int) draw.Line {
	t, r := s.Theme, v.rows[i]
	if r.heading != "" {
		return draw.L(t.Title, r.heading)
	}
	name := text.CleanLine(r.item.Name)
	if name == "" {
		name = text.CleanLine(r.item.Key())
	}
	switch {
	case r.rejected != "":
		return draw.L(t.Bad, "✖ "+name).With(t.Faint, "  rejected")
	case r.twice:
		return draw.L(t.Warn, "⚠ "+name).With(t.Faint, "  named twice")
	}
	line := draw.L(t.Text, "  "+name)
	if says := firstLine(r.item); says != "" && width > 40 {
		line = line.With(t.Faint, "  "+says)
	}
	return line
}

func firstLine(it session.Item) string {
	s, _, _ := strings.Cut(it.Description, "\n")
	if it.Title != "" {
		s = it.Title
	}
	return text.CleanLine(s)
}

func (v *View) drawDetail(s *draw.Screen, focus bool) {
	pane := draw.Pane{Focus: focus}
	inner := pane.Inner(v.right)
	if i := v.list.Cursor; i < len(v.rows) && v.rows[i].selectable() {
		r := v.rows[i]
		pane.Title = text.CleanLine(r.item.Key())
		v.doc.Lines(string(r.item.Raw), r.rejected, func() []draw.Line { return says(s.Theme, r) })
		v.doc.Draw(s, inner)
		pane.Above, pane.Below = v.doc.Above(), v.doc.Below()
	}
	pane.Draw(s, v.right)
}

// says lays out what an entry says of itself.
func says(t *draw.Theme, r row) []draw.Line {
	var out []draw.Line
	if r.rejected != "" {
		out = append(out, draw.L(t.Bad, "✖ not to be used: "+text.CleanLine(r.rejected)), draw.Line{})
	}
	if r.item.Title != "" {
		out = append(out, draw.L(t.Bold, text.CleanLine(r.item.Title)))
	}
	if r.item.Description != "" {
		for _, l := range strings.Split(text.Clean(r.item.Description), "\n") {
			out = append(out, draw.L(t.Text, l))
		}
		out = append(out, draw.Line{})
	}
	if hints := hints(r.item.Raw); hints != "" {
		out = append(out, draw.L(t.Note, hints), draw.Line{})
	}
	for _, member := range []string{"inputSchema", "arguments", "outputSchema", "uriTemplate", "mimeType"} {
		if raw := rpc.Member(r.item.Raw, member); raw != nil {
			out = append(out, draw.L(t.Faint, member))
			out = append(out, inspect.JSON(raw, t)...)
		}
	}
	return append(append(out, draw.Line{}, draw.L(t.Faint, "the entry as it came")), inspect.JSON(r.item.Raw, t)...)
}

// hints words a tool's annotations. They are the server's own words, not to be
// relied on.
func hints(raw []byte) string {
	a := rpc.Member(raw, "annotations")
	var out []string
	for _, h := range []struct{ name, yes, no string }{
		{"readOnlyHint", "says: only reads", ""},
		{"destructiveHint", "says: destroys", "says: destroys nothing"},
		{"idempotentHint", "says: the same again changes nothing", ""},
		{"openWorldHint", "", "says: reaches nothing outside"},
	} {
		switch string(rpc.Member(a, h.name)) {
		case "true":
			out = append(out, h.yes)
		case "false":
			out = append(out, h.no)
		}
	}
	var kept []string
	for _, o := range out {
		if o != "" {
			kept = append(kept, o)
		}
	}
	return strings.Join(kept, " · ")
}
