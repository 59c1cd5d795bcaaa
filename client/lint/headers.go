package lint

import (
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

var (
	requestMetadata = now("basic/transports/streamable-http#request-metadata", "Streamable HTTP, Request Metadata")
	serverChecks    = now("basic/transports/streamable-http#server-validation", "Streamable HTTP, Server Validation")
	valueEncoding   = now("basic/transports/streamable-http#value-encoding", "Streamable HTTP, Value Encoding")
	sending         = now("basic/transports/streamable-http#sending-messages", "Streamable HTTP, Sending Messages")
	sendingBefore   = before("basic/transports#sending-messages-to-the-server", "Streamable HTTP, Sending Messages to the Server")
	versionBefore   = before("basic/transports#protocol-version-header", "Streamable HTTP, Protocol Version Header")
	sessionBefore   = before("basic/transports#session-management", "Streamable HTTP, Session Management")
)

func headerRules() []rule {
	return []rule{
		{id: "header-missing", severity: Error, against: Client, when: onPair, modern: requestMetadata, check: checkHeaderMissing},
		{id: "header-mismatch", severity: Error, against: Client, when: onPair, modern: serverChecks, check: checkHeaderMismatch},
		{id: "header-encoding", severity: Error, against: Client, when: onPair, modern: valueEncoding, check: checkHeaderEncoding},
		{id: "header-unexpected", severity: Warning, against: Client, when: onPair, modern: requestMetadata, check: checkHeaderUnexpected},
		{id: "header-accept", severity: Error, against: Client, when: onPair, modern: sending, legacy: sendingBefore, check: checkAccept},
		{id: "header-version-legacy", severity: Error, against: Client, when: onPair, legacy: versionBefore, check: checkLegacyVersionHeader},
		{id: "header-session", severity: Error, against: Client, when: onPair, legacy: sessionBefore, check: checkSessionHeader},
		{id: "header-mismatch-served", severity: Error, against: Server, when: onResult, modern: serverChecks, check: checkMismatchServed},
		{id: "header-mismatch-code", severity: Error, against: Server, when: onFailure, modern: serverChecks, check: checkMismatchCode},
		{id: "header-mismatch-unfounded", severity: Error, against: Server, when: onFailure, modern: serverChecks, check: checkMismatchUnfounded},
	}
}

func (v *view) verdicts(want ...Match) []Verdict {
	if v.x == nil {
		return nil
	}
	var out []Verdict
	for _, d := range v.x.verdicts {
		for _, m := range want {
			if d.Match == m {
				out = append(out, d)
			}
		}
	}
	return out
}

func checkHeaderMissing(v *view) {
	for _, d := range v.verdicts(Missing) {
		v.report(d.Name, "the request has no header %s, and its body says %q", d.Name, d.Body)
	}
}

func checkHeaderMismatch(v *view) {
	for _, d := range v.verdicts(Differs) {
		v.report(d.Name, "header %s says %q, the body at %s says %q", d.Name, d.Decoded, d.Source, d.Body)
	}
}

func checkHeaderEncoding(v *view) {
	for _, d := range v.verdicts(Malformed) {
		v.report(d.Name, "header %s cannot be read: %s", d.Name, d.Note)
	}
}

func checkHeaderUnexpected(v *view) {
	for _, d := range v.verdicts(Unexpected) {
		v.report(d.Name, "header %s says %q: %s", d.Name, d.Decoded, d.Note)
	}
}

func checkAccept(v *view) {
	if v.m.Kind != rpc.Request {
		return
	}
	accept := strings.ToLower(headerOf(v.x.headers, "Accept"))
	for _, want := range []string{"application/json", "text/event-stream"} {
		if !strings.Contains(accept, want) && !strings.Contains(accept, "*/*") && v.l.transport != "http+sse" {
			v.report("Accept", "header Accept does not list %s", want)
		}
	}
}

func checkLegacyVersionHeader(v *view) {
	if !v.l.ready || v.l.transport == "http+sse" || v.l.version < "2025-06-18" || v.m.Method == "initialize" {
		return
	}
	switch got := headerOf(v.x.headers, "MCP-Protocol-Version"); got {
	case v.l.version:
	case "":
		v.report("MCP-Protocol-Version", "the request has no header MCP-Protocol-Version, and %s was agreed on", v.l.version)
	default:
		v.report("MCP-Protocol-Version", "header MCP-Protocol-Version says %q, and %s was agreed on", got, v.l.version)
	}
}

func checkSessionHeader(v *view) {
	if v.l.session == "" || v.m.Method == "initialize" {
		return
	}
	if got := headerOf(v.x.headers, "Mcp-Session-Id"); got != v.l.session {
		v.report("Mcp-Session-Id", "header Mcp-Session-Id says %q, and the server gave another session", got)
	}
}

// faulty names the header that does not fit, "" where all do.
func (v *view) faulty() string {
	for _, d := range v.verdicts(Missing, Differs, Malformed) {
		if d.Match != Missing || !strings.HasPrefix(strings.ToLower(d.Name), "mcp-param-") || v.req.era == trace.Modern {
			return d.Name
		}
	}
	return ""
}

func checkMismatchServed(v *view) {
	if v.req == nil || !v.l.modern {
		return
	}
	if name := v.faulty(); name != "" {
		v.report("", "the server served a request whose header %s is missing or does not match the body", name)
	}
}

func checkMismatchCode(v *view) {
	if v.req == nil || !v.l.modern || v.x == nil {
		return
	}
	e, ok := rpc.ReadError(v.m.Error)
	if name := v.faulty(); ok && name != "" && e.Code != codeHeaderMismatch && e.Code != codeUnsupportedVersion && e.Code != codeInvalidParams && e.Code != codeParse && e.Code != codeInvalidRequest {
		v.report("/error/code", "header %s is missing or does not match the body, and the error has code %d instead of %d", name, e.Code, codeHeaderMismatch)
	}
}

func checkMismatchUnfounded(v *view) {
	e, ok := rpc.ReadError(v.m.Error)
	if !ok || e.Code != codeHeaderMismatch || v.x == nil || v.x.verdicts == nil {
		return
	}
	named := strings.Contains(e.Message, "extract")
	for _, d := range v.x.verdicts {
		if !d.Match.OK() {
			return
		}
		named = named || strings.Contains(strings.ToLower(e.Message), strings.ToLower(d.Name))
		if strings.HasPrefix(strings.ToLower(d.Name), "mcp-param-") {
			return // unchecked, because the tool's schema is not known
		}
	}
	if v.req != nil && v.req.method == "tools/call" && v.l.tools[v.req.name] == nil && !named {
		return // the tool may declare headers that nobody has seen, and the error does not name one that was
	}
	v.report("/error/code", "the server speaks of a header mismatch, and every header fits the body: %q", e.Message)
}
