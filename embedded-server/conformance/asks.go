package conformance

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// object is the schema of a form with these properties.
func object(properties string, required ...string) json.RawMessage {
	s := `{"type":"object","properties":{` + properties + `}`
	if len(required) > 0 {
		s += `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return json.RawMessage(s + `}`)
}

func form(message, field string) *mcp.ElicitParams {
	return ask.Form(message, object(`"`+field+`":{"type":"string"}`, field))
}

func sampling(prompt string) *mcp.CreateMessageWithToolsParams {
	return &mcp.CreateMessageWithToolsParams{
		MaxTokens: 100,
		Messages:  []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: prompt}}}},
	}
}

func sampledText(r *mcp.CreateMessageWithToolsResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

var confirm = ask.Form("Please confirm", object(`"ok":{"type":"boolean"}`, "ok"))

// addAsks adds the tools of the input-required-result-* scenarios.
func (f *fixtures) addAsks() {
	f.toolOn(f.bare, "test_input_required_result_elicitation", "Asks for a name.", noArguments, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		a, err := in.Elicit(ctx, "user_name", form("What is your name?", "name"))
		if err != nil {
			return nil, err
		}
		if a.Action != "accept" {
			return text("Hello, whoever you are!"), nil
		}
		return text("Hello, %v!", a.Content["name"]), nil
	})
	f.tool("test_input_required_result_sampling", "Asks the client's model.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		res := in.Sampled("capital_question")
		if res == nil {
			return nil, in.Require(mcp.InputRequestMap{"capital_question": sampling("What is the capital of France?")}, nil)
		}
		return text("%s", sampledText(res)), nil
	})
	f.tool("test_input_required_result_list_roots", "Asks for the client's roots.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		res := in.ListedRoots("client_roots")
		if res == nil {
			return nil, in.Require(mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}, nil)
		}
		uris := []string{}
		for _, r := range res.Roots {
			uris = append(uris, r.URI)
		}
		return text("roots: %s", strings.Join(uris, ", ")), nil
	})
	for _, name := range []string{"test_input_required_result_request_state", "test_input_required_result_tampered_state"} {
		f.tool(name, "Asks for a confirmation, with a state.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			var stage string
			known, err := in.State(&stage)
			if err != nil {
				return nil, err
			}
			if in.Elicited("confirm", confirm) == nil || !known {
				return nil, in.Require(mcp.InputRequestMap{"confirm": confirm}, "confirming")
			}
			return text("state-ok"), nil
		})
	}
	f.tool("test_input_required_result_multiple_inputs", "Asks for three things at once.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		name, greeting, roots := in.Elicited("user_name", form("What is your name?", "name")), in.Sampled("greeting"), in.ListedRoots("client_roots")
		if name == nil || greeting == nil || roots == nil {
			return nil, in.Require(mcp.InputRequestMap{
				"user_name":    form("What is your name?", "name"),
				"greeting":     sampling("Generate a greeting"),
				"client_roots": &mcp.ListRootsParams{},
			}, "asked")
		}
		return text("%s %v: %d roots", sampledText(greeting), name.Content["name"], len(roots.Roots)), nil
	})
	f.tool("test_input_required_result_multi_round", "Asks twice, one after the other.", multiRound)
	f.tool("test_input_required_result_capabilities", "Asks for whatever the client can do.", func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if in.Retry() {
			return text("ok"), nil
		}
		all := mcp.InputRequestMap{}
		for key, want := range map[string]mcp.InputRequest{
			"elicit": form("What is your name?", "name"), "sample": sampling("Say hello"), "roots": &mcp.ListRootsParams{},
		} {
			if in.Can(want) {
				all[key] = want
			}
		}
		return nil, in.Require(all, "asked")
	})
}

func multiRound(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
	var st struct {
		Name string `json:"name"`
	}
	first, second := form("Step 1: What is your name?", "name"), form("Step 2: What is your favorite color?", "color")
	if _, err := in.State(&st); err != nil {
		return nil, err
	}
	if st.Name == "" {
		a := in.Elicited("step1", first)
		if a == nil || a.Action != "accept" {
			return nil, in.Require(mcp.InputRequestMap{"step1": first}, st)
		}
		st.Name, _ = a.Content["name"].(string)
		return nil, in.Require(mcp.InputRequestMap{"step2": second}, st)
	}
	a := in.Elicited("step2", second)
	if a == nil || a.Action != "accept" {
		return nil, in.Require(mcp.InputRequestMap{"step2": second}, st)
	}
	return text("%s likes %v", st.Name, a.Content["color"]), nil
}
