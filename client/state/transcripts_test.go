package state_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/state"
)

// statesIn collects every requestState of a transcript, as its raw token, in
// order and without repeats.
func statesIn(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var out []string
	seen := map[string]bool{}
	var walk func([]byte)
	walk = func(raw []byte) {
		for k, v := range rpc.Members(raw) {
			if k == "requestState" && !seen[string(v)] && v[0] == '"' {
				seen[string(v)] = true
				out = append(out, string(v))
			}
			walk(v)
		}
		for _, v := range rpc.Elements(raw) {
			walk(v)
		}
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		walk(bytes.Clone(lines.Bytes()))
	}
	require.NoError(t, lines.Err())
	return out
}

// TestStatesOfRealServers names what each of five implementations sent, and the
// values that were made up on purpose to see what the server does with them.
func TestStatesOfRealServers(t *testing.T) {
	const typescript = "TypeScript SDK v2 seal → JSON"
	for file, want := range map[string]map[string]string{
		"mrtr-gosdk-conformance-http": {
			"request_state": "plain text none", "multiple_inputs": "plain text none", "tampered_state": "plain text none",
			"tampered_state-TAMPERED": "plain text none", "round=1": "key=value text none", "round=2;name=Ada": "key=value text none",
		},
		"mrtr-inspector-showcase-http": {
			"mrtr:deploy:1": "plain text none", "mrtr-two:step2:2": "plain text none", "mrtr-loop:14": "plain text none",
			"mrtr-edge:final:6": "plain text none", "bogus": "plain text none",
		},
		"mrtr-mcpgo-deploy-http":         {"env=production": "key=value text none", "env=x": "key=value text none"},
		"mrtr-mcpgo-deploy-stdio-modern": {"env=prod": "key=value text none"},
		"mrtr-php-stateless-http": {
			"eyJleHAiOjE3OTYxNjE1ODgsImRhdGEiOnsiYXNrZWQiOiJ3aG8ifX0.krQ0hJqIgP96Tc7jkxfs6N70dLvqSRIPVYJkgMC4Rbw": "PHP SDK seal → JSON wrong",
			"xx.yy": "plain text none",
		},
		"mrtr-tsv2-http": {
			"v1.eyJwIjp7Im4iOjN9fQ.AAAA": "sealed payload (payload and MAC) → JSON unverifiable", // made up: no exp, a MAC of three bytes
			"v1.eyJwIjp7Im4iOjIsImFuc3dlcnMiOlsiQWRhIl19LCJleHAiOjE3OTYxNjEzNzV9.kUBETdToLSJI4IiLUgiJOu73A8jXKFrsKa4gAySVlgs": typescript + " verified",
		},
		"mrtr-tsv2-stdio-modern": {
			"v1.eyJwIjp7InN0ZXAiOjF9LCJleHAiOjE3OTYxNjEzOTR9.C4M4tL3mT33RrThz3hQpR39BC7ZDxsEOEIonlKpISlE": typescript + " verified",
		},
	} {
		t.Run(file, func(t *testing.T) {
			found := statesIn(t, filepath.Join("..", "..", "testdata", "transcripts", file+".jsonl"))
			require.NotEmpty(t, found)
			for _, raw := range found {
				d := state.Decode(raw, keyK)
				if exact, ok := want[d.Value]; ok {
					require.Equal(t, exact, d.Chain()+" "+string(d.Signature.Status), d.Value)
					delete(want, d.Value)
				}
				switch { // and the rest of each file is of the same kinds
				case strings.HasPrefix(file, "mrtr-tsv2"):
					require.Regexp(t, `^(TypeScript SDK v2 seal|sealed payload)`, d.Chain())
				case !strings.HasPrefix(file, "mrtr-php"):
					require.Regexp(t, `^(plain text|key=value text)$`, d.Chain(), d.Value)
				}
			}
			require.Empty(t, want, "not in the transcript")
		})
	}
}

func TestWizardStateFromRoundToRound(t *testing.T) {
	found := statesIn(t, filepath.Join("..", "..", "testdata", "transcripts", "mrtr-tsv2-http.jsonl"))
	before, after := state.Decode(found[2]), state.Decode(found[3])
	require.Equal(t, []state.Change{
		{Path: "/p/n", Op: state.Changed, Before: raw("2"), After: raw("3")},
		{Path: "/p/answers/1", Op: state.Added, After: raw(`"Ada"`)},
	}, state.Diff(before, after))
	c := state.Compare(before, after)
	require.False(t, c.Same)
	require.True(t, c.Readable)
	require.Equal(t, len(after.Value)-len(before.Value), c.Growth())
	require.Equal(t, []state.Answer{{Path: "/p/answers", Kind: "answers"}}, after.Answers)
}
