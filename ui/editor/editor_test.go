package editor

import (
	"encoding/json"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/text"
)

func TestAnUntouchedDocumentGoesBackAsItCame(t *testing.T) {
	for _, raw := range []string{`{"a":1.50,  "b":[1e3,9007199254740993]}`, `"\u202e"`, `{"z":"` + "\u202e" + `","a":"` + "\u200b" + `"}`} {
		e := New(json.RawMessage(raw))
		got, err := e.Value()
		require.NoError(t, err)
		require.Equal(t, raw, string(got))
		require.False(t, e.Changed())
	}
}

func TestWhatCannotBeSeenIsAnEscape(t *testing.T) {
	require.Equal(t, `"\u202ex\u200b\udb40\udc41"`, Pretty([]byte("\"\u202ex\u200b\U000e0041\"")))
}

func TestEditing(t *testing.T) {
	e := New(json.RawMessage(`{}`))
	e.SetText("")
	for _, r := range `{"n":1.50}` {
		e.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	got, err := e.Value()
	require.NoError(t, err)
	require.Equal(t, `{"n":1.50}`, string(got))
	e.SetText("{\n  \"n\": ,\n}")
	_, err = e.Value()
	require.ErrorContains(t, err, "line 2")
}

func TestLongDocumentsAreNotCut(t *testing.T) {
	var list []int
	for i := range 500 {
		list = append(list, i)
	}
	raw, err := json.Marshal(list)
	require.NoError(t, err)
	e := New(raw)
	e.Key(tea.KeyPressMsg{Code: ' ', Text: " "})
	got, err := e.Value()
	require.NoError(t, err)
	require.Equal(t, string(raw), string(got))
}

func TestDrawsTheStart(t *testing.T) {
	e := New(json.RawMessage(`{"date":"2026-12-04","more":[1,2,3,4,5,6]}`))
	s := draw.NewScreen(40, 4, nil, text.Wc)
	e.Draw(s, s.Bounds(), true)
	require.Equal(t, "{\n  \"date\": \"2026-12-04\",\n  \"more\": [\n    1,", s.Plain())
	require.NotNil(t, s.View().Cursor)
}

func TestAClickPutsTheCursor(t *testing.T) {
	e := New(json.RawMessage(`{"name":"Zoë 日本","text":"a line that is folded as the window is narrow"}`))
	s := draw.NewScreen(30, 8, nil, text.Wc)
	click := func(find string, typed rune) {
		t.Helper()
		e.Draw(s, s.Bounds(), true)
		for y, line := range strings.Split(s.Plain(), "\n") {
			if before, _, ok := strings.Cut(line, find); ok {
				e.Click(ansi.StringWidthWc(before+find), y)
				e.Key(tea.KeyPressMsg{Code: typed, Text: string(typed)})
				return
			}
		}
		require.Fail(t, "not on the screen", "%s:\n%s", find, s.Plain())
	}
	click("narrow", '!')
	click("日本", 'x')
	click("Zoë", 'y')
	click("{", ' ')
	got, err := e.Value()
	require.NoError(t, err)
	require.Equal(t, `{"name":"Zoëy 日本x","text":"a line that is folded as the window is narrow!"}`, string(got))
}
