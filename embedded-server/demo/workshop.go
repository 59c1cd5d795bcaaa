package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// The workshop: a confirmation, a long job, and the smallest tool there is.

// BranchArgs are the arguments of delete_branch.
type BranchArgs struct {
	Branch string `json:"branch"`
}

// JobArgs are the arguments of long_job.
type JobArgs struct {
	Steps   int `json:"steps"`
	PauseMS int `json:"pause_ms"`
}

// AddArgs are the arguments of add.
type AddArgs struct {
	A float64 `json:"a" jsonschema:"the first number"`
	B float64 `json:"b" jsonschema:"the second number"`
}

// Sum is what add gives.
type Sum struct {
	Sum float64 `json:"sum" jsonschema:"a plus b"`
}

func (w *world) addWorkshop() {
	tool(w, &mcp.Tool{
		Name:        "delete_branch",
		Title:       "Delete a branch",
		Description: "Deletes a branch of the workshop's make-believe repository, after asking whether you mean it. Decline, and nothing happens.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"branch": {"type": "string", "title": "Branch", "enum": ["feature/old-menu", "fix/leaky-boat", "release/2019"], "default": "feature/old-menu"}},
			"additionalProperties": false
		}`),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: ptr(true), OpenWorldHint: ptr(false)},
	}, deleteBranch)
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "long_job",
		Title:       "Bake bread",
		Description: "Bakes loaves one after another, with progress and log messages, until it is done or cancelled.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {
				"steps": {"type": "integer", "title": "Loaves", "minimum": 1, "maximum": 1000, "default": 5},
				"pause_ms": {"type": "integer", "title": "Milliseconds a loaf", "minimum": 0, "maximum": 60000, "default": 300}
			},
			"additionalProperties": false
		}`),
		Annotations: readOnly(),
	}, longJob)
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "add",
		Title:       "Add",
		Description: "Adds two numbers.",
		Annotations: readOnly(),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args AddArgs) (*mcp.CallToolResult, Sum, error) {
		sum := args.A + args.B
		return text("%g + %g = %g", args.A, args.B, sum), Sum{Sum: sum}, nil
	})
}

var deleteSchema = json.RawMessage(`{
	"type": "object",
	"properties": {
		"sure": {"type": "boolean", "title": "Yes, delete it", "default": false},
		"reason": {"type": "string", "title": "Reason", "description": "For the log", "maxLength": 80}
	},
	"required": ["sure"]
}`)

func deleteBranch(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, args BranchArgs) (*mcp.CallToolResult, any, error) {
	answer, err := in.Elicit(ctx, "confirm", ask.Form(fmt.Sprintf("Delete the branch %s? This cannot be undone.", args.Branch), deleteSchema))
	if err != nil {
		return nil, nil, err
	}
	switch {
	case answer.Action == "decline":
		return text("The branch %s stays: you declined.", args.Branch), nil, nil
	case answer.Action == "cancel":
		return text("The branch %s stays: you chose nothing.", args.Branch), nil, nil
	case answer.Content["sure"] != true:
		return text("The branch %s stays: you were not sure.", args.Branch), nil, nil
	}
	return text("The branch %s is deleted.", args.Branch), nil, nil
}

func longJob(ctx context.Context, req *mcp.CallToolRequest, args JobArgs) (*mcp.CallToolResult, any, error) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for i := range args.Steps {
		pause.Reset(time.Duration(args.PauseMS) * time.Millisecond)
		select {
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("stopped after %d of %d loaves: %w", i, args.Steps, ctx.Err())
		case <-pause.C:
		}
		if err := report(ctx, req, i+1, args.Steps); err != nil {
			return nil, nil, err
		}
	}
	return text("%d loaves are baked.", args.Steps), nil, nil
}

// report says how far a job is: to whoever gave a progress token, and to the
// log of whoever asked for one.
func report(ctx context.Context, req *mcp.CallToolRequest, done, of int) error {
	message := fmt.Sprintf("loaf %d of %d is out of the oven", done, of)
	if token := req.Params.GetProgressToken(); token != nil {
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(done), Total: float64(of), Message: message,
		}); err != nil {
			return fmt.Errorf("report progress: %w", err)
		}
	}
	level := mcp.LoggingLevel("info")
	if done == of {
		level = "notice"
	}
	if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: "bakery", Data: message}); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return nil
}
