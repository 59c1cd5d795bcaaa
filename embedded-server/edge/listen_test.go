package edge_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

func listen(id any, filter object) string {
	return request(id, "subscriptions/listen", noCaps, object{"notifications": filter})
}

var passing = &mcp.Tool{Name: "zz", InputSchema: json.RawMessage(`{"type":"object"}`)}

// change makes a tool come or go.
func (w *world) change(there bool) {
	if there {
		w.server.AddTool(passing, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("zz"), nil })
	} else {
		w.server.RemoveTools(passing.Name)
	}
}

// stream opens an event stream; its events and comments come over a channel,
// which is closed with the stream.
func (w *world) stream(method, body string, h ...header) (<-chan string, func()) {
	w.t.Helper()
	ctx, hangUp := context.WithCancel(context.Background())
	res := w.send(ctx, method, body, h...)
	require.Equal(w.t, 200, res.StatusCode)
	require.Equal(w.t, "text/event-stream", res.Header.Get("Content-Type"))
	out := make(chan string, 256)
	rev, method := revisionOf(body, res.Request.Header)
	w.background(func() {
		defer close(out)
		defer res.Body.Close()
		sc := bufio.NewScanner(res.Body)
		for sc.Scan() {
			if d, ok := strings.CutPrefix(sc.Text(), "data: "); ok && d != "" {
				if method != "" || strings.Contains(d, `"method":`) { // else the response to a call of another stream
					spec.check(w.t, rev, method, []byte(d))
				}
				out <- d
			} else if strings.HasPrefix(sc.Text(), ":") {
				out <- sc.Text()
			}
		}
	})
	w.t.Cleanup(hangUp)
	return out, hangUp
}

// revisionOf says by which revision a request is answered, and its method.
func revisionOf(body string, h http.Header) (revision, method string) {
	var q struct {
		Method string
		Params struct {
			Meta map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(body), &q) // a GET has none
	if q.Params.Meta["io.modelcontextprotocol/protocolVersion"] == modern {
		return modern, q.Method
	}
	return h.Get("MCP-Protocol-Version"), q.Method
}

func (w *world) event(ch <-chan string, method string) frame {
	w.t.Helper()
	select {
	case d, ok := <-ch:
		require.True(w.t, ok, "the stream has ended")
		spec.check(w.t, modern, method, []byte(d))
		return parseFrame(w.t, []byte(d))
	case <-time.After(patience):
		w.t.Fatal("no event comes")
		return frame{}
	}
}

func tag(f frame) any {
	m, _ := f.Params["_meta"].(object)
	if f.Result != nil {
		m, _ = f.Result["_meta"].(object)
	}
	return m["io.modelcontextprotocol/subscriptionId"]
}

func TestListenOverHTTP(t *testing.T) {
	w := newWorld(t, edge.Options{})
	for _, id := range []any{float64(7), "seven"} {
		events, hangUp := w.stream(http.MethodPost, listen(id, object{"toolsListChanged": true, "resourceSubscriptions": []string{"test://doc"}}))
		ack := w.event(events, "")
		require.Equal(t, "notifications/subscriptions/acknowledged", ack.Method, "the acknowledgement comes first")
		require.Equal(t, id, tag(ack))
		require.Equal(t, object{"toolsListChanged": true, "resourceSubscriptions": []any{"test://doc"}}, ack.Params["notifications"])

		w.server.AddPrompt(&mcp.Prompt{Name: "new"}, nil) // not asked for
		require.NoError(t, w.server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://other"}))
		require.NoError(t, w.server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://doc"}))
		f := w.event(events, "")
		require.Equal(t, "notifications/resources/updated", f.Method)
		require.Equal(t, "test://doc", f.Params["uri"])
		require.Equal(t, id, tag(f))
		w.change(true)
		f = w.event(events, "")
		require.Equal(t, "notifications/tools/list_changed", f.Method)
		require.Equal(t, id, tag(f))
		w.change(false)
		require.Equal(t, "notifications/tools/list_changed", w.event(events, "").Method)
		hangUp()
	}
}

func TestListenEndsGracefully(t *testing.T) {
	end := func(t *testing.T, w *world, next func() frame, id any) {
		f := next()
		require.Equal(t, "notifications/cancelled", f.Method, "the client is told that the subscription is torn down")
		require.Equal(t, id, f.Params["requestId"])
		require.Equal(t, id, tag(f))
		f = next()
		require.Equal(t, "complete", f.Result["resultType"], f.raw)
		require.Equal(t, id, tag(f))
		require.JSONEq(t, encode(id), string(f.ID))
	}
	t.Run("over HTTP, when the server closes", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		events, _ := w.stream(http.MethodPost, listen("l", object{"toolsListChanged": true}))
		w.event(events, "")
		w.edge.Close()
		end(t, w, func() frame { return w.event(events, "subscriptions/listen") }, "l")
		_, open := <-events
		require.False(t, open, "then the stream ends")
	})
	t.Run("over HTTP, after its lifetime", func(t *testing.T) {
		w := newWorld(t, edge.Options{ListenLifetime: 20 * time.Millisecond})
		events, _ := w.stream(http.MethodPost, listen("l", object{"toolsListChanged": true}))
		w.event(events, "")
		end(t, w, func() frame { return w.event(events, "subscriptions/listen") }, "l")
	})
	t.Run("over a pipe, when the server closes", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(listen(3, object{"toolsListChanged": true}))
		w.edge.Close()
		end(t, w, c.next, float64(3))
	})
	t.Run("over stdio, when the input ends", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		w.edge.SetDrain(time.Minute)
		var out strings.Builder
		require.NoError(t, w.edge.ServeStdio(t.Context(), strings.NewReader(listen(3, object{"toolsListChanged": true})+"\n"), &out))
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Contains(t, lines[len(lines)-1], `"resultType":"complete"`)
	})
}

