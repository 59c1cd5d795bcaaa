//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestPrompts answers on a terminal, one question at a time, in both eras.
func TestPrompts(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		talk func(p *ptytest.Process)
		code int
	}{
		{"form", []string{"greet"}, func(p *ptytest.Process) {
			p.WaitFor("round 1: request", "What is your name?", "Name (string; required):")
			p.Type("\r")
			p.WaitFor("it is required")
			p.Type("Ada\r")
			p.WaitFor(`send {"name":"Ada"}? [y]es, [d]ecline, [c]ancel:`)
			p.Type("\r") // no consent
			p.Type("y\r")
			p.WaitFor("Hello, Ada!")
		}, exitDone},
		{"an answer that does not fit is asked for again", []string{"book_table"}, func(p *ptytest.Process) {
			p.WaitFor("On which day")
			p.Type("tomorrow\r")
			p.WaitFor("✖")
			p.Type("2026-12-24\r")
			p.WaitFor(`send {"date":"2026-12-24"}?`)
			p.Type("y\r")
			p.WaitFor("For how many", "empty takes 2")
			p.Type("\r\r")
			p.WaitFor(`"seats":2`)
			p.Type("d\r")
		}, exitDone},
		{"decline", []string{"greet"}, func(p *ptytest.Process) {
			p.WaitFor("required):")
			p.Type("x\r")
			p.WaitFor("[d]ecline")
			p.Type("d\r")
		}, exitDone},
		{"cancel", []string{"greet"}, func(p *ptytest.Process) {
			p.WaitFor("required):")
			p.Type("x\r")
			p.WaitFor("[c]ancel")
			p.Type("c\r")
		}, exitDone},
		{"page", []string{"connect_account"}, func(p *ptytest.Process) {
			p.WaitFor("nothing was opened", "https://", "do you agree?")
			p.Type("y\r")
		}, exitDone},
		{"sampling, roots and a form", []string{"plan_trip", "--root", "file:///srv/trips"}, func(p *ptytest.Process) {
			p.WaitFor("the server wants a model's answer", "Plan one day in Isola Verde")
			p.Type("Sleep late.\r")
			p.WaitFor("Who is travelling?")
			p.Type("\r\r\r")
			p.WaitFor("send {")
			p.Type("y\r")
			p.WaitFor("Sleep late.", "/srv/trips")
		}, exitDone},
		{"a person's time does not count", []string{"greet", "--timeout", "5s"}, func(p *ptytest.Process) {
			p.WaitFor("required):")
			time.Sleep(5500 * time.Millisecond) // longer than the timeout, which is none that a slow machine would need
			p.Type("Ada\r")
			p.WaitFor("send {")
			p.Type("y\r")
			p.WaitFor("Hello, Ada!")
		}, exitDone},
		{"Ctrl+D gives up", []string{"greet"}, func(p *ptytest.Process) {
			p.WaitFor("required):")
			p.Type("\x04")
			p.WaitFor("the input ended")
		}, exitInput},
		{"Ctrl+C interrupts", []string{"greet"}, func(p *ptytest.Process) {
			p.WaitFor("required):")
			p.Type("\x03")
			p.WaitFor("interrupted")
		}, exitInterrupted},
	} {
		for _, era := range []string{"modern", "legacy"} {
			t.Run(tc.name+"/"+era, func(t *testing.T) {
				t.Parallel()
				p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 40, Args: append([]string{"call", "--era", era}, tc.args...)})
				tc.talk(p)
				require.Equal(t, tc.code, p.Wait())
				p.RequireRestored()
			})
		}
	}
}

// TestAModelsAnswerCanBeRefused rejects sampling by an empty line: a modern call
// ends there, a legacy server is told and goes on.
func TestAModelsAnswerCanBeRefused(t *testing.T) {
	for _, tc := range []struct {
		args []string
		code int
	}{
		{[]string{"call", "plan_trip", "--era", "modern"}, exitInput},
		{[]string{"call", "dictate_letter", "--era", "legacy"}, exitToolError},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 40, Args: tc.args})
		p.WaitFor("answer as the model (empty rejects):")
		p.Type("\r")
		require.Equal(t, tc.code, p.Wait())
	}
}

// TestSecretsAreMaskedOnATerminal holds what is shown of --env: neither the server's
// standard error nor its result gives it away, unless that is asked for.
func TestSecretsAreMaskedOnATerminal(t *testing.T) {
	server := []string{"--", "sh", "-c", `echo "the key is $KEY" >&2; exec "$0" serve --stdio`, ptytest.Binary(t)}
	call := []string{"call", "greet", "--on-ask", "prompt", "--env", "KEY=very-secret-key"}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, "***"},
		{[]string{"--show-secrets"}, "very-secret-key"},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 40, Args: append(append(append([]string{}, call...), tc.args...), server...)})
		p.WaitFor("the key is "+tc.want, "required):")
		p.Type("very-secret-key\r")
		p.WaitFor("send {")
		p.Type("y\r")
		p.WaitFor("Hello, " + tc.want)
		require.Equal(t, exitDone, p.Wait())
	}
}

