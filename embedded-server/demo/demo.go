// Package demo is the server that a newcomer meets: the harbour town of Porto
// Lume, with a trattoria, a tour desk, a workshop, a town hall and a market, in
// which every feature of the protocol has its place. The same calls with the
// same answers give the same results: what it says depends on no clock, no
// network and no chance.
//
// It is written on the ask layer as any server would be, and is an example of
// it. It knows nothing of transports and eras.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

const instructions = `This is mcptui's built-in server: the harbour town of Porto Lume.
Start with greet, which asks one question, then book_table, which asks three, one after the other.
plan_trip asks for several things in one round trip, delete_branch can be declined, connect_account sends you to a web page, survey has a field of every kind.
long_job reports progress and can be cancelled. change_season changes what is listed here.
Nothing has effects outside of this process.`

// pageSize is small enough for the tools to need a second page.
const pageSize = 10

// none is the argument type of tools that take no arguments.
type none struct{}

// world is what the handlers of one server share.
type world struct {
	server *mcp.Server
	layer  *ask.Layer

	changing sync.Mutex // held while the season changes, and subscribers are told

	mu     sync.Mutex
	season string
}

// New builds the server, which says of itself that it has the given version.
// The layer seals what its tools carry from one round to the next.
func New(layer *ask.Layer, version string, logger *slog.Logger) *mcp.Server {
	w := &world{layer: layer, season: winter}
	w.server = mcp.NewServer(&mcp.Implementation{
		// Short, and without an icon: in revision 2026-07-28 every result
		// carries it.
		Name:    "mcptui-demo",
		Title:   "Porto Lume",
		Version: version,
	}, &mcp.ServerOptions{
		Instructions:       instructions,
		Logger:             logger,
		PageSize:           pageSize,
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		SetCacheable:       setCacheable,
	})
	layer.Install(w.server)
	w.addTrattoria()
	w.addTours()
	w.addWorkshop()
	w.addTownHall()
	w.addMarket()
	w.addPrompts()
	w.addResources()
	return w.server
}

// setCacheable says how long what was read may be kept. Lists change with the
// season; what stands in stone may be shared.
func setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope, c.TTLMs = "private", 30_000
	if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
		switch p.URI {
		case aboutURI, mapURI:
			c.CacheScope, c.TTLMs = "public", 3_600_000
		case menuURI:
			c.TTLMs = 5_000
		default:
			c.TTLMs = 0
		}
	}
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func ptr[T any](v T) *T { return &v }

// tool adds a typed tool that may ask.
func tool[In, Out any](w *world, t *mcp.Tool, handler func(context.Context, *mcp.CallToolRequest, *ask.Input, In) (*mcp.CallToolResult, Out, error)) {
	mcp.AddTool(w.server, t, ask.Tool(w.layer, handler))
}

// readOnly are the annotations of a tool that only looks.
func readOnly() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: ptr(false)}
}
