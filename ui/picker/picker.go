// Package picker is the list of the servers that can be switched to, narrowed
// by typing, with what is known of the selected one below it. It reads no file
// and reaches no server: entries are given to it, and it says which was chosen.
package picker

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/entry"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// Entry is a server that can be chosen, or a file that could not be read. Its
// texts are as a file has them: they are made safe where they are drawn.
type Entry struct {
	ID     string // names the entry to whoever switches; not shown
	Name   string
	What   string // transport and command or URL, without any secret
	Source string // where it is named: a file, or the program itself
	Off    bool   // its file says that it is disabled; it can be chosen all the same
	Broken string // why the file could not be read; "" for a server
}

// View is the picker. The zero value is one that waits for its entries.
type View struct {
	// Here is the ID of the entry that is connected, "" for none.
	Here string
	// Failed is why the entry that was chosen could not be switched to. It is
	// shown until the next key.
	Failed string

	entries []Entry
	known   bool // the entries are there
	shown   []int
	line    entry.Line
	list    draw.List
}

// Set shows these entries from now on; what was typed goes on narrowing them.
// The selection begins at the first one that is not connected already.
func (v *View) Set(entries []Entry) {
	v.entries, v.known = entries, true
	v.narrow()
}

// narrow keeps the entries that hold every word, in their order.
func (v *View) narrow() {
	words := strings.Fields(strings.ToLower(v.line.Value()))
	v.shown = v.shown[:0]
	for i, e := range v.entries {
		all, in := true, strings.ToLower(e.Name+" "+e.What+" "+e.Source+" "+e.Broken)
		for _, w := range words {
			all = all && strings.Contains(in, w)
		}
		if all {
			v.shown = append(v.shown, i)
		}
	}
	v.list.Cursor = 0
	for at, i := range v.shown {
		if e := v.entries[i]; e.Broken == "" && e.ID != v.Here {
			v.list.Cursor = at
			break
		}
	}
}

// Key types, moves, chooses or closes.
func (v *View) Key(k tea.KeyPressMsg) palette.Outcome {
	v.Failed = ""
	outcome, typed := palette.Steer(k, &v.list, &v.line)
	if typed {
		v.narrow()
	}
	return outcome
}

// Paste types a pasted text.
func (v *View) Paste(s string) {
	v.Failed = ""
	v.line.Insert(s)
	v.narrow()
}

// Click selects the row at a cell, and says whether that row was selected
// before: a second click chooses.
func (v *View) Click(x, y int) bool {
	v.Failed = ""
	before := v.list.Cursor
	return v.list.Click(x, y) && v.list.Cursor == before
}

// Wheel scrolls.
func (v *View) Wheel(n int) { v.list.Wheel(n) }

// Selected returns the selected entry.
func (v *View) Selected() (Entry, bool) {
	if v.list.Cursor < 0 || v.list.Cursor >= len(v.shown) {
		return Entry{}, false
	}
	return v.entries[v.shown[v.list.Cursor]], true
}

// rows below the list that tell of the selected entry.
const about = 4

// Draw draws the picker on top of what is there.
func (v *View) Draw(s *draw.Screen, area draw.Rect) {
	s.Clear(area)
	pane := draw.Pane{Title: "Switch to", Focus: true}
	if v.Here == "" {
		pane.Title = "Connect to"
	}
	top, body := draw.CutTop(pane.Inner(area), 1)
	v.line.Draw(s, top, "> ")
	body, foot := draw.CutBottom(body, min(about, body.Dy()/3))
	switch {
	case !v.known:
		s.Text(body, s.Theme.Faint, "  reading config files…")
	case len(v.shown) == 0:
		s.Text(body, s.Theme.Faint, "  nothing fits")
	}
	v.list.Draw(s, body, draw.Source{Len: len(v.shown), Row: func(i, width int) draw.Line {
		return v.row(s, v.entries[v.shown[i]], width)
	}}, true)
	v.drawAbout(s, foot)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, area)
}

// row is an entry as a line: its name, what it is, and where there is room the
// end of where it is named, which tells files apart better than the beginning.
func (v *View) row(s *draw.Screen, e Entry, width int) draw.Line {
	t := s.Theme
	source := text.CleanLine(e.Source)
	if e.Broken != "" {
		return draw.L(t.Bad, "✖ ").With(t.Text, s.Width.TruncateLeft(source, max(8, width/2))+"  ").With(t.Bad, text.CleanLine(e.Broken))
	}
	mark := draw.L(t.Good, "  ")
	if e.ID == v.Here {
		mark = draw.L(t.Good, "● ")
	}
	nameWidth := 16
	if width < 50 {
		nameWidth = 12
	}
	rest := width - 2 - nameWidth - 1
	sourceWidth := 0
	if width >= 60 {
		sourceWidth = min(rest/3, 24)
	}
	what := text.CleanLine(e.What)
	if e.Off {
		what = "disabled: " + what
	}
	name := text.CleanLine(e.Name)
	line := mark.With(t.Text, s.Width.Pad(s.Width.Truncate(name, nameWidth), nameWidth)+" ")
	if sourceWidth == 0 {
		return line.With(t.Faint, what)
	}
	whatWidth := rest - sourceWidth - 1
	return line.With(t.Faint, s.Width.Pad(s.Width.Truncate(what, whatWidth), whatWidth)+" ").
		With(t.Note, s.Width.TruncateLeft(source, sourceWidth))
}

// drawAbout tells of the selected entry in full, as far as there is room.
func (v *View) drawAbout(s *draw.Screen, area draw.Rect) {
	t := s.Theme
	if v.Failed != "" {
		s.Wrapped(area, t.Bad, "✖ "+text.CleanLine(v.Failed))
		return
	}
	e, ok := v.Selected()
	if !ok || area.Empty() {
		return
	}
	rest, last := draw.CutBottom(area, 1)
	s.Line(last, draw.L(t.Note, s.Width.TruncateLeft(text.CleanLine(e.Source), area.Dx())))
	if e.Broken != "" {
		s.Wrapped(rest, t.Bad, text.CleanLine(e.Broken))
		return
	}
	state := ""
	switch {
	case e.ID == v.Here:
		state = " (connected)"
	case e.Off:
		state = " (disabled in its file)"
	}
	s.Wrapped(rest, t.Text, text.CleanLine(e.Name)+state+": "+text.CleanLine(e.What))
}
