//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestWatchRestartsTheServer changes a watched file twice: the person is asked
// the first time only.
func TestWatchRestartsTheServer(t *testing.T) {
	dir := t.TempDir()
	script := fmt.Sprintf("echo started >>starts; exec %s serve --stdio --state-key text:%s", ptytest.Binary(t), strings.Repeat("k", 32))
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Args: []string{"--no-state", "--watch", "*.py", "--", "sh", "-c", script}})
	starts := func(want int) {
		t.Helper()
		require.Eventually(t, func() bool {
			raw, _ := os.ReadFile(filepath.Join(dir, "starts"))
			return strings.Count(string(raw), "\n") == want
		}, ptytest.Patience, 10*time.Millisecond)
	}
	save := func(content string) { // in one step, so that it is one change however slow the machine
		t.Helper()
		unsaved := filepath.Join(dir, "unsaved")
		require.NoError(t, os.WriteFile(unsaved, []byte(content), 0o600))
		require.NoError(t, os.Rename(unsaved, filepath.Join(dir, "server.py")))
	}
	p.WaitFor("book_table")
	starts(1)
	save("1")
	p.WaitFor("◆ server.py changed · Ctrl+R restarts the server")
	starts(1)
	p.Type("\x12")
	p.WaitForGone("server.py changed")
	starts(2)
	p.WaitFor("book_table")
	save("2")
	starts(3)
	p.WaitFor("book_table")
	p.Type("\x03")
	p.Wait()
	p.RequireRestored()
}

// TestWatchRunsTheLastCallAgain calls two tools and changes a watched file twice.
// The server keeps what it was sent: the second call came once more after each
// restart, with its arguments, and the first did not.
func TestWatchRunsTheLastCallAgain(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "src", "deep"), 0o700))
	script := fmt.Sprintf("tee -a sent | %s serve --stdio --state-key text:%s", ptytest.Binary(t), strings.Repeat("k", 32))
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Args: []string{"--no-state", "--watch", "src/**/*.py", "--watch", "*.toml", "--", "sh", "-c", script}})
	calls := func(tool string, want int) {
		t.Helper()
		require.Eventually(t, func() bool {
			raw, _ := os.ReadFile(filepath.Join(dir, "sent"))
			got := 0
			for line := range strings.Lines(string(raw)) {
				if strings.Contains(line, `"method":"tools/call"`) && strings.Contains(line, tool) {
					got++
				}
			}
			return got == want
		}, ptytest.Patience, 10*time.Millisecond)
	}
	save := func(name string) { // in one step, so that it is one change however slow the machine
		t.Helper()
		unsaved := filepath.Join(dir, "unsaved")
		require.NoError(t, os.WriteFile(unsaved, []byte(name), 0o600))
		require.NoError(t, os.Rename(unsaved, filepath.Join(dir, name)))
	}
	p.WaitFor("book_table")
	p.Type("/souvenirs")
	p.WaitFor("Buy souvenirs")
	p.Type("\r")
	p.WaitFor("tied by hand")
	calls("souvenirs", 1)
	p.Type("q")
	p.WaitFor("[1 Calls]")
	p.Type("2", "/weather")
	p.WaitFor("Says what the weather is like")
	p.Type("\r")
	p.WaitFor("[ Call Ctrl+S ]", "Place")
	p.Type("\x13")
	calls(`"arguments":{"place":"Porto Lume"}`, 1)
	p.WaitFor("18.5")
	save("server.toml")
	p.WaitFor("◆ server.toml changed · Ctrl+R restarts the server")
	calls("weather", 1) // not before somebody agrees
	p.Type("\x12")
	calls(`"arguments":{"place":"Porto Lume"}`, 2)
	save("other.txt") // is not watched
	save("pyproject.toml")
	calls(`"arguments":{"place":"Porto Lume"}`, 3)
	calls("souvenirs", 1)
	p.Type("\x03")
	p.Wait()
	p.RequireRestored()
}

func TestWatchNeedsAServerOfItsOwn(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--watch", "*.py"}, "--watch \"*.py\" restarts a stdio server"},
		{[]string{"--watch", "[a", "--", "sh"}, "--watch \"[a\" is no pattern"},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 140, Rows: 10, Args: tc.args})
		p.WaitFor(tc.want)
		require.Equal(t, exitUsage, p.Wait())
		p.RequireRestored()
	}
}
