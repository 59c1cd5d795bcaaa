package edge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/edge"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(patient{m}) }

// patient is the tests for goleak, which gives goroutines on their way out less than
// half a second: these wait for them first.
type patient struct{ *testing.M }

func (p patient) Run() int {
	code := p.M.Run()
	for end := time.Now().Add(patience); code == 0 && goleak.Find() != nil && time.Now().Before(end); {
	}
	return code
}

// world is a server behind an edge, with what its tools tell the tests.
type world struct {
	t      testing.TB
	server *mcp.Server
	edge   *edge.Edge
	url    string

	began chan struct{} // the slow tool runs
	ended chan string   // and ended: "cancelled" or "finished"
	go_   chan struct{} // lets the slow tool finish
}

func newWorld(t testing.TB, o edge.Options) *world {
	w := &world{t: t, began: make(chan struct{}, 64), ended: make(chan string, 64), go_: make(chan struct{})}
	w.server = w.newServer()
	w.edge = edge.New(w.server, o)
	ts := httptest.NewServer(w.edge)
	w.url = ts.URL
	t.Cleanup(func() { w.edge.Close(); ts.Close() })
	return w
}

func say(format string, a ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, a...)}}}
}

func (w *world) newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{
		PageSize:           5,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"a"}, Total: 1}}, nil
		},
	})
	l, err := ask.New(ask.Config{Keys: [][]byte{stateKey}})
	require.NoError(w.t, err)
	bare, err := ask.New(ask.Config{})
	require.NoError(w.t, err)
	tool := func(name, schema string, h mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, Description: name, InputSchema: json.RawMessage(schema)}, h)
	}
	const open = `{"type":"object"}`
	tool("echo", open, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("%s", r.Params.Arguments), nil
	})
	tool("grüße", open, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("hallo"), nil })
	tool("who", open, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Extra == nil || r.Extra.TokenInfo == nil {
			return say("nobody"), nil
		}
		return say("%s", r.Extra.TokenInfo.UserID), nil
	})
	tool("secret", open, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("%v", r.Params.Meta[ask.MetaRawResponses]), nil
	})
	tool("plain", open, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("password is hunter2")
	})
	tool("explicit", open, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: -32603, Message: "on purpose"}
	})
	tool("panic", open, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("boom") })
	tool("work", open, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if p := r.Params.GetProgressToken(); p != nil {
			for i := range 2 {
				if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p, Progress: float64(i + 1), Total: 2}); err != nil {
					return nil, err
				}
			}
		}
		for _, level := range []mcp.LoggingLevel{"debug", "error"} {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Data: "at " + string(level)}); err != nil {
				return nil, err
			}
		}
		return say("worked"), nil
	})
	tool("slow", open, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if p := r.Params.GetProgressToken(); p != nil {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p, Progress: 1}); err != nil {
				return nil, err
			}
		}
		w.began <- struct{}{}
		select {
		case <-ctx.Done():
			w.ended <- "cancelled"
			return nil, ctx.Err()
		case <-w.go_:
			w.ended <- "finished"
			return say("slept"), nil
		}
	})
	tool("direct", open, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := r.Session.Ping(ctx, nil)
		return say("ping: %v", err != nil), nil
	})
	tool("ask", open, ask.RawTool(bare, func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if p := r.Params.GetProgressToken(); p != nil {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p, Progress: 1}); err != nil {
				return nil, err
			}
		}
		a, err := in.Elicit(ctx, "who", ask.Form("Name?", nameSchema))
		if err != nil {
			return nil, err
		}
		return say("Hello, %v!", a.Content["name"]), nil
	}))
	tool("dirs", open, ask.RawTool(bare, func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		r := in.ListedRoots("dirs")
		if r == nil {
			return nil, in.Require(mcp.InputRequestMap{"dirs": &mcp.ListRootsParams{}}, nil)
		}
		return say("%d roots", len(r.Roots)), nil
	}))
	tool("later", open, ask.RawTool(l, func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		var n int
		if _, err := in.State(&n); err != nil {
			return nil, err
		}
		if n < 2 {
			return nil, in.Require(nil, n+1)
		}
		return say("now"), nil
	}))
	tool("wizard", open, ask.RawTool(l, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		var said []string
		for _, q := range []string{"one", "two", "three"} {
			a, err := in.Elicit(ctx, q, ask.Form(q, nameSchema))
			if err != nil {
				return nil, err
			}
			said = append(said, fmt.Sprint(a.Content["name"]))
		}
		return say("%s", strings.Join(said, ",")), nil
	}))
	tool("mirror", `{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"count":{"type":"integer","x-mcp-header":"Count"},
		"deep":{"type":"object","properties":{"flag":{"type":"boolean","x-mcp-header":"Flag"}}}}}`,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("mirrored"), nil })
	s.AddPrompt(&mcp.Prompt{Name: "rhyme", Arguments: []*mcp.PromptArgument{{Name: "topic"}}}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "x"}}}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "ask"}, ask.Prompt(bare, func(ctx context.Context, _ *mcp.GetPromptRequest, in *ask.Input) (*mcp.GetPromptResult, error) {
		if _, err := in.Elicit(ctx, "who", ask.Form("Name?", nameSchema)); err != nil {
			return nil, err
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
	}))
	read := func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "x"}}}, nil
	}
	s.AddResource(&mcp.Resource{Name: "doc", URI: "test://doc"}, read)
	s.AddResource(&mcp.Resource{Name: "gated", URI: "test://gated"}, ask.Resource(bare, func(ctx context.Context, r *mcp.ReadResourceRequest, in *ask.Input) (*mcp.ReadResourceResult, error) {
		if _, err := in.Elicit(ctx, "who", ask.Form("Name?", nameSchema)); err != nil {
			return nil, err
		}
		return read(ctx, r)
	}))
	return s
}
