package lint

import (
	"bytes"
	"slices"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/state"
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
var askRules = []rule{
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
	for key := range v.req.retries.asks {
		if rpc.Member(v.req.answers, key) == nil && v.req.state == v.req.retries.state {
			v.report("/error", "the retry left out the answer %q; the server refuses it instead of asking again", key)
			return
		}
	}
}

// retryRules are about what the client sends back.
var retryRules = []rule{
	{id: "retry-state-changed", severity: Error, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryState},
	{id: "retry-state-invented", severity: Error, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryInvented},
	{id: "retry-replayed", severity: Info, against: Client, when: onRequest, modern: mrtrServer, check: checkReplayed},
	{id: "retry-same-id", severity: Error, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryID},
	{id: "retry-answer-missing", severity: Error, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryMissing},
	{id: "retry-answer-unknown", severity: Warning, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryUnknown},
	{id: "retry-answer-shape", severity: Error, against: Client, when: onRequest, modern: mrtrErrors, check: checkRetryShape},
	{id: "retry-wrong-method", severity: Error, against: Client, when: onRequest, modern: mrtrClient, check: checkRetryMethod},
	{id: "answer-shape", severity: Error, against: Client, when: onAnswer, legacy: elicitActions, check: checkAnswerShape},
}

func checkRetryState(v *view) {
	it := v.req.retries
	if it == nil || it.state == "" || it.state == v.req.state {
		return
	}
	if v.req.state == "" {
		v.report("/params/requestState", "the server gave a requestState, and the retry leaves it out")
		return
	}
	v.report("/params/requestState", "requestState is not echoed as the server gave it")
}

func checkRetryInvented(v *view) {
	if v.req.state != "" && v.req.retries != nil && v.req.retries.state == "" {
		v.report("/params/requestState", "the server gave no requestState, and the retry has one")
	}
}

// checkReplayed tells of a state that is sent once more. A server that must take
// it only once has to see to that itself.
func checkReplayed(v *view) {
	if it := v.req.retries; it != nil && it.retried && it.state != "" && it.state == v.req.state {
		v.report("/params/requestState", "this requestState was sent before; a server that takes it only once must refuse it")
	}
}

func checkRetryID(v *view) {
	if it := v.req.retries; it != nil && it.req.id == v.m.ID {
		v.report("/id", "the retry has the id of the request that it retries")
	}
}

func checkRetryMissing(v *view) {
	it := v.req.retries
	if it == nil {
		return
	}
	for _, key := range sortedKeys(it.asks) {
		if rpc.Member(v.req.answers, key) == nil {
			v.report("/params/inputResponses", "ask %q has no answer", key)
		}
	}
}

func sortedKeys(asks map[string]ask) []string {
	keys := make([]string, 0, len(asks))
	for k := range asks {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func checkRetryUnknown(v *view) {
	if v.req.retries == nil {
		return
	}
	for key := range rpc.Members(v.req.answers) {
		if _, ok := v.req.retries.asks[key]; !ok {
			v.report("/params/inputResponses/"+escape(key), "answer %q was not asked for", key)
		}
	}
}

func checkRetryShape(v *view) {
	if a := v.req.answers; a != nil && a[0] != '{' {
		v.report("/params/inputResponses", "inputResponses is not an object")
		return
	}
	if v.req.retries == nil {
		return
	}
	for key, raw := range rpc.Members(v.req.answers) {
		a, ok := v.req.retries.asks[key]
		if !ok {
			continue
		}
		if fault := answerFault(a.method, rpc.Text(a.params, "mode"), rpc.Member(a.params, "requestedSchema"), raw); fault != "" {
			v.report("/params/inputResponses/"+escape(key), "answer %q does not fit: %s", key, fault)
		}
	}
}

func checkAnswerShape(v *view) {
	if v.req == nil || v.m.Kind != rpc.Result {
		return
	}
	if fault := answerFault(v.req.method, v.req.mode, v.req.schema, v.m.Result); fault != "" {
		v.report("/result", "the answer to %s does not fit: %s", v.req.method, fault)
	}
}

// answerFault says why an answer is none to what was asked, "" where it fits.
func answerFault(method, mode string, asked, raw []byte) string {
	if len(raw) == 0 || raw[0] != '{' {
		return "it is not an object"
	}
	switch method {
	case "elicitation/create":
		content := rpc.Member(raw, "content")
		switch action := rpc.Text(raw, "action"); {
		case action != "accept" && action != "decline" && action != "cancel":
			return "action is none of accept, decline and cancel"
		case action != "accept" || mode == "url":
			return ""
		case content == nil || content[0] != '{':
			return "it accepts and has no content"
		case asked != nil:
			for _, p := range schema.Validate(asked, content) {
				if p.Kind == schema.Invalid || p.Kind == schema.Missing {
					return strings.TrimSpace("content" + p.Path + " " + p.Message)
				}
			}
		}
	case "sampling/createMessage":
		if rpc.Text(raw, "role") == "" || rpc.Member(raw, "content") == nil || rpc.Text(raw, "model") == "" {
			return "a message needs role, content and model"
		}
	case "roots/list":
		if roots := rpc.Member(raw, "roots"); roots == nil || roots[0] != '[' {
			return "it has no list of roots"
		}
	}
	return ""
}

func checkRetryMethod(v *view) {
	if (v.req.state != "" || v.req.answers != nil) && !mayAsk(v.m.Method) && !ofExtension(v.m.Method) {
		v.report("/params", "%s takes no answers and no requestState", v.m.Method)
	}
}

// stateRules are about requestState as anyone can read it.
var stateRules = []rule{
	{id: "state-secret", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkStateSecret},
	{id: "state-unsigned", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnsigned, once: true},
	{id: "state-no-expiry", severity: Info, against: Server, when: onResult, modern: mrtrServer, check: checkStateExpiry, once: true},
	{id: "state-unbound", severity: Info, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnbound, once: true},
	{id: "state-unsafe", severity: Error, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnsafe},
	{id: "state-changed-accepted", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkChangedAccepted},
}

const maxStateLook = 1 << 20

// state decodes the requestState of a result; nil where it has none.
func (v *view) state() *state.Decoded {
	raw := v.result("requestState")
	if len(raw) == 0 || raw[0] != '"' || len(raw) > maxStateLook {
		return nil
	}
	if v.parsed.state == nil {
		v.parsed.state = state.Decode(string(raw))
	}
	return v.parsed.state
}

func checkStateSecret(v *view) {
	if d := v.state(); d != nil {
		for _, s := range d.Secrets {
			v.report("/result/requestState", "requestState holds %s that the client can read%s", s.Kind, in(s.Path))
		}
	}
}

func in(path string) string {
	if path == "" {
		return ""
	}
	return ", at " + path
}

func checkStateUnsigned(v *view) {
	d := v.state()
	if d != nil && d.Readable() && d.Signature.Status == state.Unsigned {
		v.report("/result/requestState", "requestState of %s is %s and unsigned: a client can change it unnoticed; the server must protect it if it acts on it", v.subject(), d.Chain())
	}
}

// subject names what was called.
func (v *view) subject() string {
	if v.req == nil {
		return "an unknown request"
	}
	return strings.TrimSpace(v.req.method + " " + v.req.name)
}

func checkStateExpiry(v *view) {
	d := v.state()
	if d == nil || d.Unreadable() || d.Reference() || d.Size() == 0 || d.Signature.Status == state.Unsigned {
		return
	}
	if _, ok := d.Expires(); !ok {
		v.report("/result/requestState", "requestState names no time at which it lapses")
	}
}

func checkStateUnbound(v *view) {
	d := v.state()
	if d == nil || d.Unreadable() || d.Reference() || d.Size() == 0 || d.Signature.Status == state.Unsigned || len(d.Bound(state.ToContext)) > 0 {
		return
	}
	if len(d.Bound(state.ToRequest)) == 0 {
		v.report("/result/requestState", "nothing in requestState binds it to the call that it was made for")
	}
	if len(d.Bound(state.ToPrincipal))+len(d.Bound(state.ToSession)) == 0 {
		v.report("/result/requestState", "nothing in requestState binds it to a principal")
	}
}

func checkStateUnsafe(v *view) {
	if d := v.state(); d != nil {
		for _, f := range []state.Format{state.Pickle, state.JavaObject, state.PHPValue} {
			if d.Has(f) {
				v.report("/result/requestState", "requestState is a %s: loading one that a client has changed can run code", f)
			}
		}
	}
}

// checkChangedAccepted notices that a state which the server did not make was
// served. Whether that is a fault depends on what the server uses it for.
func checkChangedAccepted(v *view) {
	if v.req == nil || v.req.retries == nil || v.req.state == "" || v.req.retries.state == "" {
		return
	}
	if v.req.state != v.req.retries.state && !bytes.Contains(v.m.Result, []byte(`"isError":true`)) {
		v.report("/result", "the retry carried a requestState that the server had not given, and was served")
	}
}
