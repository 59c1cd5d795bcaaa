package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/edge"
)

// One server, in front of it an edge: the same tools over HTTP, over stdio and
// inside the process, to clients of both eras.
func Example() {
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	server.AddTool(&mcp.Tool{Name: "hello", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello!"}}}, nil
		})

	e := edge.New(server, edge.Options{})
	defer e.Close()
	http.Handle("/mcp", e) // over HTTP
	// e.ServeStdio(ctx, os.Stdin, os.Stdout) would be over stdio.

	ctx := context.Background()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		pipe := e.Pipe(ctx) // inside the process
		client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil)
		session, err := client.Connect(ctx, &mcp.IOTransport{Reader: pipe, Writer: pipe}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			fmt.Println(err)
			return
		}
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "hello"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(revision, result.Content[0].(*mcp.TextContent).Text)
		session.Close()
	}
	// Output:
	// 2025-11-25 Hello!
	// 2026-07-28 Hello!
}
