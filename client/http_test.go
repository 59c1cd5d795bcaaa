package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/flow"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// overWeb serves what a test says for each request, and records what came.
func overWeb(t *testing.T, serve func(w http.ResponseWriter, r *http.Request, m rpc.Message)) (url string, came func(method string) []*http.Request) {
	var mu sync.Mutex
	requests := map[string][]*http.Request{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := rpc.Parse(body)
		mu.Lock()
		requests[m.Method] = append(requests[m.Method], r)
		mu.Unlock()
		serve(w, r, m)
	}))
	t.Cleanup(h.Close)
	return h.URL, func(method string) []*http.Request {
		mu.Lock()
		defer mu.Unlock()
		return requests[method]
	}
}

func reply(w http.ResponseWriter, line string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, line)
}

// modernWeb answers discovery and lists one tool, and leaves calls to call.
func modernWeb(call func(w http.ResponseWriter, r *http.Request, m rpc.Message)) func(http.ResponseWriter, *http.Request, rpc.Message) {
	return func(w http.ResponseWriter, r *http.Request, m rpc.Message) {
		switch m.Method {
		case "server/discover":
			reply(w, result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`))
		case "tools/list":
			reply(w, result(m, `{"resultType":"complete","tools":[{"name":"x","inputSchema":{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}},{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}}}]}`))
		default:
			call(w, r, m)
		}
	}
}

func TestAskedToWaitAndTryAgain(t *testing.T) {
	times := 0
	url, came := overWeb(t, modernWeb(func(w http.ResponseWriter, _ *http.Request, m rpc.Message) {
		if times++; times < 3 {
			w.Header().Set("Retry-After", "0")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, fault(m, `{"code":-32000,"message":"slow down"}`))
			return
		}
		reply(w, result(m, `{"content":[]}`))
	}))
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
	call, err := c.Call(toolCall("x"))
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status, o.Note)
	require.Len(t, came("tools/call"), 3)
}

func TestABrokenStreamIsLostAndNotSentAgain(t *testing.T) {
	url, came := overWeb(t, modernWeb(func(w http.ResponseWriter, _ *http.Request, _ rpc.Message) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n")
	}))
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
	call, err := c.Call(toolCall("x"))
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Lost, o.Status, o.Note)
	require.Len(t, came("tools/call"), 1)
}

func TestCancellingClosesTheStream(t *testing.T) {
	gone := make(chan struct{})
	url, came := overWeb(t, modernWeb(func(w http.ResponseWriter, r *http.Request, _ rpc.Message) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	}))
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
	call, err := c.Call(toolCall("x"))
	require.NoError(t, err)
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		for r := range s.Rows.All() {
			if r.Call == call && r.Status == http.StatusOK {
				return true
			}
		}
		return false
	}))
	require.NoError(t, c.Cancel(call, "enough"))
	<-gone
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Cancelled, o.Status)
	require.Empty(t, came("notifications/cancelled"))
}

func TestHeadersOfACall(t *testing.T) {
	url, came := overWeb(t, modernWeb(func(w http.ResponseWriter, _ *http.Request, m rpc.Message) {
		reply(w, result(m, `{"content":[]}`))
	}))
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}, Headers: []trace.Header{{Name: "X-Key", Value: "k"}}})
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x","arguments":{"city":"Zürich"}}`)})
	require.NoError(t, err)
	_, err = c.Wait(ctx, call)
	require.NoError(t, err)
	h := came("tools/call")[0].Header
	for name, want := range map[string]string{
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "x",
		"Mcp-Param-City": "=?base64?WsO8cmljaA==?=", "X-Key": "k",
	} {
		require.Equal(t, []string{want}, h.Values(name), name)
	}

	_, err = c.Call(toolCall("bad"))
	require.ErrorIs(t, err, control.ErrNo)
	require.ErrorContains(t, err, "rejected")
	force := toolCall("bad")
	force.Force = true
	call, err = c.Call(force)
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status)
}

// A legacy session that the server forgets is begun again, and what was under
// way is sent again in the new one.
func TestASessionThatExpires(t *testing.T) {
	sessions, calls := 0, 0
	url, came := overWeb(t, func(w http.ResponseWriter, r *http.Request, m rpc.Message) {
		id := r.Header.Get("Mcp-Session-Id")
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.Method == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`)
		case m.Method == "initialize":
			sessions++
			w.Header().Set("Mcp-Session-Id", strings.Repeat("s", sessions))
			reply(w, initializeResult(m))
		case m.Kind == rpc.Notification:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "tools/list":
			reply(w, result(m, `{"tools":[]}`))
		default:
			if calls++; id == "s" && calls == 2 {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, fault(m, `{"code":-32001,"message":"Session not found"}`))
				return
			}
			reply(w, result(m, `{"content":[{"type":"text","text":"`+id+`"}]}`))
		}
	})
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
	for _, want := range []string{`"s"`, `"ss"`} {
		call, err := c.Call(toolCall("n"))
		require.NoError(t, err)
		o, err := c.Wait(ctx, call)
		require.NoError(t, err)
		require.Equal(t, trace.Done, o.Status, o.Note)
		require.Contains(t, string(o.Result), want)
	}
	require.Len(t, came("initialize"), 2)
	require.Len(t, came("tools/call"), 3)
	for _, r := range came("tools/call") {
		require.Equal(t, "2025-11-25", r.Header.Get("MCP-Protocol-Version"))
		require.Empty(t, r.Header.Get("Mcp-Method"))
	}
}

func TestWhatIsNoServer(t *testing.T) {
	for name, c := range map[string]struct {
		serve func(w http.ResponseWriter)
		kind  flow.FailKind
		want  string
	}{
		"an error page": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "<html>oops</html>")
		}, flow.NotMCP, `it says "oops"`},
		"a login page": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>log in</html>")
		}, flow.NotMCP, `is this an MCP endpoint?; it says "log in"`},
		"nothing there": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }, flow.NotMCP, "no event stream"},
		"unauthorized": {func(w http.ResponseWriter) {
			w.Header().Set("WWW-Authenticate", `Bearer scope="mcp:read"`)
			w.WriteHeader(http.StatusUnauthorized)
		}, flow.Unauthorized, `Bearer scope="mcp:read"`},
		"taken and forgotten": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) }, flow.NotMCP, "HTTP 202"},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := overWeb(t, func(w http.ResponseWriter, _ *http.Request, _ rpc.Message) { c.serve(w) })
			conn, ctx := dial(t, client.Options{Target: client.Target{URL: url}, ProbeTimeout: patience})
			var failed *client.Error
			require.ErrorAs(t, conn.Ready(ctx), &failed)
			require.Equal(t, c.kind, failed.Kind, failed.Reason)
			require.Contains(t, failed.Reason, c.want)
		})
	}
}
