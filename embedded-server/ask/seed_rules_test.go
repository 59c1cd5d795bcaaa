package ask_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// "Capabilities", "What not to call" and "Which revision called".

func TestL093_AsksAreCheckedAgainstWhatWasDeclared(t *testing.T) {
	withTools := &mcp.CreateMessageWithToolsParams{MaxTokens: 1, ToolChoice: &mcp.ToolChoice{Mode: "auto"}}
	withContext := &mcp.CreateMessageWithToolsParams{MaxTokens: 1, IncludeContext: "thisServer"}
	oldContext := &mcp.CreateMessageParams{MaxTokens: 1, IncludeContext: "allServers"}
	url := ask.URL("Go", "https://example.com/")
	roots := &mcp.ListRootsParams{}
	for _, c := range []struct {
		name, caps string
		ask        mcp.InputRequest
		missing    string // "" where the ask may be sent
	}{
		{"form, nothing declared", `{}`, nameForm, `{"elicitation":{"form":{}}}`},
		{"form, bare elicitation", `{"elicitation":{}}`, nameForm, ``},
		{"form, form declared", `{"elicitation":{"form":{}}}`, nameForm, ``},
		{"form, only url declared", `{"elicitation":{"url":{}}}`, nameForm, `{"elicitation":{"form":{}}}`},
		{"form, both declared", `{"elicitation":{"form":{},"url":{}}}`, nameForm, ``},
		{"form, null", `{"elicitation":null}`, nameForm, `{"elicitation":{"form":{}}}`},
		{"url, bare elicitation means form only", `{"elicitation":{}}`, url, `{"elicitation":{"url":{}}}`},
		{"url, only form declared", `{"elicitation":{"form":{}}}`, url, `{"elicitation":{"url":{}}}`},
		{"url, declared", `{"elicitation":{"url":{}}}`, url, ``},
		{"url, null", `{"elicitation":{"url":null}}`, url, `{"elicitation":{"url":{}}}`},
		{"sampling, not declared", `{"roots":{}}`, sampleAsk, `{"sampling":{}}`},
		{"sampling, declared", `{"sampling":{}}`, sampleAsk, ``},
		{"sampling tools, only sampling", `{"sampling":{}}`, withTools, `{"sampling":{"tools":{}}}`},
		{"sampling tools, nothing", `{}`, withTools, `{"sampling":{"tools":{}}}`},
		{"sampling tools, declared", `{"sampling":{"tools":{}}}`, withTools, ``},
		{"sampling context, only sampling", `{"sampling":{}}`, withContext, `{"sampling":{"context":{}}}`},
		{"sampling context, declared", `{"sampling":{"context":{}}}`, withContext, ``},
		{"sampling context, older type", `{"sampling":{}}`, oldContext, `{"sampling":{"context":{}}}`},
		{"roots, not declared", `{"sampling":{}}`, roots, `{"roots":{}}`},
		{"roots, null", `{"roots":null}`, roots, `{"roots":{}}`},
		{"roots, declared", `{"roots":{}}`, roots, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			var caps map[string]any
			require.NoError(t, json.Unmarshal([]byte(c.caps), &caps))
			for _, revision := range []string{"2025-11-25", modern} {
				can := false
				s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
					can = in.Can(c.ask)
					if in.Retry() {
						return textResult("done"), nil
					}
					return nil, in.Require(mcp.InputRequestMap{"a": c.ask}, nil)
				})
				p := connect(t, s, revision, caps, func(_, method string, _ json.RawMessage) (any, error) {
					if method == "elicitation/create" {
						return map[string]any{"action": "decline"}, nil
					}
					return allAnswers[method], nil
				})
				r, e := p.converse("tools/call", toolCall)
				require.Equal(t, c.missing == "", can)
				if c.missing == "" {
					require.Nil(t, e, revision)
					require.Equal(t, "done", r.text())
					require.Len(t, p.asked, 1)
					continue
				}
				require.NotNil(t, e, revision)
				require.EqualValues(t, -32021, e.Code, revision)
				require.JSONEq(t, `{"requiredCapabilities":`+c.missing+`}`, string(e.Data), "an object of capabilities, in every era")
				require.Empty(t, p.asked, "nothing is sent")
			}
		})
	}
}

func TestL093_JustAskingIsCheckedToo(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-11-25", modern} {
		p := connect(t, newServer(t, sealed(), askName), revision, map[string]any{"roots": map[string]any{}}, reply(allAnswers))
		_, e := p.tool(nil)
		require.NotNil(t, e, revision)
		require.EqualValues(t, -32021, e.Code)
		require.JSONEq(t, `{"requiredCapabilities":{"elicitation":{"form":{}}}}`, string(e.Data))
		require.Empty(t, p.asked)
	}
}

