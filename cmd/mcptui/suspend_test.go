//go:build linux || darwin

package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestCtrlZSuspendsAndFgDrawsAnew suspends the program below a shell with job control,
// from the list and from a form, with a server that is a child: the shell has the
// terminal, and fg brings the screen and the server back.
func TestCtrlZSuspendsAndFgDrawsAnew(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	const script = `"$0" --no-state -- "$0" serve --stdio; echo "stopped 1"; read x; fg >/dev/null; echo "stopped 2"; read x; fg >/dev/null; echo "ended $?"`
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Bin: bash, Args: []string{"--norc", "-mc", script, ptytest.Binary(t)}})
	p.WaitFor("book_table")
	p.Type("\x1a")
	p.WaitFor("stopped 1")
	p.Type("\r")
	p.WaitFor("book_table", "mcptui-demo")
	p.Type("/add", "\r")
	p.WaitFor("[ Call")
	p.Type("2", "\x1a")
	p.WaitFor("stopped 2")
	p.Type("\r")
	p.WaitFor("[ Call", `": 2`) // what was typed is still there
	p.Type("\x03")
	p.WaitFor("was changed. Quit")
	p.Type("\x03")
	require.Equal(t, exitDone, p.Wait())
	require.Contains(t, string(p.Raw()), "ended 0")
}

// TestCtrlZWithoutAShellSaysSo leads a session of its own: to be stopped there would be
// to be stopped for good.
func TestCtrlZWithoutAShellSaysSo(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Args: []string{"--no-state"}})
	p.WaitFor("book_table")
	p.Type("\x1a")
	p.WaitFor("there is no shell behind this")
	p.Type("q")
	require.Equal(t, exitDone, p.Wait())
}
