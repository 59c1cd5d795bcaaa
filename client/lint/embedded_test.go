package lint_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/lint"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

// TestEmbeddedServerIsClean calls all that the embedded server offers, in both
// eras and over both kinds of transport, and lints what crossed the wire. It
// holds our client to the rules as well.
func TestEmbeddedServerIsClean(t *testing.T) {
	for _, profile := range []string{"demo", "conformance"} {
		for _, over := range []string{"pipe", "http"} {
			for _, era := range []trace.Era{trace.Modern, trace.Legacy, ""} {
				t.Run(profile+"/"+over+"/"+string(era), func(t *testing.T) {
					t.Parallel()
					for _, f := range lintAll(visit(t, profile, over, era)) {
						if f.Severity == lint.Error {
							t.Errorf("%s %s in frame %d at %s: %s", f.Against, f.Rule, f.Frame, f.Path, f.Message)
						}
					}
				})
			}
		}
	}
}

// visit makes a connection, uses everything once, and returns the log.
func visit(t *testing.T, profile, over string, era trace.Era) []trace.Event {
	t.Helper()
	s, err := embeddedserver.New(embeddedserver.Options{Profile: profile})
	require.NoError(t, err)
	defer s.Close()
	target := client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return s.Pipe(ctx), nil }}
	if over == "http" {
		h := httptest.NewServer(s.Handler())
		defer h.Close()
		target = client.Target{URL: h.URL + "/mcp"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c, err := client.Dial(ctx, client.Options{Target: target, Era: era, LogLevel: "debug", Timeout: time.Minute, Rounds: 4})
	require.NoError(t, err)
	require.NoError(t, c.Ready(ctx))
	require.NoError(t, c.Listen(control.Subscription{Tools: true, Prompts: true, Resources: true}))

	var requests []control.Request
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		k := &s.Catalogue
		if !k.Tools.Loaded || !k.Prompts.Loaded || !k.Resources.Loaded {
			return false
		}
		requests = nil
		add := func(method string, params ...rpc.Field) {
			requests = append(requests, control.Request{Method: method, Params: rpc.Object(params...)})
		}
		for _, it := range k.Tools.Items {
			add("tools/call", rpc.Field{Name: "name", Raw: rpc.Quote(it.Name)},
				rpc.Field{Name: "arguments", Raw: schema.Skeleton(rpc.Member(it.Raw, "inputSchema"))})
		}
		for _, it := range k.Prompts.Items {
			var args []rpc.Field
			for _, a := range rpc.Elements(rpc.Member(it.Raw, "arguments")) {
				args = append(args, rpc.Field{Name: rpc.Text(a, "name"), Raw: []byte(`"x"`)})
			}
			add("prompts/get", rpc.Field{Name: "name", Raw: rpc.Quote(it.Name)}, rpc.Field{Name: "arguments", Raw: rpc.Object(args...)})
		}
		for _, it := range k.Resources.Items {
			add("resources/read", rpc.Field{Name: "uri", Raw: rpc.Quote(it.URI)})
		}
		return true
	}))
	require.NotEmpty(t, requests)
	for _, r := range requests {
		call, err := c.Call(r)
		require.NoError(t, err)
		settle(t, ctx, c, call)
	}
	require.NoError(t, c.Close(ctx))
	events := c.Log().Since(0)
	require.NotEmpty(t, events)
	return events
}

// settle answers what a call asks until it ends, with whatever fits.
func settle(t *testing.T, ctx context.Context, c *client.Conn, call int) {
	t.Helper()
	for {
		var open *session.Ask
		final := false
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
			open = nil
			for _, a := range s.Waiting() {
				open = a
			}
			k := s.Call(call)
			final = k != nil && k.Status.Final()
			return open != nil || final
		}))
		if open == nil {
			return
		}
		result := json.RawMessage(`{"roots":[]}`)
		switch open.Kind {
		case session.Form:
			asked := rpc.Member(open.Params, "requestedSchema")
			content := schema.Skeleton(asked)
			if len(schema.Blocking(schema.Validate(asked, content))) > 0 {
				result = json.RawMessage(`{"action":"decline"}`)
			} else {
				result = json.RawMessage(`{"action":"accept","content":` + string(content) + `}`)
			}
		case session.URL:
			result = json.RawMessage(`{"action":"accept"}`)
		case session.Sampling:
			result = json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","stopReason":"endTurn"}`)
		}
		require.NoError(t, c.Answer(open.ID, control.Reply{Result: result}, trace.Script))
	}
}
