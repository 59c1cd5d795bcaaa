package draw

import (
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Pane is a bordered rectangle with a title. Draw the inside first and the
// pane after it, so that no grapheme of doubtful width can cover the border.
type Pane struct {
	Title string // clean text, at the left of the upper border
	Right string // clean text, at the right of the upper border
	Vital bool   // Right matters more than the end of the title
	Foot  string // clean text, at the left of the lower border
	Focus bool

	Above, Below int // rows out of sight, told at the right of the borders
}

// Inner returns what is left of area within the border.
func (p Pane) Inner(area Rect) Rect { return Inset(area, 1, 1) }

// Draw draws border, title and cues round what is already drawn.
func (p Pane) Draw(s *Screen, area Rect) {
	area = area.Intersect(s.Bounds())
	if area.Dx() < 2 || area.Dy() < 2 {
		return
	}
	st := s.Theme.Border
	border := uv.RoundedBorder()
	if p.Focus {
		st = s.Theme.Focus
		border = uv.ThickBorder() // seen without colour too
	}
	border = border.Style(st)
	border.Draw(s.buf, area)

	title := s.Theme.Title
	if p.Focus {
		title = Bold(st)
	}
	top, bottom := Inset(Row(area, 0), 1, 0), Inset(Row(area, area.Dy()-1), 1, 0)
	right := p.Right
	if p.Above > 0 {
		right = Above(p.Above)
	}
	if p.Above > 0 || p.Vital { // a cue matters more than the end of a title
		top.Max.X -= s.label(top, s.Theme.Faint, right, true)
		right = ""
	}
	top.Min.X += s.label(top, title, p.Title, false)
	s.label(top, s.Theme.Faint, right, true)
	if p.Below > 0 {
		bottom.Max.X -= s.label(bottom, s.Theme.Faint, Below(p.Below), true)
	}
	s.label(bottom, s.Theme.Faint, p.Foot, false)
}

// label draws a text with a blank on each side onto a border, where there is
// room for some of it, and returns the columns used.
func (s *Screen) label(row Rect, st Style, str string, right bool) int {
	if str == "" || row.Dx() < 4 {
		return 0
	}
	n := min(s.Width.Of(str)+2, row.Dx())
	if right {
		row.Min.X = row.Max.X - n
	}
	row.Max.X = row.Min.X + n
	s.Fill(row, st)
	s.Text(Inset(row, 1, 0), st, str)
	return n
}

// Above words the cue for rows out of sight above.
func Above(n int) string { return fmt.Sprintf("▲ %d more above", n) }

// Below words the cue for rows out of sight below.
func Below(n int) string { return fmt.Sprintf("▼ %d more below", n) }

// Cue draws [Above] or [Below] at the right of row where n is above zero,
// shorter where the row is.
func (s *Screen) Cue(row Rect, n int, up bool) {
	if n <= 0 {
		return
	}
	str := Below(n)
	if up {
		str = Above(n)
	}
	str = " " + str
	if row.Dx() < 50 {
		str = str[:strings.LastIndexByte(str, ' ')]
	}
	row.Min.X = max(row.Min.X, row.Max.X-s.Width.Of(str))
	s.Text(row, s.Theme.Faint, str)
}
