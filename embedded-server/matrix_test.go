package embeddedserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/edge"
)

// The matrix: each kind of ask, in every revision, over every transport, by a
// client without opinions and by the SDK's own. What a revision defines gives
// the same outcome from the same handler; the rest fails and names the
// capability.

// kind is one column of the matrix.
type kind struct {
	tool, method string
	since, until string // the revisions that define it; until "" is: all later ones
	missing      string // what -32021 names elsewhere
	outcome      string
}

var kinds = []kind{
	{"just_form", "elicitation/create", "2025-06-18", "", `{"elicitation":{"form":{}}}`, "form: accept Ada"},
	{"just_url", "elicitation/create", "2025-11-25", "", `{"elicitation":{"url":{}}}`, "url: accept"},
	{"form", "elicitation/create", "2025-06-18", "", `{"elicitation":{"form":{}}}`, "form: accept Ada"},
	{"url", "elicitation/create", "2025-11-25", "", `{"elicitation":{"url":{}}}`, "url: accept"},
	{"sampling", "sampling/createMessage", "2024-11-05", "", `{"sampling":{}}`, "sampling: poet"},
	{"sampling_tools", "sampling/createMessage", "2025-11-25", "", `{"sampling":{"tools":{}}}`, "sampling: poet"},
	{"roots", "roots/list", "2024-11-05", "", `{"roots":{}}`, "roots: file:///srv/data"},
	{"direct_sampling", "sampling/createMessage", "2024-11-05", "2025-11-25", ``, "sampling: poet"},
	{"direct_roots", "roots/list", "2024-11-05", "2025-11-25", ``, "roots: file:///srv/data"},
}

func (k kind) defined(revision string) bool {
	return revision >= k.since && (k.until == "" || revision <= k.until)
}

// newMatrix serves one tool for each kind of ask.
func newMatrix(t *testing.T) *edge.Edge {
	t.Helper()
	layer, err := ask.New(ask.Config{Keys: [][]byte{[]byte("0123456789abcdef0123456789abcdef")}})
	require.NoError(t, err)
	s := mcp.NewServer(&mcp.Implementation{Name: "matrix", Version: "1"}, nil)
	layer.Install(s)
	form := ask.Form("Your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	url := ask.URL("Please sign in.", "https://example.com/login")
	says := func(text string) []*mcp.SamplingMessageV2 {
		return []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: text}}}}
	}
	sampling := &mcp.CreateMessageWithToolsParams{MaxTokens: 9, Messages: says("A line, please.")}
	tools := &mcp.CreateMessageWithToolsParams{MaxTokens: 9, Messages: says("Look it up."), Tools: []*mcp.Tool{{
		Name: "look_up", InputSchema: json.RawMessage(`{"type":"object"}`),
	}}, ToolChoice: &mcp.ToolChoice{Mode: "auto"}}

	elicited := func(what string, a *mcp.ElicitResult) string {
		if a.Content == nil {
			return what + ": " + a.Action
		}
		return fmt.Sprintf("%s: %s %v", what, a.Action, a.Content["name"])
	}
	returning := func(in *ask.Input, a mcp.InputRequest) error {
		return in.Require(mcp.InputRequestMap{"a": a}, nil)
	}
	for name, run := range map[string]func(context.Context, *ask.Input) (string, error){
		"just_form": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.Elicit(ctx, "a", form)
			if err != nil {
				return "", err
			}
			return elicited("form", a), nil
		},
		"just_url": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.ElicitURL(ctx, "a", url.Message, url.URL)
			if err != nil {
				return "", err
			}
			return elicited("url", a), nil
		},
		"form": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Elicited("a", form); a != nil {
				return elicited("form", a), nil
			}
			return "", returning(in, form)
		},
		"url": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Elicited("a", url); a != nil {
				return elicited("url", a), nil
			}
			return "", returning(in, url)
		},
		"sampling": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Sampled("a"); a != nil {
				return "sampling: " + a.Model, nil
			}
			return "", returning(in, sampling)
		},
		"sampling_tools": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Sampled("a"); a != nil {
				return "sampling: " + a.Model, nil
			}
			return "", returning(in, tools)
		},
		"roots": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.ListedRoots("a"); a != nil {
				return "roots: " + a.Roots[0].URI, nil
			}
			return "", returning(in, &mcp.ListRootsParams{})
		},
		"direct_sampling": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.Sample(ctx, sampling)
			if err != nil {
				return "", err
			}
			return "sampling: " + a.Model, nil
		},
		"direct_roots": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.ListRoots(ctx)
			if err != nil {
				return "", err
			}
			return "roots: " + a.Roots[0].URI, nil
		},
	} {
		mcp.AddTool(s, &mcp.Tool{Name: name}, ask.Tool(layer, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ map[string]any) (*mcp.CallToolResult, any, error) {
			text, err := run(ctx, in)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		}))
	}
	e := edge.New(s, edge.Options{})
	t.Cleanup(e.Close)
	return e
}

// eachCell runs a test for every revision and transport that go together:
// 2024-11-05 has another HTTP transport, which is not served.
func eachCell(t *testing.T, f func(t *testing.T, transport, revision string)) {
	for _, revision := range revisions {
		for _, transport := range transports {
			if revision == "2024-11-05" && transport == "http" {
				continue
			}
			t.Run(revision+"/"+transport, func(t *testing.T) { f(t, transport, revision) })
		}
	}
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
		for _, k := range kinds {
			t.Run(k.tool, func(t *testing.T) {
				w.t, w.asked = t, nil
				res := w.converse("tools/call", map[string]any{"name": k.tool, "arguments": map[string]any{}})
				if k.defined(revision) {
					require.Nil(t, res.Error)
					require.Equal(t, []string{k.method}, w.asked)
					var r mcp.CallToolResult
					require.NoError(t, json.Unmarshal(res.Result, &r))
					require.Equal(t, k.outcome, r.Content[0].(*mcp.TextContent).Text)
					return
				}
				require.NotNil(t, res.Error)
				require.Empty(t, w.asked, "nothing may be sent")
				if k.missing == "" { // a call that the revision removed
					require.Equal(t, int(jsonrpc.CodeInternalError), res.Error.Code)
					require.Contains(t, res.Error.Message, "not available in protocol revision")
					return
				}
				require.Equal(t, -32021, res.Error.Code)
				require.JSONEq(t, `{"requiredCapabilities":`+k.missing+`}`, string(res.Error.Data))
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
		for _, k := range kinds {
			t.Run(k.tool, func(t *testing.T) {
				asked = 0
				res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: k.tool})
				if k.defined(revision) {
					require.NoError(t, err)
					require.Equal(t, k.outcome, res.Content[0].(*mcp.TextContent).Text)
					return
				}
				var wire *jsonrpc.Error
				require.ErrorAs(t, err, &wire)
				require.Zero(t, asked, "nothing may be sent")
				if k.missing == "" {
					require.EqualValues(t, jsonrpc.CodeInternalError, wire.Code)
					require.Contains(t, wire.Message, "not available in protocol revision")
					return
				}
				require.EqualValues(t, -32021, wire.Code)
				require.JSONEq(t, `{"requiredCapabilities":`+k.missing+`}`, string(wire.Data))
			})
		}
	})
}
