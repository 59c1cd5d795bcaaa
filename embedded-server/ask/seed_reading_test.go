package ask_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// "Reading the answers".

// readings asks for everything, and reports what the readers give back.
type readings struct {
	elicited *mcp.ElicitResult
	sampled  *mcp.CreateMessageWithToolsResult
	roots    *mcp.ListRootsResult
	raw      map[string]json.RawMessage
	has      map[string]bool
}

func readAnswers(t *testing.T, asked *mcp.ElicitParams, given *mcp.ElicitParams, responses map[string]any) readings {
	t.Helper()
	got := readings{raw: map[string]json.RawMessage{}, has: map[string]bool{}}
	s := newServer(t, sealed(), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if !in.Retry() {
			return nil, in.Require(mcp.InputRequestMap{"e": asked, "s": sampleAsk, "r": &mcp.ListRootsParams{}}, nil)
		}
		got.elicited, got.sampled, got.roots = in.Elicited("e", given), in.Sampled("s"), in.ListedRoots("r")
		for _, key := range []string{"e", "s", "r"} {
			got.raw[key], got.has[key] = in.Response(key), in.Has(key)
		}
		return textResult("done"), nil
	})
	p := connect(t, s, modern, everything, nil)
	r, e := p.tool(nil)
	require.Nil(t, e)
	_, e = p.tool(retry(r.RequestState, responses))
	require.Nil(t, e)
	return got
}

func TestL072_TheReadersGiveAnswersTyped(t *testing.T) {
	got := readAnswers(t, nameForm, nameForm, map[string]any{"e": named("Ada"), "s": sampled, "r": rootsList})
	require.Equal(t, &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, got.elicited)
	require.Equal(t, "m1", got.sampled.Model)
	require.Equal(t, "A plan.", got.sampled.Content[0].(*mcp.TextContent).Text)
	require.Equal(t, "file:///srv/data", got.roots.Roots[0].URI)
}

func TestL073_AbsentIsNothing(t *testing.T) {
	got := readAnswers(t, nameForm, nameForm, map[string]any{})
	require.Nil(t, got.elicited)
	require.Nil(t, got.sampled)
	require.Nil(t, got.roots)
	require.Equal(t, map[string]bool{"e": false, "s": false, "r": false}, got.has)
	require.Nil(t, got.raw["e"])
}

func TestL073_AMalformedElicitationIsNothing(t *testing.T) {
	dated := ask.Form("When?", json.RawMessage(`{"type":"object","properties":{"day":{"type":"string","format":"date"},"n":{"type":"integer","minimum":1}}}`))
	url := ask.URL("Go", "https://example.com/")
	for name, c := range map[string]struct {
		asked  *mcp.ElicitParams
		answer string
		usable bool
	}{
		"number":                     {nameForm, `7`, false},
		"null":                       {nameForm, `null`, false},
		"list":                       {nameForm, `[]`, false},
		"empty object":               {nameForm, `{}`, false},
		"unknown action":             {nameForm, `{"action":"maybe"}`, false},
		"action of another type":     {nameForm, `{"action":1}`, false},
		"accept without content":     {nameForm, `{"action":"accept"}`, false},
		"content is no object":       {nameForm, `{"action":"accept","content":["Ada"]}`, false},
		"content misses a field":     {nameForm, `{"action":"accept","content":{}}`, false},
		"field of another type":      {nameForm, `{"action":"accept","content":{"name":7}}`, false},
		"too short":                  {nameForm, `{"action":"accept","content":{"name":""}}`, false},
		"good":                       {nameForm, `{"action":"accept","content":{"name":"Ada"}}`, true},
		"good with members unknown":  {nameForm, `{"action":"accept","content":{"name":"Ada","x":1},"y":2}`, true},
		"decline":                    {nameForm, `{"action":"decline"}`, true},
		"cancel with content":        {nameForm, `{"action":"cancel","content":{}}`, true},
		"empty content that fits":    {dated, `{"action":"accept","content":{}}`, true},
		"a day that is none":         {dated, `{"action":"accept","content":{"day":"2027-02-30"}}`, false},
		"a day":                      {dated, `{"action":"accept","content":{"day":"2027-02-28"}}`, true},
		"below the minimum":          {dated, `{"action":"accept","content":{"n":0}}`, false},
		"integer written as a float": {dated, `{"action":"accept","content":{"n":2.0}}`, true},
		"fraction for an integer":    {dated, `{"action":"accept","content":{"n":2.5}}`, false},
		"url accepted":               {url, `{"action":"accept"}`, true},
		"url accepted with content":  {url, `{"action":"accept","content":{"name":"Ada"}}`, false},
		"url declined":               {url, `{"action":"decline"}`, true},
		"sampling answer":            {nameForm, `{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := readAnswers(t, c.asked, c.asked, map[string]any{"e": json.RawMessage(c.answer)})
			require.Equal(t, c.usable, got.elicited != nil)
			got = readAnswers(t, c.asked, nil, map[string]any{"e": json.RawMessage(c.answer)})
			require.Equal(t, c.usable, got.elicited != nil, "by what the state recorded alone")
		})
	}
}

func TestL073_AMalformedSamplingAnswerIsNothing(t *testing.T) {
	for name, answer := range map[string]string{
		"no role":          `{"model":"m","content":{"type":"text","text":"x"}}`,
		"role user":        `{"role":"user","model":"m","content":{"type":"text","text":"x"}}`,
		"no model":         `{"role":"assistant","content":{"type":"text","text":"x"}}`,
		"model is null":    `{"role":"assistant","model":null,"content":{"type":"text","text":"x"}}`,
		"model is no text": `{"role":"assistant","model":4,"content":{"type":"text","text":"x"}}`,
		"no content":       `{"role":"assistant","model":"m"}`,
		"empty content":    `{"role":"assistant","model":"m","content":[]}`,
		"unknown content":  `{"role":"assistant","model":"m","content":{"type":"smell"}}`,
		"a tool's result":  `{"role":"assistant","model":"m","content":{"type":"tool_result","toolUseId":"1","content":[]}}`,
		"an elicitation":   `{"action":"accept","content":{}}`,
		"text":             `"hello"`,
	} {
		t.Run(name, func(t *testing.T) {
			require.Nil(t, readAnswers(t, nameForm, nil, map[string]any{"s": json.RawMessage(answer)}).sampled)
		})
	}
	several := `{"role":"assistant","model":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"n","input":{}}]}`
	require.Len(t, readAnswers(t, nameForm, nil, map[string]any{"s": json.RawMessage(several)}).sampled.Content, 2)
}

func TestL073_AMalformedRootsAnswerIsNothing(t *testing.T) {
	for name, answer := range map[string]string{
		"no list":      `{}`,
		"null":         `{"roots":null}`,
		"object":       `{"roots":{}}`,
		"null inside":  `{"roots":[null]}`,
		"without uri":  `{"roots":[{"name":"x"}]}`,
		"no file":      `{"roots":[{"uri":"https://example.com/"}]}`,
		"one is wrong": `{"roots":[{"uri":"file:///a"},{"uri":7}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			require.Nil(t, readAnswers(t, nameForm, nil, map[string]any{"r": json.RawMessage(answer)}).roots)
		})
	}
	require.Empty(t, readAnswers(t, nameForm, nil, map[string]any{"r": json.RawMessage(`{"roots":[]}`)}).roots.Roots, "no roots is an answer")
}

