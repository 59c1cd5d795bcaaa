package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Theme names every style by what it says. Colours are the terminal's own
// sixteen, so the person's palette decides and contrast is theirs; no meaning
// hangs on colour alone.
type Theme struct {
	Text, Faint, Bold Style
	Title             Style // of a pane
	Border, Focus     Style // border of a pane, and of the one with the focus
	Selected          Style // the selected row where its pane has the focus
	Marked            Style // the selected row where another pane has it
	Key               Style // a key in the footer or in help
	Button, Hot       Style // a button, and the one with the focus
	Link              Style

	Good, Bad, Warn, Note Style // done, failed, look here, and plain news
	Ask                   Style // whatever waits for the person
	Client, Server        Style // the two ends of the wire
	Added, Removed        Style // in a diff

	Name, String, Number, Word, Punct Style // in JSON; Word is true, false, null
}

// NewTheme returns the theme for an environment of KEY=VALUE: without colours
// where NO_COLOR is set or TERM is dumb.
func NewTheme(env []string) *Theme {
	colour := true
	for _, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		if k == "NO_COLOR" && v != "" || k == "TERM" && v == "dumb" {
			colour = false
		}
	}
	fg := func(c ansi.BasicColor) Style {
		if !colour {
			return Style{}
		}
		return Style{Fg: c}
	}
	t := &Theme{
		Faint: Faint(Style{}), Bold: Bold(Style{}),
		Title: Bold(Style{}), Border: Faint(Style{}), Focus: fg(ansi.Cyan),
		Selected: Reverse(Style{}), Marked: Bold(Style{}),
		Key: Bold(fg(ansi.Cyan)), Button: Style{}, Hot: Reverse(Bold(Style{})), Link: Underlined(fg(ansi.Blue)),
		Good: fg(ansi.Green), Bad: fg(ansi.Red), Warn: fg(ansi.Yellow), Note: fg(ansi.Blue),
		Ask:    Bold(fg(ansi.Magenta)),
		Client: fg(ansi.Cyan), Server: fg(ansi.Magenta),
		Added: fg(ansi.Green), Removed: fg(ansi.Red),
		Name: fg(ansi.Cyan), String: fg(ansi.Green), Number: fg(ansi.Yellow), Word: fg(ansi.Magenta), Punct: Faint(Style{}),
	}
	if !colour {
		t.Focus, t.Bad, t.Warn = Bold(t.Focus), Bold(t.Bad), Bold(t.Warn)
	}
	return t
}
