package keys

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func press(code rune, mod tea.KeyMod, text string) tea.KeyPressMsg {
	return tea.KeyPressMsg{Code: code, Mod: mod, Text: text}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Scope
		key  tea.KeyPressMsg
		want Intent
	}{
		{"help while browsing", List, press('?', 0, "?"), Help},
		{"a letter types in a form", Form | Ask, press('q', 0, "q"), None},
		{"a mark types in a form", Form, press('?', 0, "?"), None},
		{"esc while browsing", List, press(tea.KeyEscape, 0, ""), Escape},
		{"esc in a form is later", Form, press(tea.KeyEscape, 0, ""), Later},
		{"tab moves panes", Panes | List, press(tea.KeyTab, 0, ""), NextPane},
		{"tab moves fields", Form | Panes, press(tea.KeyTab, 0, ""), NextField},
		{"shift tab", Form, press(tea.KeyTab, tea.ModShift, ""), PrevField},
		{"send", Form, press('s', tea.ModCtrl, ""), Send},
		{"decline needs an ask", Form, press('d', tea.ModAlt, ""), None},
		{"decline", Form | Ask, press('d', tea.ModAlt, ""), Decline},
		{"capital letters are their own", Call | List, press('R', tea.ModShift, "R"), None},
		{"restart where there is a server", Live, press('R', tea.ModShift, "R"), Restart},
		{"send held only where something is", Call, press('a', 0, "a"), None},
		{"send held", Call | Held, press('a', 0, "a"), SendOne},
		{"digits", Tabs, press('3', 0, "3"), TabNumber},
		{"quit anywhere", Form, press('c', tea.ModCtrl, ""), Quit},
		{"quit in an overlay", Overlay, press('c', tea.ModCtrl, ""), Quit},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, Lookup(c.in, c.key)) })
	}
}

func TestLookupOnAnotherLayout(t *testing.T) {
	cyrillic := func(code, base rune, mod tea.KeyMod, text string) tea.KeyPressMsg {
		return tea.KeyPressMsg{Code: code, BaseCode: base, Mod: mod, Text: text}
	}
	require.Equal(t, Send, Lookup(Form, cyrillic('ы', 's', tea.ModCtrl, "")))
	require.Equal(t, Decline, Lookup(Form|Ask, cyrillic('в', 'd', tea.ModAlt, "")))
	require.Equal(t, None, Lookup(Form, cyrillic('й', 'q', 0, "й")), "a letter types")
	require.Equal(t, Back, Lookup(List, cyrillic('й', 'q', 0, "й")))
	require.Equal(t, Restart, Lookup(Live, cyrillic('к', 'r', tea.ModShift, "К")))
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	browse, form := map[string]Intent{}, map[string]Intent{}
	for _, b := range table {
		require.NotEmpty(t, b.Help)
		require.NotEmpty(t, b.Keys)
		seen := []map[string]Intent{browse}
		switch {
		case b.Scope&Always != 0:
			seen = append(seen, form)
		case b.Scope&(Form|Ask) != 0:
			seen = []map[string]Intent{form}
		}
		for _, m := range seen {
			for _, k := range b.Keys {
				require.NotContains(t, m, k)
				m[k] = b.Intent
			}
		}
	}
	for k := range form {
		require.True(t, len([]rune(k)) > 1, "%q would not type in a form", k)
	}
}

func TestEveryIntentHasAKey(t *testing.T) {
	have := map[Intent]bool{}
	for _, b := range table {
		have[b.Intent] = true
	}
	for i := None + 1; i <= Recent; i++ {
		require.True(t, have[i], "intent %d", i)
	}
}

func TestShown(t *testing.T) {
	require.Equal(t, "Ctrl+S", Of(Send))
	require.Equal(t, "PgUp", Name("pgup"))
	require.Equal(t, "Alt+X", Name("alt+x"))
	require.Equal(t, "+", Name("+"))
	require.Equal(t, Hint{"Ctrl+S", "send", Send}, Footer(Form)[0])
	require.NotContains(t, Footer(Form), Hint{"Alt+D", "decline", Decline})
	require.Contains(t, Footer(Form|Ask), Hint{"Alt+D", "decline", Decline})
	md := Markdown()
	require.Contains(t, md, "| `Ctrl+S` |")
	require.Contains(t, md, "| `PgUp`, `Ctrl+U` | a page up |")
	require.Contains(t, md, "| `1 … 9` |")
	require.Equal(t, len(table)+4, strings.Count(md, "\n|")+1)
}
