package draw

import uv "github.com/charmbracelet/ultraviolet"

// Run is a piece of clean text in one style.
type Run struct {
	Text  string
	Style Style
}

// Line is one row of a screen, in runs.
type Line []Run

// L makes a line of one run.
func L(st Style, str string) Line { return Line{{Text: str, Style: st}} }

// With returns the line with one more run.
func (l Line) With(st Style, str string) Line { return append(l, Run{Text: str, Style: st}) }

// Plain returns the line's text.
func (l Line) Plain() string {
	n := 0
	for _, r := range l {
		n += len(r.Text)
	}
	b := make([]byte, 0, n)
	for _, r := range l {
		b = append(b, r.Text...)
	}
	return string(b)
}

// Bold, Faint, Reverse and Underlined return a style with the attribute added.
func Bold(st Style) Style { st.Attrs |= uv.AttrBold; return st }

// Faint returns st drawn weaker.
func Faint(st Style) Style { st.Attrs |= uv.AttrFaint; return st }

// Reverse returns st with foreground and background exchanged.
func Reverse(st Style) Style { st.Attrs |= uv.AttrReverse; return st }

// Underlined returns st with a line below.
func Underlined(st Style) Style { st.Underline = uv.UnderlineSingle; return st }

// Row returns the i-th row of area; it is empty where area has no such row.
func Row(area Rect, i int) Rect {
	r := area
	r.Min.Y += i
	r.Max.Y = r.Min.Y + 1
	return r.Intersect(area)
}

// Inset returns area without columns dx and rows dy on each side.
func Inset(area Rect, dx, dy int) Rect {
	r := Rect{Min: area.Min.Add(uv.Pos(dx, dy)), Max: area.Max.Sub(uv.Pos(dx, dy))}
	if r.Min.X >= r.Max.X || r.Min.Y >= r.Max.Y {
		return Rect{Min: area.Min, Max: area.Min}
	}
	return r
}

// CutTop splits n rows off the top; a negative n leaves -n rows in rest.
func CutTop(area Rect, n int) (top, rest Rect) {
	n = part(n, area.Dy())
	top, rest = area, area
	top.Max.Y = area.Min.Y + n
	rest.Min.Y = top.Max.Y
	return top, rest
}

// CutBottom splits n rows off the bottom; a negative n leaves -n rows in rest.
func CutBottom(area Rect, n int) (rest, bottom Rect) {
	return CutTop(area, area.Dy()-part(n, area.Dy()))
}

// CutLeft splits n columns off the left; a negative n leaves -n in rest.
func CutLeft(area Rect, n int) (left, rest Rect) {
	n = part(n, area.Dx())
	left, rest = area, area
	left.Max.X = area.Min.X + n
	rest.Min.X = left.Max.X
	return left, rest
}

// CutRight splits n columns off the right; a negative n leaves -n in rest.
func CutRight(area Rect, n int) (rest, right Rect) {
	return CutLeft(area, area.Dx()-part(n, area.Dx()))
}

func part(n, of int) int {
	if n < 0 {
		n = of + n
	}
	return max(0, min(n, of))
}

// Center returns a rectangle of the given size in the middle of area, made
// smaller where area is.
func Center(area Rect, columns, rows int) Rect {
	columns, rows = min(columns, area.Dx()), min(rows, area.Dy())
	return uv.Rect(area.Min.X+(area.Dx()-columns)/2, area.Min.Y+(area.Dy()-rows)/2, columns, rows)
}
