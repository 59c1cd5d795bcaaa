// Package entry is one line of text that a person edits: a filter, a search, a
// command's name. It has no submit of its own; whoever holds it decides what
// Enter and Esc mean. Fields of a form are not its work.
package entry

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// Line is one line being edited. The zero value is an empty one.
type Line struct {
	value []rune
	at    int  // cursor, in runes
	whole bool // all of it is selected: what is typed takes its place
}

// Selected returns a line whose value gives way to what is typed, unless the
// cursor is moved first.
func Selected(value string) Line {
	l := New(value)
	l.whole = value != ""
	return l
}

// New returns a line with a value, the cursor behind it.
func New(value string) Line {
	r := []rune(value)
	return Line{value: r, at: len(r)}
}

// Value returns the text.
func (l *Line) Value() string { return string(l.value) }

// Key edits by one key and says whether the key meant something here.
func (l *Line) Key(k tea.KeyPressMsg) bool {
	whole := l.whole
	l.whole = false
	if whole {
		switch k.String() {
		case "backspace", "ctrl+h", "delete", "ctrl+w", "alt+backspace":
			l.cut(0, len(l.value))
			return true
		}
		if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
			l.cut(0, len(l.value))
		}
	}
	switch k.String() {
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.value), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.value)
	case "backspace", "ctrl+h":
		if l.at == 0 {
			return len(l.value) > 0
		}
		l.cut(l.at-1, l.at)
	case "delete":
		l.cut(l.at, min(len(l.value), l.at+1))
	case "ctrl+u":
		l.cut(0, l.at)
	case "ctrl+k":
		l.cut(l.at, len(l.value))
	case "ctrl+w", "alt+backspace":
		from := l.at
		for from > 0 && unicode.IsSpace(l.value[from-1]) {
			from--
		}
		for from > 0 && !unicode.IsSpace(l.value[from-1]) {
			from--
		}
		l.cut(from, l.at)
	default:
		if k.Text == "" || k.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
			return false
		}
		l.Insert(k.Text)
	}
	return true
}

// Insert puts text in at the cursor; line ends become blanks.
func (l *Line) Insert(s string) {
	if l.whole {
		l.whole = false
		l.cut(0, len(l.value))
	}
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
	in := []rune(s)
	rest := append([]rune(nil), l.value[l.at:]...)
	l.value = append(append(l.value[:l.at], in...), rest...)
	l.at += len(in)
}

func (l *Line) cut(from, to int) {
	l.value = append(l.value[:from], l.value[to:]...)
	l.at = from
}

// Draw draws the line behind a label, the cursor in view.
func (l *Line) Draw(s *draw.Screen, area draw.Rect, label string) {
	if area.Empty() {
		return
	}
	s.Clear(area)
	area.Min.X += s.Text(area, s.Theme.Key, label)
	before := text.CleanLine(string(l.value[:l.at]))
	for s.Width.Of(before) > max(0, area.Dx()-1) {
		_, n := s.Width.Next(before)
		g, _ := s.Width.Cut(before, max(1, n))
		if g == "" {
			break
		}
		before = before[len(g):]
	}
	st := s.Theme.Text
	if l.whole {
		st = s.Theme.Selected
	}
	s.Text(area, st, before+text.CleanLine(string(l.value[l.at:])))
	s.Cursor(min(area.Min.X+s.Width.Of(before), area.Max.X-1), area.Min.Y)
}
