package lint

import (
	"slices"

	"mcptui/client/rpc"
)

var (
	mrtrServer    = now("basic/patterns/mrtr#server-requirements-basic-workflow", "Multi Round-Trip Requests, Server Requirements")
	mrtrClient    = now("basic/patterns/mrtr#client-requirements-basic-workflow", "Multi Round-Trip Requests, Client Requirements")
	mrtrSupported = now("basic/patterns/mrtr#supported-requests", "Multi Round-Trip Requests, Supported Requests")
	mrtrResult    = now("basic/patterns/mrtr#inputrequiredresult", "Multi Round-Trip Requests, InputRequiredResult")
	mrtrErrors    = now("basic/patterns/mrtr#error-handling", "Multi Round-Trip Requests, Error Handling")
	elicitActions = before("client/elicitation#response-actions", "Elicitation, Response Actions")
)

// askRules are about results that ask for input.
func askRules() []rule {
	return []rule{
		{id: "ask-method", severity: Error, against: Server, when: onResult, modern: mrtrSupported, check: checkAskMethod},
		{id: "ask-empty", severity: Error, against: Server, when: onResult, modern: mrtrServer, check: checkAskEmpty},
		{id: "ask-requests-type", severity: Error, against: Server, when: onResult, modern: mrtrResult, check: checkAskRequestsType},
		{id: "ask-state-type", severity: Error, against: Server, when: onResult, modern: mrtrResult, check: checkAskStateType},
		{id: "ask-kind", severity: Error, against: Server, when: onAsk, modern: mrtrServer, check: checkAskKind},
		{id: "ask-key-twice", severity: Error, against: Server, when: onResult, modern: mrtrServer, check: checkAskKeyTwice},
		{id: "ask-capability", severity: Error, against: Server, when: onAsk, modern: mrtrServer, legacy: before("basic/lifecycle#capability-negotiation", "Lifecycle, Capability Negotiation"), check: checkAskCapability},
		{id: "ask-stray-members", severity: Info, against: Server, when: onResult, modern: mrtrResult, check: checkAskStray, once: true},
		{id: "ask-in-complete", severity: Error, against: Server, when: onResult, modern: mrtrResult, legacy: before("schema#calltoolresult", "Schema, Results"), check: checkAskInComplete},
		{id: "ask-by-request", severity: Error, against: Server, when: onTold, modern: now("basic/patterns", "Message Patterns, Overview"), check: checkAskByRequest},
		{id: "ask-again-after-no", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkAskAgain},
		{id: "ask-repeats", severity: Info, against: Server, when: onResult, modern: mrtrServer, check: checkAskRepeats},
		{id: "ask-partial-refused", severity: Warning, against: Server, when: onFailure, modern: mrtrErrors, check: checkPartialRefused},
	}
}

