package lint

import (
	"slices"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/schema"
)

// retryRules are about what the client sends back.
func retryRules() []rule {
	return []rule{
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
