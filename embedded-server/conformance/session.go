package conformance

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// pause is what the suite wants between two notifications.
const pause = 50 * time.Millisecond

func sleep(ctx context.Context) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// addSession adds the tools that send something while they run.
func (f *fixtures) addSession() {
	f.tool("test_tool_with_progress", "Reports progress in three steps.", func(ctx context.Context, r *mcp.CallToolRequest, _ *ask.Input) (*mcp.CallToolResult, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			for _, done := range []float64{0, 50, 100} {
				err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("Completed step %.0f of 100", done),
				})
				if err != nil {
					return nil, err
				}
				if err := sleep(ctx); err != nil {
					return nil, err
				}
			}
		}
		return text("Tool with progress executed successfully"), nil
	})
	f.tool("test_tool_with_logging", "Logs three messages.", func(ctx context.Context, r *mcp.CallToolRequest, _ *ask.Input) (*mcp.CallToolResult, error) {
		for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return nil, err
			}
			if err := sleep(ctx); err != nil {
				return nil, err
			}
		}
		return text("Tool with logging executed successfully"), nil
	})
	f.tool("test_sampling", "Asks the client's model, in the handshake era.", func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		res, err := in.Sample(ctx, sampling(argument(r, "prompt")))
		if err != nil {
			return nil, err
		}
		return text("LLM response: %s", sampledText(res)), nil
	})
	f.tool("test_elicitation", "Asks the user something.", func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		return f.elicited(ctx, in, ask.Form(argument(r, "message"), object(`"username":{"type":"string"},"email":{"type":"string"}`, "username", "email")))
	})
	f.tool("test_elicitation_sep1034_defaults", "Asks with a default for each primitive type.", func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		return f.elicited(ctx, in, ask.Form("Please review and update the form fields with defaults", object(`
			"name":     {"type":"string", "description":"User name", "default":"John Doe"},
			"age":      {"type":"integer","description":"User age", "default":30},
			"score":    {"type":"number", "description":"User score", "default":95.5},
			"status":   {"type":"string", "description":"User status", "enum":["active","inactive","pending"], "default":"active"},
			"verified": {"type":"boolean","description":"Verification status", "default":true}`)))
	})
	f.tool("test_elicitation_sep1330_enums", "Asks with each form of enumeration.", func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		return f.elicited(ctx, in, ask.Form("Please select options from the enum fields", object(`
			"untitledSingle": {"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":   {"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":     {"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
			"untitledMulti":  {"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":    {"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}`)))
	})
	f.tool("test_reconnection", "Closes its event stream and answers on the next.", func(ctx context.Context, r *mcp.CallToolRequest, _ *ask.Input) (*mcp.CallToolResult, error) {
		if r.Extra != nil && r.Extra.CloseSSEStream != nil {
			r.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * pause})
		}
		if err := sleep(ctx); err != nil {
			return nil, err
		}
		return text("Reconnection test completed successfully"), nil
	})
}

func (f *fixtures) elicited(ctx context.Context, in *ask.Input, p *mcp.ElicitParams) (*mcp.CallToolResult, error) {
	a, err := in.Elicit(ctx, "", p)
	if err != nil {
		return nil, err
	}
	return text("User response: action=%s, content=%v", a.Action, a.Content), nil
}