func mayAsk(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// ofExtension reports a method that the core specification does not define, so
// that its members and headers may mean something else.
func ofExtension(method string) bool {
	switch method {
	case "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read",
		"resources/templates/list", "completion/complete", "subscriptions/listen", "initialize", "ping", "logging/setLevel",
		"resources/subscribe", "resources/unsubscribe", "elicitation/create", "sampling/createMessage", "roots/list":
		return false
	}
	return true
}

func checkAskMethod(v *view) {
	if v.req != nil && v.asks() && !mayAsk(v.req.method) {
		v.report("/result/resultType", "%s must not be answered with a request for input", v.req.method)
	}
}

func checkAskEmpty(v *view) {
	if v.asks() && v.result("inputRequests") == nil && v.result("requestState") == nil {
		v.report("/result", "the result asks for input and has neither inputRequests nor requestState")
	}
}

func checkAskRequestsType(v *view) {
	raw := v.result("inputRequests")
	if !v.asks() || raw == nil {
		return
	}
	if raw[0] != '{' {
		v.report("/result/inputRequests", "inputRequests is not an object")
		return
	}
	n := 0
	for key, x := range rpc.Members(raw) {
		n++
		if x[0] != '{' {
			v.report("/result/inputRequests/"+escape(key), "ask %q is not an object", key)
		}
	}
	if n == 0 && v.result("requestState") == nil {
		v.report("/result/inputRequests", "the result asks for input and names none, and has no requestState")
	}
}

func checkAskStateType(v *view) {
	if raw := v.result("requestState"); raw != nil && raw[0] != '"' && v.asks() {
		v.report("/result/requestState", "requestState is not text, and cannot be echoed as such")
	}
}

func checkAskKind(v *view) {
	if !isAskMethod(v.ask.method) {
		v.report(v.at+"/method", "ask %q is a request %q, which is none that may be asked", v.ask.key, v.ask.method)
	}
}

func checkAskKeyTwice(v *view) {
	if !v.asks() {
		return
	}
	var seen []string
	for key := range rpc.Members(v.result("inputRequests")) {
		if slices.Contains(seen, key) {
			v.report("/result/inputRequests/"+escape(key), "two asks have the key %q", key)
		}
		seen = append(seen, key)
	}
}

func checkAskCapability(v *view) {
	if v.ask.caps == nil {
		return
	}
	if missing := missingCapability(v.ask); missing != "" {
		v.report(v.at, "the client was asked with %s and did not declare %s", v.ask.method, missing)
	}
}

// missingCapability names what a client must declare to be asked this, "" where
// it did.
func missingCapability(a ask) string {
	switch a.method {
	case "elicitation/create":
		got := rpc.Member(a.caps, "elicitation")
		switch {
		case got == nil || string(got) == "null" || string(got) == "false":
			return "elicitation"
		case rpc.Text(a.params, "mode") == "url" && rpc.Member(got, "url") == nil:
			return "elicitation.url"
		case rpc.Text(a.params, "mode") != "url" && !formMode(got):
			return "elicitation.form"
		}
	case "sampling/createMessage":
		got := rpc.Member(a.caps, "sampling")
		switch {
		case got == nil || string(got) == "null" || string(got) == "false":
			return "sampling"
		case (rpc.Member(a.params, "tools") != nil || rpc.Member(a.params, "toolChoice") != nil) && rpc.Member(got, "tools") == nil:
			return "sampling.tools"
		}
	case "roots/list":
		if got := rpc.Member(a.caps, "roots"); got == nil || string(got) == "null" || string(got) == "false" {
			return "roots"
		}
	}
	return ""
}

// formMode reports whether an elicitation capability covers forms: it names
// them, or names no mode at all.
func formMode(elicitation []byte) bool {
	return rpc.Member(elicitation, "form") != nil || rpc.Member(elicitation, "url") == nil
}

func checkAskStray(v *view) {
	if !v.asks() {
		return
	}
	for _, name := range []string{"content", "contents", "messages", "structuredContent", "isError"} {
		if raw := v.result(name); raw != nil {
			v.report("/result/"+name, "results that ask for input have the member %q of a complete one", name)
		}
	}
}

func checkAskInComplete(v *view) {
	if v.asks() || v.req == nil || ofExtension(v.req.method) {
		return
	}
	for _, name := range []string{"inputRequests", "requestState"} {
		if raw := v.result(name); raw != nil && string(raw) != "null" {
			v.report("/result/"+name, "the result has %s and is not marked as one that asks for input", name)
		}
	}
}

func checkAskByRequest(v *view) {
	if v.m.Kind == rpc.Request && v.m.Method != "" && v.l.era != "legacy" {
		v.report("/method", "the server sent a request of its own (%s), which this era does not have", v.m.Method)
	}
}

// checkAskAgain notices a server that does not take no for an answer.
func checkAskAgain(v *view) {
	if !v.asks() || v.req == nil {
		return
	}
	for key := range rpc.Members(v.result("inputRequests")) {
		if action := rpc.Text(v.req.answers, key, "action"); action == "decline" || action == "cancel" {
			v.report("/result/inputRequests/"+escape(key), "ask %q was answered with %s and is asked again", key, action)
		}
	}
}

// checkAskRepeats notices a server that gets nowhere: the same asks and the same
// state again after every ask was answered. It may be right, where the answers
// were not.
func checkAskRepeats(v *view) {
	if !v.asks() || v.req == nil || v.req.retries == nil {
		return
	}
	it := v.req.retries
	if it.state != stateKey(v.result("requestState")) || it.asked != stateKey(v.result("inputRequests")) {
		return
	}
	for key := range it.asks {
		if action := rpc.Text(v.req.answers, key, "action"); action == "decline" || action == "cancel" || rpc.Member(v.req.answers, key) == nil {
			return
		}
	}
	v.report("/result", "the server asks the very same again, with the same state, after it was answered")
}

func checkPartialRefused(v *view) {
	if v.req == nil || v.req.retries == nil || v.code() == codeMissingCapability || v.code() == codeUnsupportedVersion {
		return
	}
	for _, key := range sortedKeys(v.req.retries.asks) {
		if rpc.Member(v.req.answers, key) == nil && v.req.state == v.req.retries.state {
			v.report("/error", "the retry left out the answer %q; the server refuses it instead of asking again", key)
			return
		}
	}
}
