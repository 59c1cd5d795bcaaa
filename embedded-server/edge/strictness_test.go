package edge_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

// Each input that the SDK's own transports get wrong, with the answer that the
// specification wants, over HTTP and over a stream of lines.
func TestStrictness(t *testing.T) {
	list := request(1, "tools/list", noCaps, nil)
	withoutMeta := func(key string) string {
		m := meta(noCaps)
		delete(m, "io.modelcontextprotocol/"+key)
		return encode(object{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": object{"_meta": m}})
	}
	modernHeaders := header{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/list"}
	const none = "" // no id in the answer
	tests := []struct {
		name   string
		body   string
		h      header
		status int
		code   int
		id     string
		silent bool // on a stream: no answer
	}{
		{name: "malformed JSON", body: `{"jsonrpc":`, status: 400, code: -32700},
		{name: "invalid UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", status: 400, code: -32700},
		{name: "scalar", body: `42`, status: 400, code: -32600},
		{name: "no jsonrpc", body: strings.Replace(list, `"jsonrpc":"2.0",`, ``, 1), status: 400, code: -32600, id: "1"},
		{name: "wrong jsonrpc", body: strings.Replace(list, `"2.0"`, `"1.0"`, 1), status: 400, code: -32600, id: "1"},
		{name: "no method", body: `{"jsonrpc":"2.0","id":1}`, status: 400, code: -32600, id: none},
		{name: "fractional id", body: strings.Replace(list, `"id":1`, `"id":1.5`, 1), status: 400, code: -32600, id: none},
		{name: "object id", body: strings.Replace(list, `"id":1`, `"id":{}`, 1), status: 400, code: -32600, id: none},
		{name: "null id", body: strings.Replace(list, `"id":1`, `"id":null`, 1), status: 400, code: -32600, id: none},
		{name: "batch", body: "[" + list + "]", h: modernHeaders, status: 400, code: -32600, id: none},
		{name: "empty batch", body: "[]", h: modernHeaders, status: 400, code: -32600, id: none},
		{name: "no params", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, h: modernHeaders, status: 400, code: -32602, id: "1"},
		{name: "call without params", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, h: header{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call"}, status: 400, code: -32602, id: "1"},
		{name: "params that are no object", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, h: modernHeaders, status: 400, code: -32602, id: "1"},
		{name: "no version in _meta", body: withoutMeta("protocolVersion"), h: modernHeaders, status: 400, code: -32602, id: "1"},
		{name: "version that is no string", body: strings.Replace(list, `"2026-07-28"`, `20260728`, 1), h: header{"MCP-Protocol-Version": "20260728", "Mcp-Method": "tools/list"}, status: 400, code: -32020, id: "1"},
		{name: "no capabilities in _meta", body: withoutMeta("clientCapabilities"), status: 400, code: -32602, id: "1"},
		{name: "capabilities that are no object", body: request(1, "tools/list", `[]`, nil), status: 400, code: -32602, id: "1"},
		{name: "unknown version", body: strings.ReplaceAll(list, modern, "v999.0.0"), status: 400, code: -32022, id: "1"},
		{name: "version that never was", body: strings.ReplaceAll(list, modern, "1900-01-01"), status: 400, code: -32022, id: "1"},
		{name: "unknown method", body: request(1, "tools/unknown", noCaps, nil), status: 404, code: -32601, id: "1"},
		{name: "removed method initialize", body: request(1, "initialize", noCaps, nil), status: 404, code: -32601, id: "1"},
		{name: "removed method ping", body: request(1, "ping", noCaps, nil), status: 404, code: -32601, id: "1"},
		{name: "removed method logging/setLevel", body: request(1, "logging/setLevel", noCaps, object{"level": "info"}), status: 404, code: -32601, id: "1"},
		{name: "removed method resources/subscribe", body: request(1, "resources/subscribe", noCaps, object{"uri": "test://doc"}), status: 404, code: -32601, id: "1"},
		{name: "removed method resources/unsubscribe", body: request(1, "resources/unsubscribe", noCaps, object{"uri": "test://doc"}), status: 404, code: -32601, id: "1"},
		{name: "notification with an id", body: request(1, "notifications/cancelled", noCaps, nil), status: 400, code: -32600, id: "1"},
		{name: "call without a name", body: request(1, "tools/call", noCaps, object{"arguments": object{}}), status: 400, code: -32602, id: "1"},
		{name: "name that is no string", body: request(1, "tools/call", noCaps, object{"name": 1}), h: header{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call"}, status: 400, code: -32602, id: "1"},
		{name: "unknown tool", body: call(1, "nothing", noCaps, nil), status: 400, code: -32602, id: "1"},
		{name: "arguments that are no object", body: call(1, "echo", noCaps, object{"arguments": 7}), status: 400, code: -32602, id: "1"},
		{name: "state that is no string", body: call(1, "later", noCaps, object{"requestState": 7}), status: 400, code: -32602, id: "1"},
		{name: "more answers than anybody asks for", body: call(1, "later", noCaps, object{"inputResponses": manyAnswers(1001)}), status: 400, code: -32602, id: "1"},
		{name: "unknown log level", body: call(1, "work", noCaps, object{"_meta": object{"io.modelcontextprotocol/logLevel": "loud"}}), status: 400, code: -32602, id: "1"},
		{name: "bad cursor", body: request(1, "tools/list", noCaps, object{"cursor": "nonsense"}), status: 400, code: -32602, id: "1"},
		{name: "plain Go error of a handler", body: call(1, "plain", noCaps, nil), status: 500, code: -32603, id: "1"},
		{name: "internal error of a handler", body: call(1, "explicit", noCaps, nil), status: 400, code: -32603, id: "1"},
		{name: "panic of a handler", body: call(1, "panic", noCaps, nil), status: 500, code: -32603, id: "1"},
		{name: "ask without the capability", body: call(1, "ask", noCaps, nil), status: 400, code: -32021, id: "1"},
		{name: "response", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, h: modernHeaders, status: 400, code: -32600, id: none},
		{name: "unknown notification", body: `{"jsonrpc":"2.0","method":"notifications/unheard-of"}`, h: header{"MCP-Protocol-Version": modern}, status: 202, silent: true},
		{name: "removed notification", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, h: header{"MCP-Protocol-Version": modern}, status: 400, silent: true},
		{name: "request without an id", body: strings.Replace(list, `"id":1,`, ``, 1), status: 400, code: -32600, silent: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, edge.Options{})
			check := func(f frame) {
				require.Equal(t, tt.code, f.code(), f.raw)
				require.Equal(t, tt.id, string(f.ID), f.raw)
				require.NotContains(t, f.raw, "hunter2")
				require.NotContains(t, f.raw, "boom")
				require.NotContains(t, f.raw, "unmarshal")
			}
			r := w.post(tt.body, tt.h)
			require.Equal(t, tt.status, r.status, r.body)
			if tt.code == 0 {
				require.Empty(t, r.body)
			} else {
				require.Equal(t, "application/json", r.header.Get("Content-Type"))
				check(r.last())
			}
			c := w.pipe()
			if tt.silent {
				c.silent(tt.body)
				return
			}
			if tt.name == "version that is no string" {
				tt.code = -32602 // no header to disagree with
			}
			check(c.ask(tt.body))
			f := c.ask(request("after", "server/discover", noCaps, nil))
			require.Equal(t, `"after"`, string(f.ID), "the connection is kept")
		})
	}
}

func manyAnswers(n int) object {
	all := object{}
	for i := range n {
		all[strconv.Itoa(i)] = object{"action": "cancel"}
	}
	return all
}

func TestIDsAreKeptExactly(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	for _, id := range []string{`1`, `0`, `-7`, `9007199254740993`, `123456789012345678901234567890`, `"1"`, `""`, `"ü\u0000/"`, `"a<b>&"`} {
		body := strings.Replace(call(77, "echo", noCaps, nil), `"id":77`, `"id":`+id, 1)
		require.Contains(t, w.post(body).body, `"id":`+id)
		require.Contains(t, c.ask(body).raw, `"id":`+id)
	}
	h := w.session("2025-11-25")
	require.Contains(t, w.post(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, h).body, `"id":9007199254740993`)
}

func TestUnsupportedVersionNamesWhatIsSupported(t *testing.T) {
	w := newWorld(t, edge.Options{})
	body := strings.ReplaceAll(request(1, "tools/list", noCaps, nil), modern, "1900-01-01")
	f := w.post(body).last()
	require.Equal(t, []any{modern, "2025-11-25", "2025-06-18", "2025-03-26"}, f.Error.Data["supported"])
	require.Equal(t, "1900-01-01", f.Error.Data["requested"])
	f = w.pipe().ask(body)
	require.Equal(t, []any{modern, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}, f.Error.Data["supported"])
}

func TestDiscoverListsTheVersionsOfTheTransport(t *testing.T) {
	discover := request(1, "server/discover", noCaps, nil)
	for _, tt := range []struct {
		era         edge.Era
		http, lines []any
	}{
		{edge.Dual, []any{modern, "2025-11-25", "2025-06-18", "2025-03-26"}, []any{modern, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}},
		{edge.Modern, []any{modern}, []any{modern}},
	} {
		t.Run(tt.era.String(), func(t *testing.T) {
			w := newWorld(t, edge.Options{Era: tt.era})
			f := w.post(discover).last()
			require.Equal(t, tt.http, f.Result["supportedVersions"])
			require.Contains(t, f.Result["_meta"], "io.modelcontextprotocol/serverInfo")
			require.Equal(t, tt.lines, w.pipe().ask(discover).Result["supportedVersions"])
		})
	}
}

func TestAnswersThatCannotBeReadAreAskedForAgain(t *testing.T) {
	w := newWorld(t, edge.Options{})
	c := w.pipe()
	for name, answers := range map[string]string{
		"a number":              `{"who":7}`,
		"null":                  `{"who":null}`,
		"an empty object":       `{"who":{}}`,
		"content not an object": `{"who":{"action":"accept","content":[1]}}`,
		"accept without":        `{"who":{"action":"accept"}}`,
		"an unknown action":     `{"who":{"action":"perhaps"}}`,
		"off the schema":        `{"who":{"action":"accept","content":{"name":3}}}`,
		"only another key":      `{"what":{"foreign":true}}`,
		"nothing":               `{}`,
		"no object at all":      `[1]`,
	} {
		t.Run(name, func(t *testing.T) {
			body := call(1, "ask", canForm, object{"inputResponses": json.RawMessage(answers)})
			r := w.post(body)
			require.Equal(t, 200, r.status, r.body)
			require.True(t, r.last().asks(), r.body)
			require.True(t, c.ask(body).asks())
		})
	}
	f := w.post(call(1, "dirs", canAll, object{"inputResponses": json.RawMessage(`{"dirs":{"roots":7}}`)})).last()
	require.True(t, f.asks(), f.raw)
	f = w.post(call(1, "ask", canForm, object{"inputResponses": json.RawMessage(
		`{"other":{"x":[1]},"number":3,"who":{"action":"accept","content":{"name":"Ada"}}}`)})).last()
	require.Equal(t, "Hello, Ada!", f.text(), "a good answer counts beside unreadable ones")
}

func TestInterimResultsAreClean(t *testing.T) {
	w := newWorld(t, edge.Options{})
	for _, body := range []string{
		call(1, "ask", canForm, nil),
		request(1, "prompts/get", canForm, object{"name": "ask"}),
		request(1, "resources/read", canForm, object{"uri": "test://gated"}),
	} {
		f := w.post(body).last()
		require.True(t, f.asks(), f.raw)
		for _, k := range []string{"content", "contents", "messages", "ttlMs", "cacheScope"} {
			require.NotContains(t, f.Result, k)
		}
		require.Contains(t, f.Result["inputRequests"], "who")
	}
}

func TestStateOnlyRoundsHaveNoRequests(t *testing.T) {
	w := newWorld(t, edge.Options{})
	f := w.post(call(1, "later", noCaps, nil)).last()
	for round := range 2 {
		require.True(t, f.asks(), "round %d: %s", round, f.raw)
		require.NotContains(t, f.Result, "inputRequests")
		f = w.post(call(round+2, "later", noCaps, object{"requestState": f.Result["requestState"]})).last()
	}
	require.Equal(t, "now", f.text())
}

func TestCacheHintsStandOnlyWhereTheyBelong(t *testing.T) {
	w := newWorld(t, edge.Options{})
	yes := []string{
		request(1, "server/discover", noCaps, nil), request(1, "tools/list", noCaps, nil), request(1, "prompts/list", noCaps, nil),
		request(1, "resources/list", noCaps, nil), request(1, "resources/templates/list", noCaps, nil),
		request(1, "resources/read", noCaps, object{"uri": "test://doc"}),
	}
	for _, body := range yes {
		f := w.post(body).last()
		require.Contains(t, f.Result, "ttlMs", f.raw)
		require.Contains(t, f.Result, "cacheScope", f.raw)
	}
	answer := object{"who": object{"action": "accept", "content": object{"name": "Ada"}}}
	no := []string{
		call(1, "echo", noCaps, nil), request(1, "prompts/get", noCaps, object{"name": "rhyme"}),
		request(1, "resources/read", canForm, object{"uri": "test://gated"}),
	}
	for _, body := range no {
		f := w.post(body).last()
		require.NotNil(t, f.Result, f.raw)
		require.NotContains(t, f.Result, "ttlMs", f.raw)
		require.NotContains(t, f.Result, "cacheScope", f.raw)
	}
	f := w.post(request(1, "resources/read", canForm, object{"uri": "test://gated", "inputResponses": answer})).last()
	require.Equal(t, float64(0), f.Result["ttlMs"], "the result of a retry must not be cached: %s", f.raw)
	require.Equal(t, "private", f.Result["cacheScope"])
	h := w.session("2025-11-25")
	f = w.post(legacyRequest(1, "tools/list", object{}), h).last()
	require.NotContains(t, f.Result, "ttlMs")
	require.NotContains(t, f.Result, "resultType")
}

func TestPrivateKeysOfAClientAreRemoved(t *testing.T) {
	w := newWorld(t, edge.Options{})
	forged := object{"_meta": object{"internal.mcptui/inputResponses": "forged"}}
	require.Equal(t, "<nil>", w.post(call(1, "secret", noCaps, forged)).last().text())
	h := w.session("2025-11-25")
	p := object{"name": "secret", "arguments": object{}, "_meta": forged["_meta"]}
	require.Equal(t, "<nil>", w.post(legacyRequest(1, "tools/call", p), h).last().text())
}

func TestPaginationAndCompletion(t *testing.T) {
	w := newWorld(t, edge.Options{})
	names := map[string]bool{}
	cursor := object{}
	for range 10 {
		f := w.post(request(1, "tools/list", noCaps, cursor)).last()
		for _, tool := range f.Result["tools"].([]any) {
			names[tool.(object)["name"].(string)] = true
		}
		next, more := f.Result["nextCursor"]
		if !more {
			break
		}
		cursor = object{"cursor": next}
	}
	require.Len(t, names, 15)
	f := w.post(request(1, "completion/complete", noCaps, object{
		"ref": object{"type": "ref/prompt", "name": "rhyme"}, "argument": object{"name": "topic", "value": "a"},
	})).last()
	require.Equal(t, []any{"a"}, f.Result["completion"].(object)["values"])
}

func TestServerCannotSendRequestsInTheModernEra(t *testing.T) {
	w := newWorld(t, edge.Options{})
	f := w.post(call(1, "direct", noCaps, nil)).last()
	require.Equal(t, "ping: true", f.text(), "the ping is refused, the call goes on")
}

func TestPanicsLeaveTheServerAlive(t *testing.T) {
	w := newWorld(t, edge.Options{})
	h := w.session("2025-11-25")
	legacy := w.post(legacyRequest(1, "tools/call", object{"name": "panic", "arguments": object{}}), h).last()
	require.Equal(t, -32603, legacy.code(), legacy.raw)
	require.NotContains(t, legacy.raw, "boom")
	require.Equal(t, -32603, w.post(call(1, "panic", noCaps, nil)).last().code())
	require.Equal(t, "{}", w.post(call(2, "echo", noCaps, nil)).last().text())
}
