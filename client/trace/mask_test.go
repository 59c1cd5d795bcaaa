package trace

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMaskCommand(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"srv --token abc", "srv --token ***"},
		{"srv --token=abc --verbose", "srv --token=*** --verbose"},
		{"srv -password abc x", "srv -password *** x"},
		{"srv --github-api-key abc", "srv --github-api-key ***"},
		{"srv --api_key=abc", "srv --api_key=***"},
		{"env GITHUB_TOKEN=abc srv", "env GITHUB_TOKEN=*** srv"},
		{"docker run -eAPI_KEY=abc -e X_TOKEN=abc srv", "docker run -eAPI_KEY=*** -e X_TOKEN=*** srv"},
		{"docker run --env=API_KEY=abc srv", "docker run --env=API_KEY=*** srv"},
		{"remote -H X-Api-Key: abc --header=Private-Token: abc https://x", "remote -H X-Api-Key: *** --header=Private-Token: *** https://x"},
		{"the token: expired; auth: none", "the token: expired; auth: none"},
		{"srv --token --verbose", "srv --token --verbose"},
		{"srv --max-tokens 500 --token-file f", "srv --max-tokens 500 --token-file f"},
		{"srv --author Ada --keep a-token b", "srv --author Ada --keep a-token b"},
		{"srv", "srv"},
	} {
		require.Equal(t, tc.want, MaskCommand(tc.line))
	}
}

// TestWhatATargetHoldsIsMaskedEverywhere holds that the secrets of a command line and
// of a URL are masked wherever they come again, in recordings and on the screen.
func TestWhatATargetHoldsIsMaskedEverywhere(t *testing.T) {
	for _, events := range [][]Event{
		{{Phase: &Phase{Name: PhaseStarting, Target: "srv --token very-secret"}}},
		{{Phase: &Phase{Name: PhaseStarting, Target: "srv --password=very-secret"}}},
		{{HTTP: &HTTP{URL: "https://x/mcp?token=very-secret&x=very-secret"}}},
		{{HTTP: &HTTP{URL: "https://x/mcp#access_token=very-secret"}}},
	} {
		events = append(events,
			Event{Frame: &Frame{Dir: In, Bytes: []byte(`{"jsonrpc":"2.0","method":"m","params":"very-secret"}`)}},
			Event{Phase: &Phase{Name: PhaseFailed, Reason: "very-secret is wrong"}})
		var out bytes.Buffer
		rec := NewRecorder(&out, Mask{})
		for i := range events {
			events[i].Seq, events[i].At = i+1, time.Duration(i)
		}
		require.NoError(t, rec.WriteAll(events))
		require.NotContains(t, out.String(), "very-secret")
		require.Contains(t, out.String(), "***")
	}
	screen := NewScreen(Mask{Secrets: []string{"of-the-environment"}}, []Header{{Name: "Authorization", Value: "Bearer of-the-header"}}, "srv --token of-the-command")
	require.Equal(t, "*** *** ***", screen.Text("of-the-environment of-the-header of-the-command"))
	require.Equal(t, "connect to srv --token ***: x", screen.Command("connect to srv --token short: x"))
	shown := NewScreen(Mask{Off: true, Secrets: []string{"of-the-environment"}}, nil, "")
	require.Equal(t, "of-the-environment", shown.Text("of-the-environment"))
}
