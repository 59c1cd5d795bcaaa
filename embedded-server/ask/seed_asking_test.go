package ask_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// The tests named after lines say, in order, what the document "Asking for
// input" says. This file holds its introduction and "Just asking".

// askName is the document's first example.
func askName(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
	answer, err := in.Elicit(ctx, "who", nameForm)
	if err != nil {
		return nil, err
	}
	return textResult("Hello, %s!", answer.Content["name"]), nil
}

// askTwice asks by position, and counts how often it is entered.
func askTwice(entries *int) handler {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		*entries++
		first, err := in.Elicit(ctx, "", ask.Form("First?", nameSchema))
		if err != nil {
			return nil, err
		}
		second, err := in.Elicit(ctx, "", ask.Form("Second?", nameSchema))
		if err != nil {
			return nil, err
		}
		return textResult("%s and %s", first.Content["name"], second.Content["name"]), nil
	}
}

func sealed() ask.Config { return ask.Config{Keys: [][]byte{keyA}} }

func TestL003_HandlersAskToConfirmToFillInToNameADirectoryAndToDraft(t *testing.T) {
	s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		confirmed, form := in.Elicited("confirm", nil), in.Elicited("form", nameForm)
		dir, draft := in.ListedRoots("dir"), in.Sampled("draft")
		if confirmed == nil || form == nil || dir == nil || draft == nil {
			return nil, in.Require(mcp.InputRequestMap{
				"confirm": ask.Form("Go on?", nil), "form": nameForm,
				"dir": &mcp.ListRootsParams{}, "draft": &mcp.CreateMessageWithToolsParams{MaxTokens: 10},
			}, nil)
		}
		return textResult("%s %v %s %s", confirmed.Action, form.Content["name"], dir.Roots[0].URI, draft.Model), nil
	})
	p := connect(t, s, modern, everything, reply(map[string]any{
		"confirm": accept(map[string]any{}), "form": named("Ada"), "dir": rootsList, "draft": sampled,
	}))
	r, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, "accept Ada file:///srv/data m1", r.text())
}

func TestL009_AskAndUseTheAnswer(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, newServer(t, sealed(), askName), revision, everything, reply(map[string]any{
			"who": named("Ada"), "elicitation/create": named("Ada"),
		}))
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "Hello, Ada!", r.text())
		require.Equal(t, []string{"elicitation/create"}, p.asked)
	})
}

func TestL013_TheAskOnTheWireHasKeyMessageAndSchema(t *testing.T) {
	p := connect(t, newServer(t, sealed(), askName), modern, everything, nil)
	r, e := p.tool(nil)
	require.Nil(t, e)
	require.Equal(t, "input_required", r.ResultType)
	require.Equal(t, []string{"who"}, r.keys())
	require.Equal(t, "elicitation/create", r.InputRequests["who"].Method)
	require.JSONEq(t, `{"mode":"form","message":"Your name?","requestedSchema":`+string(nameSchema)+`}`, string(r.InputRequests["who"].Params))
}

func TestL019_AKeyKeepsAnAnswerWithItsQuestion(t *testing.T) {
	// The order of the questions changes between the rounds; each answer still
	// finds its own.
	entries := 0
	s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		entries++
		order := []string{"a", "b"}
		if entries == 2 {
			order = []string{"b", "a"}
		}
		got := map[string]any{}
		for _, key := range order {
			answer, err := in.Elicit(ctx, key, nameForm)
			if err != nil {
				return nil, err
			}
			got[key] = answer.Content["name"]
		}
		return textResult("a=%v b=%v", got["a"], got["b"]), nil
	})
	p := connect(t, s, modern, everything, nil)
	r, _ := p.tool(nil)
	require.Equal(t, []string{"a"}, r.keys())
	r, _ = p.tool(retry(r.RequestState, map[string]any{"a": named("A")}))
	require.Equal(t, []string{"b"}, r.keys(), "the answer to a is not taken for one to b")
	// b came first in that run and a was not reached; its answer is not lost.
	r, e := p.tool(retry(r.RequestState, map[string]any{"b": named("B")}))
	require.Nil(t, e)
	require.Equal(t, "a=A b=B", r.text())
}

func TestL019_OneKeyTwiceInARunIsAMistake(t *testing.T) {
	s := newServer(t, ask.Config{}, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if _, err := in.Elicit(ctx, "who", nameForm); err != nil {
			return nil, err
		}
		_, err := in.Elicit(ctx, "who", nameForm)
		_ = err // swallowed, and seen all the same
		return textResult("done"), nil
	})
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, s, revision, everything, reply(map[string]any{"who": named("A"), "elicitation/create": named("A")}))
		_, e := p.converse("tools/call", toolCall)
		require.NotNil(t, e)
		require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
		require.Contains(t, e.Message, `"who" is used twice`)
	})
}

func TestL020_WithoutAKeyAsksAreKeyedByPosition(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	require.Equal(t, []string{"elicitation_1"}, r.keys())
	r, _ = p.tool(retry(r.RequestState, map[string]any{"elicitation_1": named("one")}))
	require.Equal(t, []string{"elicitation_2"}, r.keys())
	r, e := p.tool(retry(r.RequestState, map[string]any{"elicitation_2": named("two")}))
	require.Nil(t, e)
	require.Equal(t, "one and two", r.text())
}

