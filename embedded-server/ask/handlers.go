package ask

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool wraps a typed tool handler that asks, for mcp.AddTool. As there, an
// error that is not a *jsonrpc.Error becomes a result with isError set.
func Tool[In, Out any](l *Layer, handler func(context.Context, *mcp.CallToolRequest, *Input, In) (*mcp.CallToolResult, Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, args In) (*mcp.CallToolResult, Out, error) {
		var out, zero Out
		c, _ := callOf(req)
		res, asks, state, err := run(ctx, l, c, func(in *Input) (*mcp.CallToolResult, error) {
			r, o, err := handler(ctx, req, in, args)
			out = o
			return r, err
		})
		if err != nil {
			return nil, zero, err
		}
		if asks != nil {
			return &mcp.CallToolResult{InputRequests: asks, RequestState: state}, zero, nil
		}
		return res, out, nil
	}
}

// RawTool wraps a tool handler that asks, for mcp.Server.AddTool.
func RawTool(l *Layer, handler func(context.Context, *mcp.CallToolRequest, *Input) (*mcp.CallToolResult, error)) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c, _ := callOf(req)
		res, asks, state, err := run(ctx, l, c, func(in *Input) (*mcp.CallToolResult, error) {
			return handler(ctx, req, in)
		})
		if asks != nil {
			return &mcp.CallToolResult{InputRequests: asks, RequestState: state}, nil
		}
		return res, l.wireError(c, err)
	}
}

// Prompt wraps a prompt handler that asks, for mcp.Server.AddPrompt.
func Prompt(l *Layer, handler func(context.Context, *mcp.GetPromptRequest, *Input) (*mcp.GetPromptResult, error)) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		c, _ := callOf(req)
		res, asks, state, err := run(ctx, l, c, func(in *Input) (*mcp.GetPromptResult, error) {
			return handler(ctx, req, in)
		})
		if asks != nil {
			return &mcp.GetPromptResult{InputRequests: asks, RequestState: state}, nil
		}
		return res, l.wireError(c, err)
	}
}

// Resource wraps a resource handler that asks, for mcp.Server.AddResource and
// AddResourceTemplate.
func Resource(l *Layer, handler func(context.Context, *mcp.ReadResourceRequest, *Input) (*mcp.ReadResourceResult, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c, _ := callOf(req)
		res, asks, state, err := run(ctx, l, c, func(in *Input) (*mcp.ReadResourceResult, error) {
			return handler(ctx, req, in)
		})
		if asks != nil {
			return &mcp.ReadResourceResult{InputRequests: asks, RequestState: state}, nil
		}
		return res, l.wireError(c, err)
	}
}

// wireError keeps the text of an ordinary error at home: where there is no
// isError to put it in, the SDK would send it with the code 0.
func (l *Layer) wireError(c call, err error) error {
	var wire *jsonrpc.Error
	if err == nil || errors.As(err, &wire) || errors.Is(err, context.Canceled) {
		return err
	}
	l.cfg.Logger.Error("handler failed", "method", c.method, "name", c.name, "error", err)
	return internalError(Unexplained)
}
