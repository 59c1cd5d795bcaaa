package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/testdata/matrix"
)

const playsMatrix = "MCPTUI_TEST_MATRIX_SERVER"

// matrixTarget is a server with a tool for each kind of ask, over a transport.
// Over stdio this binary plays it, in a process of its own.
func matrixTarget(t *testing.T, transport string) client.Target {
	t.Helper()
	if transport == "stdio" {
		return client.Target{Command: os.Args[0], Args: []string{"-test.run=^TestMatrixByOurClient$"}, Env: []string{playsMatrix + "=1"}}
	}
	e, err := matrix.New()
	require.NoError(t, err)
	t.Cleanup(e.Close)
	if transport == "pipe" {
		return client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return e.Pipe(ctx), nil }}
	}
	h := httptest.NewServer(e)
	t.Cleanup(h.Close)
	return client.Target{URL: h.URL}
}

// matrixReply answers an ask as the table wants it answered.
func matrixReply(t *testing.T, a *session.Ask) json.RawMessage {
	t.Helper()
	if a.Method == "sampling/createMessage" {
		return json.RawMessage(`{"role":"assistant","model":"poet","content":{"type":"text","text":"x"}}`)
	}
	var p struct{ Mode string }
	require.NoError(t, json.Unmarshal(a.Params, &p))
	if p.Mode == "url" {
		return json.RawMessage(`{"action":"accept"}`)
	}
	return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)
}

// Each kind of ask, in every revision, over every transport: what the revision
// defines comes to the same, and the rest fails before anything is asked.
func TestMatrixByOurClient(t *testing.T) {
	if os.Getenv(playsMatrix) != "" {
		e, err := matrix.New()
		require.NoError(t, err)
		defer e.Close()
		require.NoError(t, e.ServeStdio(t.Context(), os.Stdin, os.Stdout))
		os.Exit(0) // before the test binary writes to the stream
	}
	matrix.Cells([]string{"pipe", "stdio", "http"}, func(revision, transport string) {
		t.Run(revision+"/"+transport, func(t *testing.T) {
			c, ctx := dial(t, client.Options{
				Target: matrixTarget(t, transport), Version: revision, Roots: []control.Root{{URI: "file:///srv/data"}},
				Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}`),
			})
			require.NoError(t, c.Ready(ctx))
			for _, k := range matrix.Kinds {
				t.Run(k.Tool, func(t *testing.T) {
					call, err := c.Call(toolCall(k.Tool))
					require.NoError(t, err)
					var open, asked *session.Ask
					for done := false; !done; {
						require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
							open = nil
							for _, a := range s.Waiting() {
								if a.Owner.Call == call {
									open = a
								}
							}
							for _, a := range s.Asks {
								if a.Owner.Call == call {
									asked = a
								}
							}
							done = s.Call(call) != nil && s.Call(call).Status.Final()
							return open != nil || done
						}))
						if open != nil {
							require.NoError(t, c.Answer(open.ID, control.Reply{Result: matrixReply(t, open)}, trace.Script))
						}
					}
					o, err := c.Wait(ctx, call)
					require.NoError(t, err)
					if k.Defined(revision) {
						require.Equal(t, trace.Done, o.Status, "%s %+v", o.Note, o.Error)
						var r struct{ Content []struct{ Text string } }
						require.NoError(t, json.Unmarshal(o.Result, &r))
						require.Equal(t, k.Outcome, r.Content[0].Text)
						require.NotNil(t, asked)
						require.Equal(t, k.Method, asked.Method)
						return
					}
					require.NotNil(t, o.Error, o.Note)
					require.Nil(t, asked, "nothing may be sent")
					if k.Missing == "" { // a call that the revision removed
						require.EqualValues(t, -32603, o.Error.Code)
						require.Contains(t, o.Error.Message, "not available in protocol revision")
						return
					}
					require.EqualValues(t, -32021, o.Error.Code)
					require.JSONEq(t, `{"requiredCapabilities":`+k.Missing+`}`, string(o.Error.Data))
				})
			}
		})
	})
}
