package conformance_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/conformance"
	"mcptui/embedded-server/edge"
)

// connect gives a client of that revision, which answers whatever it is asked.
func connect(t *testing.T, version string) *mcp.ClientSession {
	t.Helper()
	s, err := conformance.New(ask.Config{Keys: [][]byte{[]byte("0123456789abcdef0123456789abcdef")}}, "test", nil)
	require.NoError(t, err)
	e := edge.New(s, edge.Options{})
	t.Cleanup(e.Close)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			schema, _ := r.Params.RequestedSchema.(map[string]any)
			content := map[string]any{}
			required, _ := schema["required"].([]any)
			properties, _ := schema["properties"].(map[string]any)
			for _, name := range required {
				content[name.(string)] = "Ada"
				if p, _ := properties[name.(string)].(map[string]any); p["type"] == "boolean" {
					content[name.(string)] = true
				}
			}
			if _, ok := properties["untitledSingle"]; ok { // this client leaves an empty content out
				content["untitledSingle"] = "option1"
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "Paris"}}, nil
		},
	})
	c.AddRoots(&mcp.Root{URI: "file:///srv"})
	p := e.Pipe(t.Context())
	cs, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: p, Writer: p}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	return cs
}

func textOf(r *mcp.CallToolResult) string {
	if len(r.Content) == 0 {
		return ""
	}
	t, _ := r.Content[0].(*mcp.TextContent)
	if t == nil {
		return ""
	}
	return t.Text
}

// Every fixture, called without arguments as the suite does, in both eras.
func TestEveryToolServesBothEras(t *testing.T) {
	want := map[string]string{
		"test_simple_text":                           "This is a simple text response for testing.",
		"test_error_handling":                        "This tool intentionally returns an error for testing",
		"test_elicitation":                           "User response: action=accept, content=map[email:Ada username:Ada]",
		"test_elicitation_sep1034_defaults":          "User response: action=accept, content=map[age:30 name:John Doe score:95.5 status:active verified:true]", // the client fills defaults in
		"test_input_required_result_elicitation":     "Hello, Ada!",
		"test_input_required_result_sampling":        "Paris",
		"test_input_required_result_list_roots":      "roots: file:///srv",
		"test_input_required_result_request_state":   "state-ok",
		"test_input_required_result_tampered_state":  "state-ok",
		"test_input_required_result_multiple_inputs": "Paris Ada: 1 roots",
		"test_input_required_result_multi_round":     "Ada likes Ada",
		"test_input_required_result_capabilities":    "ok",
		"test_missing_capability":                    "ok",
		"test_streaming_elicitation":                 "ok",
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			cs := connect(t, version)
			called := map[string]bool{}
			for tool, err := range cs.Tools(t.Context(), nil) {
				require.NoError(t, err)
				require.NotEmpty(t, tool.Description)
				called[tool.Name] = true
				res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name})
				if tool.Name == "test_sampling" && version == "2026-07-28" {
					require.Error(t, err, "direct sampling belongs to the handshake era")
					continue
				}
				require.NoError(t, err, tool.Name)
				require.NotEmpty(t, res.Content, tool.Name)
				require.Equal(t, tool.Name == "test_error_handling", res.IsError, tool.Name)
				if says, ok := want[tool.Name]; ok {
					require.Equal(t, says, textOf(res), tool.Name)
				}
			}
			for name := range want {
				require.True(t, called[name], "%s is not listed", name)
			}
		})
	}
}

func TestPromptsResourcesAndCompletion(t *testing.T) {
	cs := connect(t, "2026-07-28")
	prompts := 0
	for p, err := range cs.Prompts(t.Context(), nil) {
		require.NoError(t, err)
		prompts++
		args := map[string]string{}
		for _, a := range p.Arguments {
			args[a.Name] = "x://" + a.Name
		}
		res, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: args})
		require.NoError(t, err, p.Name)
		require.NotEmpty(t, res.Messages, p.Name)
	}
	require.Equal(t, 5, prompts)
	for uri, says := range map[string]string{
		"test://static-text":      "This is the content of the static text resource.",
		"test://template/42/data": `{"id":"42","templateTest":true,"data":"Data for ID: 42"}`,
	} {
		res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		require.NoError(t, err)
		require.Equal(t, says, res.Contents[0].Text)
	}
	_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://nothing"})
	require.ErrorContains(t, err, "not found")
	res, err := cs.Complete(t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "test_prompt_with_arguments"},
		Argument: mcp.CompleteParamsArgument{Name: "arg1", Value: "p"},
	})
	require.NoError(t, err)
	require.NotEmpty(t, res.Completion.Values)
}

func TestTheLayerNeedsGoodKeys(t *testing.T) {
	_, err := conformance.New(ask.Config{Keys: [][]byte{[]byte("short")}}, "test", nil)
	require.ErrorContains(t, err, "key")
}

// The suite itself, where MCPTUI_CONFORMANCE is set: it needs Node, npm and
// minutes.
func TestOfficialSuite(t *testing.T) {
	if os.Getenv("MCPTUI_CONFORMANCE") == "" {
		t.Skip("MCPTUI_CONFORMANCE is not set: the official suite does not run")
	}
	out, err := exec.CommandContext(t.Context(), "../../testdata/conformance/run.sh", "server").CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err)
}
