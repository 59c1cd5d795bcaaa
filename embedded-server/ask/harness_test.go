package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

const modern = "2026-07-28"

var (
	keyA = []byte("0123456789abcdef0123456789abcdef")
	keyB = []byte("fedcba9876543210fedcba9876543210")

	nameSchema = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"]}`)
	nameForm   = ask.Form("Your name?", nameSchema)

	// everything is what a client that can do all declares.
	everything = map[string]any{
		"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
		"sampling":    map[string]any{"tools": map[string]any{}, "context": map[string]any{}},
		"roots":       map[string]any{},
	}
)

func textResult(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func accept(content map[string]any) map[string]any {
	return map[string]any{"action": "accept", "content": content}
}

func named(name string) map[string]any { return accept(map[string]any{"name": name}) }

var (
	sampled   = map[string]any{"role": "assistant", "model": "m1", "content": map[string]any{"type": "text", "text": "A plan."}}
	rootsList = map[string]any{"roots": []any{map[string]any{"uri": "file:///srv/data"}}}
)

func newLayer(t testing.TB, cfg ask.Config) *ask.Layer {
	t.Helper()
	l, err := ask.New(cfg)
	require.NoError(t, err)
	return l
}

type handler func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error)

// newServer serves one tool of the name "tool" on a layer.
func newServer(t testing.TB, cfg ask.Config, h handler) *mcp.Server {
	t.Helper()
	l := newLayer(t, cfg)
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	l.Install(s)
	mcp.AddTool(s, &mcp.Tool{Name: "tool"}, ask.Tool(l, func(ctx context.Context, req *mcp.CallToolRequest, in *ask.Input, _ map[string]any) (*mcp.CallToolResult, any, error) {
		res, err := h(ctx, req, in)
		return res, nil, err
	}))
	return s
}

// answers gives what a client says to an ask. A nil error and a nil value
// leave the ask out of a modern retry.
type answers func(key, method string, params json.RawMessage) (any, error)

// reply answers by key in the modern era and by method in the other.
func reply(m map[string]any) answers {
	return func(key, method string, _ json.RawMessage) (any, error) {
		if v, ok := m[key]; ok {
			return v, nil
		}
		return m[method], nil
	}
}

// peer is a client without opinions: it sends what it is told to, in either
// era, straight to a server's session.
type peer struct {
	t        testing.TB
	conn     mcp.Connection
	revision string
	caps     map[string]any
	answer   answers

	mu      sync.Mutex
	next    int64
	waiting map[string]chan *jsonrpc.Response
	asked   []string          // methods of the asks that came, in order
	params  []json.RawMessage // and their parameters
}

func connect(t testing.TB, s *mcp.Server, revision string, caps map[string]any, a answers) *peer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	near, far := mcp.NewInMemoryTransports()
	ss, err := s.Connect(ctx, far, nil)
	require.NoError(t, err)
	conn, err := near.Connect(ctx)
	require.NoError(t, err)
	p := &peer{t: t, conn: conn, revision: revision, caps: caps, answer: a, waiting: map[string]chan *jsonrpc.Response{}}
	done := make(chan struct{})
	go func() { defer close(done); p.read(ctx) }()
	t.Cleanup(func() {
		cancel()
		conn.Close()
		ss.Close()
		<-done
	})
	if revision < modern {
		_, e := p.send("initialize", map[string]any{
			"protocolVersion": revision, "capabilities": caps,
			"clientInfo": map[string]any{"name": "peer", "version": "1"},
		})
		require.Nil(t, e)
		require.NoError(t, conn.Write(ctx, &jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage(`{}`)}))
	}
	return p
}

func (p *peer) read(ctx context.Context) {
	var asks sync.WaitGroup
	defer asks.Wait()
	for {
		m, err := p.conn.Read(ctx)
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			id, _ := json.Marshal(m.ID.Raw())
			p.mu.Lock()
			ch := p.waiting[string(id)]
			p.mu.Unlock()
			if ch != nil {
				ch <- m
			}
		case *jsonrpc.Request:
			if !m.IsCall() {
				continue
			}
			p.mu.Lock()
			p.asked, p.params = append(p.asked, m.Method), append(p.params, m.Params)
			p.mu.Unlock()
			asks.Go(func() { p.respond(ctx, m) })
		}
	}
}

func (p *peer) respond(ctx context.Context, m *jsonrpc.Request) {
	v, err := p.answer("", m.Method, m.Params)
	res := &jsonrpc.Response{ID: m.ID}
	if err != nil {
		res.Error = err
	} else if v == nil { // never answered
		return
	} else {
		res.Result, _ = json.Marshal(v)
	}
	_ = p.conn.Write(ctx, res)
}

