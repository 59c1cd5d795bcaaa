// Package matrix is a server with one tool for each kind of ask, and the table
// of what becomes of each in every revision of the protocol. The tests of
// several clients share it. What a revision defines gives the same outcome from
// the same handler; the rest fails, and names the capability that is missing.
//
// It is no profile of mcptui: nothing but tests serves it.
package matrix

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/edge"
)

// Revisions of the protocol, oldest first.
var Revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// Kind is one column of the matrix.
type Kind struct {
	Tool    string `json:"tool"`
	Method  string `json:"method"`          // of the ask
	Since   string `json:"since"`           // the first revision that defines it
	Until   string `json:"until,omitempty"` // and the last; "" for all later ones
	Missing string `json:"missing"`         // what -32021 names elsewhere; "" where the call does not exist at all
	Outcome string `json:"outcome"`         // the text that the tool answers with
}

// Kinds is the table.
var Kinds = []Kind{
	{"just_form", "elicitation/create", "2025-06-18", "", `{"elicitation":{"form":{}}}`, "form: accept Ada"},
	{"just_url", "elicitation/create", "2025-11-25", "", `{"elicitation":{"url":{}}}`, "url: accept"},
	{"form", "elicitation/create", "2025-06-18", "", `{"elicitation":{"form":{}}}`, "form: accept Ada"},
	{"url", "elicitation/create", "2025-11-25", "", `{"elicitation":{"url":{}}}`, "url: accept"},
	{"sampling", "sampling/createMessage", "2024-11-05", "", `{"sampling":{}}`, "sampling: poet"},
	{"sampling_tools", "sampling/createMessage", "2025-11-25", "", `{"sampling":{"tools":{}}}`, "sampling: poet"},
	{"roots", "roots/list", "2024-11-05", "", `{"roots":{}}`, "roots: file:///srv/data"},
	{"direct_sampling", "sampling/createMessage", "2024-11-05", "2025-11-25", ``, "sampling: poet"},
	{"direct_roots", "roots/list", "2024-11-05", "2025-11-25", ``, "roots: file:///srv/data"},
}

// Defined reports whether a revision knows this kind of ask.
func (k Kind) Defined(revision string) bool {
	return revision >= k.Since && (k.Until == "" || revision <= k.Until)
}

// Cells calls f for every revision with every transport (of those named) that
// it goes with: 2024-11-05 has another HTTP transport, which is not served.
func Cells(transports []string, f func(revision, transport string)) {
	for _, revision := range Revisions {
		for _, transport := range transports {
			if revision != "2024-11-05" || transport != "http" {
				f(revision, transport)
			}
		}
	}
}

// New serves one tool for each kind of ask. Each answers with the outcome of
// the table to a client that accepts with the name Ada, samples as the model
// poet, and has the root file:///srv/data.
func New() (*edge.Edge, error) {
	layer, err := ask.New(ask.Config{Keys: [][]byte{[]byte("0123456789abcdef0123456789abcdef")}})
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "matrix", Version: "1"}, nil)
	layer.Install(s)
	form := ask.Form("Your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	url := ask.URL("Please sign in.", "https://example.com/login")
	says := func(text string) []*mcp.SamplingMessageV2 {
		return []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: text}}}}
	}
	sampling := &mcp.CreateMessageWithToolsParams{MaxTokens: 9, Messages: says("A line, please.")}
	tools := &mcp.CreateMessageWithToolsParams{MaxTokens: 9, Messages: says("Look it up."), Tools: []*mcp.Tool{{
		Name: "look_up", InputSchema: json.RawMessage(`{"type":"object"}`),
	}}, ToolChoice: &mcp.ToolChoice{Mode: "auto"}}

	elicited := func(what string, a *mcp.ElicitResult) string {
		if a.Content == nil {
			return what + ": " + a.Action
		}
		return fmt.Sprintf("%s: %s %v", what, a.Action, a.Content["name"])
	}
	returning := func(in *ask.Input, a mcp.InputRequest) error {
		return in.Require(mcp.InputRequestMap{"a": a}, nil)
	}
	for name, run := range map[string]func(context.Context, *ask.Input) (string, error){
		"just_form": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.Elicit(ctx, "a", form)
			if err != nil {
				return "", err
			}
			return elicited("form", a), nil
		},
		"just_url": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.ElicitURL(ctx, "a", url.Message, url.URL)
			if err != nil {
				return "", err
			}
			return elicited("url", a), nil
		},
		"form": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Elicited("a", form); a != nil {
				return elicited("form", a), nil
			}
			return "", returning(in, form)
		},
		"url": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Elicited("a", url); a != nil {
				return elicited("url", a), nil
			}
			return "", returning(in, url)
		},
		"sampling": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Sampled("a"); a != nil {
				return "sampling: " + a.Model, nil
			}
			return "", returning(in, sampling)
		},
		"sampling_tools": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.Sampled("a"); a != nil {
				return "sampling: " + a.Model, nil
			}
			return "", returning(in, tools)
		},
		"roots": func(_ context.Context, in *ask.Input) (string, error) {
			if a := in.ListedRoots("a"); a != nil {
				return "roots: " + a.Roots[0].URI, nil
			}
			return "", returning(in, &mcp.ListRootsParams{})
		},
		"direct_sampling": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.Sample(ctx, sampling)
			if err != nil {
				return "", err
			}
			return "sampling: " + a.Model, nil
		},
		"direct_roots": func(ctx context.Context, in *ask.Input) (string, error) {
			a, err := in.ListRoots(ctx)
			if err != nil {
				return "", err
			}
			return "roots: " + a.Roots[0].URI, nil
		},
	} {
		mcp.AddTool(s, &mcp.Tool{Name: name}, ask.Tool(layer, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ map[string]any) (*mcp.CallToolResult, any, error) {
			text, err := run(ctx, in)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		}))
	}
	return edge.New(s, edge.Options{}), nil
}
