package conformance

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// addDiagnostics adds the tools of the server-stateless and http-* scenarios.
func (f *fixtures) addDiagnostics() {
	f.tool("test_missing_capability", "Needs the sampling capability.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if in.Sampled("question") == nil {
			return nil, in.Require(mcp.InputRequestMap{"question": sampling("Anything")}, nil)
		}
		return text("ok"), nil
	})
	f.tool("test_streaming_elicitation", "Reports progress, then asks.", func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2}); err != nil {
				return nil, err
			}
		}
		if _, err := in.Elicit(ctx, "answer", form("Anything to say?", "answer")); err != nil {
			return nil, err
		}
		return text("ok"), nil
	})
	f.tool("test_logging_tool", "Tries to log.", func(ctx context.Context, r *mcp.CallToolRequest, _ *ask.Input) (*mcp.CallToolResult, error) {
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "a log message"}); err != nil {
			return nil, err
		}
		return text("ok"), nil
	})
	f.tool("test_trigger_tool_change", "Adds a tool and takes it away again.", func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) {
		const name = "test_passing_tool"
		f.tool(name, "Is only here for a moment.", fixed(text("ok")))
		f.server.RemoveTools(name)
		return text("the tool list has changed"), nil
	})
	f.tool("test_trigger_prompt_change", "Adds a prompt and takes it away again.", func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) {
		const name = "test_passing_prompt"
		f.server.AddPrompt(&mcp.Prompt{Name: name}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return says("ok"), nil
		})
		f.server.RemovePrompts(name)
		return text("the prompt list has changed"), nil
	})
	f.toolOn(f.layer, "test_x_mcp_header", "Mirrors arguments into headers.", json.RawMessage(`{
	  "type": "object",
	  "properties": {
	    "region":   {"type": "string",  "description": "mirrored into Mcp-Param-Region",   "x-mcp-header": "Region"},
	    "priority": {"type": "integer", "description": "mirrored into Mcp-Param-Priority", "x-mcp-header": "Priority"},
	    "verbose":  {"type": "boolean", "description": "mirrored into Mcp-Param-Verbose",  "x-mcp-header": "Verbose"},
	    "level":    {"type": "integer", "description": "not mirrored"}
	  }
	}`), fixed(text("ok")))
}
