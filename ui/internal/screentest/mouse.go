package screentest

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Click presses and releases the left button on a cell, counted from 0.
func (s *Screen) Click(x, y int) {
	s.t.Helper()
	s.Type(fmt.Sprintf("\x1b[<0;%d;%dM", x+1, y+1), fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1))
}

// ClickOn clicks on the first place where text is on the screen.
func (s *Screen) ClickOn(text string) {
	s.t.Helper()
	s.WaitFor(text)
	x, y := s.Find(text)
	s.Click(x, y)
}

// Wheel turns the wheel over a cell, down for n > 0.
func (s *Screen) Wheel(x, y, n int) {
	s.t.Helper()
	button := 65
	if n < 0 {
		button, n = 64, -n
	}
	for range n {
		s.Type(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x+1, y+1))
	}
}

// Find returns the cell where text begins, or -1, -1.
func (s *Screen) Find(text string) (x, y int) {
	for y, line := range strings.Split(s.Text(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			return ansi.StringWidthWc(line[:i]), y
		}
	}
	return -1, -1
}

// Cell returns what stands in one cell, counted from 0.
func (s *Screen) Cell(x, y int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.emu.CellAt(x, y); c != nil {
		return c.Content
	}
	return ""
}
