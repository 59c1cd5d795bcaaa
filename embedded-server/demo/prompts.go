package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

var recipientForm = ask.Form("Whom is the postcard for?", json.RawMessage(`{
	"type": "object",
	"properties": {
		"recipient": {"type": "string", "title": "Recipient", "minLength": 1},
		"tone": {"type": "string", "title": "Tone", "enum": ["warm", "dry", "rhyming"], "default": "warm"}
	},
	"required": ["recipient"]
}`))

func (w *world) addPrompts() {
	w.server.AddPrompt(&mcp.Prompt{
		Name: "hello", Title: "Hello", Description: "A prompt without arguments.",
	}, prompt("Introduce the harbour town of Porto Lume in two sentences."))
	w.server.AddPrompt(&mcp.Prompt{
		Name:        "choose_dish",
		Title:       "Choose a dish",
		Description: "Asks a model to recommend a dish. Both arguments can be completed; the dish by the course.",
		Arguments: []*mcp.PromptArgument{
			{Name: "course", Title: "Course", Description: "starter, main or dessert", Required: true},
			{Name: "dish", Title: "Dish", Description: "The dish to compare with"},
		},
		Icons: []mcp.Icon{table},
	}, chooseDish)
	w.server.AddPrompt(&mcp.Prompt{
		Name:        "postcard",
		Title:       "Write a postcard",
		Description: "Asks whom it is for before it gives the prompt.",
	}, ask.Prompt(w.layer, postcard))
}

// prompt is a prompt that always says the same.
func prompt(says string) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return userSays("%s", says), nil
	}
}

func userSays(format string, args ...any) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{
		Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(format, args...)},
	}}}
}

func chooseDish(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	course := req.Params.Arguments["course"]
	if course == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `the argument "course" is required`}
	}
	names := dishesOf(course)
	if len(names) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no course %q; there are starter, main and dessert", course)}
	}
	res := userSays("Recommend one of these for the %s: %s.", course, strings.Join(names, ", "))
	res.Description = "A recommendation for the " + course
	if d, ok := findDish(req.Params.Arguments["dish"]); ok {
		res.Messages = append(res.Messages,
			&mcp.PromptMessage{Role: "user", Content: &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "town://dishes/" + d.name, MIMEType: "text/plain", Text: d.about}}},
			&mcp.PromptMessage{Role: "assistant", Content: &mcp.TextContent{Text: "I know that one. Let me compare."}})
	}
	return res, nil
}

func postcard(ctx context.Context, _ *mcp.GetPromptRequest, in *ask.Input) (*mcp.GetPromptResult, error) {
	answer, err := in.Elicit(ctx, "recipient", recipientForm)
	if err != nil {
		return nil, err
	}
	if answer.Action != "accept" {
		return userSays("Write a postcard from Porto Lume to nobody in particular."), nil
	}
	var to struct {
		Recipient, Tone string
	}
	to.Tone = "warm"
	if err := ask.Decode(answer, &to); err != nil {
		return nil, err
	}
	return userSays("Write a %s postcard from Porto Lume to %s.", to.Tone, to.Recipient), nil
}
