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
	walk(newRoot(&app{Streams: Streams{Out: io.Discard, Err: io.Discard}}, nil))
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
				root := newRoot(a, words[1:])
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

// TestExamplesRun runs the examples as they stand, and those of the README's part
// about scripts, with the files that they name. Where one names the address of
// 'mcptui serve', it is that of a server of the test.
func TestExamplesRun(t *testing.T) {
	dir, url := t.TempDir(), serveHTTP(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "numbers.json"), []byte(`{"a": 2, "b": 3}`), 0o600))
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	scripts := passage(t, string(readme), "## In scripts", "\n## ")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "answers.yaml"), []byte(passage(t, scripts, "```yaml\n", "```")), 0o600))
	run := func(line string) {
		t.Helper()
		for _, where := range []string{"http://127.0.0.1:8931/mcp", "http://127.0.0.1:3000/mcp"} {
			line = strings.ReplaceAll(line, where, url)
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(ptytest.Binary(t))+":"+os.Getenv("PATH"), "HOME="+dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
	}
	run("mcptui call add a=2 b=3 --record session.jsonl")
	for _, name := range []string{"before", "after"} { // whole lists: a call goes out before its list has ended
		run("mcptui tools --record " + name + ".jsonl")
	}
	ran := 0
	every(t, func(c *cobra.Command) {
		// In the help of call the file of answers is the README's.
		if c.Name() == "call" {
			shown := "answers:\n" + passage(t, c.Long, "  answers:\n", "\n\n") + "\n"
			require.Equal(t, passage(t, scripts, "```yaml\n", "```"), strings.ReplaceAll(shown, "\n    ", "\n  "))
		}
		for line := range strings.Lines(c.Example) {
			switch line = strings.TrimSpace(line); {
			case c.Name() == "mcptui" || c.Name() == "serve" || c.Name() == "listen" || c.Name() == "open":
				continue // these need a terminal, or run until they are ended
			case strings.Contains(line, "https://") || strings.Contains(line, " npx "):
				continue // a server that is not here
			}
			ran++
			run(line)
		}
	})
	require.Greater(t, ran, 25)
	for line := range strings.Lines(passage(t, scripts, "```\n", "```")) {
		run(line)
	}
}

// passage is the part of a text between two others.
func passage(t *testing.T, text, after, before string) string {
	t.Helper()
	_, text, ok := strings.Cut(text, after)
	require.True(t, ok, after)
	text, _, ok = strings.Cut(text, before)
	require.True(t, ok, before)
	return text
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
