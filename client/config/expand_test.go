package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// only is the server of a file that names one.
func only(t *testing.T, text string) Server {
	t.Helper()
	f, err := Parse("f.json", []byte(text))
	require.NoError(t, err)
	s, err := f.Pick("")
	require.NoError(t, err)
	return s
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "vars"), []byte("# c\nexport A='x y'\nB=2\n"), 0o600))
	var asked []string
	v := Variables{
		Home: "/h", Project: dir,
		Env:   func(name string) (string, bool) { return "v-" + name, name == "SET" },
		Input: func(in Input) (string, error) { asked = append(asked, in.ID); return "secret", nil },
	}
	got, err := v.Expand(only(t, `{"inputs": [{"id": "pw"}], "servers": {"s": {
		"command": "${userHome}/bin", "args": ["${SET}", "${env:SET}", "${UNSET:-d}", "${input:pw}"],
		"envFile": "vars", "env": {"B": "${input:pw}"}, "headers": {"H": "Bearer ${SET}"}}}}`))
	require.NoError(t, err)
	require.Equal(t, "/h/bin", got.Command)
	require.Equal(t, []string{"v-SET", "v-SET", "d", "secret"}, got.Args)
	require.Equal(t, map[string]string{"A": "x y", "B": "secret"}, got.Env)
	require.Equal(t, "Bearer v-SET", got.Headers["H"])
	require.Equal(t, []string{"pw"}, asked, "once, wherever it is used")
}

func TestWhatIsNotKnownIsToldByItsPlace(t *testing.T) {
	for _, tc := range []struct{ entry, want string }{ // the place is behind the »
		{`"url": "http://»${NOPE}/x"`, `server "s": url: ${NOPE} is not set in the environment; set it, or write ${NOPE:-VALUE} in the file`},
		{`"serverUrl": "»${NOPE}"`, `server "s": url: ${NOPE} is not set`},
		{`"command": "»${NOPE}"`, `server "s": command: ${NOPE}`},
		{`"command": "c", "cwd": "»${NOPE}"`, `server "s": cwd: ${NOPE}`},
		{`"command": "c", "envFile": "»${NOPE}"`, `server "s": envFile: ${NOPE}`},
		{`"command": "c", "envFile": »"missing"`, `server "s": read envFile: `},
		{`"command": "c", /* ä */ "Args": ["${userHome}", "ä »${env:NOPE}"]`, `server "s": args[1]: ${env:NOPE} is not set in the environment; set it, or write ${env:NOPE:-VALUE} in`},
		{`"command": "c", "env": {"A": "", "B": "»${NOPE}"}`, `server "s": env B: ${NOPE}`},
		{`"command": "c", "env": {"A/~": »"\u0024{NOPE}"}`, `server "s": env A/~: ${NOPE}`},
		{`"url": "u", "headers": {"H": "Bearer »${NOPE}"}`, `server "s": header H: ${NOPE}`},
		{`"url": "u", "headers": {"H": »"a\nb"}`, `server "s": header "H": `},
		{`"command": "»${command:pick}"`, `server "s": command: ${command:pick} is none of ${NAME}, ${env:NAME}, `},
	} {
		v := Variables{Home: "/h", Project: t.TempDir(), Env: unset.Env}
		before, after, _ := strings.Cut(tc.entry, "»")
		_, err := v.Expand(only(t, "{\"servers\": {\"s\": {\n"+before+after+"}}}"))
		require.ErrorContains(t, err, fmt.Sprintf("f.json:2:%d: %s", utf8.RuneCountInString(before)+1, tc.want), tc.entry)
	}
	_, err := unset.Expand(only(t, `{"servers": {"s": {"command": "${userHome}/bin"}}}`))
	require.ErrorContains(t, err, `f.json:1:32: server "s": command: ${userHome}: there is no home directory; set HOME`)
}

// TestAFailureAsksNobody holds that a person is not asked for what cannot be used.
func TestAFailureAsksNobody(t *testing.T) {
	v := unset
	v.Input = func(Input) (string, error) { require.Fail(t, "somebody was asked"); return "", nil }
	_, err := v.Expand(only(t, `{"inputs": [{"id": "k"}], "servers": {"s": {"command": "${NOPE}", "args": ["${input:k}"]}}}`))
	require.ErrorContains(t, err, "${NOPE}")
}

