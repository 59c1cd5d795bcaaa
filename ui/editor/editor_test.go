package editor

import (
	"encoding/json"
	"testing"

	tea "charm.land/bubbletea/v2"
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
