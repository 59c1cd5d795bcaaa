// Package draw holds what every screen is drawn with: a cell buffer ([Screen])
// and rectangles cut out of it, styled runs of text ([Line]), panes whose
// border is drawn last ([Pane]), lists that render only what is visible
// ([List]), buttons and other places to click ([Zones]), coloured JSON
// ([JSON]) and the one [Theme].
//
// A part of the UI has a method Draw(screen, area) and writes into its area
// only; the screen clips what it draws. Text is cleaned by package text before
// it comes here. As a second lock, a control byte that arrives all the same is
// drawn as U+FFFD, so nothing here can make a terminal obey.
//
// The package has no state of the program, no keys and no IO.
package draw

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"mcptui/ui/text"
)

// The vocabulary of the cell buffer, under shorter names.
type (
	// Rect is a rectangle of cells; Min is inside, Max is not.
	Rect = uv.Rectangle
	// Style is the colour and the attributes of a cell.
	Style = uv.Style
)

// Smallest screen that is drawn; below it [Screen.TooSmall] says so.
const (
	MinColumns = 30
	MinRows    = 8
)

// Screen is one frame while it is drawn.
type Screen struct {
	Theme *Theme
	Width text.Width // how the terminal counts columns

	buf    uv.ScreenBuffer
	cursor *tea.Cursor
}

// NewScreen returns an empty screen; [Screen.Renew] makes the next one of it. A nil theme means the default one.
func NewScreen(columns, rows int, theme *Theme, width text.Width) *Screen {
	if theme == nil {
		theme = NewTheme(nil)
	}
	s := &Screen{Theme: theme, Width: width, buf: uv.NewScreenBuffer(max(0, columns), max(0, rows))}
	s.buf.Method = width.Method()
	return s
}

// Renew returns an empty screen for the next frame. Where the size stays it is s
// itself, so that a frame takes no memory that has to be collected.
func (s *Screen) Renew(columns, rows int, theme *Theme, width text.Width) *Screen {
	if s == nil || theme == nil || s.buf.Width() != max(0, columns) || s.buf.Height() != max(0, rows) {
		return NewScreen(columns, rows, theme, width)
	}
	s.Theme, s.Width, s.cursor = theme, width, nil
	s.buf.Method = width.Method()
	s.buf.Clear()
	return s
}

// WidthFor returns how columns are counted after msg, which is w unless the
// terminal just reported mode 2027.
func WidthFor(w text.Width, msg tea.Msg) text.Width {
	if m, ok := msg.(tea.ModeReportMsg); ok && m.Mode.Mode() == 2027 {
		if m.Value.IsReset() || m.Value.IsSet() || m.Value.IsPermanentlySet() {
			return text.Grapheme
		}
	}
	return w
}

// Bounds returns the whole screen as a rectangle.
func (s *Screen) Bounds() Rect { return s.buf.Bounds() }

// TooSmall draws a note and returns true where the screen is too small for
// anything else.
func (s *Screen) TooSmall() bool {
	b := s.Bounds()
	if b.Dx() >= MinColumns && b.Dy() >= MinRows {
		return false
	}
	s.Text(b, Style{}, "window too small")
	if b.Dy() > 1 {
		b.Min.Y++
		s.Text(b, Style{}, fmt.Sprintf("%d×%d, needs %d×%d", s.Bounds().Dx(), s.Bounds().Dy(), MinColumns, MinRows))
	}
	return true
}

// Cursor shows the terminal's cursor at a cell, as an input field does.
func (s *Screen) Cursor(x, y int) {
	c := tea.NewCursor(x, y)
	c.Blink = false
	s.cursor = c
}

