package lint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

var (
	receiving      = now("basic/transports/streamable-http#receiving-messages", "Streamable HTTP, Receiving Messages")
	versionHeader  = now("basic/transports/streamable-http#protocol-version-header", "Streamable HTTP, Protocol Version Header")
	earlierHTTP    = now("basic/transports/streamable-http#earlier-streamable-http-revisions", "Streamable HTTP, Earlier Streamable HTTP Revisions")
	stdioPage      = now("basic/transports/stdio", "stdio")
	stdioReceiving = now("basic/transports/stdio#receiving-messages", "stdio, Receiving Messages")
	stdioBefore    = before("basic/transports#stdio", "stdio")
)

// httpRules are about what HTTP adds to messages, and about what comes where a
// message was due.
func httpRules() []rule {
	return []rule{
		{id: "stdout-noise", severity: Error, against: Server, when: onNoise, modern: stdioPage, legacy: stdioBefore, check: checkStdoutNoise},
		{id: "body-noise", severity: Error, against: Server, when: onNoise, modern: sending, legacy: sendingBefore, check: checkBodyNoise},
		{id: "http-content-type", severity: Error, against: Server, when: onStatus, modern: sending, legacy: sendingBefore, check: checkContentType},
		{id: "http-notification-status", severity: Warning, against: Server, when: onStatus, modern: sending, legacy: sendingBefore, check: checkNotificationStatus},
		{id: "http-buffering", severity: Info, against: Server, when: onStatus, modern: receiving, check: checkBuffering, once: true},
		{id: "http-session", severity: Warning, against: Server, when: onStatus, modern: earlierHTTP, check: checkSessionMinted, once: true},
		{id: "http-session-id", severity: Error, against: Server, when: onStatus, legacy: sessionBefore, check: checkSessionID, once: true},
		{id: "http-no-response", severity: Error, against: Server, when: onEnd, modern: sending, legacy: sendingBefore, check: checkNoResponse},
		{id: "http-error-status", severity: Error, against: Server, when: onFailure, modern: versionHeader, check: checkErrorStatus},
		{id: "never-answered", severity: Warning, against: Server, when: onClose, modern: stdioReceiving, legacy: stdioBefore, check: checkNeverAnswered},
		{id: "server-exited", severity: Warning, against: Server, when: onClose, modern: stdioPage, legacy: before("basic/lifecycle#shutdown", "Lifecycle, Shutdown"), check: checkExited},
	}
}

func checkStdoutNoise(v *view) {
	if n := v.e.Noise; n.Exchange == 0 && n.Why != "blank line" {
		v.report("", "the server wrote something to its standard output that is no message (%s): %q", n.Why, clip(n.Bytes))
	}
}

func checkBodyNoise(v *view) {
	n := v.e.Noise
	if n.Exchange == 0 || ofEventStream(n) || v.x == nil || v.x.status >= 400 || v.x.status == 202 || v.x.req == nil {
		return // comments are allowed, and so are bodies of errors that say nothing to a program
	}
	v.report("", "the response has something in its body that is no message (%s): %q", n.Why, clip(n.Bytes))
}

// ofEventStream reports what belongs to event streams though it is no message:
// comments, events without data, events of other types, the end.
func ofEventStream(n *trace.Noise) bool {
	if len(bytes.TrimSpace(n.Bytes)) == 0 {
		return true
	}
	for line := range bytes.SplitSeq(bytes.TrimRight(n.Bytes, "\r\n"), []byte("\n")) {
		name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r"), []byte(":"))
		switch string(name) {
		case "", "id", "event", "retry":
		case "data":
			if len(bytes.TrimSpace(value)) > 0 {
				return bytes.Contains(n.Bytes, []byte("event:")) // of a type that carries no messages
			}
		default:
			return ok && len(name) > 0 && bytes.IndexByte(name, ' ') < 0 && bytes.IndexByte(name, '<') < 0 && bytes.IndexByte(name, '{') < 0
		}
	}
	return true
}

func clip(b []byte) string {
	if len(b) > 80 {
		return string(b[:80]) + "…"
	}
	return strings.TrimRight(string(b), "\r\n")
}

