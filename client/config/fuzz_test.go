package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse holds that no file makes the parser panic, and that what it accepts
// can be started or dialled: a command or a URL, never both or neither.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers":{"a":{"command":"npx","args":["-y","x"],"env":{"K":"v"}}}}`,
		"{\n// servers\n\"servers\":{\"a\":{\"type\":\"sse\",\"url\":\"https://x/sse\",},},}",
		`{"mcp":{"servers":{"a":{"command":"c","cwd":"d","envFile":"e"}}}}`,
		`{"mcpServers":{"a":{"serverUrl":"https://x/mcp","disabled":true}}}`,
		`{"servers":[]}`, `{"servers":{"a":null}}`, `{"servers":{"a":{}}}`, `[]`, ``, `{"servers":{"a":{"command":7}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		servers, err := Parse("f.json", raw)
		if err != nil {
			require.ErrorContains(t, err, "f.json")
			return
		}
		for _, s := range servers {
			require.NotEqual(t, s.Command == "", s.URL == "", "%+v", s)
			require.Contains(t, []string{"stdio", "http", "sse"}, s.Type)
		}
	})
}
