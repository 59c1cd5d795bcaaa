package lint

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcptui/client/rpc"
)

var (
	messages       = now("basic#messages", "Messages")
	messagesBefore = before("basic#messages", "Messages")
	requests       = now("basic#requests", "Messages, Requests")
	requestsBefore = before("basic#requests", "Messages, Requests")
	responses      = now("basic#responses", "Messages, Responses")
	responsesOld   = before("basic#responses", "Messages, Responses")
	notifications  = now("basic#notifications", "Messages, Notifications")
	notifiesBefore = before("basic#notifications", "Messages, Notifications")
	errorCodes     = now("basic#error-codes", "Messages, Error Codes")
	errorsBefore   = before("basic#error-responses", "Messages, Error Responses")
)

// envelopeRules are about what makes bytes a message.
func envelopeRules() []rule {
	return []rule{
		envelope("not-json", "json"),
		envelope("message-not-object", "not-object"),
		envelope("message-neither", "neither"),
		envelope("jsonrpc-version", "jsonrpc"),
		envelope("result-and-error", "both"),
		envelope("id-type", "id-type"),
		envelope("method-type", "method-type"),
		{id: "duplicate-member", severity: Warning, against: Server, when: onFrame, modern: messages, legacy: messagesBefore, check: problem("duplicate-member")},
		{id: "byte-order-mark", severity: Warning, against: Server, when: onFrame, modern: messages, legacy: messagesBefore, check: problem("bom")},
		{id: "batch", severity: Error, against: Server, when: onFrame, modern: stdioPage, legacy: stdioBefore, check: checkBatch},
		{id: "batch-sent", severity: Error, against: Client, when: onSent, modern: stdioPage, legacy: stdioBefore, check: checkBatch},
		{id: "utf-8", severity: Error, against: Server, when: onFrame, modern: messages, legacy: before("basic/transports", "Transports"), check: checkUTF8},
		{id: "frame-size", severity: Warning, against: Server, when: onFrame, modern: messages, legacy: messagesBefore, check: checkFrameSize},
		{id: "params-type", severity: Error, against: Server, when: onTold, modern: notifications, legacy: notifiesBefore, check: checkParamsType},
		{id: "params-type-sent", severity: Error, against: Client, when: onRequest, modern: requests, legacy: requestsBefore, check: checkParamsType},
		{id: "notification-id", severity: Error, against: Server, when: onTold, modern: notifications, legacy: notifiesBefore, check: checkNotificationID},
		{id: "sent-malformed", severity: Error, against: Client, when: onSent, modern: messages, legacy: messagesBefore, check: checkSentMalformed},
	}
}

func envelope(id, fault string) rule {
	return rule{id: id, severity: Error, against: Server, when: onFrame, modern: messages, legacy: messagesBefore, check: problem(fault)}
}

// problem reports what the parser noticed.
func problem(fault string) func(*view) {
	return func(v *view) {
		for _, p := range v.m.Problems {
			if p.Rule == fault {
				v.report("", "%s", p.Text)
			}
		}
	}
}

// checkBatch spares the one revision that had batches.
func checkBatch(v *view) {
	if v.l.version != "2025-03-26" && v.l.version != "2024-11-05" {
		problem("batch")(v)
	}
}

func checkUTF8(v *view) {
	if v.e.Frame.Size == 0 && v.prefix == "" && !utf8.Valid(v.e.Frame.Bytes) {
		v.report("", "the message is not UTF-8")
	}
}

func checkFrameSize(v *view) {
	if n := v.e.Frame.Size; n > 0 {
		v.report("", "the message has %d bytes, more than the frame limit, and was skipped", n)
	}
}

func checkParamsType(v *view) {
	if p := v.m.Params; len(p) > 0 && p[0] != '{' {
		v.report("/params", "params is not an object")
	}
}

func checkNotificationID(v *view) {
	if v.m.Kind == rpc.Request && strings.HasPrefix(v.m.Method, "notifications/") {
		v.report("/id", "%s is a notification and has an id", v.m.Method)
	}
}

func checkSentMalformed(v *view) {
	for _, p := range v.m.Problems {
		if !slices.Contains([]string{"batch", "bom", "id-fraction", "id-missing"}, p.Rule) {
			v.report("", "what was sent is malformed: %s", p.Text)
		}
	}
}

