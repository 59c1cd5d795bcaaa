package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

func TestBothErasShareOneEndpoint(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	for i := range 3 {
		require.Equal(t, "{}", w.post(call(i, "echo", noCaps, nil)).last().text())
		f := w.post(legacyRequest(i, "tools/call", object{"name": "echo", "arguments": object{}}), h).last()
		require.Equal(t, "{}", f.text())
		require.NotContains(t, f.Result, "resultType")
		require.NotContains(t, f.Result, "_meta")
		spec.check(t, "2025-11-25", "tools/call", []byte(f.raw))
	}
	r := w.post(call(1, "echo", noCaps, nil), header{"MCP-Protocol-Version": "2025-11-25"})
	require.Equal(t, -32020, r.last().code(), "the header cannot change the era of a body")
	r = w.post(legacyRequest(1, "tools/list", object{"_meta": object{"io.modelcontextprotocol/protocolVersion": "2025-11-25"}}), h)
	require.Nil(t, r.last().Error, "a revision of the handshake era in _meta is no modern envelope")
}

func TestSessionsOverHTTP(t *testing.T) {
	w := newWorld(t, edge.Options{})
	list := legacyRequest(1, "tools/list", object{})
	require.Equal(t, 400, w.post(list).status, "no session")
	require.Equal(t, 404, w.post(list, header{sessionHeader: "unknown"}).status)
	for _, params := range []any{nil, 7, object{"capabilities": 7}} {
		r := w.post(encode(object{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
		require.Equal(t, -32602, r.last().code(), "%v: %s", params, r.body)
		require.Empty(t, r.header.Get(sessionHeader))
	}
	h := w.session("2025-06-18")
	require.Equal(t, 200, w.post(list, h).status)
	require.Equal(t, 200, w.post(list, h, header{"MCP-Protocol-Version": ""}).status)
	for _, v := range []string{"2024-11-05", "1900-01-01"} {
		require.Equal(t, 400, w.post(list, h, header{"MCP-Protocol-Version": v}).status, v)
	}
	require.Equal(t, -32600, w.post(initialize(2, "2025-11-25"), h).last().code(), "one handshake is enough")
	require.Equal(t, 202, w.post(legacyRequest(nil, "notifications/unheard-of", nil), h).status)
	require.Equal(t, 400, w.post(legacyRequest(nil, "tools/list", nil), h).status)
	require.Equal(t, -32602, w.post(legacyRequest(3, "tools/call", nil), h).last().code(), "a call without params")

	del := w.send(t.Context(), http.MethodDelete, "", h)
	del.Body.Close()
	require.Equal(t, 204, del.StatusCode)
	require.Equal(t, 404, w.post(list, h).status)
}

func TestErrorsOfTheHandshakeEra(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	for name, tt := range map[string]struct {
		body string
		code int
	}{
		"plain Go error":   {legacyRequest(1, "tools/call", object{"name": "plain", "arguments": object{}}), -32603},
		"unknown method":   {legacyRequest(1, "tools/unknown", object{}), -32601},
		"unknown tool":     {legacyRequest(1, "tools/call", object{"name": "nothing", "arguments": object{}}), -32602},
		"unknown resource": {legacyRequest(1, "resources/read", object{"uri": "test://nothing"}), -32002},
		"bad params":       {legacyRequest(1, "tools/call", object{"name": 7}), -32602},
		"discover":         {legacyRequest(1, "server/discover", nil), -32601},
		"listen":           {legacyRequest(1, "subscriptions/listen", object{"notifications": object{"toolsListChanged": true}}), -32601},
	} {
		t.Run(name, func(t *testing.T) {
			f := w.post(tt.body, h).last()
			require.Equal(t, tt.code, f.code(), f.raw)
			require.NotContains(t, f.raw, "hunter2")
			require.NotContains(t, f.raw, "unmarshal")
			spec.check(t, "2025-11-25", "", []byte(f.raw))
		})
	}
	f := w.post(request(1, "resources/read", noCaps, object{"uri": "test://nothing"})).last()
	require.Equal(t, -32602, f.code(), "the modern era has another code")
}

// A call that asks: its questions and notifications come on its own stream.
func TestAsksOnTheStreamOfTheirCall(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	body := legacyRequest(9, "tools/call", object{"name": "ask", "arguments": object{}, "_meta": object{"progressToken": "p"}})
	events, _ := w.stream(http.MethodPost, body, h)
	next := func() frame {
		d := <-events
		f := parseFrame(t, []byte(d))
		spec.check(t, "2025-11-25", "tools/call", []byte(d))
		return f
	}
	require.Equal(t, "notifications/progress", next().Method)
	q := next()
	require.Equal(t, "elicitation/create", q.Method)
	r := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, q.ID), h)
	require.Equal(t, 202, r.status)
	require.Equal(t, "Hello, Ada!", next().text())
	_, open := <-events
	require.False(t, open, "the response ends the stream")

	t.Run("or on the session's, where the client takes JSON only", func(t *testing.T) {
		own, _ := w.stream(http.MethodGet, "", h)
		w.background(func() {
			q := parseFrame(t, []byte(<-own))
			w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Bo"}}}`, q.ID), h)
		})
		r := w.post(body, h, header{"Accept": "application/json"})
		require.Equal(t, "application/json", r.header.Get("Content-Type"))
		require.Equal(t, "Hello, Bo!", r.last().text())
	})
}

func TestChangesGoToTheSessionsOwnStream(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	events, hangUp := w.stream(http.MethodGet, "", h)
	w.change(true)
	require.Equal(t, "notifications/tools/list_changed", parseFrame(t, []byte(<-events)).Method)
	res := w.send(t.Context(), http.MethodGet, "", h)
	require.Equal(t, 409, res.StatusCode, "one stream a session")
	res.Body.Close()
	hangUp()
	res = w.send(t.Context(), http.MethodGet, "", h, header{"Accept": "application/json"})
	require.Equal(t, 406, res.StatusCode)
	res.Body.Close()
}

func TestDisconnectCancelsNothingInTheHandshakeEra(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	body := legacyRequest(1, "tools/call", object{"name": "slow", "arguments": object{}, "_meta": object{"progressToken": "p"}})
	ctx, hangUp := context.WithCancel(context.Background())
	res := w.send(ctx, http.MethodPost, body, h)
	<-w.began
	// The first event only has an id, to resume from.
	buf := make([]byte, 512)
	n, err := res.Body.Read(buf)
	require.NoError(t, err)
	id := strings.TrimPrefix(strings.SplitN(string(buf[:n]), "\n", 2)[0], "id: ")
	require.NotEmpty(t, id)
	hangUp()
	res.Body.Close()
	close(w.go_)
	require.Equal(t, "finished", <-w.ended)

	// The client comes back and finds what it missed.
	var events <-chan string
	require.Eventually(t, func() bool { // the server may not have noticed yet that it is gone
		res := w.send(t.Context(), http.MethodGet, "", h, header{"Last-Event-ID": id})
		defer res.Body.Close()
		if res.StatusCode != 200 {
			return false
		}
		frames := w.read(res, "").frames
		require.Equal(t, "notifications/progress", frames[0].Method)
		require.Equal(t, "slept", frames[1].text())
		return true
	}, patience, time.Millisecond)
	_ = events
	bad := w.send(t.Context(), http.MethodGet, "", h, header{"Last-Event-ID": "nonsense"})
	defer bad.Body.Close()
	require.Equal(t, 400, bad.StatusCode)
}

func TestCancellationOverHTTPIsSilent(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	for accept, status := range map[string]int{"text/event-stream, application/json": 200, "application/json": 204} {
		done := make(chan reply)
		w.background(func() {
			done <- w.post(legacyRequest("c", "tools/call", object{"name": "slow", "arguments": object{}}), h, header{"Accept": accept})
		})
		<-w.began
		w.post(legacyRequest(nil, "notifications/cancelled", object{"requestId": "c"}), h)
		require.Equal(t, "cancelled", <-w.ended)
		r := <-done
		require.Equal(t, status, r.status)
		require.Empty(t, r.frames)
	}
}

func TestBatches(t *testing.T) {
	batch := "[" + strings.Join([]string{
		legacyRequest(1, "tools/list", object{}),
		legacyRequest(nil, "notifications/unheard-of", nil),
		legacyRequest("two", "tools/call", object{"name": "echo", "arguments": object{}}),
		`7`,
		initialize(3, "2025-03-26"),
		call(4, "echo", noCaps, nil),
		legacyRequest(1, "tools/list", nil),
	}, ",") + "]"
	check := func(t *testing.T, raw string) {
		var frames []frame
		require.NoError(t, json.Unmarshal([]byte(raw), &frames))
		got := map[string]int{}
		var raws []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(raw), &raws))
		for i, f := range frames {
			got[string(f.ID)+"/"+fmt.Sprint(f.code())]++
			method := map[string]string{"1": "tools/list", `"two"`: "tools/call"}[string(f.ID)]
			spec.check(t, "2025-03-26", method, raws[i])
		}
		require.Len(t, frames, 6, raw)
		require.Equal(t, 1, got["1/0"], raw)
		require.Equal(t, 1, got[`"two"/0`], raw)
		require.Equal(t, 1, got["/-32600"], raw)
		require.Equal(t, 1, got["3/-32600"], raw)
		require.Equal(t, 1, got["4/-32600"], raw)
		require.Equal(t, 1, got["1/-32600"], "an id that is in use, in a response of its own: %s", raw)
	}
	t.Run("over HTTP", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		r := w.post(batch, w.session("2025-03-26"))
		require.Equal(t, 200, r.status)
		require.Equal(t, "application/json", r.header.Get("Content-Type"))
		check(t, r.body)
	})
	t.Run("on lines", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(initialize(0, "2025-03-26"))
		check(t, c.ask(batch).raw)
	})
	t.Run("without anything to answer", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		only := "[" + legacyRequest(nil, "notifications/unheard-of", nil) + "]"
		require.Equal(t, 202, w.post(only, w.session("2025-03-26")).status)
		c := w.pipe()
		c.ask(initialize(0, "2025-03-26"))
		c.silent(only)
		require.Equal(t, -32600, c.ask("[]").code())
	})
	t.Run("are refused elsewhere", func(t *testing.T) {
		for _, v := range []string{"2025-06-18", "2025-11-25"} {
			w := newWorld(t, edge.Options{})
			r := w.post(batch, w.session(v))
			require.Equal(t, 400, r.status)
			require.Equal(t, -32600, r.last().code())
			require.Empty(t, r.last().ID)
			c := w.pipe()
			c.ask(initialize(0, v))
			require.Equal(t, -32600, c.ask(batch).code())
		}
		w := newWorld(t, edge.Options{})
		require.Equal(t, -32600, w.post(batch).last().code(), "no session")
		c := w.pipe()
		require.Equal(t, -32600, c.ask(batch).code(), "no session")
		c.ask(initialize(0, "2024-11-05"))
		require.Equal(t, -32600, c.ask(batch).code())
	})
}

