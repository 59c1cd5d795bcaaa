//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/cmd/mcptui/internal/ptytest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { ptytest.Clean(); os.Exit(code) }))
}

func TestBookTableByKeyboard(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36})
	p.WaitFor("book_table")
	p.Type("\x1b[B", "\r") // two keys to the first question
	p.WaitFor("On which day")
	p.Type("2026-12-24", "\x13")
	p.WaitFor("How many")
	p.Type("4", "\t", "\r", "\x1b[B", "\r", "\x13")
	p.WaitFor("Shall I book")
	p.Type("\x1b[B", "\r", "\x13")
	p.WaitFor("Booked")
	p.Type("q", "q", "q")
	require.Equal(t, exitDone, p.Wait())
	p.RequireRestored()
}

// TestEveryWayOut ends the program in each way that it can end, and looks at
// what the terminal and the machine are left as.
func TestEveryWayOut(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(p *ptytest.Process)
		code int
	}{
		{"q", func(p *ptytest.Process) { p.Type("q") }, exitDone},
		{"Ctrl+C", func(p *ptytest.Process) { p.Type("\x03") }, exitDone},
		{"SIGINT", func(p *ptytest.Process) { p.Signal(os.Interrupt) }, exitInterrupted},
		{"SIGTERM", func(p *ptytest.Process) { p.Signal(syscall.SIGTERM) }, exitTerminated},
		{"SIGHUP", func(p *ptytest.Process) { p.Signal(syscall.SIGHUP) }, exitTerminated},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			script := fmt.Sprintf("echo $$ > %s; exec %s serve --stdio --state-key text:%s", pidFile, ptytest.Binary(t), strings.Repeat("k", 32))
			p := ptytest.Start(t, ptytest.Options{Args: []string{"--", "sh", "-c", script}})
			p.WaitFor("book_table")
			tc.end(p)
			require.Equal(t, tc.code, p.Wait())
			p.RequireRestored()
			ptytest.RequireGone(t, childPID(t, pidFile))
		})
	}
}

func TestHangUpLeavesNoChild(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	script := fmt.Sprintf("echo $$ > %s; exec %s serve --stdio", pidFile, ptytest.Binary(t))
	p := ptytest.Start(t, ptytest.Options{Args: []string{"--", "sh", "-c", script}})
	p.WaitFor("book_table")
	pid := p.PID()
	p.HangUp()
	ptytest.RequireGone(t, pid)
	ptytest.RequireGone(t, childPID(t, pidFile))
}

func TestAPanicRestoresTheTerminal(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "mcptui")
	out, err := exec.Command("go", "build", "-tags", "mcptui_crash", "-o", bin, "mcptui/cmd/mcptui").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, place := range []string{"connection", "update", "command"} {
		t.Run(place, func(t *testing.T) {
			p := ptytest.Start(t, ptytest.Options{Bin: bin, Env: []string{"MCPTUI_CRASH=" + place}})
			if place != "connection" {
				p.WaitFor("book_table")
				p.Type("j")
			}
			require.NotEqual(t, exitDone, p.Wait())
			p.RequireRestored()
			require.Contains(t, string(p.Raw()), "a crash on purpose in "+place)
		})
	}
}

func TestScreensNeedATerminal(t *testing.T) {
	for _, tc := range []struct{ name, shell string }{
		{"standard output is a file", "%s > out"},
		{"standard input is a pipe", "true | %s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", fmt.Sprintf(tc.shell, ptytest.Binary(t)))
			cmd.Dir = t.TempDir()
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			require.Equal(t, exitUsage, cmd.ProcessState.ExitCode())
			require.Contains(t, string(out), "needs a terminal")
			require.NotContains(t, string(out), "\x1b")
		})
	}
}

func childPID(t *testing.T, file string) int {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	require.NoError(t, err)
	return pid
}
