package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse holds that no file makes the parser panic, and that what it accepts
// can be started or dialled: a command or a URL, never both or neither. What it does
// not accept it places, and no name is there twice.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers":{"a":{"command":"npx","args":["-y","x"],"env":{"K":"v"}}}}`,
		"{\n// servers\n\"servers\":{\"a\":{\"type\":\"sse\",\"url\":\"https://x/sse\",},},}",
		`{"mcp":{"servers":{"a":{"command":"c","cwd":"d","envFile":"e"}}}}`,
		`{"mcpServers":{"a":{"serverUrl":"https://x/mcp","disabled":true}}}`,
		`{"servers":[]}`, `{"servers":{"a":null}}`, `{"servers":{"a":{}}}`, `[]`, ``, `{"servers":{"a":{"command":7}}}`,
		`{"servers":{"a":{"command":"c"},"b":{},"a":{"url":"u"}},"inputs":[{"id":"k","default":"d"},{"id":"k"}]}`,
		`{"inputs":[{"id":"k","type":"pickString","options":["a",{"label":"l","value":"v"}]}],"servers":{"a":{"command":"${input:k}","env":{"E":"${env:X}"}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		f, err := Parse("f.json", raw)
		if err != nil {
			require.ErrorContains(t, err, "f.json")
			return
		}
		names := map[string]bool{}
		for _, b := range f.Bad {
			require.False(t, names[b.Name], b.Name)
			names[b.Name] = true
			require.Regexp(t, `^f\.json:\d+:\d+: `, b.Err.Error())
		}
		for _, s := range f.Servers {
			require.False(t, names[s.Name], s.Name)
			names[s.Name] = true
			require.NotEqual(t, s.Command == "", s.URL == "", "%+v", s)
			require.Contains(t, []string{"stdio", "http", "sse"}, s.Type)
			s.EnvFile = "" // nothing is read
			if _, err := unset.Expand(s); err != nil {
				require.Regexp(t, `^f\.json:\d+:\d+: server `, err.Error())
			}
		}
	})
}

// unset are the variables of nobody, in no environment.
var unset = Variables{Env: func(string) (string, bool) { return "", false }}
