package main

import "time"

const (
	acceptAll = "match:\n  - {method: elicitation/create, reply: {accept: {v: x}}}\n"
	declines  = "match:\n  - {method: elicitation/create, reply: decline}\n"
)

// cases is what a good debugger does with each server, as far as the wire goes.
var cases = concat(framing, rounds, large, statuses, authorization, redirects, streams, legacy, eras)

func concat(lists ...[]testCase) (all []testCase) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Output that is no message, servers that die, and servers that do not answer.
var framing = []testCase{
	{server: "01", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "01", do: "tools --json", say: []string{`"echo"`}},
	{server: "01", do: "lint", code: 1, say: []string{"standard output that is no message", "DEBUG loading plugins", "not JSON", "no JSON-RPC message"}},
	{server: "02", do: "call boom", code: 4, say: []string{"exited with code 3", "panic: runtime error", "last words"}, not: []string{"EOF"}},
	{server: "02", args: "--signal", do: "call boom", code: 4, say: []string{"SIGSEGV", "last words"}, not: []string{"EOF"}},
	{server: "02", args: "--call", do: "call boom", code: 4, say: []string{"tools/call boom", "request ", "exited with code 3", "last words", "not known"}},
	{server: "02", args: "--call --signal", do: "call boom", code: 4, say: []string{"tools/call boom", "SIGSEGV"}},
	{server: "03", do: "tools --timeout 2s", code: 124, say: []string{"initialize", "id 2", "2s", "server/discover"}, within: 20 * time.Second},
	{server: "03", do: "tools --probe-timeout 1s --timeout 3s", code: 124, say: []string{"server/discover", "initialize"}, within: 20 * time.Second},
	{server: "03", args: "--from tools/call", do: "call hang --timeout 2s", code: 124, say: []string{"tools/call hang", "request ", "2s"}, record: []string{"got notifications/cancelled"}},
	{server: "03", args: "--from tools/call", do: "call hang", stop: 3 * time.Second, code: 130, record: []string{"got notifications/cancelled"}},
	{server: "03", args: "--from tools/list", do: "tools --timeout 2s", code: 124, say: []string{"tools/list", "2s"}},
	{server: "03", args: "--from tools/call", http: "/mcp", do: "call hang --timeout 2s", code: 124, say: []string{"tools/call hang", "2s"}, never: []string{"got notifications/cancelled"}},
	{server: "03", http: "/mcp", do: "tools --timeout 2s", code: 124, say: []string{"2s"}, within: 20 * time.Second},
	{server: "04", do: "call dup", say: []string{"first answer"}, not: []string{"SECOND", "third"}},
	{server: "04", do: "listen --tools", stop: 4 * time.Second, code: 130, lint: []string{"answer"}},
	{server: "14", args: "--secs 2", do: "call storm", say: []string{"sent 2000 progress notifications"}},
	{server: "14", args: "--secs 2", do: "call logs", say: []string{"done"}},
	{server: "14", do: "call list_changed", say: []string{"200 list_changed"}},
	{server: "14", do: "call weird", say: []string{"weird done"}},
	{server: "14", http: "/mcp", do: "call weird", say: []string{"weird done"}},
	{server: "14", args: "--secs 2", http: "/mcp", do: "call storm", say: []string{"sent 2000 progress notifications"}},
	{server: "15", do: "call ok", say: []string{"still here"}},
	{server: "18", do: "call trunc", code: 4, say: []string{"not JSON", "request "}},
	{server: "18", do: "call nan", code: 4, say: []string{"not JSON"}},
	{server: "18", do: "call dupkeys", say: []string{"x"}},
	{server: "18", do: "call trailing_comma", code: 4, say: []string{"not JSON"}},
	{server: "18", do: "call comment", code: 4, say: []string{"not JSON"}},
	{server: "18", do: "call single_quotes --timeout 3s", code: 124, say: []string{"call single_quotes", "no messages"}},
	{server: "18", do: "call no_jsonrpc", say: []string{"x"}},
	{server: "18", do: "call jsonrpc1", say: []string{"x"}},
	{server: "18", do: "call both", code: 4, say: []string{"e"}},
	{server: "18", do: "call neither", code: 4, say: []string{"no result"}},
	{server: "18", do: "call result_null", code: 4, say: []string{"not an object"}},
	{server: "18", do: "call result_string", code: 4, say: []string{"not an object"}},
	{server: "18", do: "call content_object --json", say: []string{"not an array"}},
	{server: "18", do: "call error_string", code: 4, say: []string{"it broke"}},
	{server: "18", do: "call error_code_string", code: 4, say: []string{"string code"}},
	{server: "18", do: "call error_code_float", code: 4, say: []string{"float code"}},
	{server: "18", do: "call batch --json", say: []string{`"x"`}},
	{server: "18", do: "call batch --rounds-json", say: []string{`"x"`}},
	{server: "18", do: "call deep", code: 4, say: []string{"exceeded max depth"}},
	{server: "18", do: "call huge_number --json", say: []string{`"e":1e99999`, `"big":9007199254740993`}},
	{server: "18", do: "call bom", say: []string{"x"}},
	{server: "18", do: "call html --timeout 3s", code: 124, say: []string{"call html", "no messages"}},
	{server: "18", do: "call fine", say: []string{"fine"}},
	{server: "20", do: "call ok --timeout 30s", say: []string{"alive"}, record: []string{"ignoring SIGTERM", "SIGKILL"}},
	{server: "20", do: "call ok --timeout 3s --probe-timeout 1s", code: 124, say: []string{"no answer"}, within: 20 * time.Second},
	{server: "20", args: "--delay 0", do: "call ok", say: []string{"alive"}},
}

