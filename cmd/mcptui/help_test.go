//go:build linux || darwin

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// every is the root command and all below it that are ours.
func every(t *testing.T, visit func(*cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		visit(c)
		for _, sub := range c.Commands() {
			if sub.Name() != "help" && sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(newRoot(&app{Streams: Streams{Out: io.Discard, Err: io.Discard}}))
}

// TestEveryCommandExplainsItself holds that each command says what it does, that
// each flag says what it is, and that no example is out of date: every example
// line parses, by the flags and the arguments of its command.
func TestEveryCommandExplainsItself(t *testing.T) {
	every(t, func(c *cobra.Command) {
		t.Run(c.Name(), func(t *testing.T) {
			require.NotEmpty(t, c.Short)
			require.NotEmpty(t, c.Example)
			c.Flags().VisitAll(func(f *pflag.Flag) { require.NotEmpty(t, f.Usage, f.Name) })
			for line := range strings.Lines(c.Example) {
				line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
				words := shellWords(t, line)
				require.Equal(t, "mcptui", words[0], line)
				a := &app{Streams: Streams{Out: io.Discard, Err: io.Discard}}
				root := newRoot(a)
				found, rest, err := root.Find(words[1:])
				require.NoError(t, err, line)
				require.NoError(t, found.ParseFlags(rest), line)
				args := found.Flags().Args()
				require.NoError(t, found.ValidateArgs(args), line)
				_, _, err = a.split(found, args, min(len(args), 2))
				require.NoError(t, err, line)
			}
		})
	})
}

// TestExamplesRun runs the examples that need no server but the built-in one and
// no terminal.
func TestExamplesRun(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "answers.yaml"), []byte("match: [{method: elicitation/create, message: day, reply: {accept: {date: 2026-12-24}}}, {method: elicitation/create, message: many, reply: {accept: defaults}}]\norder: [{accept: {ok: yes}}]\n"), 0o600))
	ran := 0
	every(t, func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			if c.Name() == "mcptui" || c.Name() == "serve" || c.Name() == "listen" || c.Name() == "open" ||
				strings.Contains(line, "://") && !strings.Contains(line, "town://") || strings.Contains(line, " -- ") || strings.Contains(line, ".jsonl") {
				continue // a server, a recording or a terminal that is not here
			}
			ran++
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(ptytest.Binary(t))+":"+os.Getenv("PATH"), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", line, out)
		}
	})
	require.Greater(t, ran, 10)
}

// shellWords splits as a shell does: sh prints one word a line.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "printf '%s\\n' "+line).Output()
	require.NoError(t, err, line)
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// TestCompletion completes commands, flags and their values without dialling
// anything, and prints a script for each shell.
func TestCompletion(t *testing.T) {
	complete := func(args ...string) string {
		var out bytes.Buffer
		require.Equal(t, exitDone, Run(append([]string{"__complete"}, args...), Streams{Out: &out, Err: io.Discard}))
		return out.String()
	}
	require.Contains(t, complete("too"), "tools\t")
	require.Contains(t, complete("tools", "--pro"), "--profile")
	require.Contains(t, complete("tools", "--era", ""), "modern\nlegacy")
	require.Contains(t, complete("tools", "--profile", "fau"), "faults")
	require.Contains(t, complete("call", "--on-ask", ""), "decline")
	for shell, want := range map[string]string{"bash": "complete -o default", "zsh": "#compdef mcptui", "fish": "complete -c mcptui"} {
		var out bytes.Buffer
		require.Equal(t, exitDone, Run([]string{"completion", shell}, Streams{Out: &out, Err: io.Discard}))
		require.Contains(t, out.String(), want)
	}
}
