//go:build unix

package answer

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSampler(t *testing.T) {
	params := json.RawMessage("{\n \"messages\": [], \"maxTokens\": 1.0}")
	for _, tt := range []struct{ command, want, fails string }{
		{`cat >/dev/null; echo hello; echo there`, `{"role":"assistant","content":{"type":"text","text":"hello\nthere"},"model":"mcptui","stopReason":"endTurn"}`, ""},
		{`printf '{"role":"assistant",\n "content":[],"model":"m","n":1.0}'`, `{"role":"assistant","content":[],"model":"m","n":1.0}`, ""},
		{`printf '{"a":1}'`, `{"role":"assistant","content":{"type":"text","text":"{\"a\":1}"},"model":"mcptui","stopReason":"endTurn"}`, ""},
		{`cat`, `{"role":"assistant","content":{"type":"text","text":"{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1.0}}"},"model":"mcptui","stopReason":"endTurn"}`, ""},
		{`echo no tokens left >&2; exit 3`, "", "exit status 3; it said: no tokens left"},
		{`true`, "", "printed nothing"},
		{`printf '\377'`, "", "not UTF-8"},
		{`/no/such/command`, "", "exit status 127"},
	} {
		raw, err := (&Sampler{Command: tt.command}).Sample(t.Context(), params)
		if tt.fails != "" {
			require.ErrorContains(t, err, tt.fails)
			require.ErrorContains(t, err, "sampler ")
			continue
		}
		require.NoError(t, err, tt.command)
		require.Equal(t, tt.want, string(raw))
	}
}

func TestSamplerIsBounded(t *testing.T) {
	_, err := (&Sampler{Command: "yes", Limit: 1000}).Sample(t.Context(), nil)
	require.ErrorContains(t, err, "printed more than 1000 bytes")
	_, err = (&Sampler{Command: "echo thinking >&2; sleep 100", Timeout: 50 * time.Millisecond}).Sample(t.Context(), nil)
	require.ErrorContains(t, err, "no answer in time (50ms)")
	_, err = (&Sampler{Command: "true"}).Sample(t.Context(), json.RawMessage("{"))
	require.ErrorContains(t, err, "params are not JSON")
}

func TestSamplerTakesItsProcessesWithIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	sampler := &Sampler{Command: `sh -c 'echo $$ >` + file + `.new; mv ` + file + `.new ` + file + `; sleep 100' & wait`}
	done := make(chan error, 1)
	go func() {
		_, err := sampler.Sample(ctx, nil)
		done <- err
	}()
	var pid int
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	cancel(context.Canceled)
	require.ErrorIs(t, <-done, context.Canceled)
	require.Eventually(t, func() bool { return gone(pid) }, time.Minute, 5*time.Millisecond, "the grandchild has ended")
}

// gone reports whether a process has ended; one that waits to be reaped has.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestSamplerDoesNotWaitForWhatItLeavesBehind(t *testing.T) {
	raw, err := (&Sampler{Command: "sleep 100 & echo hi"}).Sample(t.Context(), nil)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"hi"`)
}
