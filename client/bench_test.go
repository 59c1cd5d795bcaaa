package client_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
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

// BenchmarkReady starts a server as a child, and measures from the moment at which
// the server wrote the answer that makes the connection ready to the return of
// Ready. Run it with -benchtime 50x; more than 20 ms as the median is a failure.
func BenchmarkReady(b *testing.B) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		b.Run(string(era), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = append(took, readyAfter(b, era))
			}
			slices.Sort(took)
			median, worst := took[len(took)/2], took[len(took)-1]
			b.ReportMetric(float64(median.Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
			if median > 20*time.Millisecond {
				b.Errorf("ready %s after the server's answer, as the median", median)
			}
		})
	}
}

func readyAfter(b *testing.B, era trace.Era) time.Duration {
	ctx := context.Background()
	c, err := client.Dial(ctx, client.Options{Era: era, Target: client.Target{Command: os.Args[0], Env: []string{stampVariable + "=1"}}})
	require.NoError(b, err)
	require.NoError(b, c.Ready(ctx))
	now := time.Now()
	var wrote int64
	for _, e := range c.Log().Since(0) {
		if e.Frame != nil && e.Frame.Dir == trace.In {
			wrote, _ = strconv.ParseInt(string(rpc.Member(e.Frame.Message().Result, "stamp")), 10, 64)
			break
		}
	}
	require.NotZero(b, wrote)
	require.NoError(b, c.Close(ctx))
	return now.Sub(time.Unix(0, wrote))
}

// stamps is a server of both eras that says when it wrote its answer.
func stamps() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		m := rpc.Parse(bytes.Clone(in.Bytes()))
		if m.Kind == rpc.Request {
			_, _ = fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],`+
				`"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"stamp":%d}}`+"\n", m.ID, time.Now().UnixNano())
		}
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
