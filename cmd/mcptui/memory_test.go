package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/ui"
)

func TestWhatIsKeptBetweenRuns(t *testing.T) {
	dir := t.TempDir()
	a := &app{Streams: Streams{Env: []string{"XDG_STATE_HOME=" + dir}}}
	o := client.Options{Target: client.Target{Command: "server", Args: []string{"--token", "s3cr3t"}}}
	m, err := a.remembers(o)
	require.NoError(t, err)
	_, ok := m.Roots()
	require.False(t, ok, "no list was given yet")
	for _, v := range []string{`{"a":1.50}`, `{"a":"<b>"}`, `{"a":1.50}`} {
		require.NoError(t, m.Remember("tools/call x", json.RawMessage(v)))
	}
	require.NoError(t, m.KeepRoots([]control.Root{}))

	again, err := a.remembers(o)
	require.NoError(t, err)
	require.Equal(t, []json.RawMessage{json.RawMessage(`{"a":1.50}`), json.RawMessage(`{"a":"<b>"}`)}, again.Recent("tools/call x"), "newest first, each once, as it was typed")
	roots, ok := again.Roots()
	require.True(t, ok)
	require.Empty(t, roots)

	o.Target.Args = []string{"--token", "another"}
	other, err := a.remembers(o)
	require.NoError(t, err)
	require.Empty(t, other.Recent("tools/call x"), "another server")

	files, err := filepath.Glob(filepath.Join(dir, "mcptui", "servers", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	raw, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NotContains(t, string(raw), "s3cr3t")

	require.NoError(t, os.WriteFile(files[0], []byte("{"), 0o600))
	o.Target.Args = []string{"--token", "s3cr3t"}
	broken, err := a.remembers(o)
	require.ErrorContains(t, err, "is started anew")
	require.NoError(t, broken.Remember("tools/call x", json.RawMessage(`{}`)))
}

func TestNoStateKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	a := &app{Streams: Streams{Env: []string{"XDG_STATE_HOME=" + dir}}}
	a.flags.noState = true
	require.Nil(t, a.furnish(client.Options{}, ui.Options{}).Memory)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
