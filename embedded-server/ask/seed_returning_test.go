package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// "Returning the ask" and "Reading the answers".

var sampleAsk = &mcp.CreateMessageWithToolsParams{MaxTokens: 100, Messages: []*mcp.SamplingMessageV2{{
	Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: "Draft a plan."}},
}}}

// requireName is the document's second example.
func requireName(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
	answer := in.Elicited("who", nameForm)
	if answer == nil {
		return nil, in.Require(mcp.InputRequestMap{"who": nameForm}, map[string]any{"asked": "who"})
	}
	return textResult("Hello, %s!", answer.Content["name"]), nil
}

// requireAll asks for everything at once, until it has it.
func requireAll(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
	name, draft, dirs := in.Elicited("name", nameForm), in.Sampled("draft"), in.ListedRoots("dirs")
	asks := mcp.InputRequestMap{}
	if name == nil {
		asks["name"] = nameForm
	}
	if draft == nil {
		asks["draft"] = sampleAsk
	}
	if dirs == nil {
		asks["dirs"] = &mcp.ListRootsParams{}
	}
	if len(asks) > 0 {
		return nil, in.Require(mcp.InputRequestMap{"name": nameForm, "draft": sampleAsk, "dirs": &mcp.ListRootsParams{}}, nil)
	}
	return textResult("%v %s %d", name.Content["name"], draft.Model, len(dirs.Roots)), nil
}

var allAnswers = map[string]any{
	"name": named("Ada"), "draft": sampled, "dirs": rootsList,
	"elicitation/create": named("Ada"), "sampling/createMessage": sampled, "roots/list": rootsList,
}

func TestL036_ReturnTheAskAndReadTheAnswerWhenTheCallComesBack(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, newServer(t, sealed(), requireName), revision, everything, reply(map[string]any{
			"who": named("Ada"), "elicitation/create": named("Ada"),
		}))
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "Hello, Ada!", r.text())
		require.Len(t, p.asked, 1)
	})
}

func TestL038_SeveralAsksInOneRoundTrip(t *testing.T) {
	p := connect(t, newServer(t, sealed(), requireAll), modern, everything, nil)
	r, e := p.tool(nil)
	require.Nil(t, e)
	require.Equal(t, []string{"dirs", "draft", "name"}, r.keys())
	r, e = p.tool(retry(r.RequestState, allAnswers))
	require.Nil(t, e)
	require.Equal(t, "Ada m1 1", r.text())
}

func TestL038_CarryYourOwnState(t *testing.T) {
	type progress struct {
		Names []string `json:"names"`
	}
	bothEras(t, func(t *testing.T, revision string) {
		s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			var st progress
			known, err := in.State(&st)
			if err != nil || known != in.Retry() {
				return nil, fmt.Errorf("state known: %v, retry: %v, error: %w", known, in.Retry(), err)
			}
			if a := in.Elicited(fmt.Sprint("step", len(st.Names)+1), nameForm); a != nil {
				st.Names = append(st.Names, a.Content["name"].(string))
			}
			if len(st.Names) == 3 {
				return textResult("%v", st.Names), nil
			}
			return nil, in.Require(mcp.InputRequestMap{fmt.Sprint("step", len(st.Names)+1): nameForm}, st)
		})
		n := 0
		p := connect(t, s, revision, everything, func(string, string, json.RawMessage) (any, error) {
			n++
			return named(fmt.Sprint("n", n)), nil
		})
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "[n1 n2 n3]", r.text())
	})
}

func TestL038_AStateAloneAsksForAnotherRound(t *testing.T) {
	for _, revision := range []string{"2025-11-25", modern} {
		s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			n := 0
			if _, err := in.State(&n); err != nil {
				return nil, err
			}
			if n < 2 {
				return nil, in.Require(nil, n+1)
			}
			return textResult("after %d rounds", n), nil
		})
		p := connect(t, s, revision, everything, nil)
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "after 2 rounds", r.text())
		require.Empty(t, p.asked)
	}
}

func TestL038_NeitherAsksNorStateIsAMistake(t *testing.T) {
	for name, h := range map[string]handler{
		"Require": func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			return nil, in.Require(nil, nil)
		},
		"Required": func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) {
			return nil, &ask.Required{}
		},
		"ErrPending": func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) {
			return nil, ask.ErrPending
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, revision := range []string{"2025-11-25", modern} {
				_, e := connect(t, newServer(t, sealed(), h), revision, everything, nil).tool(nil)
				require.NotNil(t, e)
				require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
			}
		})
	}
}

func TestL038_BothWaysTogether(t *testing.T) {
	// What was just asked before an ask was returned is not asked again.
	bothEras(t, func(t *testing.T, revision string) {
		s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			who, err := in.Elicit(ctx, "who", nameForm)
			if err != nil {
				return nil, err
			}
			draft := in.Sampled("draft")
			if draft == nil {
				return nil, in.Require(mcp.InputRequestMap{"draft": sampleAsk}, "mine")
			}
			var mine string
			if _, err := in.State(&mine); err != nil {
				return nil, err
			}
			return textResult("%v %s %s", who.Content["name"], draft.Model, mine), nil
		})
		p := connect(t, s, revision, everything, reply(map[string]any{
			"who": named("Ada"), "draft": sampled, "elicitation/create": named("Ada"), "sampling/createMessage": sampled,
		}))
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "Ada m1 mine", r.text())
		require.Equal(t, []string{"elicitation/create", "sampling/createMessage"}, p.asked)
	})
}

