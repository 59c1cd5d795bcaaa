package embeddedserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

const modern = "2026-07-28"

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", modern}

// patience bounds one test's conversation.
const patience = 90 * time.Second

// everything is what a client that can do all declares.
var everything = map[string]any{
	"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
	"sampling":    map[string]any{"tools": map[string]any{}, "context": map[string]any{}},
	"roots":       map[string]any{},
}

// message is any JSON-RPC message, its members as they came.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`

	raw []byte
}

func decodeMessage(t *testing.T, raw []byte) message {
	t.Helper()
	m := message{raw: raw}
	require.NoError(t, json.Unmarshal(raw, &m), string(raw))
	return m
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// link carries messages: it sends one, and gives each that comes back to see,
// until the response to it or, for a notification, nothing.
type link interface {
	exchange(t *testing.T, out map[string]any, see func(message))
}

// wire is a client that sends what it is told to, and answers asks from a
// table: by key in the modern era, by method in the other.
type wire struct {
	t        *testing.T
	link     link
	revision string
	caps     map[string]any
	answers  func(key, method string, params json.RawMessage) any
	official *official // nil: messages are not held against the official schemas
	id       int
	asked    []string // methods of the asks, in order
	notified []string // methods of the notifications, in order
}

func (w *wire) begin() {
	w.t.Helper()
	if w.revision >= modern {
		return
	}
	res := w.request("initialize", map[string]any{
		"protocolVersion": w.revision, "capabilities": w.caps,
		"clientInfo": map[string]any{"name": "wire", "version": "1"},
	})
	require.Nil(w.t, res.Error)
	var init struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	require.NoError(w.t, json.Unmarshal(res.Result, &init))
	require.Equal(w.t, w.revision, init.ProtocolVersion)
	w.link.exchange(w.t, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}, func(message) {})
}

