package main

import (
	"os"
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
