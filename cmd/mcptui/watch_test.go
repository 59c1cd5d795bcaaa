//go:build linux || darwin

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestWatchRestartsTheServer changes a watched file twice: the person is asked
// the first time only.
func TestWatchRestartsTheServer(t *testing.T) {
	dir := t.TempDir()
	script := fmt.Sprintf("echo started >>starts; exec %s serve --stdio --state-key text:%s", ptytest.Binary(t), strings.Repeat("k", 32))
	p := ptytest.Start(t, ptytest.Options{Columns: 120, Rows: 30, Dir: dir, Args: []string{"--no-state", "--watch", "*.py", "--", "sh", "-c", script}})
	starts := func(want int) {
		t.Helper()
		require.Eventually(t, func() bool {
			raw, _ := os.ReadFile(filepath.Join(dir, "starts"))
			return strings.Count(string(raw), "\n") == want
		}, ptytest.Patience, 10*time.Millisecond)
	}
	p.WaitFor("book_table")
	starts(1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "server.py"), []byte("1"), 0o600))
	p.WaitFor("◆ server.py changed · Ctrl+R restarts the server")
	starts(1)
	p.Type("\x12")
	p.WaitForGone("server.py changed")
	starts(2)
	p.WaitFor("book_table")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "server.py"), []byte("2"), 0o600))
	starts(3)
	p.WaitFor("book_table")
	p.Type("\x03")
	p.Wait()
	p.RequireRestored()
}

func TestWatchNeedsAServerOfItsOwn(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--watch", "*.py"}, "--watch \"*.py\" restarts a stdio server"},
		{[]string{"--watch", "[a", "--", "sh"}, "--watch \"[a\" is no pattern"},
	} {
		p := ptytest.Start(t, ptytest.Options{Columns: 140, Rows: 10, Args: tc.args})
		p.WaitFor(tc.want)
		require.Equal(t, exitUsage, p.Wait())
		p.RequireRestored()
	}
}

// TestALargeResultStreamsThrough holds our own process to three times the size
// of a result of 60 MB, over each kind of transport, and a small call to little.
func TestALargeResultStreamsThrough(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the unit of the resident set differs")
	}
	const megabytes = 60
	url := serve(t, nil, "--profile", "faults").url
	big := filepath.Join(t.TempDir(), "big.json")
	require.NoError(t, os.WriteFile(big, []byte(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"`+strings.Repeat("x", megabytes<<20)+`"}]}}`+"\n"), 0o600))
	// A server that takes no memory of its own, so that what the system counts for
	// us and our children is ours.
	peer := fmt.Sprintf(`while read -r line; do case "$line" in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}}' ;;
*server/discover*) echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}' ;;
*tools/call*) cat %s ;; esac; done`, big)
	for _, tc := range []struct {
		name  string
		args  []string
		bytes int64 // of output, at least
		most  int64 // MB resident
	}{
		{"http", []string{"call", "oversized", "megabytes=60", "--json", url}, megabytes << 20, 3 * megabytes},
		{"stdio", []string{"call", "big", "--json", "--", "sh", "-c", peer}, megabytes << 20, 3 * megabytes},
		{"a small call", []string{"call", "slow", "ms:=0", "--json", url}, 10, 26},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd := exec.Command(ptytest.Binary(t), tc.args...)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			n, err := io.Copy(io.Discard, out)
			require.NoError(t, err)
			require.NoError(t, cmd.Wait())
			require.GreaterOrEqual(t, n, tc.bytes)
			rss := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
			t.Logf("%d MB resident for %d bytes", rss, n)
			require.LessOrEqual(t, rss, tc.most)
		})
	}
}
