package lint_test

import (
	"fmt"
	"strings"

	"mcptui/client/trace"
)

// ruleCase is one rule, or a few that share their cases: a conversation that
// breaks it, and one that does not.
type ruleCase struct {
	rule      string
	bad, good *talk
}

func ruleCases() []ruleCase {
	return slicesOf(envelopeCases(), eraCases(), httpCases(), mrtrCases(), askCases(), listCases(), contentCases(), notifyCases())
}

func slicesOf(lists ...[]ruleCase) (out []ruleCase) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// refused is a first request that fails.
func refused(failure string) *talk {
	return chat().call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"error":%s}`, failure)
}

func envelopeCases() []ruleCase {
	ok := called(text("x"))
	answered := func(frame string) *talk { return discovered(`{"tools":{}}`).call("1", `"name":"t",`).in("%s", frame) }
	return []ruleCase{
		{"not-json", answered(`{"jsonrpc":"2.0","id":1,`), ok},
		{"message-not-object", answered(`5`), ok},
		{"message-neither", answered(`{"jsonrpc":"2.0","id":1}`), ok},
		{"jsonrpc-version", answered(`{"id":1,"result":{"resultType":"complete","content":[]}}`), ok},
		{"result-and-error", answered(`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}`), ok},
		{"id-type", answered(`{"jsonrpc":"2.0","id":{},"result":{"resultType":"complete","content":[]}}`), ok},
		{"method-type", answered(`{"jsonrpc":"2.0","method":5}`), ok},
		{"duplicate-member", answered(`{"jsonrpc":"2.0","id":1,"id":1,"result":{"resultType":"complete","content":[]}}`), ok},
		{"byte-order-mark", answered("\xef\xbb\xbf" + result("1", text("x"))), ok},
		{"batch", answered(`[` + result("1", text("x")) + `]`), ok},
		{"batch-sent", discovered(`{}`).out(`[%s]`, request("1", "tools/list", "")), ok},
		{"utf-8", answered(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"` + "\xff" + `"}]}}`), ok},
		{"frame-size", &talk{append(discovered(`{}`).events, trace.Event{Seq: 3, Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0"`), Size: 1 << 30}})}, ok},
		{"params-type", discovered(`{}`).in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":[]}`), acked(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`)},
		{"params-type-sent", discovered(`{}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`), ok},
		{"notification-id", discovered(`{}`).in(`{"jsonrpc":"2.0","id":1,"method":"notifications/progress","params":{}}`), ok},
		{"sent-malformed", discovered(`{}`).out(`{"id":1,"method":"tools/list"}`), ok},

		{"response-unknown-id", answered(result("2", text("x"))), ok},
		{"response-unknown-id", answered(result(`"1"`, text("x"))), ok},
		{"response-twice", answered(result("1", text("x"))).in("%s", result("1", text("x"))), ok},
		{"response-no-id", answered(`{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}`), answered(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`)},
		{"response-cancelled", discovered(`{"tools":{}}`).call("1", `"name":"t",`).out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`).in("%s", result("1", text("x"))), ok},
		{"id-in-use", discovered(`{}`).call("1", `"name":"t",`).call("1", `"name":"t",`), called(text("x")).call("1", `"name":"t",`)},
		{"id-in-use", initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).in(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`),
			initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)},
		{"id-fraction", discovered(`{}`).call("1.0", `"name":"t",`), ok},
		{"answer-unknown-id answer-sent", discovered(`{}`).out(`{"jsonrpc":"2.0","id":5,"result":{}}`), ok},

		{"error-shape", answered(`{"jsonrpc":"2.0","id":1,"error":"no"}`), answered(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}`)},
		{"error-code-reserved", fails("tools/call", `{"code":-32055,"message":"m"}`), fails("tools/call", `{"code":-32602,"message":"m"}`)},
		{"error-code-reserved", fails("tools/call", `{"code":-32042,"message":"m"}`), fails("tools/call", `{"code":-32603,"message":"m"}`)},
		{"error-code-legacy", fails("resources/read", `{"code":-32002,"message":"m"}`), fails("resources/read", `{"code":-32602,"message":"m"}`)},
		{"error-code-odd", fails("tools/call", `{"code":0,"message":"m"}`), fails("tools/call", `{"code":4711,"message":"m"}`)},
		{"error-resource-code", fails("resources/read", `{"code":-32601,"message":"m"}`), fails("resources/read", `{"code":-32602,"message":"m"}`)},
		{"missing-capability-data", fails("tools/call", `{"code":-32021,"message":"m"}`),
			fails("tools/call", `{"code":-32021,"message":"m","data":{"requiredCapabilities":{"extensions":{"x":{}}}}}`)},
		{"missing-capability-declared", fails("tools/call", `{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}`),
			fails("tools/call", `{"code":-32021,"message":"m","data":{"requiredCapabilities":{"logs":{}}}}`)},
		{"unsupported-version-data", refused(`{"code":-32022,"message":"m"}`), refused(`{"code":-32022,"message":"m","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}`)},
		{"unsupported-version-loop", refused(`{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}`),
			refused(`{"code":-32022,"message":"m","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}`)},
	}
}

// withMeta is a result with further members in its _meta.
func withMeta(members string) *talk {
	return discovered(`{"tools":{}}`).call("1", `"name":"t",`).
		in(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},%s}}}`, members)
}

func eraCases() []ruleCase {
	ok := called(text("x"))
	bare := func(meta string) *talk {
		return discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{%s}}}`, meta).in("%s", result("1", text("x")))
	}
	discover := func(members string) *talk {
		return chat().out("%s", request("0", "server/discover", "")).in("%s", result("0", members+`"ttlMs":0,"cacheScope":"public",`))
	}
	fine := discovered(`{}`)
	opens := func(result string) *talk {
		return chat().out(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`).in(`{"jsonrpc":"2.0","id":0,"result":%s}`, result)
	}
	return []ruleCase{
		{"meta-version meta-capabilities meta-client-info meta-missing-served", bare(``), ok},
		{"meta-server-info", discovered(`{"tools":{}}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`), ok},
		{"meta-type", discovered(`{"tools":{}}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":[]}}`), ok},
		{"meta-key", withMeta(`"-bad/key":1`), withMeta(`"com.example/key":1,"traceparent":"x"`)},
		{"discover-versions", discover(`"capabilities":{},`), fine},
		{"discover-without-version", discover(`"capabilities":{},"supportedVersions":["2025-11-25"],`), fine},
		{"discover-capabilities", discover(`"supportedVersions":["2026-07-28"],`), fine},
		{"discover-missing", called(text("x")).out("%s", request("5", "server/discover", "")).in(`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"m"}}`), fine},
		{"discover-contradicted", fails("tools/call", `{"code":-32022,"message":"m","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}`), fails("tools/call", `{"code":-32602,"message":"m"}`)},
		{"initialize-result", opens(`{"capabilities":{}}`), opens(`{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}}`)},
		{"initialize-version", opens(`{"protocolVersion":"2026-07-28","capabilities":{},"serverInfo":{"name":"s"}}`), opens(`{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}}`)},
		{"initialize-first", chat().phase(trace.Phase{Name: trace.PhaseProbing, Era: trace.Legacy}).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), initialized("{}", "{}").out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)},
		{"before-initialized", opens(`{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}}`).in(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`),
			initialized(`{"roots":{}}`, "{}").in(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)},
		{"removed-method", discovered(`{}`).out("%s", request("1", "logging/setLevel", "")), ok},
		{"result-type-missing", discovered(`{"tools":{}}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`), ok},
		{"result-type-unknown", discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", "")).in(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"perhaps"}}`), ok},
		{"result-type-unknown", discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", "")).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"1"}}`),
			discovered(`{"tools":{}}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"1","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}}`)},
		{"result-object", discovered(`{"tools":{}}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":[]}`), ok},
		{"cache-legacy", initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).in(`{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":0}}`),
			initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).in(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)},

		{"capability-undeclared", discovered(`{}`).call("1", `"name":"t",`).in("%s", result("1", text("x"))), ok},
		{"capability-unserved", discovered(`{"prompts":{}}`).out("%s", request("1", "prompts/list", "")).in(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}`),
			discovered(`{}`).out("%s", request("1", "prompts/list", "")).in(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}`)},
		{"capability-notification", initialized("{}", "{}").in("%s", logOf("info")), initialized("{}", `{"logging":{}}`).in("%s", logOf("info"))},
		{"capability-notification", initialized("{}", `{"tools":{}}`).in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`),
			initialized("{}", `{"tools":{"listChanged":true}}`).in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)},
		{"capability-type", discovered(`{"tools":true}`), discovered(`{"tools":{"listChanged":false}}`)},
		{"capability-misplaced", discovered(`{"sampling":{}}`), fine},
	}
}

func httpCases() []ruleCase {
	ok := func() *talk { return chat().web(std, callBody(`"name":"t",`), 200, jsonType, result("1", text("x"))) }
	tool := `{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"},"s":{"type":"string","x-mcp-header":"S"}}}}`
	listed := func() *talk {
		return chat().web("MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/list", request("9", "tools/list", ""), 200, jsonType, result("9", `"tools":[`+tool+`],"ttlMs":0,"cacheScope":"public",`))
	}
	send := func(headers, args string) *talk {
		return listed().web(headers, callBody(`"name":"t","arguments":`+args+`,`), 400, jsonType, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m"}}`)
	}
	matched := listed().web(std+"|Mcp-Param-N: 42.0|Mcp-Param-S: =?base64?w6k=?=", callBody(`"name":"t","arguments":{"n":42,"s":"é"},`), 200, jsonType, result("1", text("x")))
	failed := func(code, status int, headers string) *talk {
		return ok().web(headers, request("2", "tools/call", `"name":"t",`), status, jsonType, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"error":{"code":%d,"message":"m"}}`, code))
	}
	initialize := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t"}}}`
	legacy := func(session string) *talk {
		return chat().web("", initialize, 200, jsonType+"|Mcp-Session-Id: "+session, `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s"}}}`).
			web("MCP-Protocol-Version: 2025-11-25|Mcp-Session-Id: "+session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, "")
	}
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	tools := `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
	legacyOK := func() *talk {
		return legacy("abc").web("MCP-Protocol-Version: 2025-11-25|Mcp-Session-Id: abc", list, 200, jsonType, tools)
	}
	return []ruleCase{
		{"header-missing header-mismatch-served", ok().web("Mcp-Method: tools/call|Mcp-Name: t", request("2", "tools/call", `"name":"t",`), 200, jsonType, result("2", text("x"))), ok()},
		{"header-missing", send(std, `{"n":1}`), matched},
		{"header-mismatch", send(std+"|Mcp-Param-N: 43", `{"n":42}`), matched},
		{"header-mismatch", send(strings.Replace(std, "Name: t", "Name: u", 1), `{}`), ok()},
		{"header-encoding", send(std+"|Mcp-Param-S: =?base64?***?=", `{"s":"é"}`), matched},
		{"header-unexpected", send(std+"|Mcp-Param-S: x", `{}`), matched},
		{"header-accept", &talk{[]trace.Event{
			{Seq: 1, Frame: &trace.Frame{Dir: trace.Out, Exchange: 1, Bytes: []byte(callBody(`"name":"t",`))}},
			{Seq: 2, HTTP: &trace.HTTP{Exchange: 1, Stage: trace.HTTPRequest, Method: "POST", Headers: headerList("Accept: application/json|" + std)}}}}, ok()},
		{"header-version-legacy", legacy("abc").web("Mcp-Session-Id: abc", list, 200, jsonType, tools), legacyOK()},
		{"header-session", legacy("abc").web("MCP-Protocol-Version: 2025-11-25", list, 200, jsonType, tools), legacyOK()},
		{"header-mismatch-code", failed(-32603, 400, "MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/call|Mcp-Name: other"), failed(-32020, 400, "MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/call|Mcp-Name: other")},
		{"header-mismatch-unfounded", ok().web("MCP-Protocol-Version: 2026-07-28|Mcp-Method: prompts/list", request("2", "prompts/list", ""), 400, jsonType, `{"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"m"}}`),
			failed(-32020, 400, "MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/call|Mcp-Name: other")},

		{"stdout-noise", chat().noise("not JSON", "Server listening\n"), chat().noise("blank line", "\n")},
		{"body-noise", chat().web(std, callBody(`"name":"t",`), 200, sseType, "garbage", result("1", text("x"))), chat().web(std, callBody(`"name":"t",`), 200, sseType, ": keep-alive\n", result("1", text("x")))},
		{"http-content-type", chat().web(std, callBody(`"name":"t",`), 200, "Content-Type: text/plain", result("1", text("x"))), ok()},
		{"http-notification-status", legacy("abc").web("", `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, 200, ""), legacyOK()},
		{"http-buffering", chat().web(std, callBody(`"name":"t",`), 200, "Content-Type: text/event-stream", result("1", text("x"))), chat().web(std, callBody(`"name":"t",`), 200, sseType, result("1", text("x")))},
		{"http-session", chat().web(std, callBody(`"name":"t",`), 200, jsonType+"|Mcp-Session-Id: a", result("1", text("x"))), ok()},
		{"http-session-id", legacy("a b"), legacy("abc")},
		{"http-no-response", chat().web(std, callBody(`"name":"t",`), 200, sseType), ok()},
		{"http-error-status", failed(-32601, 200, std), failed(-32601, 404, std)},
		{"server-exited", discovered(`{}`).phase(trace.Phase{Name: trace.PhaseReady}).phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Transport: "stdio", Code: new(int)}),
			discovered(`{}`).phase(trace.Phase{Name: trace.PhaseReady}).phase(trace.Phase{Name: trace.PhaseExited, Reason: "closed", Transport: "stdio", Code: new(int)})},
		{"server-exited", discovered(`{}`).phase(trace.Phase{Name: trace.PhaseReady}).phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Signal: "SIGSEGV"}),
			discovered(`{}`).phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Signal: "SIGSEGV"})},
		{"never-answered", discovered(`{}`).call("1", `"name":"t",`).phase(trace.Phase{Name: trace.PhaseExited}), called(text("x")).phase(trace.Phase{Name: trace.PhaseExited})},
		{"never-answered", discovered(`{}`).call("1", `"name":"t",`).phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Transport: "stdio"}),
			discovered(`{}`).call("1", `"name":"t",`).phase(trace.Phase{Name: trace.PhaseExited, Reason: "closed", Transport: "stdio"})},
		{"tool-header", chat().web("MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/list", request("9", "tools/list", ""), 200, jsonType,
			result("9", `"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"B C"}}}}],"ttlMs":0,"cacheScope":"public",`)), listed()},
		{"stream-after-response", chat().web(std, callBody(`"name":"t",`), 200, sseType, result("1", text("x")), progressOf(`"p"`, "1")), chat().web(std, callBody(`"name":"t",`), 200, sseType, result("1", text("x")))},
		{"stream-wrong-response", ok().out("%s", request("5", "tools/list", "")).web(std, request("6", "tools/call", `"name":"t",`), 200, jsonType, result("5", `"tools":[],"ttlMs":0,"cacheScope":"public",`)), ok()},
		{"listen-request-scoped", chat().web("MCP-Protocol-Version: 2026-07-28|Mcp-Method: subscriptions/listen", request("7", "subscriptions/listen", listen), 200, sseType, progressOf(`"p"`, "1")),
			chat().web("MCP-Protocol-Version: 2026-07-28|Mcp-Method: subscriptions/listen", request("7", "subscriptions/listen", listen), 200, sseType,
				`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`)},
	}
}
