// Package conformance serves the fixtures that the official MCP conformance
// suite calls by name (npm: @modelcontextprotocol/conformance), for both eras
// on one server.
//
// What the fixtures answer is the suite's to say; nothing here is an example of
// good taste. How they ask is the ask layer's.
package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// fixtures is what the handlers share.
type fixtures struct {
	server *mcp.Server
	layer  *ask.Layer
	// bare has no sealing key. The suite answers one tool that has not asked
	// yet, which a layer with a key rightly does not take for an answer.
	bare *ask.Layer
}

// New builds the server. cfg configures the layer that its tools ask through;
// it needs a sealing key. A nil logger discards. Errors are those of cfg.
func New(cfg ask.Config, version string, logger *slog.Logger) (*mcp.Server, error) {
	layer, err := ask.New(cfg)
	if err != nil {
		return nil, err
	}
	keyless := cfg
	keyless.Keys = nil
	bare, err := ask.New(keyless)
	if err != nil {
		return nil, err
	}
	f := &fixtures{layer: layer, bare: bare}
	f.server = mcp.NewServer(&mcp.Implementation{Name: "mcptui-conformance", Title: "Conformance fixtures", Version: version}, &mcp.ServerOptions{
		Instructions:       "Fixtures of the MCP conformance suite. Call them by the names that the suite uses.",
		Logger:             logger,
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.CacheScope = "private" // nothing here is worth sharing, and the SDK's default is public
		},
	})
	layer.Install(f.server)
	f.addContent()
	f.addSession()
	f.addAsks()
	f.addDiagnostics()
	f.addPrompts()
	f.addResources()
	return f.server, nil
}

func complete(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	if r.Params.Argument.Name == "arg1" {
		values = []string{"paris", "park", "party"}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

// handler is a tool of the suite: arguments are optional, even where its schema
// would have some.
type handler func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error)

var noArguments = json.RawMessage(`{"type":"object"}`)

func (f *fixtures) tool(name, about string, h handler) {
	f.toolOn(f.layer, name, about, noArguments, h)
}

func (f *fixtures) toolOn(l *ask.Layer, name, about string, schema json.RawMessage, h handler) {
	f.server.AddTool(&mcp.Tool{Name: name, Description: about, InputSchema: schema}, ask.RawTool(l, h))
}

func text(format string, a ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, a...)}}}
}

// argument reads one text argument; "" where there is none.
func argument(r *mcp.CallToolRequest, name string) string {
	var args map[string]any
	if json.Unmarshal(r.Params.Arguments, &args) != nil {
		return ""
	}
	s, _ := args[name].(string)
	return s
}
