//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

const measureEnv = "MCPTUI_TEST_MEASURE"

// init makes the test binary a program that runs another and prints the peak of
// its resident set in KiB and the bytes that it wrote: the system counts the
// memory of whoever forks a program as the program's, and a test has much.
func init() {
	if os.Getenv(measureEnv) == "" {
		return
	}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		panic(err)
	}
	n, _ := io.Copy(io.Discard, out) // what is missing is seen in n
	_ = cmd.Wait()                   // its code is ours
	fmt.Println(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, n)
	os.Exit(cmd.ProcessState.ExitCode())
}

// TestALargeResultStreamsThrough holds our own process to three times the size
// of a result of 60 MB, over each kind of transport and in each way of output.
func TestALargeResultStreamsThrough(t *testing.T) {
	const megabytes = 60
	big := filepath.Join(t.TempDir(), "big.json")
	require.NoError(t, os.WriteFile(big, []byte(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"`+strings.Repeat("x", megabytes<<20)+`"}]}}`+"\n"), 0o600))
	// A server that takes no memory of its own, so that what the system counts for
	// us and our children is ours.
	peer := fmt.Sprintf(`while read -r line; do case "$line" in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}}' ;;
*server/discover*) echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}' ;;
*tools/call*) cat %s ;; esac; done`, big)
	// One that does no more than that over HTTP.
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}}`, m.ID)
		case "tools/list":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"big","inputSchema":{"type":"object"}}]}}`, m.ID)
		case "tools/call":
			text := strings.Repeat("x", 1<<20)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, m.ID)
			for range megabytes {
				_, _ = io.WriteString(w, text) // what is missing is seen by the client
			}
			_, _ = io.WriteString(w, `"}]}}`)
		case "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer web.Close()
	overStdio := []string{"call", "big", "a:=1", "--", "sh", "-c", peer}
	with := func(flags ...string) []string { return append(append([]string{"call"}, flags...), overStdio[1:]...) }
	for name, args := range map[string][]string{
		"http":      {"call", "big", "--json", web.URL},
		"stdio":     with("--json"),
		"as text":   with(),
		"as rounds": with("--rounds-json"),
		"recorded":  with("--json", "--record", filepath.Join(t.TempDir(), "big.jsonl")),
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], append([]string{ptytest.Binary(t)}, args...)...)
			cmd.Env = append(os.Environ(), measureEnv+"=1")
			out, err := cmd.Output()
			require.NoError(t, err)
			var kib, n int
			_, err = fmt.Sscan(string(out), &kib, &n)
			require.NoError(t, err)
			t.Logf("%d MB resident for %d bytes", kib>>10, n)
			require.GreaterOrEqual(t, n, megabytes<<20)
			require.LessOrEqual(t, kib>>10, 3*megabytes)
		})
	}
}
