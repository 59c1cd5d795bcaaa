package embeddedserver_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
	"mcptui/testdata/matrix"
)

// The matrix: each kind of ask, in every revision, over every transport, by a
// client without opinions and by the SDK's own. Our own client has its matrix
// in client/matrix_test.go, and the TypeScript SDK's in testdata/tsclient.

// newMatrix serves one tool for each kind of ask.
func newMatrix(t *testing.T) *edge.Edge {
	t.Helper()
	e, err := matrix.New()
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

// eachCell runs a test for every revision and transport that go together.
func eachCell(t *testing.T, f func(t *testing.T, transport, revision string)) {
	matrix.Cells(transports, func(revision, transport string) {
		t.Run(revision+"/"+transport, func(t *testing.T) { f(t, transport, revision) })
	})
}

func TestMatrixOnTheWire(t *testing.T) {
	e := newMatrix(t)
	eachCell(t, func(t *testing.T, transport, revision string) {
		w := newWire(t, e, transport, revision, func(_, method string, params json.RawMessage) any {
			switch method {
			case "sampling/createMessage":
				return map[string]any{"role": "assistant", "model": "poet", "content": map[string]any{"type": "text", "text": "x"}}
			case "roots/list":
				return map[string]any{"roots": []any{map[string]any{"uri": "file:///srv/data"}}}
			}
			var p struct {
				Mode string `json:"mode"`
			}
			require.NoError(t, json.Unmarshal(params, &p))
			if p.Mode == "url" {
				return map[string]any{"action": "accept"}
			}
			return map[string]any{"action": "accept", "content": map[string]any{"name": "Ada"}}
		})
		for _, k := range matrix.Kinds {
			t.Run(k.Tool, func(t *testing.T) {
				w.t, w.asked = t, nil
				res := w.converse("tools/call", map[string]any{"name": k.Tool, "arguments": map[string]any{}})
				if k.Defined(revision) {
					require.Nil(t, res.Error)
					require.Equal(t, []string{k.Method}, w.asked)
					var r mcp.CallToolResult
					require.NoError(t, json.Unmarshal(res.Result, &r))
					require.Equal(t, k.Outcome, r.Content[0].(*mcp.TextContent).Text)
					return
				}
				require.NotNil(t, res.Error)
				require.Empty(t, w.asked, "nothing may be sent")
				if k.Missing == "" { // a call that the revision removed
					require.Equal(t, int(jsonrpc.CodeInternalError), res.Error.Code)
					require.Contains(t, res.Error.Message, "not available in protocol revision")
					return
				}
				require.Equal(t, -32021, res.Error.Code)
				require.JSONEq(t, `{"requiredCapabilities":`+k.Missing+`}`, string(res.Error.Data))
			})
		}
	})
}

func sdkTransport(t *testing.T, e *edge.Edge, transport string) mcp.Transport {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	switch transport {
	case "pipe":
		conn := e.Pipe(ctx)
		return &mcp.IOTransport{Reader: conn, Writer: conn}
	case "stdio":
		r, w := stdio(t, ctx, e)
		return &mcp.IOTransport{Reader: r, Writer: w}
	}
	ts := httptest.NewServer(e)
	t.Cleanup(ts.Close)
	return &mcp.StreamableClientTransport{Endpoint: ts.URL}
}

func TestMatrixByTheSDKsClient(t *testing.T) {
	e := newMatrix(t)
	eachCell(t, func(t *testing.T, transport, revision string) {
		asked := 0
		client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
			Capabilities: &mcp.ClientCapabilities{
				RootsV2:     &mcp.RootCapabilities{},
				Sampling:    &mcp.SamplingCapabilities{Tools: &mcp.SamplingToolsCapabilities{}},
				Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
			},
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				if r.Params.Mode == "url" {
					return &mcp.ElicitResult{Action: "accept"}, nil
				}
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			},
			CreateMessageWithToolsHandler: func(context.Context, *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
				asked++
				return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "poet", Content: []mcp.Content{&mcp.TextContent{Text: "x"}}}, nil
			},
		})
		client.AddRoots(&mcp.Root{URI: "file:///srv/data"})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		session, err := client.Connect(ctx, sdkTransport(t, e, transport), &mcp.ClientSessionOptions{ProtocolVersion: revision})
		require.NoError(t, err)
		defer session.Close()
		require.Equal(t, revision, session.InitializeResult().ProtocolVersion)
		for _, k := range matrix.Kinds {
			t.Run(k.Tool, func(t *testing.T) {
				asked = 0
				res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: k.Tool})
				if k.Defined(revision) {
					require.NoError(t, err)
					require.Equal(t, k.Outcome, res.Content[0].(*mcp.TextContent).Text)
					return
				}
				var wire *jsonrpc.Error
				require.ErrorAs(t, err, &wire)
				require.Zero(t, asked, "nothing may be sent")
				if k.Missing == "" {
					require.EqualValues(t, jsonrpc.CodeInternalError, wire.Code)
					require.Contains(t, wire.Message, "not available in protocol revision")
					return
				}
				require.EqualValues(t, -32021, wire.Code)
				require.JSONEq(t, `{"requiredCapabilities":`+k.Missing+`}`, string(wire.Data))
			})
		}
	})
}
