package flow

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/trace"
)

// FuzzEvents throws lines at a connection that has a call and a held retry under
// way: whatever comes, nothing panics, and everything that leaves is JSON.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}` + "\nexit\n{}",
		`[{"jsonrpc":"2.0","id":2,"result":{}},{"id":9,"method":"ping"}]`,
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, script string, modern bool) {
		c := New(Config{Transport: HTTP, Capabilities: json.RawMessage(`{"elicitation":{},"roots":{}}`)})
		now, seq := time.Second, 0
		drain := func() {
			for _, e := range c.Take() {
				if s, ok := e.(Send); ok {
					require.True(t, json.Valid(s.Bytes), "%s", s.Bytes)
					seq++
					c.Event(now, trace.Event{Seq: seq, Frame: &trace.Frame{Dir: trace.Out, Exchange: seq, Bytes: s.Bytes}})
				}
			}
		}
		in := func(line []byte, exchange int) {
			seq++
			c.Event(now, trace.Event{Seq: seq, Frame: &trace.Frame{Dir: trace.In, Exchange: exchange, Bytes: line}})
			drain()
		}
		c.Start(now)
		c.Opened(now, nil)
		drain()
		if modern {
			in([]byte(`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`), 0)
		} else {
			in([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`), 0)
			in([]byte(`{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`), 0)
		}
		call, err := c.Call(now, control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`)})
		require.NoError(t, err)
		drain()
		for n, line := range bytes.Split([]byte(script), []byte("\n")) {
			now += time.Second
			if bytes.HasPrefix(line, []byte("exit")) {
				c.Event(now, trace.Event{Phase: &trace.Phase{Name: trace.PhaseExited}})
			} else {
				in(line, n%4)
			}
			for id := range c.asks {
				_ = c.Answer(now, id, control.Reply{Result: json.RawMessage(`{"action":"decline"}`)}, trace.Script) // it may be closed
			}
			c.Tick(now)
			drain()
		}
		if d, err := c.Branch(now, call, 1); err == nil {
			_ = c.Send(now, d) // the connection may be down
		}
		drain()
		c.Close(now)
		require.Empty(t, c.running())
	})
}