// Multi round-trip requests that break the rules, or nearly do.
var rounds = concat([]testCase{
	{server: "06", do: "call neither", code: 4, say: []string{"neither"}},
	{server: "06", do: "call empty_map", code: 4, say: []string{"nothing to answer"}},
	{server: "06", do: "call null_map", code: 4, say: []string{"not an object"}},
	{server: "06", do: "call array_map", code: 4, say: []string{"not an object"}},
	{server: "06", do: "call number_state", code: 4, say: []string{"not a string"}},
	{server: "06", do: "call state_only", say: []string{"resumed with state only"}},
	{server: "06", do: "call blank_state", say: []string{`blank state echoed: ""`}},
	{server: "06", do: "call unknown_type", code: 4, say: []string{"maybe"}},
	{server: "06", do: "call neither", http: "/mcp", code: 4, say: []string{"neither"}},
	{server: "06", do: "call state_only", http: "/mcp", say: []string{"resumed with state only"}},
	{server: "07", do: "tools", code: 4, say: []string{"input_required is not allowed on tools/list"}},
	{server: "07", do: "call x a:=1", say: []string{"ok"}},
	{server: "07", args: "--method prompts/list", do: "prompts", code: 4, say: []string{"input_required is not allowed on prompts/list"}},
	{server: "07", args: "--method completion/complete", do: "complete prompt:p a=b", code: 4, say: []string{"input_required is not allowed on completion/complete"}},
	{server: "07", args: "--method server/discover", do: "tools", say: []string{"x"}},
	{server: "08", do: "call vendor", code: 4, say: []string{`"q"`, "vendor/askOracle"}},
	{server: "08", do: "call no_method", code: 4, say: []string{`"q"`, "no method"}},
	{server: "08", do: "call no_params", code: 4, say: []string{`"q"`, "without params"}},
	{server: "08", do: "call bad_schema", code: 4, say: []string{`"q"`, "requestedSchema"}},
	{server: "08", do: "call nested_schema", answer: "answers: {q: {accept: {addr: {street: a}}}}\n", say: []string{`"street":"a"`}},
	{server: "08", do: "call undeclared --no-cap sampling", code: 4, say: []string{"sampling", "declare"}},
	{server: "08", do: "call mixed", code: 4, answer: "answers: {good: {accept: {name: Ada}}}\n", say: []string{`"bad"`, "vendor/askOracle"}},
	{server: "08", do: "call bad_mode", code: 4, say: []string{`"q"`, "hologram"}},
	{server: "08", do: "call js_url", code: 5, say: []string{"elicitation/create q"}},
	{server: "08", do: "call file_url", code: 5, say: []string{"elicitation/create q"}},
	{server: "08", do: "call tools_in_sampling", code: 4, say: []string{"sampling.tools"}},
	{server: "09", do: "call loop", answer: acceptAll, code: 5, say: []string{"10 rounds"}},
	{server: "09", do: "call loop --rounds 3", answer: acceptAll, code: 5, say: []string{"3 rounds"}},
	{server: "09", do: "call decline_loop", answer: declines, code: 5, say: []string{"10 rounds"}},
	{server: "09", do: "call loop_state", code: 5, say: []string{"10 rounds"}, within: 120 * time.Second},
	{server: "10", do: "call churn", answer: acceptAll, say: []string{"churn done in 5 rounds"}, not: []string{"VIOLATION"}},
	{server: "10", do: "call grow --rounds 20", answer: acceptAll, say: []string{"grew to 1048576 bytes"}, not: []string{"VIOLATION"}},
	{server: "10", do: "call exact", answer: acceptAll, say: []string{"exact echo OK"}, not: []string{"VIOLATION"}},
	{server: "10", do: "call reuse", answer: acceptAll, say: []string{"ok once"}, not: []string{"VIOLATION"}},
	{server: "10", http: "/mcp", do: "call exact", answer: acceptAll, say: []string{"exact echo OK"}, never: []string{"VIOLATION"}},
})

