package form

import (
	"strings"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// view is what the form remembers of how it was drawn.
type view struct {
	zones draw.Zones
	rows  draw.Rect // where the rows are
	list  draw.Rect // the open list, if any
	head  draw.Rect // the message

	top      int  // the first line of the rows that is in sight
	free     bool // scrolled by the wheel: the focus need not be in sight
	scrolled int  // lines of the focused row's description above its window
	hidden   int  // lines of it below
	headTop  int
	headLeft int // lines of the message below its window

	stale bool // the JSON in view is not the draft's any more
	json  []byte
	cols  int // width of the names
}

func (v *view) scrollHead(n int) { v.headTop += n * max(1, v.head.Dy()) }

// scrollText scrolls the focused description, then the message, and says
// whether there was something to scroll.
func (v *view) scrollText(n int) bool {
	switch {
	case n > 0 && v.hidden > 0, n < 0 && v.scrolled > 0:
		v.scrolled = max(0, v.scrolled+3*n)
	case n > 0 && v.headLeft > 0, n < 0 && v.headTop > 0:
		v.scrollHead(n)
	default:
		return false
	}
	return true
}

// Draw draws the form into area. What is in short supply goes in this order:
// the focused field, the other fields, the acts, what is wrong, the message,
// the JSON.
func (f *Form) Draw(s *draw.Screen, area draw.Rect) { f.DrawFocus(s, area, true) }

// DrawFocus is Draw for a form that may not have the keyboard.
func (f *Form) DrawFocus(s *draw.Screen, area draw.Rect, focus bool) {
	area = area.Intersect(s.Bounds())
	f.view.zones.Reset()
	f.view.head, f.view.list = draw.Rect{}, draw.Rect{}
	if area.Empty() {
		return
	}
	head, area := f.drawHead(s, area)
	f.view.head = head
	area = f.drawButtons(s, area, focus)
	area = f.drawNote(s, area)
	if f.asJSON != nil {
		f.view.rows = area
		f.asJSON.Draw(s, area, focus && f.beside == 0)
		return
	}
	if area.Dx() >= 100 && area.Dy() >= 8 {
		var side draw.Rect
		area, side = draw.CutRight(area, area.Dx()*2/5)
		f.drawJSON(s, side)
	} else {
		area = f.drawLine(s, area)
	}
	f.view.rows = area
	f.drawRows(s, area, focus)
}

func (f *Form) drawHead(s *draw.Screen, area draw.Rect) (head, rest draw.Rect) {
	rest = area
	if f.opt.Title != "" && area.Dy() > 6 {
		var top draw.Rect
		top, rest = draw.CutTop(area, 1)
		s.Text(top, s.Theme.Bold, text.CleanLine(f.opt.Title))
	}
	var lines []draw.Line
	put := func(st draw.Style, str string) {
		rows, _ := s.Width.Wrap(text.Clean(str), rest.Dx(), 2000)
		for _, r := range rows {
			lines = append(lines, draw.L(st, r))
		}
	}
	if f.opt.Message != "" {
		put(s.Theme.Text, f.opt.Message)
	}
	for _, n := range f.opt.Notes {
		put(s.Theme.Warn, "⚠ "+n)
	}
	if len(lines) == 0 {
		f.view.headTop, f.view.headLeft = 0, 0
		return draw.Rect{}, rest
	}
	least := 1
	if len(f.rows) == 0 { // a plain question: the message is all there is
		least = rest.Dy() - 3
	}
	most := max(least, rest.Dy()/3)
	head, rest = draw.CutTop(rest, min(len(lines), most))
	f.view.headTop = max(0, min(f.view.headTop, len(lines)-head.Dy()))
	f.view.headLeft = len(lines) - head.Dy() - f.view.headTop
	for y := range head.Dy() {
		s.Line(draw.Row(head, y), lines[f.view.headTop+y])
	}
	s.Cue(draw.Row(head, 0), f.view.headTop, true)
	s.Cue(draw.Row(head, head.Dy()-1), f.view.headLeft, false)
	if rest.Dy() > 10 && len(f.rows) > 0 {
		_, rest = draw.CutTop(rest, 1)
	}
	return head, rest
}

func (f *Form) drawButtons(s *draw.Screen, area draw.Rect, focus bool) draw.Rect {
	if len(f.opt.Buttons) == 0 {
		return area
	}
	keysOf := map[Act]string{Send: "Ctrl+S", Decline: "Alt+D", Cancel: "Alt+C", Later: "Esc", Outside: "Ctrl+E"}
	bs := make([]draw.Button, len(f.opt.Buttons))
	for i, b := range f.opt.Buttons {
		bs[i] = draw.Button{ID: buttonZone(i), Label: b.Label, Key: keysOf[b.Act], Hot: focus && f.hot(i)}
		if b.Act == Send && f.armed {
			bs[i].Label += " all the same"
		}
	}
	n := min(s.ButtonRows(area.Dx(), bs), max(1, area.Dy()/4))
	rest, at := draw.CutBottom(area, n)
	s.Buttons(at, &f.view.zones, bs)
	return rest
}

// hot says whether a button has the focus.
func (f *Form) hot(i int) bool {
	if f.asJSON != nil {
		return f.beside == i+1
	}
	return f.focus == len(f.rows)+i
}

func (f *Form) drawNote(s *draw.Screen, area draw.Rect) draw.Rect {
	if f.note == "" || area.Dy() < 3 {
		return area
	}
	st, note := s.Theme.Note, f.note
	if f.bad {
		st, note = s.Theme.Bad, "✖ "+note
	}
	most := 2
	if area.Dy() < 8 {
		most = 1
	}
	rows, _ := s.Width.Wrap(note, area.Dx(), most)
	rest, at := draw.CutBottom(area, len(rows))
	s.Wrapped(at, st, note)
	return rest
}

// sends returns the JSON in view.
func (f *Form) sends() []byte {
	if f.view.stale || f.view.json == nil {
		f.view.json, _ = f.draft.JSON()
		f.view.stale = false
	}
	return f.view.json
}

// shown returns the problem of a row that is to be seen now: none before
// anything was typed.
func (f *Form) shown(i int) *schema.Problem {
	r := f.rows[i]
	if r.kind > group {
		return nil
	}
	ps := f.problems[r.node]
	if r.kind == group && f.collapsed[r.node] && len(ps) == 0 {
		ps = f.inside(r.node)
	}
	if len(ps) == 0 {
		return nil
	}
	if early := !f.left[r.node] && (r.kind == group || i == f.focus && ps[0].Kind != schema.Invalid); !f.tried && (early || !r.node.Touched()) {
		return nil
	}
	return &ps[0]
}

// inside returns the problems below a group.
func (f *Form) inside(n *schema.Node) (ps []schema.Problem) {
	for at, p := range f.problems {
		for q := at.Parent; q != nil; q = q.Parent {
			if q == n {
				ps = append(ps, schema.Problem{Message: "problems inside", Kind: p[0].Kind})
				break
			}
		}
	}
	return ps[:min(len(ps), 1)]
}

// clip returns the start of a text, clean and on one line.
func clip(s string) string {
	const most = 300
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return text.CleanLine(s)
}
