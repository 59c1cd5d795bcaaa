package conformance

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

func says(format string, a ...any) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{message(&mcp.TextContent{Text: fmt.Sprintf(format, a...)})}}
}

func message(c mcp.Content) *mcp.PromptMessage { return &mcp.PromptMessage{Role: "user", Content: c} }

func (f *fixtures) addPrompts() {
	f.server.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A prompt without arguments."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return says("This is a simple prompt for testing."), nil
		})
	f.server.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "A prompt with two arguments.",
		Arguments: []*mcp.PromptArgument{
			{Name: "arg1", Description: "First test argument", Required: true},
			{Name: "arg2", Description: "Second test argument", Required: true},
		},
	}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return says("Prompt with arguments: arg1='%s', arg2='%s'", r.Params.Arguments["arg1"], r.Params.Arguments["arg2"]), nil
	})
	f.server.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "A prompt that embeds a resource.",
		Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Description: "URI of the resource to embed", Required: true}},
	}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			message(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
				URI: r.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
			}}),
			message(&mcp.TextContent{Text: "Please process the embedded resource above."}),
		}}, nil
	})
	f.server.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A prompt with an image."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				message(&mcp.ImageContent{Data: png, MIMEType: "image/png"}),
				message(&mcp.TextContent{Text: "Please analyze the image above."}),
			}}, nil
		})
	f.server.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A prompt that asks."},
		ask.Prompt(f.layer, func(ctx context.Context, _ *mcp.GetPromptRequest, in *ask.Input) (*mcp.GetPromptResult, error) {
			a, err := in.Elicit(ctx, "user_context", form("What context should the prompt use?", "context"))
			if err != nil {
				return nil, err
			}
			return says("Use this context: %v", a.Content["context"]), nil
		}))
}