// contentType is the media type of the response, without parameters.
func contentType(x *exchange) string {
	t, _, _ := strings.Cut(headerOf(x.answer, "Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(t))
}

func checkContentType(v *view) {
	if v.x.req == nil || v.x.status != 200 || v.l.transport == "http+sse" {
		return
	}
	if t := contentType(v.x); t != "application/json" && t != "text/event-stream" {
		v.report("Content-Type", "the response to a request is of type %q, neither application/json nor text/event-stream", t)
	}
}

func checkNotificationStatus(v *view) {
	if v.x.verb != "POST" || !v.x.sent || v.x.req != nil || v.l.transport == "http+sse" {
		return
	}
	if v.x.status >= 200 && v.x.status < 300 && v.x.status != 202 {
		v.report("", "the server took a message that asks for no answer with status %d instead of 202", v.x.status)
	}
}

func checkBuffering(v *view) {
	if contentType(v.x) == "text/event-stream" && !strings.EqualFold(headerOf(v.x.answer, "X-Accel-Buffering"), "no") {
		v.report("X-Accel-Buffering", "event streams come without \"X-Accel-Buffering: no\": a proxy may hold events back")
	}
}

func checkSessionMinted(v *view) {
	if v.x.req != nil && headerOf(v.x.answer, "Mcp-Session-Id") != "" {
		v.report("Mcp-Session-Id", "the server gives a session to a request of an era that has none")
	}
}

func checkSessionID(v *view) {
	id := headerOf(v.x.answer, "Mcp-Session-Id")
	for i := range len(id) {
		if c := id[i]; c < 0x21 || c > 0x7e {
			v.report("Mcp-Session-Id", "the session id has characters other than visible ASCII")
			return
		}
	}
}

func checkNoResponse(v *view) {
	r := v.x.req
	if r == nil || r.answered != 0 || r.cancelled || v.l.transport == "http+sse" || r.method == "subscriptions/listen" || v.x.frames > r.told {
		return
	}
	if v.x.status == 0 || v.e.HTTP.Note != "" || v.x.status >= 400 {
		return // broken off, which the exchange says itself, or refused by HTTP alone
	}
	v.report("", "the exchange ended with status %d and without a response to %s", v.x.status, r.method)
}

func checkErrorStatus(v *view) {
	if v.x == nil || v.x.status == 0 || !v.l.modern || (v.req != nil && v.req.told > 0) {
		return // once a stream is open, its status is spoken
	}
	e, ok := rpc.ReadError(v.m.Error)
	if !ok {
		return
	}
	want := 0
	switch e.Code {
	case codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		want = 400
	case codeMethodNotFound:
		want = 404
	}
	if want != 0 && v.x.status != want {
		v.report("/error/code", "error %d came with status %d instead of %d", e.Code, v.x.status, want)
	}
}

func checkNeverAnswered(v *view) {
	// Where we ended the connection, the server may have been about to answer;
	// over HTTP each exchange tells by its own end.
	if p := v.e.Phase; p.Reason == "closed" || p.Transport == "http" {
		return
	}
	var left []*request
	for _, r := range v.l.out {
		if r.answered == 0 && !r.cancelled && r.method != "subscriptions/listen" {
			left = append(left, r)
		}
	}
	slices.SortFunc(left, func(a, b *request) int { return a.seq - b.seq })
	for _, r := range left {
		v.req = r
		v.report("", "the server ended without an answer to %s with id %s", r.method, r.id)
	}
	v.req = nil
}

// checkExited is about a server that ends while a client is connected: the
// client closes the connection, or ends the server.
func checkExited(v *view) {
	p := v.e.Phase
	if p.Reason == "closed" || p.Transport == "http" || !v.l.connected {
		return
	}
	with := ""
	switch {
	case p.Signal != "":
		with = " with " + p.Signal
	case p.Code != nil:
		with = " with code " + strconv.Itoa(*p.Code)
	}
	why := ""
	if p.Reason != "" && p.Reason != "the server ended by itself" {
		why = ": " + p.Reason
	}
	v.report("", "the server ended by itself%s while the client was connected%s", with, why)
}
