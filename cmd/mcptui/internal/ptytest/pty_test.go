//go:build linux || darwin

package ptytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("PTYTEST_PROGRAM") != "" {
		program()
		return
	}
	goleak.VerifyTestMain(Patient{m}, goleak.Cleanup(func(code int) { Clean(); os.Exit(code) }))
}

// sh starts a shell script on a terminal: enough of a program to test the
// harness with.
func sh(t *testing.T, script string, o Options) *Process {
	t.Helper()
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs sh")
	}
	o.Bin, o.Args = path, []string{"-c", script}
	return Start(t, o)
}

func TestSeesScreenAndExit(t *testing.T) {
	p := sh(t, `printf 'hello\n'; read x; echo "got $x"; exit 7`, Options{})
	p.WaitFor("hello")
	p.Type("abc\r")
	p.WaitFor("got abc")
	require.Equal(t, 7, p.Wait())
	p.RequireRestored()
	require.Contains(t, string(p.Raw()), "got abc")
}

func TestSignalAndSize(t *testing.T) {
	p := sh(t, `trap 'stty size; exit 3' WINCH; stty size; while :; do sleep 0.02; done`, Options{Columns: 60, Rows: 20})
	p.WaitFor("20 60")
	p.Resize(50, 10)
	require.Equal(t, 3, p.Wait())
	p.WaitFor("10 50")

	p = sh(t, `echo ready; sleep 60 & echo $! > `+filepath.Join(t.TempDir(), "pid")+`; wait`, Options{})
	p.WaitFor("ready")
	p.Signal(syscall.SIGKILL)
	require.Equal(t, 128+9, p.Wait())
}

func TestQueries(t *testing.T) {
	program := os.Args[0]
	p := Start(t, Options{Bin: program, Env: []string{"PTYTEST_PROGRAM=ask"}})
	p.WaitFor("answered")
	require.Equal(t, 0, p.Wait())
	p = Start(t, Options{Bin: program, Env: []string{"PTYTEST_PROGRAM=ask"}, Silent: true})
	p.WaitFor("asking")
	p.Type("x")
	p.WaitFor("silent")
	require.Equal(t, 0, p.Wait())
}

func TestAnUntidyProgramIsSeen(t *testing.T) {
	for name, script := range map[string]string{
		"alternate screen": `printf '\033[?1049h'`,
		"cursor":           `printf '\033[?25l'`,
		"mouse":            `printf '\033[?1000h'`,
		"paste":            `printf '\033[?2004h'`,
		"keyboard":         `printf '\033[>1u'`,
		"line discipline":  `stty -echo`,
	} {
		t.Run(name, func(t *testing.T) {
			p := sh(t, script, Options{})
			require.Equal(t, 0, p.Wait())
			var found recorder
			p.t = &found
			p.RequireRestored()
			p.t = t
			require.Len(t, found.errors, 1)
		})
	}
}

// recorder takes the failures of a check that is meant to fail.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Error(...any)              { r.errors = append(r.errors, "error") }
func (r *recorder) Errorf(f string, _ ...any) { r.errors = append(r.errors, f) }
func (r *recorder) Fatalf(f string, _ ...any) { r.errors = append(r.errors, f); panic("fatal") }

// TestAnAmbiguousClickFails clicks on what is on the screen twice, and on what is
// there once, right of a wide character.
func TestAnAmbiguousClickFails(t *testing.T) {
	p := sh(t, `stty raw -echo; printf 'two words\r\n漢 a few words\r\nready'; read x; echo; exit`, Options{})
	p.WaitFor("ready")
	var found recorder
	p.t = &found
	require.PanicsWithValue(t, "fatal", func() { p.ClickOn("words") })
	p.t = t
	require.Len(t, found.errors, 1)
	require.Contains(t, found.errors[0], "more than once")
	x, y := p.place("a few")
	require.Equal(t, []int{3, 1}, []int{x, y})
	p.ClickOn("a few")
	p.Type("\n")
	require.Equal(t, 0, p.Wait())
}

// TestAFrameIsShownAsAWhole looks between the pieces of a frame that is synchronized.
func TestAFrameIsShownAsAWhole(t *testing.T) {
	for name, tc := range map[string]struct {
		pieces, shown []string
	}{
		"no frame":             {[]string{"a", "b"}, []string{"a", "ab"}},
		"in one piece":         {[]string{"a\x1b[?2026hb\x1b[?2026lc"}, []string{"a\x1b[?2026hb\x1b[?2026lc"}},
		"in two":               {[]string{"a\x1b[?2026hb", "c\x1b[?2026l"}, []string{"a", "a\x1b[?2026hbc\x1b[?2026l"}},
		"the beginning is cut": {[]string{"a\x1b[?20", "26hb", "c\x1b[?2026l"}, []string{"a", "a", "a\x1b[?2026hbc\x1b[?2026l"}},
		"the end is cut":       {[]string{"a\x1b[?2026hb\x1b", "[?2026l"}, []string{"a", "a\x1b[?2026hb\x1b[?2026l"}},
		"two frames":           {[]string{"\x1b[?2026ha\x1b[?2026l\x1b[?2026hb", "\x1b[?2026l"}, []string{"\x1b[?2026ha\x1b[?2026l", "\x1b[?2026ha\x1b[?2026l\x1b[?2026hb\x1b[?2026l"}},
		"another sequence":     {[]string{"a\x1b[?20", "04h"}, []string{"a", "a\x1b[?2004h"}},
	} {
		t.Run(name, func(t *testing.T) {
			var f frames
			shown := ""
			for i, piece := range tc.pieces {
				shown += string(f.whole([]byte(piece)))
				require.Equal(t, tc.shown[i], shown)
			}
			require.Empty(t, f.rest())
		})
	}
	f := frames{}
	require.Empty(t, f.whole([]byte("\x1b[?2026ha")))
	require.Equal(t, "\x1b[?2026ha", string(f.rest()), "a program that died in the middle of a frame")
}

func TestHangUp(t *testing.T) {
	dir := t.TempDir()
	p := sh(t, `trap 'echo hup > `+dir+`/hup; exit 5' HUP; echo $$ > `+dir+`/pid; echo ready; while :; do sleep 0.02; done`, Options{})
	p.WaitFor("ready")
	raw, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	require.NoError(t, err)
	require.Equal(t, p.PID(), pid)
	p.HangUp()
	require.Equal(t, 5, p.Wait())
	require.FileExists(t, dir+"/hup")
	RequireGone(t, pid)
}

// program is what the test binary is when it is started on a terminal: it asks
// the terminal for its attributes and says whether it was answered.
func program() {
	raw := exec.Command("stty", "raw", "-echo")
	raw.Stdin = os.Stdin
	_ = raw.Run()
	os.Stdout.WriteString("asking\r\n\x1b[c")
	b := make([]byte, 64)
	if _, err := os.Stdin.Read(b); err == nil && b[0] == '\x1b' {
		os.Stdout.WriteString("answered\r\n")
		return
	}
	os.Stdout.WriteString("silent\r\n")
}
