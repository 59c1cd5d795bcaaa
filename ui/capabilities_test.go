package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

func TestAnErrorThatMissesACapabilitySaysHowToDeclareIt(t *testing.T) {
	for _, tc := range []struct{ declared, required, want string }{
		{`{"sampling":{}}`, `{"sampling":{"tools":{}}}`, ": capabilities declares it from here; to begin with it: --cap sampling.tools"},
		{`{}`, `{"elicitation":{"url":{}},"roots":{}}`, "--cap elicitation.url --cap roots"},
		{`{"roots":{}}`, `{"roots":{}}`, ""},
		{`{}`, `{"extensions":{"x":{}}}`, ""},
		{`{}`, `[]`, ""},
	} {
		s := script.New()
		s.Ready(trace.Modern)
		m := New(Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Server: "town", Declares: []byte(tc.declared)})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.declared = []byte(tc.declared)
		var text strings.Builder
		for _, l := range m.undeclared([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":`+tc.required+`}}}`), m.theme) {
			text.WriteString(l.Plain())
		}
		if tc.want == "" {
			require.Empty(t, text.String(), tc.required)
			continue
		}
		require.Contains(t, text.String(), tc.want)
	}
}