func TestL094_TheWholeMissingSetIsNamed(t *testing.T) {
	p := connect(t, newServer(t, sealed(), requireAll), modern, map[string]any{"roots": map[string]any{}}, nil)
	_, e := p.tool(nil)
	require.NotNil(t, e)
	require.JSONEq(t, `{"requiredCapabilities":{"elicitation":{"form":{}},"sampling":{}}}`, string(e.Data))
	require.Contains(t, e.Message, "elicitation.form, sampling", "for people too")
}

func TestL094_TheRequestsOwnDeclarationCounts(t *testing.T) {
	p := connect(t, newServer(t, sealed(), requireAll), modern, everything, nil)
	_, e := p.tool(nil)
	require.Nil(t, e)
	p.caps = map[string]any{}
	_, e = p.tool(nil)
	require.NotNil(t, e, "what an earlier request of the connection declared does not")
	require.EqualValues(t, -32021, e.Code)
}

func TestL094_WhatTheRevisionDoesNotDefineIsUndeclared(t *testing.T) {
	withTools := &mcp.CreateMessageWithToolsParams{MaxTokens: 1, ToolChoice: &mcp.ToolChoice{Mode: "auto"}}
	withContext := &mcp.CreateMessageParams{MaxTokens: 1, IncludeContext: "thisServer"}
	url := ask.URL("Go", "https://example.com/")
	for _, c := range []struct {
		revision string
		ask      mcp.InputRequest
		missing  string
	}{
		{"2024-11-05", nameForm, `{"elicitation":{"form":{}}}`},
		{"2025-03-26", nameForm, `{"elicitation":{"form":{}}}`},
		{"2025-06-18", nameForm, ``},
		{"2025-06-18", url, `{"elicitation":{"url":{}}}`},
		{"2025-11-25", url, ``},
		{"2025-06-18", withTools, `{"sampling":{"tools":{}}}`},
		{"2025-11-25", withTools, ``},
		{"2025-06-18", withContext, ``}, // then a part of sampling itself
		{"2024-11-05", sampleAsk, ``},
		{"2024-11-05", &mcp.ListRootsParams{}, ``},
	} {
		s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			if in.Retry() {
				return textResult("done"), nil
			}
			return nil, in.Require(mcp.InputRequestMap{"a": c.ask}, nil)
		})
		p := connect(t, s, c.revision, everything, func(_, method string, _ json.RawMessage) (any, error) {
			if method == "elicitation/create" {
				return map[string]any{"action": "decline"}, nil
			}
			return allAnswers[method], nil
		})
		_, e := p.tool(nil)
		if c.missing == "" {
			require.Nil(t, e, "%s %T", c.revision, c.ask)
			require.Len(t, p.asked, 1)
			continue
		}
		require.NotNil(t, e, "%s %T", c.revision, c.ask)
		require.EqualValues(t, -32021, e.Code)
		require.JSONEq(t, `{"requiredCapabilities":`+c.missing+`}`, string(e.Data))
	}
}

func TestL101_DirectCallsBelongToTheHandshakeEra(t *testing.T) {
	s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		draft, err := in.Sample(ctx, sampleAsk)
		if err != nil {
			return nil, err
		}
		dirs, err := in.ListRoots(ctx)
		if err != nil {
			return nil, err
		}
		return textResult("%s %s", draft.Model, dirs.Roots[0].URI), nil
	})
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		p := connect(t, s, revision, everything, reply(allAnswers))
		r, e := p.tool(nil)
		require.Nil(t, e)
		require.Equal(t, "m1 file:///srv/data", r.text())
		require.Equal(t, []string{"sampling/createMessage", "roots/list"}, p.asked)

		p = connect(t, s, revision, map[string]any{}, reply(allAnswers))
		_, e = p.tool(nil)
		require.NotNil(t, e)
		require.EqualValues(t, -32021, e.Code)
	}
}

func TestL102_OnAModernRequestTheyFailAndSayWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		call func(context.Context, *ask.Input) error
		hint string
	}{
		"Sample":    {func(ctx context.Context, in *ask.Input) error { _, err := in.Sample(ctx, sampleAsk); return err }, "Require"},
		"ListRoots": {func(ctx context.Context, in *ask.Input) error { _, err := in.ListRoots(ctx); return err }, "arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			var got error
			s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
				got = c.call(ctx, in)
				return nil, got
			})
			_, e := connect(t, s, modern, everything, nil).tool(nil)
			require.ErrorIs(t, got, ask.ErrHandshakeOnly)
			require.NotNil(t, e)
			require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
			require.Contains(t, e.Message, modern)
			require.Contains(t, e.Message, c.hint)
		})
	}
}