// send makes one request, and gives the result as it came.
func (p *peer) send(method string, params map[string]any) (json.RawMessage, *jsonrpc.Error) {
	p.t.Helper()
	p.mu.Lock()
	p.next++
	id, err := jsonrpc.MakeID(float64(p.next))
	ch := make(chan *jsonrpc.Response, 1)
	p.waiting[strconv.FormatInt(p.next, 10)] = ch
	p.mu.Unlock()
	require.NoError(p.t, err)
	params = maps.Clone(params)
	if p.revision >= modern {
		meta := map[string]any{mcp.MetaKeyProtocolVersion: p.revision, mcp.MetaKeyClientCapabilities: p.caps}
		if raw, ok := params["inputResponses"]; ok { // as a wire edge hands them over
			meta[ask.MetaRawResponses] = raw
			delete(params, "inputResponses")
		}
		params["_meta"] = meta
	}
	raw, err := json.Marshal(params)
	require.NoError(p.t, err)
	require.NoError(p.t, p.conn.Write(context.Background(), &jsonrpc.Request{ID: id, Method: method, Params: raw}))
	select {
	case res := <-ch:
		if res.Error != nil {
			var wire *jsonrpc.Error
			require.True(p.t, errors.As(res.Error, &wire), "%v", res.Error)
			return nil, wire
		}
		return res.Result, nil
	case <-time.After(time.Minute):
		require.FailNow(p.t, "no response to "+method)
		return nil, nil
	}
}

type wireAsk struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// result is the union of what the three methods that may ask can answer.
type result struct {
	ResultType    string             `json:"resultType"`
	InputRequests map[string]wireAsk `json:"inputRequests"`
	RequestState  string             `json:"requestState"`
	IsError       bool               `json:"isError"`
	Content       []struct {
		Text string `json:"text"`
	} `json:"content"`
	Messages []struct {
		Content struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"messages"`
	Contents []struct {
		Text string `json:"text"`
	} `json:"contents"`
}

func (r result) text() string {
	switch {
	case len(r.Content) > 0:
		return r.Content[0].Text
	case len(r.Messages) > 0:
		return r.Messages[0].Content.Text
	case len(r.Contents) > 0:
		return r.Contents[0].Text
	}
	return ""
}

func (r result) keys() []string { return slices.Sorted(maps.Keys(r.InputRequests)) }

// state decodes what a sealed state says, as anyone can who holds it.
func (r result) state(t testing.TB) map[string]any { return decodeState(t, r.RequestState) }

// round sends one request of a method that may ask.
func (p *peer) round(method string, params map[string]any) (result, *jsonrpc.Error) {
	p.t.Helper()
	raw, e := p.send(method, params)
	if e != nil {
		return result{}, e
	}
	var r result
	require.NoError(p.t, json.Unmarshal(raw, &r), string(raw))
	return r, nil
}

// tool is round for the tool of newServer.
func (p *peer) tool(params map[string]any) (result, *jsonrpc.Error) {
	p.t.Helper()
	all := map[string]any{"name": "tool", "arguments": map[string]any{}}
	maps.Copy(all, params)
	return p.round("tools/call", all)
}

func retry(state string, responses map[string]any) map[string]any {
	p := map[string]any{"inputResponses": responses}
	if state != "" {
		p["requestState"] = state
	}
	return p
}

// converse calls a method and answers until it ends, in either era.
func (p *peer) converse(method string, params map[string]any) (result, *jsonrpc.Error) {
	p.t.Helper()
	now := maps.Clone(params)
	for range 20 {
		r, e := p.round(method, now)
		if e != nil || r.ResultType != "input_required" {
			return r, e
		}
		responses := map[string]any{}
		for _, key := range r.keys() {
			a := r.InputRequests[key]
			p.asked, p.params = append(p.asked, a.Method), append(p.params, a.Params)
			v, err := p.answer(key, a.Method, a.Params)
			require.NoError(p.t, err)
			if v != nil {
				responses[key] = v
			}
		}
		now = maps.Clone(params)
		maps.Copy(now, retry(r.RequestState, responses))
	}
	require.FailNow(p.t, "the call never ends")
	return result{}, nil
}

var toolCall = map[string]any{"name": "tool", "arguments": map[string]any{}}

// bothEras runs a test once for each revision that has elicitation.
func bothEras(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range []string{"2025-06-18", "2025-11-25", modern} {
		t.Run(revision, func(t *testing.T) { f(t, revision) })
	}
}