func TestL020_NamedAsksCountAsPositions(t *testing.T) {
	s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		for _, key := range []string{"", "named", ""} {
			var err error
			if key == "named" {
				_, err = in.ElicitURL(ctx, key, "Go there", "https://example.com/")
			} else {
				_, err = in.Elicit(ctx, key, nameForm)
			}
			if err != nil {
				return nil, err
			}
		}
		return textResult("done"), nil
	})
	var keys []string
	p := connect(t, s, modern, everything, func(key, _ string, _ json.RawMessage) (any, error) {
		keys = append(keys, key)
		if key == "named" {
			return map[string]any{"action": "accept"}, nil
		}
		return named(key), nil
	})
	_, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, []string{"elicitation_1", "named", "elicitation_3"}, keys)
}

func TestL023_SomeClientsAnswerInsideTheOpenRequest(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), "2025-11-25", everything, reply(map[string]any{"elicitation/create": named("x")}))
	r, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, "x and x", r.text())
	require.Equal(t, []string{"elicitation/create", "elicitation/create"}, p.asked)
	require.Equal(t, 1, entries, "the handler's locals survive")
}

func TestL024_OthersReSendTheWholeCallAndEnterTheHandlerOncePerQuestion(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, reply(map[string]any{
		"elicitation_1": named("x"), "elicitation_2": named("y"),
	}))
	r, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, "x and y", r.text())
	require.Equal(t, 3, entries, "two rounds that ask, one that ends")
}

func TestL025_TheFirstQuestionWithoutAnAnswerEndsTheRun(t *testing.T) {
	var first, second error
	s := newServer(t, ask.Config{}, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		_, first = in.Elicit(ctx, "a", nameForm)
		_, second = in.Elicit(ctx, "b", nameForm)
		return nil, second
	})
	r, e := connect(t, s, modern, everything, nil).tool(nil)
	require.Nil(t, e)
	require.ErrorIs(t, first, ask.ErrPending)
	require.Equal(t, first, second, "a later ask gives the same error")
	require.Equal(t, []string{"a"}, r.keys(), "one ask a round, and the later one is not sent")
}

func TestL025_AHandlerThatGoesOnAfterAnUnansweredQuestionIsAMistake(t *testing.T) {
	for name, result := range map[string]func() (*mcp.CallToolResult, error){
		"swallowed":       func() (*mcp.CallToolResult, error) { return textResult("booked!"), nil },
		"another error":   func() (*mcp.CallToolResult, error) { return nil, fmt.Errorf("booking failed") },
		"cut off its tie": func() (*mcp.CallToolResult, error) { return nil, fmt.Errorf("asking: %v", ask.ErrPending) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, ask.Config{}, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
				_, _ = in.Elicit(ctx, "a", nameForm)
				return result()
			})
			_, e := connect(t, s, modern, everything, nil).tool(nil)
			require.NotNil(t, e)
			require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
			require.Contains(t, e.Message, "must return the error that the ask gave")
		})
	}
}

func TestL025_WhatIsBelowTheLastQuestionRunsOnce(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		effects := 0
		s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			for range 3 {
				if _, err := in.Elicit(ctx, "", nameForm); err != nil {
					return nil, fmt.Errorf("wrapped on the way: %w", err)
				}
			}
			effects++
			return textResult("done"), nil
		})
		p := connect(t, s, revision, everything, func(string, string, json.RawMessage) (any, error) { return named("x"), nil })
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "done", r.text())
		require.Equal(t, 1, effects)
		require.Len(t, p.asked, 3)
	})
}

func TestL029_EarlierAnswersTravelInTheRequestState(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	require.NotContains(t, r.state(t), "answers")
	r, _ = p.tool(retry(r.RequestState, map[string]any{"elicitation_1": named("one")}))
	require.Equal(t, map[string]any{"elicitation_1": named("one")}, r.state(t)["answers"])
}

func TestL029_AnAnswerThatNoRunUsedIsNotCarried(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	r, _ = p.tool(retry(r.RequestState, map[string]any{
		"elicitation_1": named("one"), "elicitation_2": named("early"), "junk": named("x"),
	}))
	require.Equal(t, []string{"elicitation_2"}, r.keys(), "what was not asked is not answered")
	require.Equal(t, map[string]any{"elicitation_1": named("one")}, r.state(t)["answers"])
}

func TestL030_AskingMoreThanOnceNeedsASealingKey(t *testing.T) {
	entries := 0
	s := newServer(t, ask.Config{}, askTwice(&entries))
	p := connect(t, s, modern, everything, nil)
	r, e := p.tool(nil)
	require.Nil(t, e, "the first question needs none")
	require.Equal(t, []string{"elicitation_1"}, r.keys())
	require.Empty(t, r.RequestState)
	_, e = p.tool(retry("", map[string]any{"elicitation_1": named("one")}))
	require.NotNil(t, e)
	require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
	require.Contains(t, e.Message, "MCP_REQUEST_STATE_KEY", "it says what to configure")

	legacy := connect(t, s, "2025-11-25", everything, reply(map[string]any{"elicitation/create": named("x")}))
	r, e = legacy.converse("tools/call", toolCall)
	require.Nil(t, e, "the handshake era has no state to seal")
	require.Equal(t, "x and x", r.text())
}

func TestL030_DeclineAndCancelAreAnswers(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		for _, action := range []string{"decline", "cancel"} {
			s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
				first, err := in.Elicit(ctx, "a", nameForm)
				if err != nil {
					return nil, err
				}
				second, err := in.Elicit(ctx, "b", nameForm)
				if err != nil {
					return nil, err
				}
				return textResult("%s %s", first.Action, second.Action), nil
			})
			p := connect(t, s, revision, everything, func(string, string, json.RawMessage) (any, error) {
				return map[string]any{"action": action}, nil
			})
			r, e := p.converse("tools/call", toolCall)
			require.Nil(t, e)
			require.Equal(t, action+" "+action, r.text(), "it is carried like any answer")
		}
	})
}
