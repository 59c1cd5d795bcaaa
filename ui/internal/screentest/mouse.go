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

// ClickOn waits until text is on the screen and clicks on where it begins, as Find
// has it.
func (s *Screen) ClickOn(text string) {
	s.t.Helper()
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

// Find waits until text is on the screen and returns the cell where it begins. It
// fails the test where text is there more than once: which one comes first may
// change with every frame.
func (s *Screen) Find(text string) (x, y int) {
	s.t.Helper()
	s.until("never appeared", func(screen string) string {
		if strings.Count(screen, text) > 1 {
			s.t.Fatalf("%q is on the screen more than once, so nothing can be meant for it:\n%s", text, screen)
		}
		for row, line := range strings.Split(screen, "\n") {
			if i := strings.Index(line, text); i >= 0 {
				x, y = ansi.StringWidthWc(line[:i]), row
				return ""
			}
		}
		return text
	})
	return x, y
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
