package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// What the document does not say, and users of the layer rely on.

func TestRawAnswersComeAsTextOrAsAnObject(t *testing.T) {
	var raw json.RawMessage
	h := ask.RawTool(newLayer(t, ask.Config{}), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		raw = in.Response("a")
		return textResult("done"), nil
	})
	call := func(v any) {
		_, err := h(context.Background(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{
			mcp.MetaKeyProtocolVersion: modern, ask.MetaRawResponses: v,
		}}})
		require.NoError(t, err)
	}
	call(`{"a": {"n": 12345678901234567890.10, "z": 1, "b": 2}}`)
	require.Equal(t, `{"n": 12345678901234567890.10, "z": 1, "b": 2}`, string(raw), "text keeps numbers and order as written")
	call(map[string]any{"a": map[string]any{"n": 1.0}})
	require.JSONEq(t, `{"n":1}`, string(raw))
	for _, wrong := range []any{`[]`, `{`, 7, nil, []any{}} {
		raw = nil
		call(wrong)
		require.Nil(t, raw, "%v", wrong)
	}
}

func TestAnswersThatTheSDKDecodedAreTakenWithoutAnEdge(t *testing.T) {
	h := ask.RawTool(newLayer(t, ask.Config{}), askName)
	res, err := h(context.Background(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{
		Meta:           mcp.Meta{mcp.MetaKeyProtocolVersion: modern},
		InputResponses: mcp.InputResponseMap{"who": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}},
	}})
	require.NoError(t, err)
	require.Equal(t, "Hello, Ada!", res.Content[0].(*mcp.TextContent).Text)
}

func TestWhatHandlersReturnIsPassedOn(t *testing.T) {
	wire := &jsonrpc.Error{Code: -32002, Message: "gone"}
	for name, c := range map[string]struct {
		err     error
		code    int64
		message string
	}{
		"an error of the protocol": {wire, -32002, "gone"},
		"a wrapped one":            {fmt.Errorf("reading: %w", wire), -32002, "gone"},
		"an ordinary one":          {errors.New("secret detail"), jsonrpc.CodeInternalError, ask.Unexplained},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLayer(t, sealed())
			s := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
			l.Install(s)
			s.AddResource(&mcp.Resource{URI: "test://r", Name: "r"}, ask.Resource(l, func(context.Context, *mcp.ReadResourceRequest, *ask.Input) (*mcp.ReadResourceResult, error) {
				return nil, c.err
			}))
			for _, revision := range []string{"2025-11-25", modern} {
				_, e := connect(t, s, revision, everything, nil).round("resources/read", map[string]any{"uri": "test://r"})
				require.NotNil(t, e)
				require.Equal(t, c.code, e.Code)
				require.Equal(t, c.message, e.Message)
			}
		})
	}
}

func TestAnOrdinaryErrorOfAToolIsAResult(t *testing.T) {
	s := newServer(t, sealed(), func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) {
		return nil, errors.New("no table left")
	})
	r, e := connect(t, s, modern, everything, nil).tool(nil)
	require.Nil(t, e)
	require.True(t, r.IsError)
	require.Equal(t, "no table left", r.text())
}

func TestAClientsErrorNeverBecomesTheServersOwn(t *testing.T) {
	var got error
	s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		_, got = in.Elicit(ctx, "who", nameForm)
		return nil, got
	})
	p := connect(t, s, "2025-11-25", everything, func(string, string, json.RawMessage) (any, error) {
		return nil, &jsonrpc.Error{Code: -32601, Message: "what is an elicitation?"}
	})
	r, e := p.tool(nil)
	require.Nil(t, e, "not -32601: the tool exists")
	require.True(t, r.IsError)
	var refused *ask.RefusedError
	require.ErrorAs(t, got, &refused)
	require.Equal(t, ask.RefusedError{Key: "who", Code: -32601, Message: "what is an elicitation?"}, *refused)
}

func TestAsksThatCannotBeAskedAreMistakes(t *testing.T) {
	for name, a := range map[string]mcp.InputRequest{
		"nested form":      ask.Form("?", json.RawMessage(`{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`)),
		"no object":        ask.Form("?", json.RawMessage(`{"type":"string"}`)),
		"no properties":    ask.Form("?", json.RawMessage(`{"type":"object"}`)),
		"broken schema":    ask.Form("?", json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","minLength":-1}}}`)),
		"no JSON":          ask.Form("?", func() {}),
		"unknown mode":     &mcp.ElicitParams{Mode: "smell", Message: "?"},
		"form with a URL":  &mcp.ElicitParams{Mode: "form", Message: "?", URL: "https://example.com/"},
		"URL without one":  ask.URL("?", ""),
		"nil elicitation":  (*mcp.ElicitParams)(nil),
		"nil sampling":     (*mcp.CreateMessageWithToolsParams)(nil),
		"nil old sampling": (*mcp.CreateMessageParams)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			for _, revision := range []string{"2025-11-25", modern} {
				s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
					return nil, in.Require(mcp.InputRequestMap{"a": a}, nil)
				})
				p := connect(t, s, revision, everything, nil)
				_, e := p.tool(nil)
				require.NotNil(t, e)
				require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
				require.Empty(t, p.asked)
				if elicitation, ok := a.(*mcp.ElicitParams); ok {
					s = newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
						_, err := in.Elicit(ctx, "a", elicitation)
						return nil, err
					})
					_, e = connect(t, s, revision, everything, nil).tool(nil)
					require.NotNil(t, e)
					require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
				}
			}
		})
	}
}

func TestDecode(t *testing.T) {
	var v struct {
		Seats int
		Area  string
	}
	require.NoError(t, ask.Decode(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"seats": 4.0, "area": "terrace"}}, &v))
	require.Equal(t, 4, v.Seats)
	require.Equal(t, "terrace", v.Area)
	require.NoError(t, ask.Decode(nil, &v))
	require.NoError(t, ask.Decode(&mcp.ElicitResult{Action: "decline"}, &v))
	require.Equal(t, 4, v.Seats, "nothing to decode changes nothing")
	require.Error(t, ask.Decode(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"seats": "four"}}, &v))
}

func TestAHandlersAskIsNotChanged(t *testing.T) {
	form := &mcp.ElicitParams{Message: "?", RequestedSchema: nameSchema, ElicitationID: "mine"}
	before := *form
	s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		_, err := in.Elicit(ctx, "a", form)
		return nil, err
	})
	_, e := connect(t, s, modern, everything, nil).tool(nil)
	require.Nil(t, e)
	require.Equal(t, before, *form)
}

func BenchmarkOneRound(b *testing.B) {
	d := newDirect(b)
	h := d.handler(sealed())
	state := d.asked(h)
	responses := map[string]any{"who": named("Ada")}
	for b.Loop() {
		if _, err := d.call(h, state, responses); err != nil {
			b.Fatal(err)
		}
	}
}
