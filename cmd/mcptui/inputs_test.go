//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/config"
	"mcptui/cmd/mcptui/internal/ptytest"
)

// askingFile is a config file whose server says on standard error what it got.
func askingFile(t *testing.T, inputs string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mcp.json")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"inputs":[%s],"servers":{"town":{"command":"sh",
		"args":["-c","echo got=$(printf %%s $GOT | wc -c),$GOT. >&2; exec %s serve --stdio"],"env":{"GOT":"${input:k}"}}}}`, inputs, ptytest.Binary(t)), 0o600))
	return file
}

// TestAnInputIsAskedForAsItIsDeclared types on a terminal what a file asks for.
func TestAnInputIsAskedForAsItIsDeclared(t *testing.T) {
	for _, tc := range []struct{ name, inputs, asks, typed, got string }{
		{"with a description", `{"id":"k","description":"Key of the town"}`, "Key of the town (k): ", "mine\r", "got=4,mine."},
		{"a default is shown", `{"id":"k","default":"paper"}`, `k [empty takes "paper"]: `, "\r", "got=5,paper."},
		{"another than the default", `{"id":"k","default":"paper"}`, `k [empty takes "paper"]: `, "mine\r", "got=4,mine."},
		{"empty without a default", `{"id":"k"}`, "k: ", "\r", "got=0,."},
		{"an option by its number", `{"type":"pickString","id":"k","options":["red",{"label":"Deep blue","value":"blue"}]}`, "  2. Deep blue\r\nk: ", "2\r", "got=4,blue."},
		{"an option by its label", `{"type":"pickString","id":"k","options":["red",{"label":"Deep blue","value":"blue"}]}`, "k: ", "Deep blue\r", "got=4,blue."},
		{"an option's default", `{"type":"pickString","id":"k","options":["red","blue"],"default":"red"}`, `k [empty takes "red"]: `, "\r", "got=3,red."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 40, Args: []string{"tools", "--show-secrets", "--config", askingFile(t, tc.inputs)}})
			p.WaitFor("k")
			p.Type(tc.typed)
			require.Equal(t, exitDone, p.Wait())
			require.Contains(t, string(p.Raw()), tc.asks)
			require.Contains(t, string(p.Raw()), tc.got)
		})
	}
}

// TestAPasswordIsNotShown types one: nothing of it is on the terminal, which shows
// what is typed again as soon as it was read, or given up.
func TestAPasswordIsNotShown(t *testing.T) {
	file := askingFile(t, `{"type":"promptString","id":"k","description":"Password","password":true,"default":"of-the-file"}`)
	for _, tc := range []struct {
		name, typed, got string
		code             int
	}{
		{"typed", "xyz\x7fzzy-xyzzy\r", "got=11,***.", exitDone},
		{"the default", "\r", "got=11,***.", exitDone},
		{"given up", "xyzzy-xyzzy\x03", "", exitInterrupted},
		{"at the end of the input", "xyzzy-xyzzy\x04\x04\x04", "got=11,***.", exitDone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 40, Args: []string{"tools", "--config", file}})
			p.WaitFor("Password (k) [empty takes the file's default]:")
			p.Type(tc.typed)
			require.Equal(t, tc.code, p.Wait())
			require.NotContains(t, string(p.Raw()), "xy")
			require.NotContains(t, string(p.Raw()), "zzy")
			require.NotContains(t, string(p.Raw()), "of-the-file")
			require.Contains(t, string(p.Raw()), tc.got)
			p.RequireRestored()
		})
	}
}

// TestAnInputThatNoneDeclaresIsNotAskedFor is on a terminal, where it could be.
func TestAnInputThatNoneDeclaresIsNotAskedFor(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: 200, Rows: 40, Args: []string{"tools", "--config", askingFile(t, `{"id":"kk"}`)}})
	require.Equal(t, exitUsage, p.Wait())
	require.Contains(t, p.Text(), `mcp.json:2:`)
	require.Contains(t, p.Text(), `${input:k}: "inputs" declares no "k"; did you mean "kk"?`)
}

// TestABadEntryDoesNotCloseTheFile opens the UI on a file of one good server and two
// bad ones: there is something to choose, and the bad ones say why they cannot be.
func TestABadEntryDoesNotCloseTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mixed.json")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"mcpServers":{
"hollow":{},
"good":{"command":%q,"args":["serve","--stdio"]},
"twice":{"command":"c"},
"twice":{"command":"c"}}}`, ptytest.Binary(t)), 0o600))
	env := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config")}
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Env: env, Args: []string{"--config", file}})
	p.WaitFor("Connect to", "good", `2:10: mcpServers "hollow": it has neither`, `5:1: mcpServers "twice" is there twice`)
	p.Type("\r") // what can be chosen is selected
	p.WaitFor("book_table", "[2 Catalogue]")
	p.Type("q")
	require.Equal(t, exitDone, p.Wait())
	p.RequireRestored()

	require.NoError(t, os.WriteFile(file, []byte(`{"mcpServers":{"hollow":{},"other":[]}}`), 0o600))
	p = ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Env: env, Args: []string{"--config", file}})
	require.Equal(t, exitUsage, p.Wait(), "there is nothing to choose")
	require.Contains(t, p.Text(), "none of the file's servers can be used")
}

// TestPicked knows an option by what is typed for it.
func TestPicked(t *testing.T) {
	options := []config.Option{{Label: "Red", Value: "2"}, {Label: "Blue", Value: "b"}}
	for typed, want := range map[string]string{"Red": "2", "b": "b", "2": "2", " 1 ": "2", "0": "", "3": "", "": "", "red": ""} {
		got, ok := picked(typed, options)
		require.Equal(t, want, got, typed)
		require.Equal(t, want != "", ok, typed)
	}
	got, ok := picked("anything", nil)
	require.True(t, ok)
	require.Equal(t, "anything", got)
}