func TestIdleSessionsEnd(t *testing.T) {
	w := newWorld(t, edge.Options{SessionIdle: 20 * time.Millisecond})
	h := header{sessionHeader: w.post(initialize(1, "2025-11-25")).header.Get(sessionHeader)}
	require.Eventually(t, func() bool {
		time.Sleep(50 * time.Millisecond) // every request makes the session young again
		return w.post(legacyRequest(1, "ping", nil), h).status == 404
	}, patience, time.Millisecond)
}

func TestErasOverHTTP(t *testing.T) {
	t.Run("modern only", func(t *testing.T) {
		w := newWorld(t, edge.Options{Era: edge.Modern})
		r := w.post(initialize(1, "2025-11-25"))
		require.Equal(t, 400, r.status)
		require.Equal(t, -32022, r.last().code())
		require.Equal(t, []any{modern}, r.last().Error.Data["supported"])
		require.Equal(t, -32602, w.post(legacyRequest(1, "tools/list", nil)).last().code())
	})
	t.Run("handshake only", func(t *testing.T) {
		w := newWorld(t, edge.Options{Era: edge.Legacy})
		r := w.post(request(1, "server/discover", noCaps, nil))
		require.Equal(t, 400, r.status)
		require.Equal(t, -32600, r.last().code(), "nothing that a modern server would say")
		h := w.session("2025-11-25")
		require.Equal(t, 200, w.post(legacyRequest(1, "tools/list", object{}), h).status)
	})
}