func TestListenIsKeptAlive(t *testing.T) {
	w := newWorld(t, edge.Options{KeepAlive: 5 * time.Millisecond})
	events, _ := w.stream(http.MethodPost, listen(1, object{"toolsListChanged": true}))
	const comment = ": keep-alive"
	for kept := 0; kept < 3; { // one may come before the acknowledgement
		e := <-events
		if e != comment {
			require.Equal(t, "notifications/subscriptions/acknowledged", parseFrame(t, []byte(e)).Method)
			continue
		}
		kept++
	}
}

func TestSeveralListensOnOneStream(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	c.ask(listen(10, object{"toolsListChanged": true}))
	c.ask(listen("eleven", object{"toolsListChanged": true}))
	both := func() []any { return []any{tag(c.next()), tag(c.next())} }
	w.change(true)
	require.ElementsMatch(t, []any{float64(10), "eleven"}, both(), "the second does not take the first's place")
	c.silent(legacyRequest(nil, "notifications/cancelled", object{"requestId": "eleven"}))
	w.change(false)
	require.Equal(t, float64(10), tag(c.next()), "cancelling the second leaves the first")
	c.silent()
	c.silent(legacyRequest(nil, "notifications/cancelled", object{"requestId": 10}))
}

func TestListenWithoutFilterIsRefused(t *testing.T) {
	w := newWorld(t, edge.Options{})
	r := w.post(request(1, "subscriptions/listen", noCaps, nil))
	require.Equal(t, -32602, r.last().code(), r.body)
	require.Equal(t, 400, r.status)
}

func TestCallsAreNotToldOfChanges(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	c.send(call(1, "slow", noCaps, nil))
	<-w.began
	events, _ := w.stream(http.MethodPost, listen(1, object{"toolsListChanged": true}))
	w.event(events, "")
	w.change(true)
	w.event(events, "") // by now everyone has been told
	close(w.go_)
	require.Equal(t, "slept", c.next().text())
}

// A client that does not read must not hold up the others.
func TestSlowListenersAreGivenUp(t *testing.T) {
	w := newWorld(t, edge.Options{})
	r, in := io.Pipe()
	blocked := &stuck{free: make(chan struct{})}
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	wg.Go(func() { _ = w.edge.ServeStdio(ctx, r, blocked) })
	_, err := io.WriteString(in, listen(1, object{"resourceSubscriptions": []string{"test://doc"}})+"\n")
	require.NoError(t, err)
	events, _ := w.stream(http.MethodPost, listen(2, object{"resourceSubscriptions": []string{"test://doc"}}))
	w.event(events, "")
	for range 1000 {
		require.NoError(t, w.server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://doc"}))
		require.Equal(t, "notifications/resources/updated", w.event(events, "").Method)
	}
	close(blocked.free)
	stop()
	in.Close()
	wg.Wait()
}

// stuck is a writer that blocks until it is freed.
type stuck struct{ free chan struct{} }

func (s *stuck) Write(b []byte) (int, error) { <-s.free; return len(b), nil }
