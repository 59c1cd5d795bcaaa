package edge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

func TestBothErasInterleaveOnOneStream(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	require.Equal(t, "{}", c.ask(call(1, "echo", noCaps, nil)).text(), "modern first")
	f := c.ask(legacyRequest(2, "tools/list", object{}))
	require.Equal(t, -32602, f.code(), "no session yet, so a request without _meta is a broken modern one")
	f = c.ask(initialize(3, "2025-11-25"))
	require.Equal(t, "2025-11-25", f.Result["protocolVersion"], "initialize after modern requests")
	c.send(legacyRequest(nil, "notifications/initialized", nil))

	// A handshake-era call that waits for its answer …
	q := c.ask(legacyRequest(4, "tools/call", object{"name": "ask", "arguments": object{}}))
	require.Equal(t, "elicitation/create", q.Method)
	// … does not change how a modern one is served.
	require.True(t, c.ask(call(5, "ask", canForm, nil)).asks())
	f = c.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Bo"}}}`, q.ID))
	require.Equal(t, "Hello, Bo!", f.text())
	require.Equal(t, "4", string(f.ID))
	require.NotContains(t, f.Result, "resultType")
	f = c.ask(call(6, "ask", canForm, object{"inputResponses": object{"who": object{"action": "accept", "content": object{"name": "Al"}}}}))
	require.Equal(t, "Hello, Al!", f.text())
	require.Equal(t, "complete", f.Result["resultType"])
	require.Equal(t, -32600, c.ask(initialize(7, "2025-11-25")).code(), "one handshake is enough")
}

func TestSeveralRoundsOverThePipeInEveryRevision(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25"} {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(initialize(0, version))
		f := c.ask(legacyRequest(1, "tools/call", object{"name": "wizard", "arguments": object{}}))
		for _, name := range []string{"a", "b", "c"} {
			require.Equal(t, "elicitation/create", f.Method, f.raw)
			f = c.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":%q}}}`, f.ID, name))
		}
		require.Equal(t, "a,b,c", f.text(), version)
	}
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	f := c.ask(call(1, "wizard", canForm, nil))
	for i, name := range []string{"a", "b", "c"} {
		require.True(t, f.asks(), f.raw)
		var key string
		for key = range f.Result["inputRequests"].(object) {
		}
		f = c.ask(call(i+2, "wizard", canForm, object{
			"requestState": f.Result["requestState"], "inputResponses": object{key: object{"action": "accept", "content": object{"name": name}}},
		}))
	}
	require.Equal(t, "a,b,c", f.text())
}

func TestCancellationIsSilent(t *testing.T) {
	cancelled := func(id any) string {
		return legacyRequest(nil, "notifications/cancelled", object{"requestId": id, "reason": "enough"})
	}
	t.Run("modern", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		for _, id := range []any{20, "twenty"} {
			c.send(call(id, "slow", noCaps, nil))
			<-w.began
			c.send(cancelled(id))
			require.Equal(t, "cancelled", <-w.ended)
			c.silent()
		}
		require.Equal(t, "{}", c.ask(call(20, "echo", noCaps, nil)).text(), "the id is free again")
	})
	t.Run("handshake era", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(initialize(1, "2025-11-25"))
		c.send(legacyRequest(30, "tools/call", object{"name": "slow", "arguments": object{}}))
		<-w.began
		c.send(cancelled(30))
		require.Equal(t, "cancelled", <-w.ended)
		c.silent()
	})
	t.Run("but for what was asked inside", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(initialize(1, "2025-11-25"))
		q := c.ask(legacyRequest(30, "tools/call", object{"name": "ask", "arguments": object{}}))
		f := c.ask(cancelled(30))
		require.Equal(t, "notifications/cancelled", f.Method)
		require.Equal(t, string(q.ID), fmt.Sprint(f.Params["requestId"]))
		c.silent()
	})
	t.Run("of what is unknown, done or malformed", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		c := w.pipe()
		c.ask(call(1, "echo", noCaps, nil))
		c.silent(cancelled(1), cancelled(99), cancelled(nil), legacyRequest(nil, "notifications/cancelled", nil))
	})
}

func TestIDsInUseAreRefused(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	c.ask(initialize("i", "2025-11-25"))
	c.send(call(1, "slow", noCaps, nil), legacyRequest(2, "tools/call", object{"name": "slow", "arguments": object{}}))
	<-w.began
	<-w.began
	for _, line := range []string{
		call(1, "echo", noCaps, nil), legacyRequest(1, "tools/list", object{}),
		legacyRequest(2, "tools/list", object{}), call(2, "echo", noCaps, nil),
	} {
		f := c.ask(line)
		require.Equal(t, -32600, f.code(), f.raw)
		require.Empty(t, f.ID, "an error by that id would be taken for the answer of the other request")
	}
	close(w.go_)
	require.Equal(t, "slept", c.next().text())
	require.Equal(t, "slept", c.next().text())
}

func TestLongLinesAreRefusedAndSurvived(t *testing.T) {
	w := newWorld(t, edge.Options{MaxBody: 400_000})
	c := w.pipe()
	f := c.ask(call(1, "echo", noCaps, object{"arguments": object{"x": strings.Repeat("y", 500_000)}}))
	require.Equal(t, -32600, f.code())
	require.Empty(t, f.ID)
	f = c.ask(call(2, "echo", noCaps, object{"arguments": object{"x": strings.Repeat("y", 300_000)}}))
	require.Len(t, f.text(), 300_008)
}