// View returns the frame for Bubble Tea: full window, mouse clicks and wheel.
func (s *Screen) View() tea.View {
	v := tea.NewView(strings.ReplaceAll(s.buf.Render(), "\r\n", "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.Cursor = s.cursor
	return v
}

// Plain returns the frame as text without styles, for tests.
func (s *Screen) Plain() string {
	lines := strings.Split(strings.ReplaceAll(s.buf.String(), "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Text draws clean text into the first row of area, cut with an ellipsis where
// it does not fit, and returns the columns used.
func (s *Screen) Text(area Rect, st Style, str string) int {
	return s.Line(area, Line{{Text: str, Style: st}})
}

// Wrapped draws clean text over the rows of area, broken between words, and
// returns the rows used; text without room ends in an ellipsis.
func (s *Screen) Wrapped(area Rect, st Style, str string) int {
	if area.Empty() {
		return 0
	}
	rows, more := s.Width.Wrap(str, area.Dx(), area.Dy())
	for i, row := range rows {
		if more && i == len(rows)-1 {
			row = s.Width.Truncate(row+" …", area.Dx())
		}
		s.Text(Row(area, i), st, row)
	}
	return len(rows)
}

// Line draws the runs one after the other into the first row of area, cut
// with an ellipsis where they do not fit, and returns the columns used.
func (s *Screen) Line(area Rect, line Line) int {
	area = area.Intersect(s.Bounds())
	if area.Empty() {
		return 0
	}
	x := area.Min.X
	for i, run := range line {
		str := run.Text
		for len(str) > 0 {
			g, w := s.Width.Next(str)
			str = str[len(g):]
			if w == 0 || !printable(g) {
				g, w = "\ufffd", 1
			}
			if x+w > area.Max.X || x+w == area.Max.X && (str != "" || rest(line[i+1:])) {
				s.set(min(x, area.Max.X-1), area.Min.Y, "…", 1, run.Style)
				return area.Max.X - area.Min.X
			}
			s.set(x, area.Min.Y, g, w, run.Style)
			x += w
		}
	}
	return x - area.Min.X
}

func rest(line Line) bool {
	for _, r := range line {
		if r.Text != "" {
			return true
		}
	}
	return false
}

func printable(g string) bool {
	if c := g[0]; c < 0x20 || c == 0x7f {
		return false
	}
	return g[0] != 0xc2 || len(g) < 2 || g[1] >= 0xa0
}

func (s *Screen) set(x, y int, g string, w int, st Style) {
	s.buf.SetCell(x, y, &uv.Cell{Content: g, Width: w, Style: st})
}

// Fill gives every cell of area a style and makes it blank.
func (s *Screen) Fill(area Rect, st Style) {
	s.buf.FillArea(&uv.Cell{Content: " ", Width: 1, Style: st}, area.Intersect(s.Bounds()))
}

// Clear makes area blank, as something that opens above others does first.
func (s *Screen) Clear(area Rect) { s.Fill(area, Style{}) }

// Restyle changes the style of what is already drawn in area.
func (s *Screen) Restyle(area Rect, change func(Style) Style) {
	area = area.Intersect(s.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if c := s.buf.CellAt(x, y); c != nil && c.Width > 0 {
				d := *c
				d.Style = change(c.Style)
				s.buf.SetCell(x, y, &d)
			}
		}
	}
}

// Styled draws a string with SGR colours, as the view of a library's widget
// is, over the rows of area. Its text must have been cleaned before the widget
// got it.
func (s *Screen) Styled(area Rect, str string) {
	area = area.Intersect(s.Bounds())
	if area.Empty() {
		return
	}
	lines := strings.Split(strings.ReplaceAll(str, "\r\n", "\n"), "\n")
	uv.NewStyledString(strings.Join(lines[:min(len(lines), area.Dy())], "\n")).Draw(s.buf, area)
}

// Caret moves the terminal's cursor to the first cell of area that is drawn in
// reverse, which is how a library's input shows where it types, and draws that
// cell plainly. It returns false where there is none.
func (s *Screen) Caret(area Rect) bool {
	area = area.Intersect(s.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if c := s.buf.CellAt(x, y); c != nil && c.Style.Attrs&uv.AttrReverse != 0 {
				s.Restyle(uv.Rect(x, y, 1, 1), func(st Style) Style { st.Attrs &^= uv.AttrReverse; return st })
				s.Cursor(x, y)
				return true
			}
		}
	}
	return false
}
