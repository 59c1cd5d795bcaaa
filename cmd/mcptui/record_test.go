package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// TestWhatTheUISavesIsARecording saves a log, whole and in part, as the UI does.
func TestWhatTheUISavesIsARecording(t *testing.T) {
	t.Chdir(t.TempDir())
	start := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	log := trace.Replay([]trace.Event{
		{Seq: 1, Phase: &trace.Phase{Name: trace.PhaseReady, Era: trace.Modern, Version: "2026-07-28"}},
		{Seq: 2, Stderr: &trace.Stderr{Bytes: []byte("the password is correct horse\n")}},
		{Seq: 3, Act: &trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "x"}},
	})
	save := (&app{}).saver(log, start, []string{"PASSWORD=correct horse"})
	for _, tt := range []struct {
		keep func(trace.Event) bool
		want int
	}{
		{nil, 3},
		{func(e trace.Event) bool { return e.Stderr == nil }, 2},
	} {
		path, err := save("../call 1.jsonl", tt.keep)
		require.NoError(t, err)
		raw, err := os.ReadFile(path) // below the working directory, whatever the hint says
		require.NoError(t, err)
		require.NotContains(t, string(raw), "correct horse")
		events, err := readRecording(path)
		require.NoError(t, err)
		require.Len(t, events, tt.want)
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, left, 2)
}

// TestNamesOfFilesThatAreSaved saves under hints that servers may have a say in: each
// gets a file of its own, in this folder, and none is written over.
func TestNamesOfFilesThatAreSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ hint, want string }{
		{"demo-20261202-153000.jsonl", "mcptui-demo-20261202-153000.jsonl"},
		{"demo-20261202-153000.jsonl", "mcptui-demo-20261202-153000-2.jsonl"},
		{"demo-20261202-153000.jsonl", "mcptui-demo-20261202-153000-3.jsonl"},
		{"../../etc/passwd", "mcptui-.._.._etc_passwd"},
		{"a b\\c\x00:é.png", "mcptui-a_b_c____.png"},
		{"", "mcptui-"},
		{"", "mcptui--2"},
		{strings.Repeat("x", 300) + "-20261202-153000.jsonl", "mcptui-" + strings.Repeat("x", 78) + "-20261202-153000.jsonl"},
	} {
		path, err := saveBody(tt.hint, []byte(tt.hint))
		require.NoError(t, err)
		require.Equal(t, tt.want, path)
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, tt.hint, string(raw))
	}
}
