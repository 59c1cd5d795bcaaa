package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

// BenchmarkCalls makes calls in sequence, beside the official SDK's client on the
// same server in the same run. Run it with -benchtime 10000x -count 9 and compare
// the medians: ours must not be the slower one.
func BenchmarkCalls(b *testing.B) {
	s, err := embeddedserver.New(embeddedserver.Options{})
	require.NoError(b, err)
	defer s.Close()
	h := httptest.NewServer(s.Handler())
	defer h.Close()
	pipe := func(ctx context.Context) (io.ReadWriteCloser, error) { return s.Pipe(ctx), nil }

	for _, over := range []string{"pipe", "http"} {
		target := client.Target{Pipe: pipe}
		if over == "http" {
			target = client.Target{URL: h.URL + "/mcp"}
		}
		b.Run(over+"/mcptui", func(b *testing.B) { benchOurs(b, target) })
		b.Run(over+"/go-sdk", func(b *testing.B) {
			var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: h.URL + "/mcp"}
			if over == "pipe" {
				rwc, err := pipe(b.Context())
				require.NoError(b, err)
				transport = &mcp.IOTransport{Reader: rwc, Writer: rwc}
			}
			benchSDK(b, transport)
		})
	}
}

func benchOurs(b *testing.B, target client.Target) {
	ctx := context.Background()
	c, err := client.Dial(ctx, client.Options{Target: target, Lists: []string{"tools/list"}})
	require.NoError(b, err)
	defer func() { require.NoError(b, c.Close(ctx)) }()
	require.NoError(b, c.Ready(ctx))
	params := json.RawMessage(`{"name":"add","arguments":{"a":1,"b":2}}`)
	b.ResetTimer()
	for range b.N {
		call, err := c.Call(control.Request{Method: "tools/call", Params: params})
		require.NoError(b, err)
		o, err := c.Wait(ctx, call)
		require.NoError(b, err)
		require.Equal(b, trace.Done, o.Status, o.Note)
	}
	b.StopTimer()
}

func benchSDK(b *testing.B, transport mcp.Transport) {
	ctx := context.Background()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, transport, nil)
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	_, err = s.ListTools(ctx, nil)
	require.NoError(b, err)
	params := &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": 1, "b": 2}}
	b.ResetTimer()
	for range b.N {
		res, err := s.CallTool(ctx, params)
		require.NoError(b, err)
		require.False(b, res.IsError)
	}
	b.StopTimer()
}
