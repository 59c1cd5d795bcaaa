package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/internal/leaktest"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

// The test binary is also a server: started with this variable it plays the part.
const stampVariable = "MCPTUI_TEST_STAMPS"

func TestMain(m *testing.M) {
	if os.Getenv(stampVariable) != "" {
		stamps()
		return
	}
	leaktest.Main(m)
}

// server is one embedded server in a transport of its own.
type server func(t *testing.T, era embeddedserver.Era) client.Target

func overPipe(t *testing.T, era embeddedserver.Era) client.Target {
	s, err := embeddedserver.New(embeddedserver.Options{Era: era})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return s.Pipe(ctx), nil }}
}

func overHTTP(t *testing.T, era embeddedserver.Era) client.Target {
	s, err := embeddedserver.New(embeddedserver.Options{Era: era})
	require.NoError(t, err)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); s.Close() })
	return client.Target{URL: h.URL + "/mcp"}
}

// patience bounds what is waited for: a wait that succeeds costs nothing, and a
// machine may be very slow.
const patience = 2 * time.Minute

func dial(t *testing.T, opts client.Options) (*client.Conn, context.Context) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	before := leaktest.Take()
	c, err := client.Dial(context.Background(), opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, c.Close(end))
		before.Check(t) // with the server still there
	})
	return c, ctx
}

// answer gives every ask of a call its answer, by key or, where there is none,
// by the properties of the requested schema.
func answer(t *testing.T, ctx context.Context, c *client.Conn, call int, answers map[string]string) client.Outcome {
	for {
		var open *session.Ask
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
			open = nil
			for _, a := range s.Waiting() {
				if a.Owner.Call == call {
					open = a
				}
			}
			return open != nil || s.Call(call) != nil && s.Call(call).Status.Final()
		}))
		if open == nil {
			o, err := c.Wait(ctx, call)
			require.NoError(t, err)
			return o
		}
		given, ok := answers[open.ID.Key]
		if !ok {
			var schema struct{ Properties map[string]any }
			require.NoError(t, json.Unmarshal(open.Params, &struct{ RequestedSchema any }{&schema}))
			for name := range schema.Properties {
				if a := answers[name]; a != "" {
					given = a
				}
			}
		}
		require.NotEmpty(t, given, "no answer for %s %s", open.ID, open.Params)
		require.NoError(t, c.Answer(open.ID, control.Reply{Result: json.RawMessage(`{"action":"accept","content":` + given + `}`)}, trace.Script))
	}
}

func TestBookTableInBothErasOverBothTransports(t *testing.T) {
	answers := map[string]string{
		"when": `{"date":"2026-12-04"}`, "seats": `{"seats":4,"area":"inside"}`, "confirm": `{"ok":true}`,
		"date": `{"date":"2026-12-04"}`, "ok": `{"ok":true}`,
	}
	var result string
	for name, open := range map[string]server{"pipe": overPipe, "http": overHTTP} {
		for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
			t.Run(name+" "+string(era), func(t *testing.T) {
				c, ctx := dial(t, client.Options{Target: open(t, embeddedserver.Dual), Era: era})
				require.NoError(t, c.Ready(ctx))
				call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"book_table","arguments":{}}`)})
				require.NoError(t, err)
				o := answer(t, ctx, c, call, answers)
				require.Equal(t, trace.Done, o.Status, o.Note)
				var res struct{ Content []struct{ Text string } }
				require.NoError(t, json.Unmarshal(o.Result, &res))
				require.NotEmpty(t, res.Content)
				if result == "" {
					result = res.Content[0].Text
				}
				require.Equal(t, result, res.Content[0].Text)
				require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
					require.Len(t, s.Call(call).Rounds, 4)
					require.Equal(t, era, s.Conn.Era)
					return true
				}))
			})
		}
	}
}
