// Package inspect shows one thing in full: a message as JSON or as its bytes, a
// requestState with what it carries, headers, findings. A Doc is the window
// that they are scrolled in; the rest of the package makes lines for it out of
// the session. It fetches nothing: bodies are handed in.
package inspect

import (
	"strings"

	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// Doc is a window on a document: lines that were made for it, or raw bytes of
// any size. The zero value is an empty one.
type Doc struct {
	id, version any
	source      []draw.Line
	rows        []draw.Line // source, wrapped for width
	width       int
	counts      text.Width

	raw   []byte
	pager *text.Pager
	at    int // offset of the first row of raw

	top    int
	area   draw.Rect
	match  string
	missed bool // what was searched for last was not found
	atEnd  bool // until the person scrolls
	tree   tree
}

// Lines shows lines. They are made anew where version differs from the last
// one; the place in the document is kept as long as the id is the same.
func (d *Doc) Lines(id, version any, build func() []draw.Line) {
	if d.id == id && d.version == version && d.pager == nil {
		return
	}
	if d.id != id || d.pager != nil {
		d.top, d.tree, d.atEnd = 0, tree{}, false
	}
	d.id, d.version, d.pager, d.raw = id, version, nil, nil
	d.source, d.rows, d.width = build(), nil, 0
}

// Tail is Lines of a document whose end is what matters: it is shown, and stays
// shown while lines come, until the person scrolls.
func (d *Doc) Tail(id, version any, build func() []draw.Line) {
	first := d.id != id || d.pager != nil
	d.Lines(id, version, build)
	d.atEnd = d.atEnd || first
}

// Raw shows bytes as they are.
func (d *Doc) Raw(id any, raw []byte) {
	if d.id == id && d.pager != nil {
		return
	}
	*d = Doc{id: id, raw: raw, pager: text.NewPager(raw, text.Wc), match: d.match, area: d.area}
}

// Draw draws what is in the window.
func (d *Doc) Draw(s *draw.Screen, area draw.Rect) {
	d.area = area
	if d.pager != nil {
		for i, r := range d.pager.Rows(d.at, area.Dx(), area.Dy()) {
			st := s.Theme.Text
			if d.hit(r.Text) {
				st = s.Theme.Marked
			}
			s.Text(draw.Row(area, i), st, r.Text)
		}
		return
	}
	d.layOut(s.Width, area.Dx())
	if d.atEnd {
		d.top = len(d.rows)
	}
	d.top = max(0, min(d.top, len(d.rows)-area.Dy()))
	for i := range area.Dy() {
		if d.top+i >= len(d.rows) {
			return
		}
		line := d.rows[d.top+i]
		row := draw.Row(area, i)
		s.Line(row, line)
		if d.hit(line.Plain()) || d.tree.on && d.tree.from[d.top+i] == d.tree.at {
			s.Restyle(row, draw.Reverse)
		}
	}
}

func (d *Doc) hit(row string) bool {
	return d.match != "" && strings.Contains(strings.ToLower(row), d.match)
}

func (d *Doc) layOut(w text.Width, width int) {
	if width == d.width && d.rows != nil {
		return
	}
	d.counts = w
	d.rows, d.width, d.tree.from = nil, width, nil
	for i := 0; i < len(d.source); i++ {
		line, next := d.tree.line(d.source, i)
		for _, row := range Wrap(w, line, width) {
			d.rows, d.tree.from = append(d.rows, row), append(d.tree.from, i)
		}
		i = next - 1
	}
}

// Above returns how many rows are out of sight above; of raw bytes it tells
// only whether there are any.
func (d *Doc) Above() int {
	if d.pager != nil {
		return min(1, d.at)
	}
	return d.top
}

// Below returns how many rows are out of sight below, as Above does.
func (d *Doc) Below() int {
	if d.pager != nil {
		rows := d.pager.Rows(d.at, d.area.Dx(), d.area.Dy())
		if n := len(rows); n > 0 && rows[n-1].To < d.pager.Len() {
			return 1
		}
		return 0
	}
	return max(0, len(d.rows)-d.top-d.area.Dy())
}

// Do scrolls, and says whether the intent meant something here.
func (d *Doc) Do(i keys.Intent) bool {
	page := max(1, d.area.Dy()-1)
	d.atEnd = false
	if d.pager == nil && d.branch(i) {
		return true
	}
	switch i {
	case keys.Up:
		d.Scroll(-1)
	case keys.Down:
		d.Scroll(1)
	case keys.PageUp:
		d.Scroll(-page)
	case keys.PageDown:
		d.Scroll(page)
	case keys.First:
		d.top, d.at = 0, 0
	case keys.Last:
		d.top = len(d.rows)
		if d.pager != nil {
			d.at = d.pager.End(d.area.Dx(), d.area.Dy())
		}
	case keys.NextMatch:
		d.next(1)
	case keys.PrevMatch:
		d.next(-1)
	default:
		return false
	}
	return true
}

// Scroll moves by rows.
func (d *Doc) Scroll(n int) {
	d.atEnd = false
	switch {
	case d.pager == nil:
		d.top = max(0, min(d.top+n, len(d.rows)-d.area.Dy()))
	case n < 0:
		d.at = d.pager.Up(d.at, d.area.Dx(), -n)
	default:
		last := d.pager.End(d.area.Dx(), d.area.Dy())
		d.at = max(d.at, min(last, d.pager.Down(d.at, d.area.Dx(), n)))
	}
}

// Search marks the rows that hold a text, in any case, and goes to the first
// one from here on, or from the start; an empty text ends it.
func (d *Doc) Search(s string) {
	d.match, d.missed = strings.ToLower(s), false
	if d.match == "" {
		return
	}
	d.atEnd = false
	if d.pager != nil {
		at := d.pager.Find([]byte(s), d.at)
		if at < 0 {
			at = d.pager.Find([]byte(s), 0)
		}
		if d.missed = at < 0; !d.missed {
			d.at = d.pager.At(at, d.area.Dx())
		}
		return
	}
	d.missed = !d.seek(d.top, 1) && !d.seek(0, 1)
}

// Missed reports whether what was searched for last is nowhere in the document.
func (d *Doc) Missed() bool { return d.match != "" && d.missed }

func (d *Doc) next(step int) {
	if d.match == "" {
		return
	}
	if d.pager != nil {
		if step < 0 {
			return // a search upwards would read the whole of it
		}
		if at := d.pager.Find([]byte(d.match), d.pager.Down(d.at, d.area.Dx(), 1)); at >= 0 {
			d.at = d.pager.At(at, d.area.Dx())
		}
		return
	}
	d.seek(d.top+step, step)
}

// Wrap breaks a line into rows of at most width columns, behind a blank where
// there is one in the second half, and lines the rest up below its indent.
func Wrap(w text.Width, line draw.Line, width int) []draw.Line {
	if width <= 0 || w.Of(line.Plain()) <= width {
		return []draw.Line{line}
	}
	indent := len(line.Plain()) - len(strings.TrimLeft(line.Plain(), " "))
	indent = min(indent, width/2)
	var rows []draw.Line
	var row draw.Line
	used, room := 0, width
	flush := func() {
		rows = append(rows, row)
		row = draw.Line{{Text: strings.Repeat(" ", indent)}}
		used, room = 0, width-indent
	}
	for _, run := range line {
		for s := run.Text; s != ""; {
			head, tail := w.Cut(s, room-used)
			if tail == "" {
				row = row.With(run.Style, head)
				used += w.Of(head)
				break
			}
			if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
				head, tail = head[:i], s[i+1:]
			} else if head == "" && used == 0 {
				_, n := w.Next(s)
				head, tail = w.Cut(s, n)
				if head == "" {
					break
				}
			}
			row = row.With(run.Style, head)
			s = tail
			flush()
		}
	}
	if len(row) > 0 && strings.TrimSpace(row.Plain()) != "" {
		rows = append(rows, row)
	}
	return rows
}

// Height returns how many rows the lines take at a width.
func (d *Doc) Height(w text.Width, width int) int {
	d.layOut(w, width)
	return len(d.rows)
}