// TestServersMaskTheirSecretsOnATerminal holds what files of servers name: the text
// masks wherever it is read, the document only where a person reads it.
func TestServersMaskTheirSecretsOnATerminal(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(`{"mcpServers":{"town":{"command":"town","args":["--token","very-secret-token"]}}}`), 0o600))
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"servers"}, "town --token ***"},
		{[]string{"servers", "--show-secrets"}, "town --token very-secret-token"},
		{[]string{"servers", "--json"}, `"--token","***"`},
		{[]string{"servers", "--json", "--show-secrets"}, `"--token","very-secret-token"`},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 300, Args: tc.args, Dir: dir})
		require.Equal(t, exitDone, p.Wait())
		require.Contains(t, string(p.Raw()), tc.want)
	}
}

// TestEachStreamDecidesForItself sends a hostile result to a file while standard
// error is a terminal: what goes to the file is the server's own.
func TestEachStreamDecidesForItself(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	p := ptytest.Start(t, ptytest.Options{Args: []string{"call", "hostile_text", "kind=sgr", "--", "sh", "-c", `printf '\033[2Jbad\n' >&2; exec "$0" serve --stdio --profile faults`, ptytest.Binary(t)}, Stdout: file})
	require.Equal(t, exitDone, p.Wait())
	require.NoError(t, file.Close())
	raw, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Contains(t, string(raw), "\x1b[31;1;5mRED", "a file is no terminal")
	require.NotContains(t, string(p.Raw()), "\x1b")
}

// TestProgressIsTold shows on a terminal what goes on in a call.
func TestProgressIsTold(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 40, Args: []string{"call", "long_job", "steps=3", "pause_ms=0", "--log-level", "info"}})
	require.Equal(t, exitDone, p.Wait())
	require.Contains(t, p.Text(), "progress 3/3")
	require.Contains(t, p.Text(), "log info: ")
}

// TestAnInputOfAConfigFileIsAskedFor takes the server out of a file with a
// variable that only a person knows; Ctrl+C there is an interrupt as elsewhere.
func TestAnInputOfAConfigFileIsAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"inputs":[{"id":"api-key"}],"servers":{"town":{"command":"sh","args":["-c","echo key=$KEY >&2; exec $0 serve --stdio","`+ptytest.Binary(t)+`"],"env":{"KEY":"${input:api-key}"}}}}`), 0o600))
	for _, tc := range []struct {
		flags []string
		shown string
	}{
		{nil, "key=***"}, // what is in a server's environment is masked in its own words, too
		{[]string{"--show-secrets"}, "key=swordfish"},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 40, Args: append([]string{"tools", "--config", file}, tc.flags...)})
		p.WaitFor("api-key:")
		p.Type("swordfish\r")
		require.Equal(t, exitDone, p.Wait())
		require.Contains(t, string(p.Raw()), tc.shown)
		require.Contains(t, string(p.Raw()), "book_table")
	}

	p := ptytest.Start(t, ptytest.Options{Args: []string{"tools", "--config", file}})
	p.WaitFor("api-key:")
	p.Type("\x03")
	require.Equal(t, exitInterrupted, p.Wait())
	p.RequireRestored()
}

// TestATerminalIsBothInputAndError asks a person where standard input and standard
// error are terminals, whatever standard output is, and nobody otherwise.
func TestATerminalIsBothInputAndError(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		asks       bool
	}{
		{"output goes to a file", "$MCPTUI call greet --json >out", true},
		{"output goes to a pipe", "$MCPTUI call greet --json | cat >out", true},
		{"errors go to a file", "$MCPTUI call greet --json >out 2>err", false},
		{"input comes from elsewhere", "$MCPTUI call greet --json >out </dev/null", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := ptytest.Start(t, ptytest.Options{
				Bin: "/bin/sh", Args: []string{"-c", tc.line + "; echo code=$?"}, Env: []string{"MCPTUI=" + ptytest.Binary(t)},
				Columns: 120, Rows: 40, Dir: dir,
			})
			want := "code=5"
			if tc.asks {
				p.WaitFor("What is your name?", "required):")
				p.Type("Ada\r")
				p.WaitFor("send {")
				p.Type("y\r")
				want = "code=0"
			}
			require.Equal(t, exitDone, p.Wait())
			require.Contains(t, p.Text(), want)
			out, err := os.ReadFile(filepath.Join(dir, "out"))
			require.NoError(t, err)
			if tc.asks {
				text, err := member(out, "content.0.text")
				require.NoError(t, err)
				require.Contains(t, string(text), "Ada")
				return
			}
			kind, err := member(out, "error.kind")
			require.NoError(t, err)
			require.JSONEq(t, `"input_required"`, string(kind))
		})
	}
}
