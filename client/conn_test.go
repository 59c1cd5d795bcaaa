package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/flow"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

func toolCall(name string) control.Request {
	return control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + name + `"}`)}
}

func TestDialRefusesOptionsThatCannotWork(t *testing.T) {
	for want, o := range map[string]client.Options{
		"no server is named":                 {},
		"more than one server is named":      {Target: client.Target{URL: "http://x", Command: "y"}},
		"has to begin with http":             {Target: client.Target{URL: "ftp://x"}},
		"the URL cannot be read":             {Target: client.Target{URL: "http://[::1"}},
		"the era \"stone\" is not known":     {Target: client.Target{Command: "y"}, Era: "stone"},
		"the capabilities are not JSON":      {Target: client.Target{Command: "y"}, Capabilities: json.RawMessage(`{`)},
		"the URL http: is none of HTTP: it ": {Target: client.Target{URL: "http:"}},
	} {
		_, err := client.Dial(context.Background(), o)
		require.ErrorContains(t, err, want)
	}
}

// Whatever the connection is doing, Close ends it, and leaves nothing behind:
// TestMain looks for goroutines.
func TestCloseInEachPhase(t *testing.T) {
	silent := func(*testing.T) *scripted { return &scripted{answer: func(rpc.Message) []string { return nil }} }
	for name, c := range map[string]struct {
		server func(t *testing.T) *scripted
		until  func(t *testing.T, c *client.Conn, ctx context.Context)
	}{
		"at once":       {silent, func(*testing.T, *client.Conn, context.Context) {}},
		"while probing": {silent, untilPhase(trace.PhaseProbing)},
		"ready":         {func(*testing.T) *scripted { return modern(nil) }, untilPhase(trace.PhaseReady)},
		"with an open call": {func(*testing.T) *scripted { return modern(func(rpc.Message, string) []string { return nil }) },
			func(t *testing.T, c *client.Conn, ctx context.Context) {
				call, err := c.Call(toolCall("hang"))
				require.NoError(t, err)
				require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return len(s.Call(call).Rounds) == 1 }))
			}},
		"hung up": {func(*testing.T) *scripted {
			return &scripted{answer: func(rpc.Message) []string { return []string{hangUp} }}
		},
			untilPhase(trace.PhaseFailed)},
	} {
		t.Run(name, func(t *testing.T) {
			conn, ctx := dial(t, client.Options{Target: c.server(t).target(t)})
			c.until(t, conn, ctx)
			require.NoError(t, conn.Close(ctx))
			require.NoError(t, conn.Close(ctx), "a second time")
			require.ErrorIs(t, conn.Ready(ctx), client.ErrClosed)
			_, err := conn.Call(toolCall("x"))
			require.ErrorIs(t, err, control.ErrNo)
			_, err = conn.Log().Next(ctx, len(conn.Log().Since(0)))
			require.ErrorIs(t, err, trace.ErrClosed)
			s := session.New()
			for _, e := range conn.Log().Since(0) {
				s.Apply(e)
			}
			for _, call := range s.Calls {
				require.True(t, call.Status.Final(), "call %d is %s", call.ID, call.Status)
			}
		})
	}
}

func untilPhase(phase trace.PhaseName) func(t *testing.T, c *client.Conn, ctx context.Context) {
	return func(t *testing.T, c *client.Conn, ctx context.Context) {
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
			for _, step := range s.Conn.Steps {
				if step.Phase.Name == phase {
					return true
				}
			}
			return false
		}))
	}
}

func TestTheEndOfTheContextEndsTheConnection(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := modern(nil)
	c, err := client.Dial(ctx, client.Options{Target: s.target(t)})
	require.NoError(t, err)
	require.NoError(t, c.Ready(context.Background()))
	cancel()
	wait, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	require.ErrorIs(t, c.Watch(wait, func(*session.Session) bool { return false }), trace.ErrClosed)
	require.ErrorIs(t, c.Ready(wait), client.ErrClosed)
	require.NoError(t, c.Close(wait))
}

