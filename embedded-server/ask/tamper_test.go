package ask_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// direct enters wrapped tool handlers without a transport, so that a state may
// hold any bytes, also those that no JSON string can.
type direct struct {
	t       testing.TB
	entries int // of the handler
	user    string
	name    string
	args    string
}

func (d *direct) handler(cfg ask.Config) mcp.ToolHandler {
	return ask.RawTool(newLayer(d.t, cfg), func(ctx context.Context, req *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		d.entries++
		return askName(ctx, req, in)
	})
}

func (d *direct) call(h mcp.ToolHandler, state string, responses map[string]any) (*mcp.CallToolResult, error) {
	req := &mcp.CallToolRequest{
		Params: &mcp.CallToolParamsRaw{
			Meta: mcp.Meta{
				mcp.MetaKeyProtocolVersion:    modern,
				mcp.MetaKeyClientCapabilities: everything,
			},
			Name: d.name, Arguments: json.RawMessage(d.args), RequestState: state,
		},
		Extra: &mcp.RequestExtra{},
	}
	if responses != nil {
		req.Params.Meta[ask.MetaRawResponses] = responses
	}
	if d.user != "" {
		req.Extra.TokenInfo = &auth.TokenInfo{UserID: d.user}
	}
	return h(context.Background(), req)
}

func (d *direct) refused(h mcp.ToolHandler, state, why string) {
	d.t.Helper()
	before := d.entries
	res, err := d.call(h, state, map[string]any{"who": named("Mallory")})
	var wire *jsonrpc.Error
	require.ErrorAs(d.t, err, &wire, why)
	require.Nil(d.t, res, why)
	require.EqualValues(d.t, jsonrpc.CodeInvalidParams, wire.Code, why)
	require.Equal(d.t, before, d.entries, "the handler was entered: %s", why)
}

// asked makes one ask, and gives its state.
func (d *direct) asked(h mcp.ToolHandler) string {
	d.t.Helper()
	res, err := d.call(h, "", nil)
	require.NoError(d.t, err)
	require.NotEmpty(d.t, res.RequestState)
	return res.RequestState
}

// works says that a state is good, so that a refusal means something.
func (d *direct) works(h mcp.ToolHandler, state string) {
	d.t.Helper()
	res, err := d.call(h, state, map[string]any{"who": named("Ada")})
	require.NoError(d.t, err)
	require.Equal(d.t, "Hello, Ada!", res.Content[0].(*mcp.TextContent).Text)
}

func newDirect(t testing.TB) *direct {
	return &direct{t: t, user: "ada", name: "tool", args: `{"to":"Rome","n":1,"nested":{"a":1,"b":[true,null]}}`}
}

// atNoon is a layer whose states are the same in every run.
func atNoon() ask.Config {
	noon := time.Unix(1_800_000_000, 0)
	return ask.Config{Keys: [][]byte{keyA}, Now: func() time.Time { return noon }}
}

func TestTamperEverySingleBitFlipIsRefused(t *testing.T) {
	d := newDirect(t)
	h := d.handler(atNoon())
	// Of several states, because only some last characters have a neighbour
	// that a lenient decoder reads as the same bytes.
	for _, d.user = range []string{"ada", "bob", "cyd", "dan"} {
		state := d.asked(h)
		d.works(h, state)
		for i := range len(state) {
			for bit := range 8 {
				b := []byte(state)
				b[i] ^= 1 << bit
				d.refused(h, string(b), "bit")
			}
		}
	}
}

func TestTamperTruncationsAndAdditionsAreRefused(t *testing.T) {
	d := newDirect(t)
	h := d.handler(sealed())
	state := d.asked(h)
	for i := 1; i < len(state); i++ {
		d.refused(h, state[:i], "cut at the end")
		d.refused(h, state[i:], "cut at the start")
	}
	for _, extra := range []string{"=", "A", ".", "\n", "\r\n", " ", "\x00"} {
		d.refused(h, state+extra, "something at the end")
		d.refused(h, extra+state, "something at the start")
		at := strings.LastIndex(state, ".") + 5
		d.refused(h, state[:at]+extra+state[at:], "something in the signature")
		d.refused(h, strings.Replace(state, ".", "."+extra, 1), "something in the payload")
	}
}

func TestTamperForeignStatesAreRefused(t *testing.T) {
	d := newDirect(t)
	h := d.handler(sealed())
	state := d.asked(h)

	name, args, user := d.name, d.args, d.user
	d.name = "other"
	d.refused(h, state, "another tool")
	d.name = name
	for _, changed := range []string{`{"to":"Paris","n":1,"nested":{"a":1,"b":[true,null]}}`, `{"to":"Rome","n":2,"nested":{"a":1,"b":[true,null]}}`, `{"to":"Rome"}`, `{}`, ``, `null`} {
		d.args = changed
		d.refused(h, state, "changed arguments "+changed)
	}
	d.args = args
	for _, other := range []string{"mallory", ""} {
		d.user = other
		d.refused(h, state, "another principal")
	}
	d.user = user
	d.works(h, state)

	d.args = `{ "nested": {"b":[true, null],"a":1}, "n":1, "to":"Rome" }`
	d.works(h, state) // the same arguments, written otherwise
}

