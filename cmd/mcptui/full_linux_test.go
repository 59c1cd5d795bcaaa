package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// full is a file that takes nothing: each write says that no space is left.
const full = "/dev/full"

// TestWhatIsNotRecordedIsDoneAllTheSame records to a full disk: each command prints
// the one document that it prints without --record, and says beside it that the
// recording is not there.
func TestWhatIsNotRecordedIsDoneAllTheSame(t *testing.T) {
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	for _, tc := range []struct {
		args string
		code int // without --record
	}{
		{"call add a=1 b=2 --json", exitDone},
		{"call add a=1 b=2", exitDone},
		{"call book_table --on-ask fail --json", exitInput},
		{"call nothing_of_that_name --json", exitProtocol},
		{"raw tools/list", exitDone},
		{"tools --json", exitDone},
		{"discover --json", exitDone},
		{"lint --json", exitDone},
		{"lint", exitDone},
	} {
		t.Run(tc.args, func(t *testing.T) {
			t.Parallel()
			run := func(more ...string) (code int, out, said string) {
				cmd := exec.Command(ptytest.Binary(t), append(strings.Fields(tc.args), more...)...)
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); err != nil {
					require.IsType(t, &exec.ExitError{}, err)
				}
				return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
			}
			code, plain, _ := run()
			require.Equal(t, tc.code, code, plain)
			code, out, said := run("--record", full)
			if tc.code == exitDone {
				tc.code = exitUsage
			}
			require.Equal(t, tc.code, code, said)
			require.Equal(t, 1, strings.Count(said, "no space left on device"), said)
			require.NotContains(t, said, "--help")
			if strings.Contains(tc.args, "--json") {
				d := json.NewDecoder(strings.NewReader(out))
				var doc any
				require.NoError(t, d.Decode(&doc), out)
				require.False(t, d.More(), "one document: %s", out)
			}
			require.Equal(t, strings.Count(plain, "\n"), strings.Count(out, "\n"), out)
		})
	}
}

// TestTheUIGoesOnWhereTheRecordingFails opens the UI with a recording on a full
// disk: the screen says so at once, calls go on, and it is said again at the end.
func TestTheUIGoesOnWhereTheRecordingFails(t *testing.T) {
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Args: []string{"--no-state", "--record", full}})
	p.WaitFor("book_table", "✖ not recorded")
	p.Type("/book", "\r", "\r")
	p.WaitFor("On which day would you like to come?", "✖ not recorded")
	p.Type("\x03", "\x03")
	require.Equal(t, exitUsage, p.Wait())
	p.RequireRestored()
	_, after, _ := strings.Cut(string(p.Raw()), "\x1b[?1049l")
	require.Contains(t, after, "--record: write the recording: ")
	require.Contains(t, after, "no space left on device")
	require.NotContains(t, after, "--help")
}