// The go-sdk client, in each revision, over HTTP and over the pipe.
func TestGoSDKClients(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", modern} {
		for _, over := range []string{"http", "pipe"} {
			if version == "2024-11-05" && over == "http" {
				continue
			}
			t.Run(version+" over "+over, func(t *testing.T) {
				w := newWorld(t, edge.Options{})
				var tr mcp.Transport = &mcp.StreamableClientTransport{Endpoint: w.url}
				if over == "pipe" {
					p := w.edge.Pipe(t.Context())
					tr = &mcp.IOTransport{Reader: p, Writer: p}
				}
				asked := 0
				c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
					ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						asked++
						return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": fmt.Sprint(asked)}}, nil
					},
				})
				s, err := c.Connect(t.Context(), tr, &mcp.ClientSessionOptions{ProtocolVersion: version})
				require.NoError(t, err)
				defer s.Close()
				require.Equal(t, version, s.InitializeResult().ProtocolVersion)
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: object{"a": 1}})
				require.NoError(t, err)
				require.Equal(t, `{"a":1}`, res.Content[0].(*mcp.TextContent).Text)
				tools := 0
				for _, err := range s.Tools(t.Context(), nil) {
					require.NoError(t, err)
					tools++
				}
				require.Equal(t, 15, tools)
				if version >= "2025-06-18" { // the first revision with elicitation
					res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "wizard"})
					require.NoError(t, err)
					require.Equal(t, "1,2,3", res.Content[0].(*mcp.TextContent).Text)
				}
			})
		}
	}
}