func TestL042_TheShimSendsEachAskAsTheRealRequest(t *testing.T) {
	entries := 0
	s := newServer(t, sealed(), func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		entries++
		return requireAll(ctx, r, in)
	})
	p := connect(t, s, "2025-11-25", everything, reply(allAnswers))
	r, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, "Ada m1 1", r.text())
	require.Equal(t, []string{"roots/list", "sampling/createMessage", "elicitation/create"}, p.asked, "by the order of their keys")
	require.Equal(t, 2, entries, "entered again once, with all the answers")
}

func TestL043_TheShimAsksOneAfterAnother(t *testing.T) {
	var open, most atomic.Int32
	p := connect(t, newServer(t, sealed(), requireAll), "2025-11-25", everything, func(_, method string, _ json.RawMessage) (any, error) {
		if now := open.Add(1); now > most.Load() {
			most.Store(now)
		}
		time.Sleep(5 * time.Millisecond)
		open.Add(-1)
		return allAnswers[method], nil
	})
	_, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.EqualValues(t, 1, most.Load())
}

func TestL044_AnAskThatFailsIsAnUnansweredOne(t *testing.T) {
	refused := 0
	s := newServer(t, sealed(), requireAll)
	p := connect(t, s, "2025-11-25", everything, func(_, method string, _ json.RawMessage) (any, error) {
		if method == "sampling/createMessage" && refused < 2 {
			refused++
			return nil, &jsonrpc.Error{Code: -1, Message: "user rejected sampling request"}
		}
		return allAnswers[method], nil
	})
	r, e := p.converse("tools/call", toolCall)
	require.Nil(t, e)
	require.Equal(t, "Ada m1 1", r.text())
	require.Len(t, p.asked, 9, "three rounds of three asks")
}

func TestL045_TheShimIsOnByDefaultAndBoundedInRounds(t *testing.T) {
	entries := 0
	forever := func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		entries++
		return nil, in.Require(mcp.InputRequestMap{"again": nameForm}, nil)
	}
	for _, limit := range []int{0, 3} {
		entries = 0
		p := connect(t, newServer(t, ask.Config{MaxRounds: limit}, forever), "2025-11-25", everything, reply(allAnswers))
		_, e := p.tool(nil)
		want := limit
		if want == 0 {
			want = ask.DefaultMaxRounds
		}
		require.NotNil(t, e)
		require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
		require.Contains(t, e.Message, fmt.Sprintf("more than %d times", want))
		require.Len(t, p.asked, want, "nothing is sent for the round that is refused")
		require.Equal(t, want+1, entries)
	}
}

func TestL045_TheShimIsBoundedInTimeForEachAsk(t *testing.T) {
	s := newServer(t, ask.Config{MaxRounds: 2, AskTimeout: 20 * time.Millisecond}, requireName)
	p := connect(t, s, "2025-11-25", everything, func(string, string, json.RawMessage) (any, error) { return nil, nil })
	_, e := p.tool(nil)
	require.NotNil(t, e, "an ask without an answer eats its round")
	require.Contains(t, e.Message, "more than 2 times")
}

func TestL045_JustAskingIsBoundedInTimeToo(t *testing.T) {
	var got error
	s := newServer(t, ask.Config{AskTimeout: 20 * time.Millisecond}, func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		_, got = in.Elicit(ctx, "who", nameForm)
		return nil, got
	})
	p := connect(t, s, "2025-11-25", everything, func(string, string, json.RawMessage) (any, error) { return nil, nil })
	r, e := p.tool(nil)
	require.Nil(t, e)
	require.True(t, r.IsError)
	require.ErrorIs(t, got, context.DeadlineExceeded)
	require.Contains(t, r.text(), "no answer within 20ms")
}

func TestL047_WithoutTheShimSuchAHandlerFailsThere(t *testing.T) {
	cfg := ask.Config{Keys: [][]byte{keyA}, NoShim: true}
	p := connect(t, newServer(t, cfg, requireName), "2025-11-25", everything, reply(allAnswers))
	_, e := p.tool(nil)
	require.NotNil(t, e)
	require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
	require.Contains(t, e.Message, "shim")
	require.Empty(t, p.asked)

	p = connect(t, newServer(t, cfg, requireName), modern, everything, reply(map[string]any{"who": named("Ada")}))
	_, e = p.converse("tools/call", toolCall)
	require.Nil(t, e, "where the protocol carries the ask it works")

	p = connect(t, newServer(t, cfg, askName), "2025-11-25", everything, reply(allAnswers))
	_, e = p.converse("tools/call", toolCall)
	require.Nil(t, e, "just asking needs no shim")
}

