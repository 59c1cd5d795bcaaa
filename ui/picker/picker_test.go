package picker

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/ui/draw"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

var three = []Entry{
	{ID: "a", Name: "town", What: "stdio npx town", Source: "/p/.mcp.json"},
	{ID: "b", Source: "/p/mcp.json", Broken: "line 3\x1b[2J"},
	{ID: "c", Name: "far\x1b]0;x\x07", What: "http https://example.com/mcp", Source: "/h/.cursor/mcp.json"},
}

func drawn(v *View, columns, rows int) string {
	s := draw.NewScreen(columns, rows, draw.NewTheme(nil), text.Width(0))
	v.Draw(s, s.Bounds())
	return s.Plain()
}

func typed(v *View, keys string) (out palette.Outcome) {
	for _, r := range keys {
		out = v.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return out
}

func selected(v *View) string {
	e, ok := v.Selected()
	if !ok {
		return ""
	}
	return e.ID
}

func TestTheListWaitsForItsEntries(t *testing.T) {
	var v View
	require.Contains(t, drawn(&v, 60, 12), "reading config files…")
	typed(&v, "cursor")
	require.Empty(t, selected(&v))
	v.Set(three) // what was typed before narrows them
	require.Equal(t, "c", selected(&v))
	require.NotContains(t, drawn(&v, 60, 12), "reading")
}

func TestTheSelectionBeginsWhereOneCanGo(t *testing.T) {
	v := View{Here: "a"}
	v.Set(three)
	require.Equal(t, "c", selected(&v), "neither what is connected nor a broken file")
	drawn(&v, 60, 12)
	require.Equal(t, palette.Going, v.Key(tea.KeyPressMsg{Code: tea.KeyUp}))
	require.Equal(t, "b", selected(&v))
	require.Equal(t, palette.Chosen, v.Key(tea.KeyPressMsg{Code: tea.KeyEnter}))
	require.Equal(t, palette.Closed, v.Key(tea.KeyPressMsg{Code: tea.KeyEscape}))
}

func TestTypingNarrows(t *testing.T) {
	for _, tc := range []struct{ keys, want string }{
		{"town", "a"}, {"TOWN", "a"}, {"http mcp", "c"}, {"line 3", "b"}, {".mcp", "a"}, {"nowhere", ""},
	} {
		v := View{}
		v.Set(three)
		typed(&v, tc.keys)
		require.Equal(t, tc.want, selected(&v), tc.keys)
	}
	v := View{}
	v.Set(three)
	v.Paste("nowhere")
	require.Contains(t, drawn(&v, 60, 12), "nothing fits")
}

// TestNothingOfAFileReachesTheTerminal draws names and errors that hold escapes,
// in any size that there is.
func TestNothingOfAFileReachesTheTerminal(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {60, 12}, {40, 12}, {30, 8}, {5, 3}, {1, 1}} {
		v := View{Failed: "no\x1b[31m"}
		v.Set(three)
		for range 4 {
			require.False(t, strings.ContainsAny(drawn(&v, size[0], size[1]), "\x1b\x07"), "%v", size)
			v.Key(tea.KeyPressMsg{Code: tea.KeyDown})
		}
	}
}

func TestASecondClickChooses(t *testing.T) {
	v := View{}
	v.Set(three)
	rows := strings.Split(drawn(&v, 60, 12), "\n")
	y := -1
	for i, row := range rows {
		if strings.Contains(row, "far") {
			y = i
		}
	}
	require.Positive(t, y, rows)
	require.False(t, v.Click(10, y))
	require.Equal(t, "c", selected(&v))
	require.True(t, v.Click(10, y))
	require.False(t, v.Click(10, 0), "the border is no row")
}
