package config

import (
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
			require.Empty(t, got.Bad)
			require.Len(t, got.Servers, 1)
			got.Servers[0].in, got.Servers[0].at = nil, tc.want.at
			require.Equal(t, tc.want, got.Servers[0])
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
		{"{\"servers\":{},\n \"servers\":{}}", `f.json:2:2: "servers" is there twice`},
		{"{\"mcp\":{\"servers\":{}},\n \"mcp\":{}}", `f.json:2:2: "mcp" is there twice`},
	} {
		_, err := Parse("f.json", []byte(tc.text))
		require.ErrorContains(t, err, tc.want, tc.text)
	}
}

// TestABadEntryIsItsOwn puts each bad entry beside a good one: it fails where it is
// chosen, by its place, and the good one can be chosen all the same.
func TestABadEntryIsItsOwn(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{\"servers\":{\"good\":{\"command\":\"c\"},\n  \"bad\":{}}}", "f.json:2:9: servers \"bad\": it has neither"},
		{"{\"servers\":{\"bad\":null,\"good\":{\"command\":\"c\"}}}", "f.json:1:19: servers \"bad\": it has neither"},
		{"{\"servers\":{\n  \"bad\":{\"command\": /* seven */ 7},\"good\":{\"command\":\"c\"}}}", `f.json:2:33: servers "bad": "command" cannot be a number`},
		{"{\"mcpServers\":{\"good\":{\"command\":\"c\"},\n  \"bad\":{/*ä*/\"command\":\"c\", \"args\": \"x\",},}}", `f.json:2:38: mcpServers "bad": "args" cannot be a string`},
		{"{\"servers\":{\"bad\":[],\"good\":{\"command\":\"c\"}}}", `f.json:1:19: servers "bad": an array stands where`},
		{"\ufeff{\"servers\":{\"bad\":{},\"good\":{\"command\":\"c\"}}}", `f.json:1:19: servers "bad": it has neither`},
		{`{"servers":{"bad":{"command":"c","url":"u"},"good":{"command":"c"}}}`, `"command" and a "url"`},
		{"{\"servers\":{\"bad\":{\"command\":\"c\"},\"good\":{\"command\":\"c\"},\n\"bad\":{\"command\":\"d\"}}}", `f.json:2:1: servers "bad" is there twice`},
		{"{\"servers\":{\"bad\":{},\"good\":{\"command\":\"c\"},\n\"\\u0062ad\":{\"command\":\"d\"},\"bad\":{}}}", `f.json:2:1: servers "bad" is there twice`},
		{"{\"servers\":{\"good\":{\"command\":\"c\"},\"bad\":{\"command\":\"c\",\n\"Command\":\"d\"}}}", `f.json:2:1: servers "bad": "Command" is there twice`},
		{"{\"servers\":{\"good\":{\"command\":\"c\"},\"bad\":{\"command\":\"c\",\"env\":{\"A\":\"\",\"a\":\"\",\n\"A\":\"\"}}}}", `f.json:2:1: servers "bad": env "A" is there twice`},
		{"{\"servers\":{\"good\":{\"command\":\"c\"},\"bad\":{\"url\":\"u\",\"headers\":{\"A\":\"\",\n\"A\":\"\"}}}}", `f.json:2:1: servers "bad": headers "A" is there twice`},
	} {
		f, err := Parse("f.json", []byte(tc.text))
		require.NoError(t, err, tc.text)
		require.Equal(t, 2, f.Count(), tc.text)
		require.Len(t, f.Bad, 1, tc.text)
		require.Equal(t, "bad", f.Bad[0].Name)

		good, err := f.Pick("good")
		require.NoError(t, err, tc.text)
		require.Equal(t, "c", good.Command)
		_, err = f.Pick("bad")
		require.ErrorContains(t, err, tc.want, tc.text)
		_, err = f.Pick("")
		require.ErrorContains(t, err, "choose one with --server: good; what cannot be chosen: f.json:", tc.text)
		require.ErrorContains(t, err, tc.want, tc.text)
		_, err = f.Pick("god")
		require.ErrorContains(t, err, `no server is named "god"; the file has bad, good; did you mean "good"?`)
	}
}

func TestPick(t *testing.T) {
	for _, tc := range []struct{ text, name, want, fails string }{
		{`{"servers":{"b":{"command":"c"},"a":{"command":"c"}}}`, "", "", "f.json: the file names several servers; choose one with --server: b, a"},
		{`{"servers":{"b":{"command":"c"},"a":{"command":"c"}}}`, "c", "", `f.json: no server is named "c"; the file has a, b`},
		{`{"servers":{"b":{"command":"c"},"a":{"command":"c"}}}`, "a", "a", ""},
		{`{"servers":{"b":{"command":"c"}}}`, "", "b", ""},
		{`{"servers":{"b":{}}}`, "", "", `f.json:1:17: servers "b": it has neither`},
		{`{"servers":{"b":{},"a":[]}}`, "", "", `f.json: none of the file's servers can be used: f.json:1:17: servers "b": it has neither "command" nor "url"; f.json:1:24: servers "a": an array`},
		{`{"servers":{}}`, "", "", "f.json: the file names no server"},
		{`{"servers":{}}`, "a", "", "f.json: the file names no server"},
		{`{"servers":{"a":{"command":"c"},"a":{"command":"c"}}}`, "", "", `f.json:1:33: servers "a" is there twice`},
	} {
		f, err := Parse("f.json", []byte(tc.text))
		require.NoError(t, err, tc.text)
		got, err := f.Pick(tc.name)
		require.Equal(t, tc.want, got.Name, tc.text)
		if tc.fails == "" {
			require.NoError(t, err, tc.text)
			continue
		}
		require.ErrorContains(t, err, tc.fails, tc.text)
	}
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

// TestNothingIsLookedForInAFolderThatIsNotKnown leaves folders out: then no place is
// relative, and none is there twice.
func TestNothingIsLookedForInAFolderThatIsNotKnown(t *testing.T) {
	for _, tc := range []struct {
		project, home, configDir, goos string
		want                           int
	}{
		{"/p", "/h", "/c", "linux", 8}, {"/p", "/h", "", "darwin", 8}, {"/p", "", "/c", "linux", 5}, {"/p", "/h", "", "linux", 6},
		{"/p", "", "", "linux", 3}, {"/p", "", "/c", "darwin", 3}, {"/p", "h", "c", "linux", 3}, {"", "", "", "linux", 0},
	} {
		there := map[string]bool{}
		places := Places(tc.project, tc.home, tc.configDir, tc.goos)
		for _, p := range places {
			require.True(t, filepath.IsAbs(p.File), "%+v: %+v", tc, p)
			require.False(t, there[p.File], "%+v: %+v", tc, p)
			there[p.File] = true
		}
		require.Len(t, places, tc.want, "%+v", tc)
	}
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
