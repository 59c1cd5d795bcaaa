package ask

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/ui/form"
	"mcptui/ui/keys"
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
