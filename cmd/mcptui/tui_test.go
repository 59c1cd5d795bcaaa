//go:build linux || darwin

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/cmd/mcptui/internal/ptytest"
)

func TestMain(m *testing.M) {
	// A signal that this process was started to ignore, as under nohup, would stay
	// ignored in the programs that the tests start: one that is caught does not.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	// What is kept between runs must not be kept of tests.
	state, err := os.MkdirTemp("", "mcptui-state-*")
	if err == nil {
		err = os.Setenv("XDG_STATE_HOME", state)
	}
	if err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(ptytest.Patient{M: m}, goleak.Cleanup(func(code int) {
		ptytest.Clean()
		_ = os.RemoveAll(state)
		os.Exit(code)
	}))
}

// TestBookTable answers three questions on the real binary: the same forms, keys
// and result on every transport and in both eras, with a ladder that shows how
// the eras differ.
func TestBookTable(t *testing.T) {
	url := serveHTTP(t)
	for _, server := range []struct {
		name string
		args []string
	}{
		{"built-in", nil},
		{"http", []string{url}},
		{"stdio", []string{"--", ptytest.Binary(t), "serve", "--stdio"}},
	} {
		for _, era := range []struct{ name, ladder, state string }{
			{"modern", "input_required", "expires in"},
			{"legacy", "◀─ elicitation 1", "no requestState in this era"},
		} {
			t.Run(server.name+"/"+era.name, func(t *testing.T) {
				p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Args: append([]string{"--era", era.name}, server.args...)})
				p.WaitFor("book_table")
				p.Type("\x1b[B", "\r") // two keys to the first question
				p.WaitFor("On which day would you like to come?", era.ladder, era.state)
				p.Type("2026-12-24", "\x13")
				p.WaitFor("For how many, and where")
				p.Type("\x13")
				p.WaitFor("Book a table for 2 on 2026-12-24")
				p.Type("\x1b[D")
				p.WaitFor(`{"ok":true}`)
				p.Type("\x13")
				p.WaitFor("Your table is booked: 2 seats, 2026-12-24")
				p.Type("q", "q")
				require.Equal(t, exitDone, p.Wait())
				p.RequireRestored()
			})
		}
	}
}

// TestBookTableByMouse does the same without the keyboard, but for the date.
func TestBookTableByMouse(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36})
	const row = "book_table  Book a table" // its title alone stands over the details, too
	p.ClickOn(row)
	p.WaitFor(">   "+row, "╭ book_table ─")
	p.ClickOn(row) // the second click opens what is selected
	p.WaitFor("On which day would you like to come?")
	p.Type("2026-12-24")
	p.WaitFor(`{"date":"2026-12-24"}`)
	p.ClickOn("[ Send")
	p.WaitFor("For how many, and where")
	p.ClickOn("[ Send")
	p.WaitFor("Book a table for 2 on 2026-12-24")
	p.ClickOn("( ) true")
	p.WaitFor(`{"ok":true}`)
	p.ClickOn("[ Send")
	p.WaitFor("Your table is booked: 2 seats")
}

// serveHTTP runs the built-in server on a free port and returns its URL.
func serveHTTP(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(ptytest.Binary(t), "serve", "--http", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(errs)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "serving at "); ok {
			return url
		}
	}
	t.Fatal("the server did not say where it serves")
	return ""
}

// TestARetryIsSentAsAnotherPrincipal gives the headers of two people, holds a
// retry of the one, and sends it as the other: the server refuses the state.
func TestARetryIsSentAsAnotherPrincipal(t *testing.T) {
	server := serve(t, nil, "--state-key", sharedKey, "--token", "ada=token-of-ada-0123", "--token", "bob=token-of-bob-4567")
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Args: []string{
		"--no-state", "--header", "Authorization: Bearer token-of-ada-0123", "--other-header", "Authorization: Bearer token-of-bob-4567", server.url,
	}})
	p.WaitFor("book_table")
	p.Type("i", "\x1b[B", "\r")
	p.WaitFor("On which day would you like to come?")
	p.Type("2026-12-24")
	p.WaitFor(`{"date":"2026-12-24"}`)
	p.Type("\x13")
	p.WaitFor("held: the retry")
	p.Type("\x1b[27u", "T")
	p.WaitFor("another principal")
	p.ClickOn("another principal")
	p.Type("\r")
	p.WaitFor("add the header Authorization")
	p.Type("\x13")
	p.WaitForGone("held: the retry")
	p.Type("6")
	p.WaitFor("another principal", "refused with error -32602")
	require.NotContains(t, p.Text(), "token-of-bob")
	server.says("another principal")
	p.Type("\x03")
	require.Equal(t, exitDone, p.Wait())
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
		{"SIGQUIT", func(p *ptytest.Process) { p.Signal(syscall.SIGQUIT) }, exitTerminated},
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

// TestNoColourWhereNoneIsWanted looks at what is sent to the terminal: colours, unless
// the flag or the environment says that there shall be none.
func TestNoColourWhereNoneIsWanted(t *testing.T) {
	colour := regexp.MustCompile("\x1b\\[([0-9;:]*;)?([349][0-7]|10[0-7]|[34]8[;:][25])([;:][0-9;:]*)?m")
	for _, tc := range []struct {
		name      string
		env, args []string
		want      bool
	}{
		{"as it is", nil, nil, true},
		{"--no-color", nil, []string{"--no-color"}, false},
		{"NO_COLOR", []string{"NO_COLOR=1"}, nil, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 30, Env: append([]string{"COLORTERM=truecolor"}, tc.env...), Args: append([]string{"--no-state"}, tc.args...)})
			p.WaitFor("book_table")
			p.Type("\x1b[B", "\r")
			p.WaitFor("On which day")
			p.Signal(syscall.SIGTERM)
			require.Equal(t, exitTerminated, p.Wait())
			require.Equal(t, tc.want, colour.Match(p.Raw()))
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
