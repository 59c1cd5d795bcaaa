package edge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const modern = "2026-07-28"

var (
	stateKey   = []byte("0123456789abcdef0123456789abcdef")
	nameSchema = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)
)

// patience bounds what is waited for: a wait that succeeds costs nothing, and a
// machine may be very slow.
const patience = time.Minute

// ---- messages ----

type object = map[string]any

func meta(caps string) object {
	return object{
		"io.modelcontextprotocol/protocolVersion":    modern,
		"io.modelcontextprotocol/clientInfo":         object{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(caps),
	}
}

const (
	noCaps  = `{}`
	canForm = `{"elicitation":{}}`
	canAll  = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`
)

// request builds a modern request. Members of params go over those of the
// defaults; _meta is merged.
func request(id any, method, caps string, params object) string {
	p, m := object{}, meta(caps)
	maps.Copy(p, params)
	if more, ok := p["_meta"].(object); ok {
		maps.Copy(m, more)
	}
	p["_meta"] = m
	return encode(object{"jsonrpc": "2.0", "id": id, "method": method, "params": p})
}

func call(id any, tool, caps string, more object) string {
	p := object{"name": tool, "arguments": object{}}
	maps.Copy(p, more)
	return request(id, "tools/call", caps, p)
}

func legacyRequest(id any, method string, params object) string {
	m := object{"jsonrpc": "2.0", "method": method}
	if id != nil {
		m["id"] = id
	}
	if params != nil {
		m["params"] = params
	}
	return encode(m)
}

func initialize(id any, version string) string {
	return legacyRequest(id, "initialize", object{
		"protocolVersion": version, "capabilities": json.RawMessage(`{"elicitation":{},"roots":{},"sampling":{}}`),
		"clientInfo": object{"name": "test", "version": "1"},
	})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// frame is a message of the server.
type frame struct {
	raw    string
	ID     json.RawMessage
	Method string
	Params object
	Result object
	Error  *struct {
		Code    int
		Message string
		Data    object
	}
}

func parseFrame(t testing.TB, raw []byte) frame {
	t.Helper()
	f := frame{raw: string(raw)}
	require.NoError(t, json.Unmarshal(raw, &f), "%s", raw)
	return f
}

func (f frame) code() int {
	if f.Error == nil {
		return 0
	}
	return f.Error.Code
}

func (f frame) text() string {
	c, _ := f.Result["content"].([]any)
	if len(c) == 0 {
		return ""
	}
	s, _ := c[0].(object)["text"].(string)
	return s
}

func (f frame) asks() bool { return f.Result["resultType"] == "input_required" }

// ---- HTTP ----

type reply struct {
	status int
	header http.Header
	body   string
	frames []frame
}

func (r reply) last() frame {
	if len(r.frames) == 0 {
		return frame{}
	}
	return r.frames[len(r.frames)-1]
}

type header = map[string]string

// headersFor mirrors a modern body as a good client does.
func headersFor(body string) header {
	h := header{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	var m struct {
		Method string
		Params struct {
			Name, URI *string
			Meta      map[string]json.RawMessage `json:"_meta"`
		}
	}
	if json.Unmarshal([]byte(body), &m) != nil {
		return h
	}
	var v string
	if json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/protocolVersion"], &v) == nil && v != "" {
		h["MCP-Protocol-Version"], h["Mcp-Method"] = v, m.Method
		switch {
		case m.Method == "resources/read" && m.Params.URI != nil:
			h["Mcp-Name"] = *m.Params.URI
		case m.Params.Name != nil:
			h["Mcp-Name"] = *m.Params.Name
		}
	}
	return h
}

// post sends a body with the headers that fit it, changed by those given; an
// empty value removes one.
func (w *world) post(body string, change ...header) reply {
	w.t.Helper()
	res := w.send(context.Background(), http.MethodPost, body, change...)
	defer res.Body.Close()
	return w.read(res, body)
}

func (w *world) send(ctx context.Context, method, body string, change ...header) *http.Response {
	w.t.Helper()
	h := headersFor(body)
	for _, c := range change {
		maps.Copy(h, c)
	}
	req, err := http.NewRequestWithContext(ctx, method, w.url, strings.NewReader(body))
	require.NoError(w.t, err)
	for k, v := range h {
		switch {
		case k == "Host":
			req.Host = v
		case v == "-": // an empty value is a value
			req.Header[http.CanonicalHeaderKey(k)] = []string{""}
		case v != "":
			req.Header.Set(k, v)
		}
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(w.t, err)
	return res
}

// read takes the whole response and validates each message in it.
func (w *world) read(res *http.Response, body string) reply {
	w.t.Helper()
	b, err := io.ReadAll(res.Body)
	require.NoError(w.t, err)
	r := reply{status: res.StatusCode, header: res.Header, body: string(b)}
	switch {
	case strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream"):
		for _, line := range strings.Split(r.body, "\n") {
			if d, ok := strings.CutPrefix(line, "data: "); ok && d != "" {
				r.frames = append(r.frames, parseFrame(w.t, []byte(d)))
			}
		}
	case len(bytes.TrimSpace(b)) > 0 && b[0] == '[':
		var all []json.RawMessage
		require.NoError(w.t, json.Unmarshal(b, &all))
		for _, one := range all {
			r.frames = append(r.frames, parseFrame(w.t, one))
		}
	case len(b) > 0:
		r.frames = append(r.frames, parseFrame(w.t, b))
	}
	var q struct {
		Method string
		Params struct {
			Meta map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(body), &q) // broken bodies are sent on purpose
	inSession := res.Request.Header.Get(sessionHeader) != ""
	rev := res.Request.Header.Get("MCP-Protocol-Version")
	if q.Params.Meta["io.modelcontextprotocol/protocolVersion"] == modern && !inSession {
		rev = modern
	}
	isBatch := len(b) > 0 && b[0] == '[' // of several methods
	if (rev == modern || inSession && r.status == 200) && slices.Contains(revisions, rev) && !isBatch && body != "" {
		for _, f := range r.frames {
			spec.check(w.t, rev, q.Method, []byte(f.raw))
		}
	}
	return r
}

const sessionHeader = "Mcp-Session-Id"

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", modern}

// session opens a handshake-era session and gives the headers that name it.
func (w *world) session(version string) header {
	w.t.Helper()
	r := w.post(initialize("init", version))
	require.Equal(w.t, 200, r.status, r.body)
	h := header{sessionHeader: r.header.Get(sessionHeader), "MCP-Protocol-Version": version}
	require.NotEmpty(w.t, h[sessionHeader])
	require.Equal(w.t, 202, w.post(legacyRequest(nil, "notifications/initialized", nil), h).status)
	return h
}

// ---- stdio and the pipe ----

// wire is a connection of lines. Its frames are validated as they are read,
// each by the revision of the request that it belongs to.
type wire struct {
	t   testing.TB
	rw  io.ReadWriteCloser
	mu  sync.Mutex
	of  map[string][2]string // id → revision, method
	rev string               // of what is not modern by itself
	old bool                 // the server knows no modern messages
	out chan frame
}

func (w *world) pipe() *wire { return newWire(w.t, w.edge.Pipe(context.Background())) }

func newWire(t testing.TB, rw io.ReadWriteCloser) *wire {
	c := &wire{t: t, rw: rw, of: map[string][2]string{}, rev: "2025-11-25", out: make(chan frame, 1024)}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(c.out)
		sc := bufio.NewScanner(rw)
		sc.Buffer(nil, 64<<20)
		for sc.Scan() {
			f := frame{raw: sc.Text()}
			if err := json.Unmarshal(sc.Bytes(), &f); err != nil && sc.Bytes()[0] != '[' {
				t.Errorf("the server wrote %q: %v", sc.Text(), err)
			}
			c.out <- f
		}
	})
	t.Cleanup(func() { rw.Close(); wg.Wait() })
	return c
}

func (c *wire) send(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Version string         `json:"protocolVersion"`
				Meta    map[string]any `json:"_meta"`
			}
		}
		if json.Unmarshal([]byte(l), &m) == nil && m.ID != nil && m.Method != "" {
			c.mu.Lock()
			if m.Method == "initialize" && slices.Contains([]string{"2024-11-05", "2025-03-26", "2025-06-18"}, m.Params.Version) {
				c.rev = m.Params.Version
			}
			rev := c.rev
			if !c.old && m.Params.Meta["io.modelcontextprotocol/protocolVersion"] == modern {
				rev = modern
			}
			if _, open := c.of[string(m.ID)]; !open {
				c.of[string(m.ID)] = [2]string{rev, m.Method}
			}
			c.mu.Unlock()
		}
		_, err := io.WriteString(c.rw, l+"\n")
		require.NoError(c.t, err)
	}
}

// next gives the next message; it fails the test where none comes.
func (c *wire) next() frame {
	c.t.Helper()
	select {
	case f, ok := <-c.out:
		require.True(c.t, ok, "the connection has ended")
		c.check(f)
		return f
	case <-time.After(patience):
		c.t.Fatal("the server says nothing")
		return frame{}
	}
}

func (c *wire) check(f frame) {
	c.t.Helper()
	if f.raw[0] == '[' {
		return
	}
	c.mu.Lock()
	about, known := c.of[string(f.ID)]
	if f.Method == "" {
		delete(c.of, string(f.ID))
	}
	rev := c.rev
	c.mu.Unlock()
	switch {
	case f.Method == "" && known:
		spec.check(c.t, about[0], about[1], []byte(f.raw))
	case f.Method != "" && strings.Contains(f.raw, "subscriptionId"):
		spec.check(c.t, modern, "", []byte(f.raw))
	case f.Method != "":
		spec.check(c.t, rev, "", []byte(f.raw))
	}
}

// ask sends one line and gives the message that answers it.
func (c *wire) ask(line string) frame {
	c.t.Helper()
	c.send(line)
	return c.next()
}

// silent sends lines and shows that nothing came of them: the next message is
// the answer to a request that was sent after them.
func (c *wire) silent(lines ...string) {
	c.t.Helper()
	c.send(lines...)
	f := c.ask(request("marker", "server/discover", noCaps, nil))
	require.JSONEq(c.t, `"marker"`, string(f.ID), "expected silence, got %s", f.raw)
}

// background runs f and waits for it at the end of the test.
func (w *world) background(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	w.t.Cleanup(wg.Wait)
}
