package ask_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
)

// "requestState". What an attacker may try on one is in tamper_test.go.

func TestL079_TheStateIsSealedAndHasALifetime(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	cfg := ask.Config{Keys: [][]byte{keyA}, Now: func() time.Time { return now }}
	r, e := connect(t, newServer(t, cfg, requireName), modern, everything, nil).tool(nil)
	require.Nil(t, e)
	require.EqualValues(t, now.Add(ask.DefaultTTL).Unix(), r.state(t)["exp"])
	require.Equal(t, 10*time.Minute, ask.DefaultTTL)

	cfg.TTL = time.Hour
	r, _ = connect(t, newServer(t, cfg, requireName), modern, everything, nil).tool(nil)
	require.EqualValues(t, now.Add(time.Hour).Unix(), r.state(t)["exp"])
}

func TestL079_EveryRoundSealsAnew(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	cfg := ask.Config{Keys: [][]byte{keyA}, TTL: time.Minute, Now: func() time.Time { return now }}
	entries := 0
	p := connect(t, newServer(t, cfg, askTwice(&entries)), modern, everything, nil)
	r, _ := p.tool(nil)
	now = now.Add(50 * time.Second)
	r, e := p.tool(retry(r.RequestState, map[string]any{"elicitation_1": named("x")}))
	require.Nil(t, e)
	require.EqualValues(t, now.Add(time.Minute).Unix(), r.state(t)["exp"])
}

func TestL080_AStateThatFailsNeverReachesAHandler(t *testing.T) {
	var log bytes.Buffer
	entries := 0
	cfg := sealed()
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	s := newServer(t, cfg, func(ctx context.Context, r *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		entries++
		return askName(ctx, r, in)
	})
	plain := 0
	s.AddTool(&mcp.Tool{Name: "plain", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		plain++
		return textResult("ran"), nil
	})
	p := connect(t, s, modern, everything, nil)
	for _, name := range []string{"tool", "plain"} {
		_, e := p.tool(map[string]any{"name": name, "requestState": "v1.e30.AAAA"})
		require.NotNil(t, e)
		require.EqualValues(t, jsonrpc.CodeInvalidParams, e.Code)
		require.NotRegexp(t, "(?i)mac|signature|malformed|expired|key", e.Message, "nothing is said about why")
		require.Empty(t, e.Data)
	}
	require.Zero(t, entries+plain)
	require.Contains(t, log.String(), "requestState refused", "but it is logged")
	require.Contains(t, log.String(), "reason=")
}

func TestL080_TheKeyIsConfigured(t *testing.T) {
	for name, cfg := range map[string]ask.Config{
		"short key":         {Keys: [][]byte{keyA, []byte("short")}},
		"short lifetime":    {Keys: [][]byte{keyA}, TTL: time.Millisecond},
		"negative lifetime": {TTL: -time.Second},
		"negative rounds":   {MaxRounds: -1},
		"negative timeout":  {AskTimeout: -1},
	} {
		_, err := ask.New(cfg)
		require.Error(t, err, name)
	}
	_, err := ask.New(ask.Config{Keys: [][]byte{make([]byte, ask.MinKeyBytes)}, TTL: time.Second})
	require.NoError(t, err)
}

func TestL087_TheSameKeyInEveryProcess(t *testing.T) {
	// Two servers that share a key, and the rounds of one call sent alternately
	// to both; a third one with another key refuses.
	var one, two, three int
	a := connect(t, newServer(t, sealed(), askTwice(&one)), modern, everything, nil)
	b := connect(t, newServer(t, sealed(), askTwice(&two)), modern, everything, nil)
	c := connect(t, newServer(t, ask.Config{Keys: [][]byte{keyB}}, askTwice(&three)), modern, everything, nil)
	r, _ := a.tool(nil)
	r, e := b.tool(retry(r.RequestState, map[string]any{"elicitation_1": named("x")}))
	require.Nil(t, e)
	last := retry(r.RequestState, map[string]any{"elicitation_2": named("y")})
	_, e = c.tool(last)
	require.NotNil(t, e)
	require.Zero(t, three)
	r, e = a.tool(last)
	require.Nil(t, e)
	require.Equal(t, "x and y", r.text())
	require.Equal(t, []int{2, 1}, []int{one, two})
}

func TestL089_SignedNotEncrypted(t *testing.T) {
	r, _ := connect(t, newServer(t, sealed(), requireName), modern, everything, nil).tool(nil)
	require.Equal(t, "who", r.state(t)["data"].(map[string]any)["asked"], "anyone who holds it can read it")
}