func TestInputs(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, tc := range []struct {
		inputs  string
		want    Input
		nobody  string // what the input is where nobody is there
		fails   string // then, or, where nobody is "", always
		refused bool
	}{
		{inputs: `"inputs": [{"type": "promptString", "id": "k", "description": "Key", "password": true}],`,
			want: Input{ID: "k", Description: "Key", Hidden: true}, fails: `f.json:2:49: server "s": env K: ${input:k} asks for input, and nobody is here to give it; run this on a terminal, give the input a "default" in the file, or write ${env:NAME} in its place`},
		{inputs: `"inputs": [{"id": "k", "default": "d"}],`, want: Input{ID: "k", Default: text("d")}, nobody: "d"},
		{inputs: `"inputs": [{"id": "k", "default": ""}],`, want: Input{ID: "k", Default: text("")}},
		{inputs: `"inputs": [{"id": "x", "default": 7}, 8, {"id": "k", "default": "d", "options": ["a"]}],`, want: Input{ID: "k", Default: text("d")}, nobody: "d"},
		{inputs: `"inputs": [{"type": "pickString", "id": "k", "options": ["a", {"label": "B", "value": "b"}, {"value": "c"}], "default": "b"}],`,
			want: Input{ID: "k", Default: text("b"), Options: []Option{{"a", "a"}, {"B", "b"}, {"c", "c"}}}, nobody: "b"},

		{refused: true, inputs: ``, fails: `f.json:2:49: server "s": env K: ${input:k}: the file has no "inputs" that declares it`},
		{refused: true, inputs: `"inputs": [],`, fails: `${input:k}: "inputs" declares none`},
		{refused: true, inputs: `"inputs": [{"id": "kk"}],`, fails: `f.json:2:49: server "s": env K: ${input:k}: "inputs" declares no "k"; did you mean "kk"?`},
		{refused: true, inputs: `"inputs": [{"id": "abc"}, {"id": "def"}],`, fails: `"inputs" declares no "k"; it has abc, def`},
		{refused: true, inputs: `"inputs": {},`, fails: `${input:k}: f.json:1:12: "inputs" is not an array`},
		{refused: true, inputs: `"inputs": [], "inputs": [],`, fails: `${input:k}: f.json:1:16: "inputs" is there twice`},
		{refused: true, inputs: `"inputs": [{"id": "k"}, {"id": "k"}],`, fails: `${input:k}: f.json:1:26: inputs "k" is there twice`},
		{refused: true, inputs: `"inputs": [{"id": "k", "default": 7}],`, fails: `${input:k}: f.json:1:36: inputs "k": "default" cannot be a number`},
		{refused: true, inputs: `"inputs": [{"id": "k", "default": "a", "default": "b"}],`, fails: `${input:k}: f.json:1:41: inputs "k": "default" is there twice`},
		{refused: true, inputs: `"inputs": [{"id": "k", "type": "pickString"}],`, fails: `f.json:1:13: inputs "k" has no "options"`},
		{refused: true, inputs: `"inputs": [{"id": "k", "type": "pickString", "options": [7]}],`, fails: `an option is a text, or an object with`},
		{refused: true, inputs: `"inputs": [{"id": "k", "type": "command", "command": "x"}],`, fails: `a command of VS Code, which runs nowhere else`},
	} {
		for _, wrap := range []string{"{%s\n%s}", "{\"mcp\": {%s\n%s}}"} {
			if wrap != "{%s\n%s}" && tc.refused {
				continue // places are of the first
			}
			s := only(t, fmt.Sprintf(wrap, tc.inputs, `"servers": {"s": {"command": "c", "env": {"K": "${input:k}"}}}`))
			asked := 0
			v := unset
			v.Input = func(in Input) (string, error) {
				asked++
				require.Equal(t, tc.want, in, tc.inputs)
				return "given", nil
			}
			got, err := v.Expand(s)
			if tc.refused {
				require.ErrorContains(t, err, tc.fails, tc.inputs)
				require.Zero(t, asked, tc.inputs)
				continue
			}
			require.NoError(t, err, tc.inputs)
			require.Equal(t, "given", got.Env["K"], tc.inputs)
			require.Equal(t, 1, asked)
			got, err = unset.Expand(s)
			if tc.fails != "" {
				require.ErrorContains(t, err, tc.fails[len("f.json:2:49: "):], tc.inputs)
				continue
			}
			require.NoError(t, err, tc.inputs)
			require.Equal(t, tc.nobody, got.Env["K"], tc.inputs)
		}
	}
}