func TestL074_MalformedMeansAskAgain(t *testing.T) {
	bothEras(t, func(t *testing.T, revision string) {
		for name, h := range map[string]handler{"just asking": askName, "returning": requireName} {
			t.Run(name, func(t *testing.T) {
				bad := []any{
					map[string]any{"action": "maybe"},
					map[string]any{"action": "accept"},
					accept(map[string]any{"name": 7}),
				}
				p := connect(t, newServer(t, sealed(), h), revision, everything, func(string, string, json.RawMessage) (any, error) {
					if len(bad) == 0 {
						return named("Ada"), nil
					}
					next := bad[0]
					bad = bad[1:]
					return next, nil
				})
				r, e := p.converse("tools/call", toolCall)
				require.Nil(t, e)
				require.Equal(t, "Hello, Ada!", r.text())
				require.Len(t, p.asked, 4)
			})
		}
	})
}

func TestL074_AskingAgainWithinAnOpenRequestIsBounded(t *testing.T) {
	p := connect(t, newServer(t, ask.Config{MaxRounds: 3}, askName), "2025-11-25", everything, reply(map[string]any{
		"elicitation/create": map[string]any{"action": "accept"},
	}))
	_, e := p.tool(nil)
	require.NotNil(t, e)
	require.Contains(t, e.Message, "more than 3 times")
	require.Len(t, p.asked, 3)
}

func TestL074_TheRawAnswerIsStillThere(t *testing.T) {
	got := readAnswers(t, nameForm, nil, map[string]any{
		"e": json.RawMessage(`{"action":"maybe","extra":{"deep":[1,2]}}`), "s": json.RawMessage(`7`), "r": json.RawMessage(`null`),
	})
	require.Nil(t, got.elicited)
	require.JSONEq(t, `{"action":"maybe","extra":{"deep":[1,2]}}`, string(got.raw["e"]))
	require.Equal(t, "7", string(got.raw["s"]))
	require.Equal(t, "null", string(got.raw["r"]))
	require.Equal(t, map[string]bool{"e": true, "s": true, "r": true}, got.has, "malformed is not absent to Has")
}

func TestL074_NoDefaultIsFilledInForTheUser(t *testing.T) {
	// What was left out was left out, in every era.
	form := ask.Form("How many?", json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":2}}}`))
	bothEras(t, func(t *testing.T, revision string) {
		s := newServer(t, sealed(), func(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
			a, err := in.Elicit(ctx, "n", form)
			if err != nil {
				return nil, err
			}
			return textResult("%v", a.Content), nil
		})
		empty := accept(map[string]any{})
		p := connect(t, s, revision, everything, reply(map[string]any{"n": empty, "elicitation/create": empty}))
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "map[]", r.text())
	})
}

func TestL074_AnAnswerToAnotherKindOfAskIsNothing(t *testing.T) {
	// The handler's question has become a URL since it was asked as a form.
	url := ask.URL("Go", "https://example.com/")
	require.Nil(t, readAnswers(t, nameForm, url, map[string]any{"e": named("Ada")}).elicited)
	// And its form has become stricter.
	strict := ask.Form("Your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","minLength":9}},"required":["name"]}`))
	require.Nil(t, readAnswers(t, nameForm, strict, map[string]any{"e": named("Ada")}).elicited)
	require.NotNil(t, readAnswers(t, nameForm, strict, map[string]any{"e": named("Ada Lovelace")}).elicited)
}

func TestL073_AMalformedAnswerIsNeverCarried(t *testing.T) {
	entries := 0
	p := connect(t, newServer(t, sealed(), askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	r, e := p.tool(retry(r.RequestState, map[string]any{"elicitation_1": accept(map[string]any{"name": 7})}))
	require.Nil(t, e)
	require.Equal(t, []string{"elicitation_1"}, r.keys())
	require.NotContains(t, r.state(t), "answers")
}