// What was ready and has ended is ready to whoever looks late, and each call says
// what has become of it.
func TestAServerThatEndsRightAfterItsHandshakeWasReady(t *testing.T) {
	s := &scripted{answer: func(m rpc.Message) []string {
		return []string{result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`), hangUp}
	}}
	c, ctx := dial(t, client.Options{Target: s.target(t), Lists: []string{}})
	untilPhase(trace.PhaseExited)(t, c, ctx)
	_, err := c.Call(toolCall("late")) // the end of the server has been dealt with by now
	require.ErrorContains(t, err, "there is no connection")
	require.NoError(t, c.Ready(ctx))
}

// watched tells what had become of the server's context when its pipe was closed.
type watched struct {
	io.ReadWriteCloser
	ctx    context.Context
	closed chan error
}

func (w watched) Close() error {
	w.closed <- w.ctx.Err()
	return w.ReadWriteCloser.Close()
}

// A server in this process lives until its pipe is closed, behind what was sent last,
// however the connection ends.
func TestAServerInThisProcessLivesUntilItsPipeIsClosed(t *testing.T) {
	for name, end := range map[string]func(*client.Conn, context.CancelFunc){
		"closed":    func(c *client.Conn, _ context.CancelFunc) { _ = c.Close(context.Background()) },
		"abandoned": func(c *client.Conn, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(nil)
			target, pipe := s.target(t), watched{closed: make(chan error, 1)}
			open := target.Pipe
			target.Pipe = func(ctx context.Context) (io.ReadWriteCloser, error) {
				rwc, err := open(ctx)
				pipe.ReadWriteCloser, pipe.ctx = rwc, ctx
				return pipe, err
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c, err := client.Dial(ctx, client.Options{Target: target})
			require.NoError(t, err)
			require.NoError(t, c.Ready(context.Background()))
			end(c, cancel)
			require.NoError(t, <-pipe.closed)
			<-pipe.ctx.Done()
			require.NoError(t, c.Close(context.Background()))
		})
	}
}

func TestACommandThatCannotBeStarted(t *testing.T) {
	c, ctx := dial(t, client.Options{Target: client.Target{Command: "./no-such-server"}})
	var failed *client.Error
	require.ErrorAs(t, c.Ready(ctx), &failed)
	require.Equal(t, flow.Unreachable, failed.Kind)
	require.Contains(t, failed.Reason, "no-such-server")
}

func TestAPanicFailsTheConnectionAndNothingElse(t *testing.T) {
	crashed := make(chan any, 1)
	c, ctx := dial(t, client.Options{
		Target:  client.Target{Pipe: func(context.Context) (io.ReadWriteCloser, error) { panic("boom") }},
		Crashed: func(cause any, _ []byte) { crashed <- cause },
	})
	require.Equal(t, "boom", <-crashed)
	require.ErrorContains(t, c.Ready(ctx), "a fault in mcptui itself: boom")
}

// A child that exits on server/discover is started again; this binary plays it.
func TestAChildThatExitsOnTheProbeIsStartedAgain(t *testing.T) {
	if os.Getenv("MCPTUI_TEST_CHILD") != "" {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		in := json.NewDecoder(os.Stdin)
		for in.Decode(&m) == nil {
			switch m.Method {
			case "server/discover":
				os.Exit(7)
			case "initialize":
				os.Stdout.WriteString(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}` + "\n")
			}
		}
		os.Exit(0)
	}
	c, ctx := dial(t, client.Options{Target: client.Target{
		Command: os.Args[0], Args: []string{"-test.run=^TestAChildThatExitsOnTheProbeIsStartedAgain$"}, Env: []string{"MCPTUI_TEST_CHILD=1"},
	}})
	require.NoError(t, c.Ready(ctx))
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		require.Equal(t, trace.Legacy, s.Conn.Era)
		var codes []int
		for _, step := range s.Conn.Steps {
			if step.Phase.Name == trace.PhaseExited {
				codes = append(codes, *step.Phase.Code)
			}
		}
		require.Equal(t, []int{7}, codes)
		return true
	}))
}

