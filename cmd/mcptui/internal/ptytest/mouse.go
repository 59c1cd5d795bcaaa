//go:build linux || darwin

package ptytest

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Click presses and releases the left button on a cell, counted from 0.
func (p *Process) Click(x, y int) {
	p.t.Helper()
	p.Type(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
}

// ClickOn waits until text is on the screen and clicks on where it begins. It fails
// the test where text is there more than once: which one comes first may change with
// every frame.
func (p *Process) ClickOn(text string) {
	p.t.Helper()
	p.settle()
	p.Click(p.place(text))
}

// place returns the cell where the one text of its kind begins.
func (p *Process) place(text string) (x, y int) {
	p.t.Helper()
	p.until("never appeared", func(screen string) string {
		if strings.Count(screen, text) > 1 {
			p.t.Fatalf("%q is on the screen more than once, so no click can be meant for it:\n%s", text, screen)
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
