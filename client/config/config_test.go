package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFamilies(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       Server
	}{
		{"claude desktop", `{"mcpServers":{"a":{"command":"npx","args":["-y","x"],"env":{"K":"v"}}}}`,
			Server{Name: "a", Type: "stdio", Command: "npx", Args: []string{"-y", "x"}, Env: map[string]string{"K": "v"}}},
		{"cursor remote", `{"mcpServers":{"a":{"url":"https://x/mcp","headers":{"H":"v"}}}}`,
			Server{Name: "a", Type: "http", URL: "https://x/mcp", Headers: map[string]string{"H": "v"}}},
		{"windsurf", `{"mcpServers":{"a":{"serverUrl":"https://x/mcp","disabled":true}}}`,
			Server{Name: "a", Type: "http", URL: "https://x/mcp", Off: true}},
		{"vs code with comments", "{\n// servers\n\"servers\":{\"a\":{\"type\":\"sse\",\"url\":\"https://x/sse\",},},}",
			Server{Name: "a", Type: "sse", URL: "https://x/sse"}},
		{"vs code settings", `{"mcp":{"servers":{"a":{"command":"c","cwd":"d","envFile":"e"}}}}`,
			Server{Name: "a", Type: "stdio", Command: "c", Dir: "d", EnvFile: "e"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Parse("f.json", []byte(tc.text))
			require.NoError(t, err)
			tc.want.Source = "f.json"
			require.Equal(t, []Server{tc.want}, got)
		})
	}
}

func TestBrokenFilesNameThePlace(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{\n \"mcpServers\": {,}\n}", "f.json:2:17: not JSON: invalid character ','"},
		{"", "f.json:1:1: not JSON: parsing value: unexpected EOF"},
		{"{\"servers\": {\n", "f.json:1:14: not JSON: parsing value: unexpected EOF"},
		{"{\"servers\": {}} x\n", "f.json:1:17: not JSON: invalid character 'x' after top-level value"},
		{"{\n  // größer\n  \"servers\": {\"ä\": nope}}", "f.json:3:20: not JSON: invalid literal"},
		{"{\n  /* no end", "f.json:2:"},
		{"{\"servers\": {\"a\": {\"command\": 'x'}}}", "f.json:1:31: not JSON: invalid character '\\'' at start of value"},
		{`{}`, `f.json:1:1: neither "mcpServers" nor "servers"`},
		{`[1]`, `f.json:1:1: neither "mcpServers" nor "servers"`},
		{"// x\n{\"servers\":\n []}", `f.json:3:2: "servers" is not an object`},
		{"{\"servers\":{\n  \"a\":{}}}", "f.json:2:7: servers \"a\": it has neither"},
		{"{\"servers\":{\n  \"a\":{\"command\": /* seven */ 7}}}", `f.json:2:31: servers "a": "command" cannot be a number`},
		{"{\"mcpServers\":{\n  \"ä\":{\"command\":\"c\", \"args\": \"x\",},}}", `f.json:2:31: mcpServers "ä": "args" cannot be a string`},
		{"{\"servers\":{\"a\":[]}}", `f.json:1:17: servers "a": an array stands where`},
		{"\ufeff{\"servers\":{\"a\":{}}}", `f.json:1:17: servers "a": it has neither`},
		{`{"servers":{"a":{"command":"c","url":"u"}}}`, `"command" and a "url"`},
	} {
		_, err := Parse("f.json", []byte(tc.text))
		require.ErrorContains(t, err, tc.want, tc.text)
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "vars"), []byte("# c\nexport A='x y'\nB=2\n"), 0o600))
	v := Variables{
		Home: "/h", Project: dir,
		Env: func(name string) (string, bool) { return "v-" + name, name == "SET" },
		Input: func(id string) (string, error) {
			if id == "pw" {
				return "secret", nil
			}
			return "", errors.New("no such input")
		},
	}
	got, err := v.Expand(Server{
		Name: "s", Source: "f", Command: "${userHome}/bin", Args: []string{"${SET}", "${env:SET}", "${UNSET:-d}"},
		EnvFile: "vars", Env: map[string]string{"B": "${input:pw}"}, Headers: map[string]string{"H": "Bearer ${SET}"},
	})
	require.NoError(t, err)
	require.Equal(t, "/h/bin", got.Command)
	require.Equal(t, []string{"v-SET", "v-SET", "d"}, got.Args)
	require.Equal(t, map[string]string{"A": "x y", "B": "secret"}, got.Env)
	require.Equal(t, "Bearer v-SET", got.Headers["H"])

	for _, s := range []Server{
		{Name: "s", Source: "f", URL: "${NOPE}"},
		{Name: "s", Source: "f", Headers: map[string]string{"H": "${env:NOPE}"}},
		{Name: "s", Source: "f", Args: []string{"${input:NOPE}"}},
		{Name: "s", Source: "f", EnvFile: "NOPE"},
	} {
		_, err := v.Expand(s)
		require.Error(t, err)
		require.Contains(t, err.Error(), "server \"s\"")
	}
	_, err = v.Expand(Server{Name: "s", Source: "f", URL: "${NOPE}"})
	require.ErrorContains(t, err, "${NOPE} is not set")
}

func TestPick(t *testing.T) {
	two := []Server{{Name: "b"}, {Name: "a"}}
	_, err := Pick(two, "")
	require.ErrorContains(t, err, "choose one with --server: b, a")
	_, err = Pick(two, "c")
	require.ErrorContains(t, err, `no server is named "c"`)
	got, err := Pick(two[:1], "")
	require.NoError(t, err)
	require.Equal(t, "b", got.Name)
	_, err = Pick(nil, "")
	require.ErrorContains(t, err, "names no server")
}

func TestPlacesOfEveryProduct(t *testing.T) {
	var products []string
	for _, p := range Places("/p", "/h", "/c", "linux") {
		products = append(products, p.Product)
		require.True(t, filepath.IsAbs(p.File))
	}
	for _, want := range []string{"project", "Claude Desktop", "Cursor", "VS Code", "Windsurf"} {
		require.Contains(t, products, want)
	}
	require.Contains(t, Places("/p", "/h", "/c", "darwin")[3].File, "Application Support")
}

func TestHeadersThatCannotBeSent(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"Authorization", "Bearer x", ""},
		{"X-Name", "größer\tweit", ""},
		{"X-Name", "", ""},
		{"Ä ö", "b", "the name of a header"},
		{"A B", "b", "the name of a header"},
		{"", "b", "the name of a header"},
		{"A", "b\r\nX: y", "the value of a header"},
		{"A", "b\x00", "the value of a header"},
	} {
		s, err := Variables{}.Expand(Server{Name: "s", Source: "f.json", URL: "http://x", Headers: map[string]string{tc.name: tc.value}})
		if tc.want == "" {
			require.NoError(t, err, tc.name)
			require.Equal(t, tc.value, s.Headers[tc.name])
			continue
		}
		require.ErrorContains(t, err, "f.json: server \"s\": header ", tc.name)
		require.ErrorContains(t, err, tc.want, tc.name)
		require.NotContains(t, err.Error(), "X: y")
	}
}
