package palette

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/text"
)

func TestNarrowingAndChoosing(t *testing.T) {
	l := New("Do", []Row{{Name: "restart the server", Key: "R"}, {Name: "rerun", Key: "r"}, {Name: "quit", Key: "q"}})
	for _, r := range "the re" {
		require.Equal(t, Going, l.Key(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	i, ok := l.Selected()
	require.True(t, ok)
	require.Equal(t, 0, i)
	require.Equal(t, Chosen, l.Key(tea.KeyPressMsg{Code: tea.KeyEnter}))

	l.Paste(" zzz")
	_, ok = l.Selected()
	require.False(t, ok)
	s := draw.NewScreen(40, 8, nil, text.Wc)
	l.Draw(s, s.Bounds())
	require.Contains(t, s.Plain(), "nothing fits")
	require.Equal(t, Closed, l.Key(tea.KeyPressMsg{Code: tea.KeyEscape}))
}

func TestClickChoosesTheRow(t *testing.T) {
	l := New("Do", []Row{{Name: "one"}, {Name: "two"}})
	s := draw.NewScreen(40, 8, nil, text.Wc)
	l.Draw(s, s.Bounds())
	require.True(t, l.Click(5, 3))
	i, _ := l.Selected()
	require.Equal(t, 1, i)
	require.False(t, l.Click(5, 6))
}