// idRules are about who answers what.
func idRules() []rule {
	return []rule{
		{id: "response-unknown-id", severity: Error, against: Server, when: onReply, modern: responses, legacy: responsesOld, check: checkUnknownID},
		{id: "response-twice", severity: Error, against: Server, when: onReply, modern: responses, legacy: responsesOld, check: checkTwice},
		{id: "response-no-id", severity: Error, against: Server, when: onReply, modern: responses, legacy: responsesOld, check: checkNoID},
		{id: "response-cancelled", severity: Warning, against: Server, when: onReply, modern: now("basic/patterns/cancellation#behavior-requirements", "Cancellation, Behavior Requirements"),
			legacy: before("basic/utilities/cancellation#behavior-requirements", "Cancellation, Behavior Requirements"), check: checkCancelledAnswer},
		{id: "id-in-use", severity: Error, against: Client, when: onRequest, modern: requests, legacy: requestsBefore, check: checkIDInUse},
		{id: "id-fraction", severity: Error, against: Client, when: onRequest, modern: requests, legacy: requestsBefore, check: problem("id-fraction")},
		{id: "answer-unknown-id", severity: Error, against: Client, when: onAnswer, modern: responses, legacy: responsesOld, check: checkAnswerID},
		{id: "answer-sent", severity: Error, against: Client, when: onAnswer, modern: now("basic/patterns", "Message Patterns, Overview"), check: checkAnswerSent},
	}
}

func checkUnknownID(v *view) {
	if v.req != nil || v.m.ID == "" || (v.m.ID == "null" && v.m.Kind == rpc.Failure) {
		return
	}
	if s, err := strconv.Unquote(string(v.m.ID)); err == nil && v.l.out[rpc.ID(s)] != nil {
		v.report("/id", "the response has the id %s as text, and the request has it as a number", v.m.ID)
		return
	}
	if v.l.out[rpc.ID(strconv.Quote(string(v.m.ID)))] != nil {
		v.report("/id", "the response has the id %s as a number, and the request has it as text", v.m.ID)
		return
	}
	v.report("/id", "no request with the id %s was sent", v.m.ID)
}

func checkTwice(v *view) {
	if v.req != nil && v.req.answered != 0 && v.m.ID != "" {
		v.report("/id", "the request with id %s was answered before, in frame %d", v.m.ID, v.req.answered)
	}
}

// checkNoID is about errors that name no request. They are right only where the
// request could not be read.
func checkNoID(v *view) {
	if v.m.ID != "" && v.m.ID != "null" {
		return
	}
	if v.m.Kind == rpc.Result {
		v.report("/id", "the result names no request")
		return
	}
	e, _ := rpc.ReadError(v.m.Error)
	switch {
	case e.Code == codeParse, v.req != nil && v.req.id == "null":
	case v.x != nil && v.req == nil:
	case v.x != nil:
		v.reportAs(Warning, "/id", "the error names no request, and the request of its exchange could be read")
	default:
		v.report("/id", "the error names no request: a client waits for its answer until it gives up")
	}
}

func checkCancelledAnswer(v *view) {
	if v.req != nil && v.req.cancelled && v.req.answered == 0 && v.x == nil {
		v.report("/id", "a response to a request that was cancelled; it may have crossed the cancellation")
	}
}

func checkIDInUse(v *view) {
	old := v.l.out[v.m.ID]
	switch {
	case old == nil:
	case old.answered == 0:
		v.report("/id", "the id %s belongs to a request that waits for its response, in frame %d", v.m.ID, old.seq)
	case v.req.retries != nil && v.req.retries.req == old:
		// The rule on retries says it.
	case v.req.era == "legacy" && old.era == "legacy" && v.m.Method != "initialize" && old.seq > v.l.opened:
		v.report("/id", "the id %s was used before in this session, in frame %d", v.m.ID, old.seq)
	}
}

func checkAnswerID(v *view) {
	if v.req == nil {
		v.report("/id", "the server sent no request with the id %s", v.m.ID)
	}
}

func checkAnswerSent(v *view) {
	v.report("", "a client sends no JSON-RPC responses in this era")
}