// request makes one request, and answers what the server asks meanwhile.
func (w *wire) request(method string, params map[string]any) message {
	w.t.Helper()
	w.id++
	p := map[string]any{}
	for k, v := range params {
		p[k] = v
	}
	if w.revision >= modern {
		meta := map[string]any{
			"io.modelcontextprotocol/protocolVersion":    w.revision,
			"io.modelcontextprotocol/clientCapabilities": w.caps,
			"io.modelcontextprotocol/logLevel":           "debug",
			"progressToken":                              fmt.Sprint("p", w.id),
		}
		p["_meta"] = meta
	} else if method != "initialize" {
		p["_meta"] = map[string]any{"progressToken": fmt.Sprint("p", w.id)}
	}
	var response message
	w.link.exchange(w.t, map[string]any{"jsonrpc": "2.0", "id": w.id, "method": method, "params": p}, func(m message) {
		w.official.check(w.t, w.revision, method, m)
		switch {
		case m.Method == "":
			require.Equal(w.t, fmt.Sprint(w.id), string(m.ID))
			response = m
		case m.ID == nil:
			w.notified = append(w.notified, m.Method)
		default:
			w.asked = append(w.asked, m.Method)
			answer := w.answers("", m.Method, m.Params)
			w.link.exchange(w.t, map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": answer}, func(message) {})
		}
	})
	return response
}

// converse calls a method that may ask, and answers until it ends.
func (w *wire) converse(method string, params map[string]any) message {
	w.t.Helper()
	now := params
	for range 20 {
		res := w.request(method, now)
		var r struct {
			ResultType    string             `json:"resultType"`
			RequestState  *string            `json:"requestState"`
			InputRequests map[string]message `json:"inputRequests"`
		}
		if res.Error != nil || json.Unmarshal(res.Result, &r) != nil || r.ResultType != "input_required" {
			return res
		}
		answers := map[string]any{}
		for key, a := range r.InputRequests {
			w.asked = append(w.asked, a.Method)
			answers[key] = w.answers(key, a.Method, a.Params)
		}
		now = map[string]any{"inputResponses": answers}
		for k, v := range params {
			now[k] = v
		}
		if r.RequestState != nil {
			now["requestState"] = *r.RequestState
		}
	}
	require.FailNow(w.t, "the call never ends")
	return message{}
}

// lines is a link of one message a line: stdio, and the pipe.
type lines struct {
	w io.Writer
	r *bufio.Reader
}

func (l *lines) exchange(t *testing.T, out map[string]any, see func(message)) {
	t.Helper()
	raw, err := json.Marshal(out)
	require.NoError(t, err)
	_, err = l.w.Write(append(raw, '\n'))
	require.NoError(t, err)
	if _, isRequest := out["method"]; !isRequest || out["id"] == nil {
		return
	}
	for {
		line, err := l.r.ReadBytes('\n')
		require.NoError(t, err)
		m := decodeMessage(t, line)
		see(m)
		if m.Method == "" {
			return
		}
	}
}

// posts is a link over Streamable HTTP.
type posts struct {
	url, session, revision string
	token                  string
	status                 int // of the last request
}

func (p *posts) exchange(t *testing.T, out map[string]any, see func(message)) {
	t.Helper()
	raw, err := json.Marshal(out)
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, bytes.NewReader(raw))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	method, _ := out["method"].(string)
	if method != "initialize" {
		req.Header.Set("MCP-Protocol-Version", p.revision)
	}
	if p.session != "" {
		req.Header.Set("Mcp-Session-Id", p.session)
	}
	if p.revision >= modern {
		req.Header.Set("Mcp-Method", method)
		if params, ok := out["params"].(map[string]any); ok {
			for _, field := range []string{"name", "uri"} {
				if v, ok := params[field].(string); ok {
					req.Header.Set("Mcp-Name", v)
				}
			}
			if args, ok := params["arguments"].(map[string]any); ok && params["name"] == "ferry_times" {
				req.Header.Set("Mcp-Param-Harbour", fmt.Sprint(args["harbour"]))
			}
		}
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	p.status = res.StatusCode
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		p.session = id
	}
	switch kind := res.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/event-stream"):
		in := bufio.NewScanner(res.Body)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			if data, ok := strings.CutPrefix(in.Text(), "data:"); ok && strings.TrimSpace(data) != "" {
				see(decodeMessage(t, []byte(data)))
			}
		}
		require.NoError(t, in.Err())
	case strings.HasPrefix(kind, "application/json"):
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		see(decodeMessage(t, b))
	}
}

// transports names the ways to reach an edge, and opens them.
var transports = []string{"pipe", "stdio", "http"}

func openLink(t *testing.T, e *edge.Edge, transport, revision string) link {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	switch transport {
	case "pipe":
		conn := e.Pipe(ctx)
		t.Cleanup(func() { conn.Close() })
		return &lines{w: conn, r: bufio.NewReader(conn)}
	case "stdio":
		r, w := stdio(t, ctx, e)
		return &lines{w: w, r: bufio.NewReader(r)}
	}
	ts := httptest.NewServer(e)
	t.Cleanup(ts.Close)
	return &posts{url: ts.URL, revision: revision}
}

// stdio serves over two plain pipes, as a child process does.
func stdio(t *testing.T, ctx context.Context, e interface {
	ServeStdio(context.Context, io.Reader, io.Writer) error
}) (io.ReadCloser, io.WriteCloser) {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := e.ServeStdio(ctx, serverIn, serverOut)
		serverOut.Close()
		done <- err
	}()
	t.Cleanup(func() {
		clientOut.Close()
		clientIn.Close()
		select {
		case <-done:
		case <-time.After(patience):
			t.Error("stdio does not end with its input")
		}
	})
	return clientIn, clientOut
}

func newWire(t *testing.T, e *edge.Edge, transport, revision string, answers func(key, method string, params json.RawMessage) any) *wire {
	t.Helper()
	w := &wire{t: t, link: openLink(t, e, transport, revision), revision: revision, caps: everything, answers: answers, official: loadOfficial(t)}
	w.begin()
	return w
}
