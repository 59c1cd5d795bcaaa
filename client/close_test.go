package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/internal/leaktest"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Close closes connections that are kept open for the next request, and those of
// streams that the server would never end. The server lives on meanwhile: what is
// gone afterwards is gone by our doing.
func TestCloseLeavesNoConnection(t *testing.T) {
	for name, c := range map[string]struct {
		http2 bool
		era   trace.Era
	}{
		"HTTP/1.1, modern": {false, trace.Modern},
		"HTTP/1.1, legacy": {false, trace.Legacy},
		"HTTP/2, modern":   {true, trace.Modern},
		"HTTP/2, legacy":   {true, trace.Legacy},
	} {
		t.Run(name, func(t *testing.T) {
			h := httptest.NewUnstartedServer(http.HandlerFunc(serveForEver))
			h.EnableHTTP2 = c.http2
			if c.http2 {
				h.StartTLS()
			} else {
				h.Start()
			}
			t.Cleanup(h.Close)
			conn, ctx := dial(t, client.Options{Target: client.Target{URL: h.URL}, Insecure: true, Era: c.era})
			require.NoError(t, conn.Ready(ctx))
			var calls sync.WaitGroup
			for range 5 {
				calls.Go(func() {
					call, err := conn.Call(toolCall("short"))
					if err == nil {
						_, err = conn.Wait(ctx, call)
					}
					require.NoError(t, err)
				})
			}
			calls.Wait()
			for range 3 {
				_, err := conn.Call(toolCall("long"))
				require.NoError(t, err)
			}
			if c.era == trace.Modern {
				require.NoError(t, conn.Listen(control.Subscription{Tools: true}))
			}
			require.NoError(t, conn.Watch(ctx, func(s *session.Session) bool {
				streams := 0
				for r := range s.Rows.All() {
					if r.Method == "notifications/message" {
						streams++
					}
				}
				return streams >= 4
			}))
		})
	}
}

// serveForEver ends the streams of short calls only.
func serveForEver(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := rpc.Parse(body)
	stream := func() {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a stream is open"}}`+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	switch {
	case r.Method == http.MethodGet:
		stream()
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "s")
		reply(w, initializeResult(m))
	case m.Kind == rpc.Notification:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "subscriptions/listen", rpc.Text(m.Params, "name") == "long":
		stream()
	default:
		modernWeb(func(w http.ResponseWriter, _ *http.Request, m rpc.Message) {
			reply(w, result(m, `{"content":[]}`))
		})(w, r, m)
	}
}

// The file that older events went to has no name while it is open, and is closed
// with the log.
func TestALogOnDiskLeavesNoFile(t *testing.T) {
	before := leaktest.Take()
	log := trace.NewLog(time.Now, trace.Memory(1<<20))
	big := strings.Repeat("x", 256<<10)
	s := modern(func(m rpc.Message, _ string) []string {
		return []string{result(m, `{"content":[{"type":"text","text":"`+big+`"}]}`)}
	})
	c, err := client.Dial(context.Background(), client.Options{Target: s.target(t), Log: log})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range 12 {
		call, err := c.Call(toolCall("x"))
		require.NoError(t, err)
		_, err = c.Wait(ctx, call)
		require.NoError(t, err)
	}
	require.NoError(t, c.Close(ctx))
	require.NotZero(t, log.Usage().Disk)
	require.NoError(t, log.Free())
	before.Check(t)
}
