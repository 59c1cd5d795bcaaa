// Package faults serves tools that misbehave, each in one way and by name, so
// that a client can be seen to cope.
//
// Some faults are in what a handler asks or says; those are ordinary handlers.
// Others are in the bytes of a response; [Mangle] makes those, and must be set
// as the Mangle option of the edge in front of the server. One tool,
// refund_leaky, breaks no rule of the protocol and is insecure.
//
// Nothing here is an example: the handlers go round the ask layer, because it
// would refuse what they do.
package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const modernVersion = "2026-07-28"

// server is what the handlers share.
type server struct {
	mcp     *mcp.Server
	refunds atomic.Int64
}

// New builds the server. A nil logger discards.
func New(version string, logger *slog.Logger) *mcp.Server {
	s := &server{}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "mcptui-faults", Title: "Faults", Version: version}, &mcp.ServerOptions{
		Instructions: "Every tool here misbehaves, each as its description says. Call one, and see what your client makes of it.",
		Logger:       logger,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	s.addAsks()
	s.addBytes()
	s.addTime()
	s.addHostile()
	s.addLeaky()
	return s.mcp
}

// entry is one entry of a handler.
type entry struct {
	req     *mcp.CallToolRequest
	modern  bool
	state   string
	answers mcp.InputResponseMap
}

type handler func(context.Context, entry) (*mcp.CallToolResult, error)

func (s *server) tool(name, about, schema string, h handler) {
	if schema == "" {
		schema = `{"type":"object"}`
	}
	t := &mcp.Tool{Name: name, Description: about, InputSchema: json.RawMessage(schema)}
	s.mcp.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		v, _ := r.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
		return h(ctx, entry{req: r, modern: v == modernVersion, state: r.Params.RequestState, answers: r.Params.InputResponses})
	})
}

// arguments decodes what the call brought over the defaults in v.
func (e entry) arguments(v any) error {
	if len(e.req.Params.Arguments) == 0 {
		return nil
	}
	if err := json.Unmarshal(e.req.Params.Arguments, v); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	return nil
}

func text(format string, a ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, a...)}}}
}

// form asks for one optional text.
func form(message, field string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: json.RawMessage(
		fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","title":"Answer","default":"x"}}}`, field))}
}

// asks is an input-required result; requests may be empty.
func asks(requests mcp.InputRequestMap, state string) *mcp.CallToolResult {
	if requests == nil {
		requests = mcp.InputRequestMap{} // the SDK takes nil for a complete result
	}
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}
}

// modernOnly is what a fault of the modern era says in the other.
func modernOnly() *mcp.CallToolResult {
	return text("This fault needs input-required results, which revision %s brought. Connect with that revision to see it.", modernVersion)
}

// addTime adds the tools that keep a client waiting, or full.
func (s *server) addTime() {
	s.tool("slow", "Answers after a while, and says nothing until then. Stops when it is cancelled.",
		`{"type":"object","properties":{"ms":{"type":"integer","title":"Milliseconds","minimum":0,"maximum":600000,"default":5000}}}`,
		func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
			args := struct{ MS int }{5000}
			if err := e.arguments(&args); err != nil {
				return nil, err
			}
			select {
			case <-time.After(time.Duration(args.MS) * time.Millisecond):
				return text("This took %d ms.", args.MS), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
	s.tool("oversized", "Answers with one very long line of text.",
		`{"type":"object","properties":{"megabytes":{"type":"integer","minimum":1,"maximum":512,"default":8}}}`,
		func(_ context.Context, e entry) (*mcp.CallToolResult, error) {
			args := struct{ Megabytes int }{8}
			if err := e.arguments(&args); err != nil {
				return nil, err
			}
			if args.Megabytes < 1 || args.Megabytes > 512 {
				return nil, fmt.Errorf("megabytes must be from 1 to 512, not %d", args.Megabytes)
			}
			const line = "All work and no play makes Jack a dull boy. "
			return text("%s", strings.Repeat(line, args.Megabytes<<20/len(line))), nil
		})
}
