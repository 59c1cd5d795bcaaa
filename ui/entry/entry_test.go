package entry

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/text"
)

func press(code rune, mod tea.KeyMod, s string) tea.KeyPressMsg {
	return tea.KeyPressMsg{Code: code, Mod: mod, Text: s}
}

func TestEditing(t *testing.T) {
	l := New("ab cd")
	for _, step := range []struct {
		key  tea.KeyPressMsg
		want string
	}{
		{press('x', 0, "x"), "ab cdx"},
		{press(tea.KeyBackspace, 0, ""), "ab cd"},
		{press(tea.KeyHome, 0, ""), "ab cd"},
		{press('é', 0, "é"), "éab cd"},
		{press(tea.KeyDelete, 0, ""), "éb cd"},
		{press(tea.KeyEnd, 0, ""), "éb cd"},
		{press('w', tea.ModCtrl, ""), "éb "},
		{press('u', tea.ModCtrl, ""), ""},
	} {
		require.True(t, l.Key(step.key))
		require.Equal(t, step.want, l.Value())
	}
	require.False(t, l.Key(press(tea.KeyEnter, 0, "")), "Enter is the holder's")
	require.False(t, l.Key(press(tea.KeyBackspace, 0, "")), "nothing to take away")
	l.Insert("two\nlines")
	require.Equal(t, "two lines", l.Value())
}

func TestTheCursorStaysInView(t *testing.T) {
	l := New("a long filter that does not fit")
	s := draw.NewScreen(12, 1, nil, text.Wc)
	l.Draw(s, s.Bounds(), "/")
	require.Equal(t, "/es not fit", s.Plain())
}
