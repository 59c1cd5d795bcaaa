//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestTheScreenKeepsWhatWasCalledUnlessToldNotTo calls a tool on the screen of the real
// program: its arguments are kept for the next run, and with --no-state nothing is.
func TestTheScreenKeepsWhatWasCalledUnlessToldNotTo(t *testing.T) {
	for name, tc := range map[string]struct {
		flags []string
		kept  bool
	}{
		"as it is":   {nil, true},
		"--no-state": {[]string{"--no-state"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Env: []string{"XDG_STATE_HOME=" + dir}, Args: tc.flags})
			p.WaitFor("book_table")
			p.Type("/weather")
			p.WaitFor("Says what the weather is like")
			p.Type("\r")
			p.WaitFor("[ Call Ctrl+S ]", "Place")
			p.Type("\x13")
			p.WaitFor("18.5")
			var files []string
			if tc.kept { // it is written while the call goes on
				require.Eventually(t, func() bool {
					files, _ = filepath.Glob(filepath.Join(dir, "mcptui", "servers", "*.json"))
					return len(files) == 1
				}, ptytest.Patience, 10*time.Millisecond)
			}
			p.Type("\x03")
			require.Equal(t, exitDone, p.Wait())
			if !tc.kept {
				require.NoDirExists(t, filepath.Join(dir, "mcptui"))
				return
			}
			raw, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.Contains(t, string(raw), `"place":"Porto Lume"`)
		})
	}
}

// TestCommandsKeepNothing: only the screen remembers.
func TestCommandsKeepNothing(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(ptytest.Binary(t), "call", "weather", "place=Porto Lume")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestRecordingsThatCannotBeOpenedAreNamed opens them on a terminal, as the screen does.
func TestRecordingsThatCannotBeOpenedAreNamed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken.jsonl"), []byte("{\"mcptui-recording\":1}\n{\"seq\":1,\"at\":1,\"phase\":}\n"), 0o600))
	for _, tc := range []struct{ file, want string }{
		{"missing.jsonl", "missing.jsonl: no such file"},
		{"broken.jsonl", "broken.jsonl:2:25: this is no event"},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 10, Dir: dir, Args: []string{"open", tc.file}})
		p.WaitFor(tc.want)
		require.Equal(t, exitUsage, p.Wait())
		p.RequireRestored()
	}
}

// TestRecordingsAreOpenedWithoutColoursWhereNoneAreWanted looks at what is sent to the
// terminal.
func TestRecordingsAreOpenedWithoutColoursWhereNoneAreWanted(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command(ptytest.Binary(t), "call", "weather", "--record", filepath.Join(dir, "r.jsonl")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	colour := regexp.MustCompile("\x1b\\[([0-9;:]*;)?([349][0-7]|10[0-7]|[34]8[;:][25])([;:][0-9;:]*)?m")
	for _, flags := range [][]string{nil, {"--no-color"}} {
		p := ptytest.Start(t, ptytest.Options{Columns: 100, Rows: 30, Dir: dir, Env: []string{"COLORTERM=truecolor"}, Args: append([]string{"open", "r.jsonl"}, flags...)})
		p.WaitFor("recording", "weather")
		p.Type("\x03")
		require.Equal(t, exitDone, p.Wait())
		require.Equal(t, flags == nil, colour.Match(p.Raw()), flags)
	}
}
