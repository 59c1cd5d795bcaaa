package findings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func TestTheServersFirstTheWorstOnTopAndTheSelectionStays(t *testing.T) {
	info := lint.Finding{Rule: "i", Severity: lint.Info, Frame: 1, Message: "only news"}
	warn := lint.Finding{Rule: "w", Severity: lint.Warning, Frame: 2, Message: "look here", Section: lint.Section{Revision: "2026-07-28", Page: "basic", Title: "Basic"}}
	bad := lint.Finding{Rule: "e", Severity: lint.Error, Frame: 3, Message: "broken", Call: 4, Against: lint.Client}
	var v View
	v.Sync([]lint.Finding{info, warn})
	f, ok := v.Selected()
	require.True(t, ok)
	require.Equal(t, warn, f)
	v.Sync([]lint.Finding{info, warn, bad})
	f, _ = v.Selected()
	require.Equal(t, warn, f, "what is looked at does not change under the eyes")

	s := draw.NewScreen(90, 20, nil, text.Wc)
	v.Draw(s, s.Bounds(), true)
	require.Contains(t, s.Plain(), "1 error, 1 warning, 1 info")
	require.Contains(t, s.Plain(), "https://modelcontextprotocol.io/specification/2026-07-28/basic")
	require.Contains(t, s.Plain(), "call 4 client: broken")
	v.Do(keys.Last)
	f, _ = v.Selected()
	require.Equal(t, bad, f, "what the client did stands last, however bad")
	v.Do(keys.First)
	f, _ = v.Selected()
	require.Equal(t, warn, f)
}

func TestWhatIsFoundAgainAfterARestartIsOne(t *testing.T) {
	f := lint.Finding{Rule: "w", Severity: lint.Warning, Against: lint.Server, Frame: 2, Message: "look here"}
	var v View
	v.Sync([]lint.Finding{{Rule: "v", Severity: lint.Warning}, f})
	s := draw.NewScreen(90, 20, nil, text.Wc)
	v.Draw(s, s.Bounds(), true)
	v.Do(keys.Last)
	f.Again = 1
	v.Sync([]lint.Finding{{Rule: "v", Severity: lint.Warning}, f})
	s = draw.NewScreen(90, 20, nil, text.Wc)
	v.Draw(s, s.Bounds(), true)
	require.Contains(t, s.Plain(), "look here ×2")
	require.Contains(t, s.Plain(), "again after 1 restart")
	require.Contains(t, s.Plain(), "2 warnings")
	got, _ := v.Selected()
	require.Equal(t, f, got, "it stays selected")
}

func TestNothingFound(t *testing.T) {
	var v View
	s := draw.NewScreen(60, 10, nil, text.Wc)
	v.Draw(s, s.Bounds(), true)
	require.Contains(t, s.Plain(), "✓ nothing found so far")
}