func TestL060_TheStateSaysWhatWasAsked(t *testing.T) {
	r, e := connect(t, newServer(t, sealed(), requireName), modern, everything, nil).tool(nil)
	require.Nil(t, e)
	st := r.state(t)
	require.Equal(t, map[string]any{"asked": "who"}, st["data"])
	require.Contains(t, st["asked"], "who")
}

func TestL068_ToolsPromptsAndResourcesMayAsk(t *testing.T) {
	l := newLayer(t, sealed())
	s := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
	l.Install(s)
	s.AddTool(&mcp.Tool{Name: "tool", InputSchema: json.RawMessage(`{"type":"object"}`)}, ask.RawTool(l, askName))
	s.AddPrompt(&mcp.Prompt{Name: "prompt"}, ask.Prompt(l, func(ctx context.Context, _ *mcp.GetPromptRequest, in *ask.Input) (*mcp.GetPromptResult, error) {
		a, err := in.Elicit(ctx, "who", nameForm)
		if err != nil {
			return nil, err
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf("Hello, %s!", a.Content["name"])}}}}, nil
	}))
	read := ask.Resource(l, func(ctx context.Context, req *mcp.ReadResourceRequest, in *ask.Input) (*mcp.ReadResourceResult, error) {
		a := in.Elicited("who", nameForm)
		if a == nil {
			return nil, in.Require(mcp.InputRequestMap{"who": nameForm}, nil)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: fmt.Sprintf("Hello, %s!", a.Content["name"])}}}, nil
	})
	s.AddResource(&mcp.Resource{URI: "test://one", Name: "one"}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://many/{n}", Name: "many"}, read)
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, s, revision, everything, reply(map[string]any{"who": named("Ada"), "elicitation/create": named("Ada")}))
		for method, params := range map[string]map[string]any{
			"tools/call":     {"name": "tool"},
			"prompts/get":    {"name": "prompt"},
			"resources/read": {"uri": "test://many/7"},
		} {
			r, e := p.converse(method, params)
			require.Nil(t, e, method)
			require.Equal(t, "Hello, Ada!", r.text(), method)
		}
		require.Len(t, p.asked, 3)
	})
}

func TestL068_NothingElseMayAsk(t *testing.T) {
	l := newLayer(t, sealed())
	s := mcp.NewServer(&mcp.Implementation{Name: "test"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return nil, &ask.Required{Asks: mcp.InputRequestMap{"who": nameForm}}
		},
	})
	l.Install(s)
	s.AddPrompt(&mcp.Prompt{Name: "p"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return nil, errors.New("not called")
	})
	for _, revision := range []string{"2025-11-25", modern} {
		p := connect(t, s, revision, everything, reply(allAnswers))
		_, e := p.send("completion/complete", map[string]any{
			"ref": map[string]any{"type": "ref/prompt", "name": "p"}, "argument": map[string]any{"name": "a", "value": ""},
		})
		require.NotNil(t, e)
		require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
		require.Contains(t, e.Message, "completion/complete may not ask")
		require.Empty(t, p.asked)
	}
}

func TestL072_AnswersToReturnedAsksAreOfTheirRoundOnly(t *testing.T) {
	// What a later round needs of them is the handler's own to carry.
	s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if in.Has("late") {
			return textResult("early is still there: %v", in.Has("early")), nil
		}
		if in.Has("early") {
			return nil, in.Require(mcp.InputRequestMap{"late": nameForm}, nil)
		}
		return nil, in.Require(mcp.InputRequestMap{"early": nameForm}, nil)
	})
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, s, revision, everything, func(string, string, json.RawMessage) (any, error) { return named("x"), nil })
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "early is still there: false", r.text())
	})
	p := connect(t, s, modern, everything, nil)
	r, _ := p.tool(nil)
	r, _ = p.tool(retry(r.RequestState, map[string]any{"early": named("x")}))
	require.Equal(t, []string{"late"}, r.keys())
	require.NotContains(t, r.state(t), "answers")
}

func TestL041_OnlyThereDoesTheProtocolCarryThisShape(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		p := connect(t, newServer(t, sealed(), requireName), revision, everything, reply(map[string]any{"elicitation/create": named("Ada")}))
		r, e := p.tool(nil)
		require.Nil(t, e)
		if revision == modern {
			require.Equal(t, "input_required", r.ResultType)
			require.NotEmpty(t, r.RequestState)
			return
		}
		require.Empty(t, r.ResultType, "a handshake-era result has no such member")
		require.Empty(t, r.InputRequests)
		require.Empty(t, r.RequestState)
	})
}

func TestL046_EachRoundHoldsTheOriginatingRequestOpen(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	p := connect(t, newServer(t, sealed(), requireName), "2025-11-25", everything, func(string, string, json.RawMessage) (any, error) {
		close(asked)
		<-release
		return named("Ada"), nil
	})
	done := make(chan result, 1)
	go func() {
		r, _ := p.tool(nil)
		done <- r
	}()
	<-asked
	select {
	case r := <-done:
		t.Errorf("answered before the user has: %+v", r)
	default:
	}
	close(release)
	require.Equal(t, "Hello, Ada!", (<-done).text())
}
