package edge

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callKey finds the handshake-era call inside which a handler runs, so that
// what the handler sends goes out on that call's stream.
type callKey struct{}

// guard runs around every handler of the server, in both eras: it checks the
// headers that mirror arguments against the tool as it is registered now, ties
// the handler to its call, and keeps a panic from ending the process.
func (e *Edge) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				e.opt.Logger.Error("a handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, fmt.Errorf("panic in %s: %v", method, p)
			}
		}()
		extra := req.GetExtra()
		if c, ok := e.calls.Load(extra); ok && extra != nil {
			ctx = context.WithValue(ctx, callKey{}, c)
		}
		if r, ok := req.(*mcp.CallToolRequest); ok && extra != nil && extra.Header != nil && isModernRequest(r) {
			if err := e.checkMirrors(ctx, next, r); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

func isModernRequest(r *mcp.CallToolRequest) bool {
	v, _ := r.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	return v == modernVersion
}

// checkMirrors looks the tool up through the server's own tools/list, so that
// a tool that was added a moment ago is checked by its own schema.
func (e *Edge) checkMirrors(ctx context.Context, next mcp.MethodHandler, r *mcp.CallToolRequest) error {
	list := &mcp.ListToolsRequest{Session: r.Session, Params: &mcp.ListToolsParams{}, Extra: r.Extra}
	for {
		res, err := next(ctx, "tools/list", list)
		if err != nil {
			return fmt.Errorf("looking up tool %q: %w", r.Params.Name, err)
		}
		tools, ok := res.(*mcp.ListToolsResult)
		if !ok {
			return errors.New("looking up a tool: tools/list gave another kind of result")
		}
		for _, t := range tools.Tools {
			if t.Name != r.Params.Name {
				continue
			}
			if err := checkParamHeaders(e.mirrored.of(t), r.Params.Arguments, r.Extra.Header); err != nil {
				return &jsonrpc.Error{Code: err.Code, Message: err.Message}
			}
			return nil
		}
		if tools.NextCursor == "" {
			return nil // unknown tool: the server says so
		}
		list.Params = &mcp.ListToolsParams{Cursor: tools.NextCursor}
	}
}

// mirrorCache remembers the bindings of the tools that are registered now: a
// tool that changes is another *mcp.Tool.
type mirrorCache struct {
	mu   sync.Mutex
	byID map[*mcp.Tool][]binding
}

const maxMirrored = 4096 // forget all rather than grow with every tool that ever was

func (c *mirrorCache) of(t *mcp.Tool) []binding {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bs, ok := c.byID[t]; ok {
		return bs
	}
	if c.byID == nil || len(c.byID) >= maxMirrored {
		c.byID = map[*mcp.Tool][]binding{}
	}
	bs := bindings(t)
	c.byID[t] = bs
	return bs
}
