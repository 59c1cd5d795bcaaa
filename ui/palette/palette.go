// Package palette is a list of names that is narrowed by typing and of which
// one is chosen: the command palette, and the help. It knows no commands.
package palette

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/entry"
)

// Row is a name, and the key that does the same. Both are clean.
type Row struct{ Name, Key string }

// Outcome is what a key meant.
type Outcome int

// Outcomes.
const (
	Going Outcome = iota
	Chosen
	Closed
)

// List is the list with the line that narrows it.
type List struct {
	title string
	rows  []Row
	shown []int
	line  entry.Line
	list  draw.List
}

// New returns a list of rows.
func New(title string, rows []Row) List {
	l := List{title: title, rows: rows}
	l.narrow()
	return l
}

// narrow keeps the rows that hold every word.
func (l *List) narrow() {
	words := strings.Fields(strings.ToLower(l.line.Value()))
	l.shown = l.shown[:0]
	for i, r := range l.rows {
		name, all := strings.ToLower(r.Name+" "+r.Key), true
		for _, w := range words {
			all = all && strings.Contains(name, w)
		}
		if all {
			l.shown = append(l.shown, i)
		}
	}
	l.list.Cursor = 0
}

// Key types, moves, chooses or closes.
func (l *List) Key(k tea.KeyPressMsg) Outcome {
	outcome, typed := Steer(k, &l.list, &l.line)
	switch {
	case typed:
		l.narrow()
	case k.String() == "backspace": // with nothing left to take away
		return Closed
	}
	return outcome
}

// Steer is what a key does to a list below a line in which one types to narrow
// it. Typed reports that the line was changed.
func Steer(k tea.KeyPressMsg, list *draw.List, line *entry.Line) (outcome Outcome, typed bool) {
	switch k.String() {
	case "esc":
		return Closed, false
	case "enter":
		return Chosen, false
	case "up", "ctrl+p":
		list.Move(-1)
	case "down", "ctrl+n":
		list.Move(1)
	case "pgup":
		list.Page(-1)
	case "pgdown":
		list.Page(1)
	default:
		typed = line.Key(k)
	}
	return Going, typed
}

// Paste types a pasted text.
func (l *List) Paste(s string) {
	l.line.Insert(s)
	l.narrow()
}

// Click selects the row at a cell.
func (l *List) Click(x, y int) bool { return l.list.Click(x, y) }

// Wheel scrolls.
func (l *List) Wheel(n int) { l.list.Wheel(n) }

// Selected returns the index of the selected row among those of New.
func (l *List) Selected() (int, bool) {
	if l.list.Cursor < 0 || l.list.Cursor >= len(l.shown) {
		return 0, false
	}
	return l.shown[l.list.Cursor], true
}

// Draw draws the list on top of what is there.
func (l *List) Draw(s *draw.Screen, area draw.Rect) {
	s.Clear(area)
	pane := draw.Pane{Title: l.title, Focus: true}
	inner := pane.Inner(area)
	top, body := draw.CutTop(inner, 1)
	l.line.Draw(s, top, "> ")
	keyWidth := 0
	for _, r := range l.rows {
		keyWidth = max(keyWidth, s.Width.Of(r.Key))
	}
	if len(l.shown) == 0 {
		s.Text(body, s.Theme.Faint, "  nothing fits")
	}
	l.list.Draw(s, body, draw.Source{Len: len(l.shown), Row: func(i, width int) draw.Line {
		r := l.rows[l.shown[i]]
		line := draw.L(s.Theme.Key, s.Width.Pad(r.Key, min(keyWidth, width/3))+"  ")
		return line.With(s.Theme.Text, r.Name)
	}}, true)
	pane.Above, pane.Below = l.list.Above(), l.list.Below()
	pane.Draw(s, area)
}
