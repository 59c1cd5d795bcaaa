// Package demo is the server that a newcomer meets: a small harbour town with a
// trattoria, a tour desk and a workshop, in which every feature of the protocol
// has its place. What it says is the same every time: nothing in it looks at a
// clock, at the network or at chance.
//
// It is written on the ask layer as any server would be, and is an example of
// it. It knows nothing of transports and eras.
package demo

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

const instructions = `This is mcptui's built-in server: the harbour town of Porto Lume.
Start with greet, which asks one question, then book_table, which asks three, one after the other.
plan_trip asks for several things in one round trip; delete_branch can be declined; connect_account sends you to a web page.
long_job reports progress and can be cancelled. Nothing here has effects outside this process.`

// none is the argument type of tools that take no arguments.
type none struct{}

// world is what the handlers of one server share.
type world struct {
	server *mcp.Server
	layer  *ask.Layer
}

// New builds the server. The layer seals what its tools carry from one round
// to the next.
func New(layer *ask.Layer, version string, logger *slog.Logger) *mcp.Server {
	w := &world{layer: layer}
	w.server = mcp.NewServer(&mcp.Implementation{
		Name:    "mcptui-demo",
		Title:   "Porto Lume",
		Version: version,
	}, &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       logger,
	})
	layer.Install(w.server)
	w.addTrattoria()
	return w.server
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func ptr[T any](v T) *T { return &v }

// tool adds a typed tool that may ask.
func tool[In, Out any](w *world, t *mcp.Tool, handler func(context.Context, *mcp.CallToolRequest, *ask.Input, In) (*mcp.CallToolResult, Out, error)) {
	mcp.AddTool(w.server, t, ask.Tool(w.layer, handler))
}
