package ask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/form"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func withForms() With {
	w := with()
	w.Form = func(s []byte, v json.RawMessage) Editor { return form.NewPart(s, v, form.Options{}) }
	return w
}

// at names what has the focus: a field, or a button.
func at(p *Panel) string {
	screen := drawn(p)
	if p.at >= 0 {
		return p.Buttons[p.at].Label
	}
	for _, l := range strings.Split(screen, "\n") {
		if _, row, ok := strings.Cut(l, "> "); ok {
			return strings.Fields(strings.TrimLeft(row, " *"))[0]
		}
	}
	return ""
}

// TestTabGoesRound leaves the form at both ends, and comes in again at the other.
func TestTabGoesRound(t *testing.T) {
	const three = `{"requestedSchema":{"type":"object","properties":{"one":{"type":"string"},"two":{"type":"boolean"},"three":{"type":"integer"}}}}`
	round := []string{"one", "two", "three", "Send", "Decline", "Cancel", "Later", "Give up the call"}
	p := New(elicit(three), withForms())
	for range 2 {
		for _, want := range round {
			require.Equal(t, want, at(p))
			p.Do(keys.NextField)
		}
	}
	slices.Reverse(round)
	for range 2 {
		for _, want := range round {
			p.Do(keys.PrevField)
			require.Equal(t, want, at(p))
		}
	}
}

// TestEnterInTheLastFieldSaysWhatSends: it goes on from field to field, and is
// never without an effect.
func TestEnterInTheLastFieldSaysWhatSends(t *testing.T) {
	for _, fields := range []string{`"one":{"type":"string"}`, `"one":{"type":"integer"},"two":{"type":"string"}`} {
		p := New(elicit(`{"requestedSchema":{"type":"object","properties":{`+fields+`}}}`), withForms())
		for range strings.Count(fields, "type") {
			require.NotContains(t, drawn(p), "Ctrl+S sends")
			require.Equal(t, None, p.Key(keyPress("enter")))
		}
		require.Contains(t, drawn(p), "Ctrl+S sends")
		p.Key(keyPress("7"))
		require.NotContains(t, drawn(p), "Ctrl+S sends")
	}
}

// TestARequestToAModelHasTheLargerShare draws a sampling ask as it stands in a
// window of 80×24: what is asked has more rows than the answer while that is
// short, and the key that scrolls it is named.
func TestARequestToAModelHasTheLargerShare(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "request %d\\n", i)
	}
	a := &session.Ask{ID: trace.AskID{Frame: 7}, Method: "sampling/createMessage", Kind: session.Sampling, Status: session.Open,
		Params: []byte(`{"messages":[{"role":"user","content":{"type":"text","text":"` + b.String() + `"}}],"maxTokens":9}`)}
	p := New(a, withForms())
	rows := func() (head, rest int) {
		s := draw.NewScreen(80, 14, nil, text.Wc)
		p.Draw(s, s.Bounds(), true)
		require.Contains(t, s.Plain(), "Alt+↓ scrolls what is asked")
		require.Contains(t, s.Plain(), "*Answer")
		require.Contains(t, s.Plain(), "─▶ ")
		return p.edit.Min.Y - 1, p.edit.Dy()
	}
	head, rest := rows()
	require.Greater(t, head, rest)
	for i := range 12 {
		p.Paste(fmt.Sprintf("answer %d\n", i))
	}
	head, rest = rows()
	require.GreaterOrEqual(t, rest, head, "a long answer has its half")
	require.GreaterOrEqual(t, head, 2)
	for range 4 {
		p.Do(keys.HeadDown)
	}
	require.NotContains(t, drawn(p), "request 0")
}
