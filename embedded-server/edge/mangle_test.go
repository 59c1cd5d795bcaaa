package edge_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

// mangled serves with one damage for every tools/call.
func mangled(t *testing.T, d *edge.Damage) (*world, *[]edge.Exchange) {
	var seen []edge.Exchange
	w := newWorld(t, edge.Options{Mangle: func(x edge.Exchange) *edge.Damage {
		if x.Method != "tools/call" {
			return nil
		}
		seen = append(seen, x)
		return d
	}})
	return w, &seen
}

// raw reads a response that may be anything.
func (w *world) raw(body string, h ...header) (contentType, got string, err error) {
	res := w.send(context.Background(), http.MethodPost, body, h...)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.Header.Get("Content-Type"), string(b), err
}

func TestDamageOnEveryTransport(t *testing.T) {
	one, two := []byte(`{"one":1}`), []byte(`{"two":2}`)
	progress := object{"_meta": object{"progressToken": 1}}
	t.Run("JSON body", func(t *testing.T) {
		w, seen := mangled(t, &edge.Damage{Before: []byte("noise\n"), Frames: [][]byte{one}})
		ct, got, err := w.raw(call(7, "echo", noCaps, object{"arguments": object{"a": 1}}))
		require.NoError(t, err)
		require.Equal(t, "application/json", ct)
		require.Equal(t, "noise\n{\"one\":1}\n", got)
		x := (*seen)[0]
		require.True(t, x.Modern)
		require.Equal(t, "7", string(x.ID))
		require.Contains(t, string(x.Params), `"arguments":{"a":1}`)
		require.Contains(t, string(x.Response), `"resultType":"complete"`)
	})
	t.Run("several messages need events", func(t *testing.T) {
		w, _ := mangled(t, &edge.Damage{Frames: [][]byte{one, two}})
		ct, got, err := w.raw(call(1, "echo", noCaps, nil))
		require.NoError(t, err)
		require.Equal(t, "text/event-stream", ct)
		require.Equal(t, "event: message\ndata: {\"one\":1}\n\nevent: message\ndata: {\"two\":2}\n\n", got)
		_, got, err = w.raw(call(1, "echo", noCaps, nil), header{"Accept": "application/json"})
		require.NoError(t, err)
		require.Equal(t, "{\"one\":1}\n{\"two\":2}\n", got)
	})
	t.Run("cut event stream", func(t *testing.T) {
		w, _ := mangled(t, &edge.Damage{Before: []byte("noise\n"), Partial: []byte(`{"par`), Cut: true})
		_, got, err := w.raw(call(1, "work", noCaps, progress))
		require.Error(t, err)
		require.Contains(t, got, "notifications/progress")
		require.True(t, strings.HasSuffix(got, "noise\nevent: message\ndata: {\"par"), got)
	})
	t.Run("session", func(t *testing.T) {
		w, seen := mangled(t, &edge.Damage{Frames: [][]byte{one, two}})
		h := w.session("2025-11-25")
		body := legacyRequest(1, "tools/call", object{"name": "work", "arguments": object{}, "_meta": progress["_meta"]})
		_, got, err := w.raw(body, h)
		require.NoError(t, err)
		require.Contains(t, got, "notifications/progress")
		require.True(t, strings.HasSuffix(got, "data: {\"one\":1}\n\nevent: message\ndata: {\"two\":2}\n\n"), got)
		require.False(t, (*seen)[0].Modern)
	})
	t.Run("lines", func(t *testing.T) {
		w, _ := mangled(t, &edge.Damage{Before: []byte("noise\n"), Frames: [][]byte{one, two}, Partial: []byte(`{"par`), Cut: true})
		p := w.edge.Pipe(t.Context())
		defer p.Close()
		_, err := io.WriteString(p, call(1, "echo", noCaps, nil)+"\n")
		require.NoError(t, err)
		got, err := io.ReadAll(p)
		require.NoError(t, err)
		require.Equal(t, "noise\n{\"one\":1}\n{\"two\":2}\n{\"par", string(got))
	})
	t.Run("stdio says that it was cut", func(t *testing.T) {
		w, _ := mangled(t, &edge.Damage{Cut: true})
		r, in := io.Pipe()
		defer in.Close()
		w.background(func() { _, _ = io.WriteString(in, call(1, "echo", noCaps, nil)+"\n") })
		require.ErrorContains(t, w.edge.ServeStdio(t.Context(), r, io.Discard), "cut on purpose")
	})
}

// A server may end the HTTP response before the call is done; the client comes
// back for the rest.
func TestStreamsCanBePolled(t *testing.T) {
	w := newWorld(t, edge.Options{})
	w.server.AddTool(&mcp.Tool{Name: "poll", InputSchema: passing.InputSchema}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 7 * time.Millisecond})
		<-w.go_
		return say("later"), nil
	})
	h := w.session("2025-11-25")
	_, got, err := w.raw(legacyRequest(1, "tools/call", object{"name": "poll", "arguments": object{}}), h)
	require.NoError(t, err)
	require.NotContains(t, got, "later")
	require.Contains(t, got, "retry: 7\n")
	var id string
	sc := bufio.NewScanner(strings.NewReader(got))
	for sc.Scan() {
		if s, ok := strings.CutPrefix(sc.Text(), "id: "); ok {
			id = s
		}
	}
	close(w.go_)
	res := w.send(t.Context(), http.MethodGet, "", h, header{"Last-Event-ID": id})
	defer res.Body.Close()
	require.Equal(t, "later", w.read(res, "").last().text())
}

func TestOldStreamsOfASessionGo(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	work := func(id int) string {
		return legacyRequest(id, "tools/call", object{"name": "work", "arguments": object{}, "_meta": object{"progressToken": 1}})
	}
	for i := range 40 {
		require.Equal(t, "worked", w.post(work(i), h).last().text())
	}
	resume := func(n int) int {
		res := w.send(t.Context(), http.MethodGet, "", h, header{"Last-Event-ID": fmt.Sprintf("%d-0", n)})
		defer res.Body.Close()
		return res.StatusCode
	}
	require.Equal(t, 400, resume(1))
	require.Equal(t, 200, resume(40))
}

func TestAnswersThatFitNoQuestionAreIgnored(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	require.Equal(t, -32600, c.ask(`{"jsonrpc":"2.0","id":1,"result":{}}`).code(), "nothing can have been asked yet")
	c.ask(initialize(0, "2025-11-25"))
	q := c.ask(legacyRequest(1, "tools/call", object{"name": "ask", "arguments": object{}}))
	c.silent(
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"jsonrpc":"2.0","id":1.5,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`,
		`{"jsonrpc":"2.0","id":`+string(q.ID)+`,"error":7}`,
	)
	f := c.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, q.ID))
	require.Equal(t, "Hello, Ada!", f.text())
}

func TestErasHaveNames(t *testing.T) {
	for name, era := range map[string]edge.Era{"": edge.Dual, "dual": edge.Dual, "modern": edge.Modern, "legacy": edge.Legacy} {
		got, err := edge.ParseEra(name)
		require.NoError(t, err)
		require.Equal(t, era, got)
		if name != "" {
			require.Equal(t, name, era.String())
		}
	}
	_, err := edge.ParseEra("ancient")
	require.ErrorContains(t, err, `unknown era "ancient"`)
	require.Equal(t, "era 9", edge.Era(9).String())
}