func TestL104_ElicitationSurvived(t *testing.T) {
	for _, revision := range []string{"2025-11-25", modern} {
		s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			a, err := in.ElicitURL(ctx, "consent", "Please sign in.", "https://example.com/login")
			if err != nil {
				return nil, err
			}
			return textResult("%s %v", a.Action, a.Content), nil
		})
		p := connect(t, s, revision, everything, func(string, string, json.RawMessage) (any, error) {
			return map[string]any{"action": "accept"}, nil
		})
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "accept map[]", r.text())
		var params map[string]any
		require.NoError(t, json.Unmarshal(p.params[0], &params))
		require.Equal(t, "url", params["mode"])
		require.Equal(t, "https://example.com/login", params["url"])
		if revision == modern {
			require.NotContains(t, params, "elicitationId", "which the revision removed")
		} else {
			require.NotEmpty(t, params["elicitationId"], "which the revision requires")
		}
	}
}

func TestL109_NothingForksOnTheRevision(t *testing.T) {
	// One handler, every revision that has elicitation, one outcome.
	var texts []string
	bothEras(t, func(t *testing.T, revision string) {
		entries, n := 0, 0
		p := connect(t, newServer(t, sealed(), askTwice(&entries)), revision, everything, func(string, string, json.RawMessage) (any, error) {
			n++
			return named([]string{"", "x", "y"}[n]), nil
		})
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		texts = append(texts, r.text())
	})
	require.Equal(t, []string{"x and y", "x and y", "x and y"}, texts)
}

func TestL109_AFormThatTheRevisionCannotExpressIsNotSent(t *testing.T) {
	several := ask.Form("What did you like?", json.RawMessage(`{"type":"object","properties":{"liked":{"type":"array","items":{"type":"string","enum":["food","sea"]}}}}`))
	answer := accept(map[string]any{"liked": []any{"sea"}})
	for name, h := range map[string]handler{
		"just asking": func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			a, err := in.Elicit(ctx, "a", several)
			if err != nil {
				return nil, err
			}
			return textResult("%v", a.Content["liked"]), nil
		},
		"returning": func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			if a := in.Elicited("a", several); a != nil {
				return textResult("%v", a.Content["liked"]), nil
			}
			return nil, in.Require(mcp.InputRequestMap{"a": several}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, revision := range []string{"2025-11-25", modern} {
				p := connect(t, newServer(t, sealed(), h), revision, everything, reply(map[string]any{"a": answer, "elicitation/create": answer}))
				r, e := p.converse("tools/call", toolCall)
				require.Nil(t, e)
				require.Equal(t, "[sea]", r.text())
			}
			p := connect(t, newServer(t, sealed(), h), "2025-06-18", everything, reply(map[string]any{"elicitation/create": answer}))
			_, e := p.tool(nil)
			require.NotNil(t, e)
			require.Contains(t, e.Message, "2025-06-18 does not define")
			require.Empty(t, p.asked)
		})
	}
}

func TestL096_URLModeNeedsItsOwnDeclarationAndABareOneMeansForms(t *testing.T) {
	for _, revision := range []string{"2025-11-25", modern} {
		bare := map[string]any{"elicitation": map[string]any{}}
		s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			if _, err := in.Elicit(ctx, "form", nameForm); err != nil {
				return nil, err
			}
			_, err := in.ElicitURL(ctx, "url", "Go", "https://example.com/")
			return nil, err
		})
		p := connect(t, s, revision, bare, reply(map[string]any{"form": named("Ada"), "elicitation/create": named("Ada")}))
		_, e := p.converse("tools/call", toolCall)
		require.NotNil(t, e)
		require.EqualValues(t, -32021, e.Code)
		require.JSONEq(t, `{"requiredCapabilities":{"elicitation":{"url":{}}}}`, string(e.Data))
		require.Len(t, p.asked, 1, "the form was asked, the URL was not")
	}
}

func TestL110_AHandlerMayBeEnteredAgainFromTheTop(t *testing.T) {
	// A client may also send the very same round again: the handler, which is
	// safe to repeat, gives the same.
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	again := retry(r.RequestState, map[string]any{"elicitation_1": named("x")})
	one, e := p.tool(again)
	require.Nil(t, e)
	two, e := p.tool(again)
	require.Nil(t, e)
	require.Equal(t, one.InputRequests, two.InputRequests)
	require.Equal(t, 3, entries)
}