// A modern call that waits for a person needs no server meanwhile.
func TestACallThatAsksOutlivesARestart(t *testing.T) {
	c, ctx := dial(t, client.Options{Target: overPipe(t, embeddedserver.Modern)})
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"greet","arguments":{}}`)})
	require.NoError(t, err)
	var id trace.AskID
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		if w := s.Waiting(); len(w) > 0 {
			id = w[0].ID
			return true
		}
		return false
	}))
	require.NoError(t, c.Restart())
	require.NoError(t, c.Answer(id, control.Reply{Result: json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)}, trace.Person))
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status, o.Note)
	require.Contains(t, string(o.Result), "Ada")
}

func TestAServerOfTheFirstTransportIsReached(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "old", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil, nil
	})
	h := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer h.Close()
	c, ctx := dial(t, client.Options{Target: client.Target{URL: h.URL}})
	require.NoError(t, c.Ready(ctx))
	call, err := c.Call(toolCall("echo"))
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status, o.Note)
	require.Contains(t, string(o.Result), "hello")
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		require.Equal(t, flow.SSE, s.Conn.Transport)
		return true
	}))
	end, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, c.Close(end)) // before the server, which waits for its stream
}

func TestAServerOfTheFirstTransportThatStaysSilentTimesOut(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer h.Close()
	c, ctx := dial(t, client.Options{Target: client.Target{URL: h.URL}, Timeout: 500 * time.Millisecond})
	var failed *client.Error
	require.ErrorAs(t, c.Ready(ctx), &failed)
	require.Equal(t, flow.Timeout, failed.Kind, failed.Reason)
	require.Contains(t, failed.Reason, "no endpoint event")
}

func TestHeldRetriesLeaveAsTheyStand(t *testing.T) {
	s := modern(func(m rpc.Message, _ string) []string {
		if rpc.Member(m.Params, "requestState") == nil {
			return []string{result(m, asks(`"inputRequests":{"k":`+form+`},"requestState":"sealed"`))}
		}
		return []string{result(m, `{"content":[]}`)}
	})
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	require.NoError(t, c.Ready(ctx))
	require.NoError(t, c.Hold(0, true))
	call, err := c.Call(toolCall("x"))
	require.NoError(t, err)
	var ask trace.AskID
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		if w := s.Waiting(); len(w) > 0 {
			ask = w[0].ID
		}
		return ask.Frame != 0
	}))
	require.NoError(t, c.Answer(ask, control.Reply{Result: json.RawMessage(accept)}, trace.Person))
	d, err := c.Draft(call)
	require.NoError(t, err)
	require.JSONEq(t, string(d.Clean), string(d.Params))
	d.Params = rpc.With(d.Params, rpc.Field{Name: "requestState", Raw: []byte(`"forged"`)})
	require.NoError(t, c.Send(d))
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status)
	sent := s.requests("tools/call")
	require.Len(t, sent, 2)
	require.Equal(t, string(d.Params), string(sent[1].Params), "what was edited is what crosses the wire")
	require.Equal(t, rpc.ID(d.ID), sent[1].ID)

	d, err = c.Branch(call, 1)
	require.NoError(t, err)
	require.NoError(t, c.Send(d))
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		call := s.Call(call)
		return len(call.Rounds) == 3 && call.Rounds[2].Parent == 1 && call.Status == trace.Done
	}))
	require.True(t, errors.Is(c.Drop(call), control.ErrNo))
}

func TestACallThatIsGivenUpAtOnceStaysSo(t *testing.T) {
	s := modern(func(rpc.Message, string) []string { return nil })
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	require.NoError(t, c.Ready(ctx))
	for range 50 {
		call, err := c.Call(toolCall("x"))
		require.NoError(t, err)
		require.NoError(t, c.Cancel(call, "at once"))
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return len(s.Call(call).Rounds) == 1 }))
		o, err := c.Wait(ctx, call)
		require.NoError(t, err)
		require.Equal(t, trace.Cancelled, o.Status)
	}
}
