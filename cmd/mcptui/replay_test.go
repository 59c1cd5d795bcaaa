//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// What these tests give the program that no recording may hold.
const (
	headerToken = "tok-5f4dcc3b5aa765d6"
	envSecret   = "correct horse battery"
)

// countdown is what goes on with the clock of the day.
var countdown = regexp.MustCompile(`expire[sd][^│┃]*`)

// callScreens are the tabs of the one call of a session, without the status line
// and the footer.
func callScreens(v *visitor) (out []string) {
	v.press("1")
	v.WaitFor("[1 Calls]")
	v.press("\r")
	v.WaitFor("Your table is booked")
	for _, tab := range []string{"1", "2", "3", "4", "5", "6"} {
		v.press(tab, "g")
		lines := strings.Split(v.Text(), "\n")
		screen := countdown.ReplaceAllString(strings.Join(lines[1:hostileRows-1], "\n"), "")
		out = append(out, strings.ReplaceAll(screen, headerToken, "***"))
	}
	return out
}

// exchangesEnded waits until a recording holds the end of every HTTP exchange, but for
// the one that stays open for changes: a slow server may end one behind its answer,
// and the screens tell of it.
func exchangesEnded(t *testing.T, file string) {
	t.Helper()
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(file)
		return err == nil && bytes.Count(raw, []byte(`"stage":"request"`))-bytes.Count(raw, []byte(`"stage":"end"`)) <= 1
	}, ptytest.Patience, 10*time.Millisecond, "an exchange never ends")
}

// unpadded leaves out the blanks and borders at the ends of lines: what is masked
// is shorter.
func unpadded(screen string) string {
	lines := strings.Split(screen, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " │┃")
	}
	return strings.Join(lines, "\n")
}

// TestARecordingOpensToTheSameScreens books a table in the real program, over
// HTTP and stdio, and opens the recording of it in another one.
func TestARecordingOpensToTheSameScreens(t *testing.T) {
	url := serveHTTP(t)
	for name, args := range map[string][]string{
		"http":  {"--header", "Authorization: Bearer " + headerToken, url},
		"stdio": {"--env", "SECRET=" + envSecret, "--", "sh", "-c", `echo "the secret is $SECRET" >&2; exec "$0" serve --stdio`, ptytest.Binary(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "session.jsonl")
			v := visit(t, append([]string{"--no-state", "--record", file}, args...)...)
			v.WaitFor("book_table")
			v.press("/book", "\r")
			v.WaitFor("On which day")
			v.press("2026-12-24", "\x13")
			v.WaitFor("For how many")
			v.press("\x13")
			v.WaitFor("Book a table for 2")
			v.press("\x1b[D", "\x13")
			v.WaitFor("Your table is booked")
			v.press("\x1b[27u")
			exchangesEnded(t, file)
			v.settle()
			live := callScreens(v)
			v.Type("\x03")
			require.Equal(t, exitDone, v.Wait())

			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NotContains(t, string(raw), headerToken)
			require.NotContains(t, string(raw), envSecret)
			if name == "stdio" {
				require.Contains(t, string(raw), "the secret is ***")
			}

			again := visit(t, "open", file)
			again.WaitFor("recording")
			opened := callScreens(again)
			for i := range live {
				require.Equal(t, unpadded(live[i]), unpadded(opened[i]), "tab %d", i+1)
			}
			again.Type("\x03")
			require.Equal(t, exitDone, again.Wait())
			again.RequireRestored()
		})
	}
}

// TestARecordingIsOpenedWhereverItIsCutOff cuts a recording off at many places: as
// soon as one event can be read, those that can be are shown, with what is missing.
func TestARecordingIsOpenedWhereverItIsCutOff(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	out, err := exec.Command(ptytest.Binary(t), "call", "add", "a=1", "b=2", "--record", whole).CombinedOutput()
	require.NoError(t, err, string(out))
	raw, err := os.ReadFile(whole)
	require.NoError(t, err)
	lines := bytes.SplitAfter(raw, []byte("\n"))
	require.Greater(t, len(lines), 8)
	file := filepath.Join(dir, "cut.jsonl")
	for n := 1; n < len(lines)-1; n++ {
		cut := append(bytes.Join(lines[:n], nil), lines[n][:len(lines[n])/2]...)
		require.NoError(t, os.WriteFile(file, cut, 0o600))
		rec, damage, err := openDamaged(file)
		if n == 1 {
			require.ErrorContains(t, err, "cut.jsonl:2:")
			continue
		}
		require.NoError(t, err)
		require.ErrorContains(t, damage, "the recording is cut off here")
		require.Len(t, rec.Events, n-1)
	}
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 36, Args: []string{"open", file}})
	p.WaitFor("recording, damaged", "cut off here")
	p.Type("q")
	require.Equal(t, exitDone, p.Wait())
	p.RequireRestored()
	require.Contains(t, string(p.Raw()), "could be read")
	require.NoError(t, os.WriteFile(file, raw[:len(lines[0])+5], 0o600))
	p = ptytest.Start(t, ptytest.Options{Args: []string{"open", file}})
	require.Equal(t, exitUsage, p.Wait())
}

// TestMaskedRecordingsHoldNoAnswers calls from the command line: with
// --mask-answers, what was typed does not leave the machine, with --show-secrets
// everything is kept.
func TestMaskedRecordingsHoldNoAnswers(t *testing.T) {
	url := serveHTTP(t)
	dir := t.TempDir()
	answers := filepath.Join(dir, "answers.yaml")
	require.NoError(t, os.WriteFile(answers, []byte("answers:\n  name: {accept: {name: Rumpelstiltskin}}\norder: [{accept: {name: Rumpelstiltskin}}]\n"), 0o600))
	record := func(flags ...string) string {
		file := filepath.Join(dir, "rec.jsonl")
		args := append([]string{"call", "greet", "--answers", answers, "--record", file, "--header", "Authorization: Bearer " + headerToken, url}, flags...)
		out, err := exec.Command(ptytest.Binary(t), args...).CombinedOutput()
		require.NoError(t, err, string(out))
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var sent []string // the server may repeat what it was told
		for _, line := range strings.Split(string(raw), "\n") {
			if !strings.Contains(line, `"dir":"in"`) {
				sent = append(sent, line)
			}
		}
		return strings.Join(sent, "\n")
	}
	plain, masked, all := record(), record("--mask-answers"), record("--show-secrets")
	require.NotContains(t, plain, headerToken)
	require.Contains(t, plain, "Rumpelstiltskin")
	require.NotContains(t, masked, headerToken)
	require.NotContains(t, masked, "Rumpelstiltskin")
	require.Contains(t, all, headerToken)
	require.Contains(t, all, "Rumpelstiltskin")
}