const mega = 1 << 20

// Results of 60 MB, text that attacks the terminal, schemas that break forms:
// here only that they arrive.
var large = []testCase{
	{server: "11", do: "call huge_line --json", size: 60 * mega, within: 3 * time.Minute},
	{server: "11", do: "call huge_text", size: 55 * mega, within: 3 * time.Minute},
	{server: "11", do: "call huge_items --json", size: 55 * mega, within: 3 * time.Minute},
	{server: "11", do: "call huge_image --json", size: 55 * mega, within: 3 * time.Minute},
	{server: "11", do: "call huge_struct --json", size: 50 * mega, within: 3 * time.Minute},
	{server: "11", do: "call huge_error", code: 4, say: []string{"EEEE"}, within: 3 * time.Minute},
	{server: "11", http: "/mcp", do: "call huge_line --json", size: 60 * mega, within: 3 * time.Minute},
	{server: "11", args: "--sse", http: "/mcp", do: "call huge_items --json", size: 55 * mega, within: 3 * time.Minute},
	{server: "12", do: "tools --json", say: []string{"tool_sgr"}},
	{server: "12", do: "call all --json", say: []string{"structuredContent"}},
	{server: "12", do: "call err", code: 4, say: []string{"boom"}},
	{server: "12", do: "call iserr", code: 1, say: []string{"failed"}},
	{server: "12", do: "call progress_log", say: []string{"ok"}},
	{server: "13", do: "tools --json", say: []string{`"no_schema"`, `"null_schema"`, `"true_schema"`, `"remote_ref"`, `"xmcp_bad"`, `"long"`}},
	{server: "13", http: "/mcp", do: "tools --json", say: []string{`"no_schema"`, `"rejected"`, "xmcp_bad"}},
	{server: "13", http: "/mcp", do: "call xmcp_bad a=1", code: 2, say: []string{"xmcp_bad", "by force"}},
	{server: "13", http: "/mcp", do: "call xmcp_bad a=1 --force", say: []string{`{"a":"1"}`}},
	{server: "13", do: "call bignum id=9007199254740993", say: []string{"9007199254740992"}}, // JavaScript's own rounding
}
