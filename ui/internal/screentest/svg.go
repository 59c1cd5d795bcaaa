package screentest

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The look of the pictures. Sizes are in pixels.
const (
	cellW, cellH = 8.4, 17.0
	margin       = 10.0
	ground       = "#16161e"
	ink          = "#c8c8d8"
)

// palette holds the sixteen colours of the pictures' terminal.
var palette = [16]uint32{
	0x414868, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xc0caf5,
	0x565f89, 0xff899d, 0xafd67a, 0xe9c582, 0x8db6fa, 0xc8acf8, 0x97d8f8, 0xffffff,
}

// SVG returns a picture of the screen, drawn cell by cell: wide characters
// stay on their columns in every font, and lines of boxes join.
func (s *Screen) SVG() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, h := s.emu.Width(), s.emu.Height()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14">`+"\n", float64(w)*cellW+2*margin, float64(h)*cellH+2*margin)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", ground)
	for y := range h {
		for x := 0; x < w; {
			c := s.emu.CellAt(x, y)
			if c == nil || c.Width == 0 {
				x++
				continue
			}
			run, n := c.Content, c.Width
			for c.Width == 1 && boxes[c.Content] == (edges{}) && x+n < w { // join what is alike
				d := s.emu.CellAt(x+n, y)
				if d == nil || d.Width != 1 || !d.Style.Equal(&c.Style) || boxes[d.Content] != (edges{}) {
					break
				}
				run += d.Content
				n++
			}
			s.svgRun(&b, c, run, margin+float64(x)*cellW, margin+float64(y)*cellH, float64(n)*cellW)
			x += n
		}
	}
	if p := s.emu.CursorPosition(); !s.emu.CursorHidden() {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" opacity="0.5"/>`+"\n", margin+float64(p.X)*cellW, margin+float64(p.Y)*cellH, cellW, cellH, ink)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (s *Screen) svgRun(b *strings.Builder, c *uv.Cell, run string, x, y, width float64) {
	fg, bg := s.hex(c.Style.Fg, ink), s.hex(c.Style.Bg, "")
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = s.hex(c.Style.Bg, ground), s.hex(c.Style.Fg, ink)
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, width, cellH, bg)
	}
	attrs := ""
	if c.Style.Attrs&uv.AttrFaint != 0 {
		attrs = ` opacity="0.6"`
	}
	if e := boxes[run]; e != (edges{}) {
		fmt.Fprintf(b, `<path d="%s" stroke="%s" stroke-width="%.1f" fill="none"%s/>`+"\n", e.path(x, y), fg, e.weight(), attrs)
		return
	}
	if strings.TrimSpace(run) == "" {
		return
	}
	if c.Style.Attrs&uv.AttrBold != 0 {
		attrs += ` font-weight="bold"`
	}
	if c.Style.Attrs&uv.AttrItalic != 0 {
		attrs += ` font-style="italic"`
	}
	if c.Style.Underline != uv.UnderlineNone {
		attrs += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" xml:space="preserve">%s</text>`+"\n", x, y+13, fg, attrs, width, html.EscapeString(run))
}

// hex returns a colour as SVG has it; the sixteen are the palette's.
func (s *Screen) hex(c color.Color, none string) string {
	switch c := c.(type) {
	case nil:
		return none
	case ansi.BasicColor:
		return fmt.Sprintf("#%06x", palette[c&15])
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// edges says which sides of its cell a box character reaches.
type edges struct{ up, down, left, right, heavy bool }

var boxes = map[string]edges{
	"─": {left: true, right: true}, "│": {up: true, down: true},
	"━": {left: true, right: true, heavy: true}, "┃": {up: true, down: true, heavy: true},
	"╭": {down: true, right: true}, "╮": {down: true, left: true}, "╰": {up: true, right: true}, "╯": {up: true, left: true},
	"┌": {down: true, right: true}, "┐": {down: true, left: true}, "└": {up: true, right: true}, "┘": {up: true, left: true},
	"┏": {down: true, right: true, heavy: true}, "┓": {down: true, left: true, heavy: true},
	"┗": {up: true, right: true, heavy: true}, "┛": {up: true, left: true, heavy: true},
	"├": {up: true, down: true, right: true}, "┤": {up: true, down: true, left: true},
	"┬": {left: true, right: true, down: true}, "┴": {left: true, right: true, up: true}, "┼": {up: true, down: true, left: true, right: true},
}

func (e edges) weight() float64 {
	if e.heavy {
		return 2
	}
	return 1
}

func (e edges) path(x, y float64) string {
	cx, cy := x+cellW/2, y+cellH/2
	var b strings.Builder
	line := func(on bool, tx, ty float64) {
		if on {
			fmt.Fprintf(&b, "M%.1f %.1fL%.1f %.1f", cx, cy, tx, ty)
		}
	}
	line(e.up, cx, y)
	line(e.down, cx, y+cellH)
	line(e.left, x, cy)
	line(e.right, x+cellW, cy)
	return b.String()
}
