package ask

import (
	"encoding/json"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// panels are all kinds of asks, each with what its buttons are.
func panels() map[string]*Panel {
	of := func(kind session.Kind, method, params string) *Panel {
		return New(&session.Ask{ID: trace.AskID{Frame: 7, Key: "k"}, Method: method, Kind: kind, Params: []byte(params), Status: session.Open}, withForms())
	}
	plain := func(acts ...Act) *Panel {
		p := &Panel{Title: "T", Head: func(*draw.Theme) []draw.Line { return nil }, Edit: JSON(nil, json.RawMessage(`{}`))}
		for _, a := range acts {
			p.Buttons = append(p.Buttons, Button{Act: a, Label: "act"})
		}
		return p
	}
	const elicit = "elicitation/create"
	return map[string]*Panel{
		"form":              of(session.Form, elicit, `{"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`),
		"message":           of(session.Form, elicit, `{"requestedSchema":{"type":"object","properties":{}}}`),
		"URL":               of(session.URL, elicit, `{"url":"https://example.com/"}`),
		"no URL":            of(session.URL, elicit, `{"url":"not a URL"}`),
		"URL of a scheme":   of(session.URL, elicit, `{"url":"javascript:alert(1)"}`),
		"URL without host":  of(session.URL, elicit, `{"url":"https:///x"}`),
		"URL that is none":  of(session.URL, elicit, `{}`),
		"sampling":          of(session.Sampling, "sampling/createMessage", `{"messages":[]}`),
		"roots":             of(session.Roots, "roots/list", `{}`),
		"unknown":           of(session.Unknown, "future/ask", `{}`),
		"unknown of a mode": of(session.Unknown, elicit, `{"mode":"later"}`),
		"request":           plain(Send, Later),
		"held":              plain(Send, Unchanged, Tamper, Twice, Undo, Drop, Later),
		"nothing to send":   plain(Later),
	}
}

// TestNoActIsDoneByAKeyWithoutItsButton presses every key of an act on every kind of
// panel: it is done, and offered, exactly where a button says so.
func TestNoActIsDoneByAKeyWithoutItsButton(t *testing.T) {
	for name, p := range panels() {
		has := map[Act]bool{}
		for _, b := range p.Buttons {
			has[b.Act] = true
		}
		for intent, act := range acts {
			t.Run(name+" "+keys.Of(intent), func(t *testing.T) {
				want := None
				if has[act] {
					want = act
				}
				require.Equal(t, has[act], p.Takes(intent))
				require.Equal(t, want, p.Do(intent))
				if want == None {
					require.Contains(t, drawn(p), keys.Of(intent)+" does nothing here")
					p.Do(keys.NextField)
				}
				require.NotContains(t, drawn(p), "does nothing here")
			})
		}
		copied := None
		if has[CopyURL] && p.Edit == nil {
			copied = CopyURL
		}
		p.at = -1
		require.Equal(t, copied, p.Key(keyPress(keys.Of(keys.Copy))), name)
	}
}

// TestEveryIntentThatMeansAnActIsKnown looks for an intent that does an act and is
// not held to the buttons.
func TestEveryIntentThatMeansAnActIsKnown(t *testing.T) {
	for _, p := range panels() {
		p.Buttons = []Button{{Act: Drop, Label: "Drop"}} // it has no key
		for _, b := range keys.For(keys.Form | keys.Ask) {
			p.at = -1
			require.Equal(t, None, p.Do(b.Intent), "%s", b.Help)
		}
	}
}

// TestAReasonGoesWithTheValueThatItIsAbout sends what cannot be sent, and changes the
// value in every way but by a letter.
func TestAReasonGoesWithTheValueThatItIsAbout(t *testing.T) {
	const choice = `{"requestedSchema":{"type":"object","properties":{"b":{"type":"boolean","default":true}},"required":["b"]}}`
	looksFor := func() *Panel {
		p := New(elicit(choice), withForms())
		drawn(p)
		p.Key(keyPress("z"))
		p.Key(keyPress("z"))
		_, ok := p.Value()
		require.False(t, ok)
		require.Contains(t, drawn(p), `✖ "zz" is none of the choices; Esc goes back`)
		return p
	}
	for name, leave := range map[string]func(*Panel) Act{
		"Esc":       func(p *Panel) Act { return p.Do(keys.Later) },
		"Tab":       func(p *Panel) Act { return p.Do(keys.NextField) },
		"Shift+Tab": func(p *Panel) Act { return p.Do(keys.PrevField) },
		"Backspace": func(p *Panel) Act { return p.Key(tea.KeyPressMsg{Code: tea.KeyBackspace}) },
	} {
		p := looksFor()
		require.Equal(t, None, leave(p), name)
		require.NotContains(t, drawn(p), "none of the choices", name)
	}
	p := looksFor()
	p.Do(keys.Later)
	v, ok := p.Value()
	require.True(t, ok)
	require.JSONEq(t, `{"b":true}`, string(v))

	p = New(elicit(`{"requestedSchema":{"type":"object","properties":{"n":{"type":["integer","null"]},"m":{"type":"integer"}},"required":["n","m"]}}`), withForms())
	_, ok = p.Value()
	require.False(t, ok)
	p.Do(keys.State)
	require.Empty(t, p.Problem())
	_, ok = p.Value()
	require.False(t, ok, "the leave to send a wrong value was of another value")
}

// TestABrokenDocumentSaysOnceWhatIsWrong sends it, and goes back from it, in a small
// window: what can be done is in sight.
func TestABrokenDocumentSaysOnceWhatIsWrong(t *testing.T) {
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`), withForms())
	drawn(p)
	p.Do(keys.AsJSON)
	p.Key(keyPress("x"))
	_, ok := p.Value()
	require.False(t, ok)
	require.Equal(t, 1, strings.Count(drawn(p), "not JSON"))
	require.Equal(t, None, p.Do(keys.Later))
	screen := drawn(p)
	require.Equal(t, 1, strings.Count(screen, "not JSON"))
	require.Contains(t, screen, "✖ mend it to go back to the form, or Esc again for later")
	require.Equal(t, Later, p.Do(keys.Later))
}