func TestTamperAStateOfAnotherMethodIsRefused(t *testing.T) {
	l := newLayer(t, sealed())
	tool := ask.RawTool(l, askName)
	prompt := ask.Prompt(l, func(ctx context.Context, _ *mcp.GetPromptRequest, in *ask.Input) (*mcp.GetPromptResult, error) {
		t.Error("the handler was entered")
		return nil, nil
	})
	d := &direct{t: t, name: "same", args: `{}`}
	_, err := prompt(context.Background(), &mcp.GetPromptRequest{Params: &mcp.GetPromptParams{
		Meta: mcp.Meta{mcp.MetaKeyProtocolVersion: modern, mcp.MetaKeyClientCapabilities: everything},
		Name: "same", RequestState: d.asked(tool),
	}})
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	require.EqualValues(t, jsonrpc.CodeInvalidParams, wire.Code)
}

func TestTamperExpiredStatesAreRefused(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	d := newDirect(t)
	h := d.handler(ask.Config{Keys: [][]byte{keyA}, TTL: time.Minute, Now: func() time.Time { return now }})
	state := d.asked(h)
	now = now.Add(time.Minute)
	d.works(h, state) // good in its last second
	now = now.Add(time.Second)
	d.refused(h, state, "expired")
}

func TestTamperKeysRotate(t *testing.T) {
	d := newDirect(t)
	before := d.handler(ask.Config{Keys: [][]byte{keyA}})
	rotating := d.handler(ask.Config{Keys: [][]byte{keyB, keyA}})
	after := d.handler(ask.Config{Keys: [][]byte{keyB}})
	none := d.handler(ask.Config{})

	old := d.asked(before)
	d.works(rotating, old)
	d.refused(after, old, "its key has been rotated out")
	d.refused(none, old, "no key at all")
	fresh := d.asked(rotating)
	d.works(after, fresh)
	d.refused(before, fresh, "a process that has only the old key")
}

func TestTamperAnAcceptThatWasNeverAskedForIsAskedAgain(t *testing.T) {
	d := newDirect(t)
	h := d.handler(sealed())
	res, err := d.call(h, "", map[string]any{"who": named("Mallory")})
	require.NoError(t, err)
	require.Contains(t, res.InputRequests, "who")
	d.works(h, res.RequestState)

	keyless := d.handler(ask.Config{})
	res, err = d.call(keyless, "", map[string]any{"who": named("Ada")})
	require.NoError(t, err, "without a key there is nothing to tell by, and answers are taken as they come")
	require.Equal(t, "Hello, Ada!", res.Content[0].(*mcp.TextContent).Text)
}

func TestTamperAnUnaskedAnswerDoesNotMakeItARetry(t *testing.T) {
	retried := false
	h := ask.RawTool(newLayer(t, sealed()), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		retried = in.Retry() || in.Has("who")
		return textResult("done"), nil
	})
	d := newDirect(t)
	_, err := d.call(h, "", map[string]any{"who": named("Mallory")})
	require.NoError(t, err)
	require.False(t, retried)
}

func TestTamperTheHandshakeEraIgnoresWhatARetryWouldBring(t *testing.T) {
	// Neither an answer nor a state is anything there but unknown members.
	s := newServer(t, sealed(), askName)
	p := connect(t, s, "2025-11-25", everything, reply(map[string]any{"elicitation/create": named("Ada")}))
	r, e := p.tool(map[string]any{
		"requestState":   "v1.junk.junk",
		"inputResponses": map[string]any{"who": named("Mallory")},
		"_meta":          map[string]any{mcp.MetaKeyProtocolVersion: modern, mcp.MetaKeyClientCapabilities: everything},
	})
	require.Nil(t, e)
	require.Equal(t, "Hello, Ada!", r.text())
	require.Len(t, p.asked, 1)
}

func TestAPanicInAHandlerIsAnErrorAndTheServerLives(t *testing.T) {
	boom := true
	s := newServer(t, sealed(), func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if boom {
			panic("boom")
		}
		return askName(ctx, r, in)
	})
	s.AddTool(&mcp.Tool{Name: "plain", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("boom")
	})
	for _, revision := range []string{"2025-11-25", modern} {
		p := connect(t, s, revision, everything, reply(map[string]any{"who": named("Ada"), "elicitation/create": named("Ada")}))
		for _, name := range []string{"tool", "plain"} {
			boom = true
			_, e := p.tool(map[string]any{"name": name})
			require.NotNil(t, e)
			require.EqualValues(t, jsonrpc.CodeInternalError, e.Code)
			require.NotContains(t, e.Message, "boom", "what went wrong stays in the log")
		}
		boom = false
		r, e := p.converse("tools/call", toolCall)
		require.Nil(t, e)
		require.Equal(t, "Hello, Ada!", r.text())
	}
}