func TestStdioEndsWithItsInput(t *testing.T) {
	w := newWorld(t, edge.Options{})
	w.edge.SetDrain(time.Minute)
	var out bytes.Buffer
	in := strings.NewReader("\n  \n" + call(1, "echo", noCaps, nil) + "\r\n" + call(2, "echo", noCaps, nil)) // no newline at the end
	require.NoError(t, w.edge.ServeStdio(context.Background(), in, &out))
	require.Contains(t, out.String(), `"id":1`, "what can still be answered is")
	require.Contains(t, out.String(), `"id":2`)

	w.edge.SetDrain(0)
	out.Reset()
	r, pipe := io.Pipe()
	w.background(func() {
		_, _ = io.WriteString(pipe, call(3, "slow", noCaps, nil)+"\n")
		<-w.began
		pipe.Close()
	})
	require.NoError(t, w.edge.ServeStdio(context.Background(), r, &out))
	require.Equal(t, "cancelled", <-w.ended, "what cannot is cancelled")
	require.Empty(t, out.String())
}

func TestStdioReportsBrokenStreams(t *testing.T) {
	w := newWorld(t, edge.Options{})
	broken := errors.New("broken")
	err := w.edge.ServeStdio(t.Context(), iotest.ErrReader(broken), io.Discard)
	require.ErrorIs(t, err, broken)
	r, in := io.Pipe()
	defer in.Close()
	w.background(func() { _, _ = io.WriteString(in, "x\n") })
	err = w.edge.ServeStdio(t.Context(), r, failing{broken})
	require.ErrorIs(t, err, broken)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, w.edge.ServeStdio(ctx, r, io.Discard), context.Canceled)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPipeEndsWithItsContext(t *testing.T) {
	w := newWorld(t, edge.Options{})
	ctx, stop := context.WithCancel(context.Background())
	c := newWire(t, w.edge.Pipe(ctx))
	c.silent()
	stop()
	for range c.out {
	}
	p := w.edge.Pipe(context.Background())
	require.NoError(t, p.Close())
	_, err := p.Write([]byte("x"))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	_, err = p.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestErasOnAStreamOfLines(t *testing.T) {
	t.Run("modern only", func(t *testing.T) {
		w := newWorld(t, edge.Options{Era: edge.Modern})
		f := w.pipe().ask(initialize(1, "2025-11-25"))
		require.Equal(t, -32022, f.code(), "an initialize request learns what is spoken")
		require.Equal(t, []any{modern}, f.Error.Data["supported"])
		require.Equal(t, "2025-11-25", f.Error.Data["requested"])
	})
	t.Run("handshake only", func(t *testing.T) {
		w := newWorld(t, edge.Options{Era: edge.Legacy})
		c := w.pipe()
		c.old = true
		require.Equal(t, -32601, c.ask(request(1, "server/discover", noCaps, nil)).code())
		require.Equal(t, -32600, c.ask(call(2, "echo", noCaps, nil)).code())
		c.ask(initialize(3, "2025-11-25"))
		f := c.ask(call(4, "echo", noCaps, nil))
		require.Equal(t, "{}", f.text())
		require.NotContains(t, f.Result, "resultType", "the envelope means nothing to such a server")
		require.Equal(t, -32601, c.ask(request(5, "server/discover", noCaps, nil)).code())
	})
	t.Run("a ping may come before initialize", func(t *testing.T) {
		w := newWorld(t, edge.Options{})
		require.NotNil(t, w.pipe().ask(legacyRequest(1, "ping", nil)).Result)
	})
}

func TestVersionsAreNegotiated(t *testing.T) {
	for asked, want := range map[string][2]string{ // on lines, over HTTP
		"2025-11-25": {"2025-11-25", "2025-11-25"}, "2025-06-18": {"2025-06-18", "2025-06-18"}, "2025-03-26": {"2025-03-26", "2025-03-26"},
		"2024-11-05": {"2024-11-05", "2025-11-25"}, // its HTTP transport is another one
		modern:       {"2025-11-25", "2025-11-25"}, "3000-01-01": {"2025-11-25", "2025-11-25"}, "": {"2025-11-25", "2025-11-25"},
	} {
		w := newWorld(t, edge.Options{})
		require.Equal(t, want[0], w.pipe().ask(strings.Replace(initialize(1, "V"), `"V"`, fmt.Sprintf("%q", asked), 1)).Result["protocolVersion"])
		require.Equal(t, want[1], w.post(strings.Replace(initialize(1, "V"), `"V"`, fmt.Sprintf("%q", asked), 1)).last().Result["protocolVersion"])
	}
}

// A client that asks for the modern revision in a handshake gets an older one,
// and must then be asked as that one says.
func TestAsksAfterAHandshakeForTheModernRevision(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	c.ask(strings.Replace(initialize(1, "2025-11-25"), `"2025-11-25"`, `"2026-07-28"`, 1))
	require.Equal(t, "elicitation/create", c.ask(legacyRequest(2, "tools/call", object{"name": "ask", "arguments": object{}})).Method)
}
