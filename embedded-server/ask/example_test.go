package ask_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

var stateKey = []byte("read this from your configuration") // 33 bytes; at least 32 are needed

// Just asking: the handler asks, and uses the answer.
func ExampleInput_Elicit() {
	schema := json.RawMessage(`{
		"type": "object",
		"properties": {"name": {"type": "string"}},
		"required": ["name"]
	}`)
	layer, err := ask.New(ask.Config{Keys: [][]byte{stateKey}})
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	layer.Install(server)

	type none struct{}
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, ask.Tool(layer,
		func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, any, error) {
			answer, err := in.Elicit(ctx, "who", ask.Form("Your name?", schema))
			if err != nil {
				return nil, nil, err
			}
			text := fmt.Sprintf("Hello, %s!", answer.Content["name"])
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		}))

	fmt.Println(callAs("2025-11-25", server, "greet"))
	fmt.Println(callAs("2026-07-28", server, "greet"))
	// Output:
	// Hello, Ada!
	// Hello, Ada!
}

// Returning the ask: the handler returns all that it needs in one round trip,
// and reads the answers when the call comes back.
func ExampleInput_Require() {
	layer, err := ask.New(ask.Config{Keys: [][]byte{stateKey}})
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	layer.Install(server)

	form := ask.Form("Your name?", json.RawMessage(`{
		"type": "object",
		"properties": {"name": {"type": "string"}},
		"required": ["name"]
	}`))
	poem := &mcp.CreateMessageWithToolsParams{MaxTokens: 100, Messages: []*mcp.SamplingMessageV2{{
		Role:    "user",
		Content: []mcp.Content{&mcp.TextContent{Text: "One line about the sea, please."}},
	}}}
	type none struct{}
	mcp.AddTool(server, &mcp.Tool{Name: "dedicate"}, ask.Tool(layer,
		func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, any, error) {
			who, line := in.Elicited("who", form), in.Sampled("poem")
			if who == nil || line == nil {
				return nil, nil, in.Require(mcp.InputRequestMap{"who": form, "poem": poem}, nil)
			}
			text := fmt.Sprintf("For %s: %s", who.Content["name"], line.Content[0].(*mcp.TextContent).Text)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		}))

	fmt.Println(callAs("2025-11-25", server, "dedicate"))
	fmt.Println(callAs("2026-07-28", server, "dedicate"))
	// Output:
	// For Ada: The sea is wide.
	// For Ada: The sea is wide.
}

// callAs calls a tool as a client of the given revision, whose user is Ada.
func callAs(revision string, server *mcp.Server, tool string) string {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "poet", Content: &mcp.TextContent{Text: "The sea is wide."}}, nil
		},
	})
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	session, err := client.Connect(ctx, near, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		log.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}
