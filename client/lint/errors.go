package lint

import (
	"bytes"

	"mcptui/client/rpc"
)

// Error codes of JSON-RPC and of 2026-07-28.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeOldNotFound        = -32002
	codeOldURLRequired     = -32042
)

func errorRules() []rule {
	return []rule{
		{id: "error-shape", severity: Error, against: Server, when: onFailure, modern: now("basic#error-responses", "Messages, Error Responses"), legacy: errorsBefore, check: checkErrorShape},
		{id: "error-code-reserved", severity: Error, against: Server, when: onFailure, modern: errorCodes, check: checkReservedCode},
		{id: "error-code-legacy", severity: Warning, against: Server, when: onFailure, modern: errorCodes, check: checkLegacyCode},
		{id: "error-code-odd", severity: Warning, against: Server, when: onFailure, modern: errorCodes, legacy: errorsBefore, check: checkOddCode},
		{id: "error-resource-code", severity: Warning, against: Server, when: onFailure, modern: now("server/resources#error-handling", "Resources, Error Handling"),
			legacy: before("server/resources#error-handling", "Resources, Error Handling"), check: checkResourceCode},
		{id: "missing-capability-data", severity: Error, against: Server, when: onFailure, modern: now("basic#_meta", "_meta, Per-request protocol fields"), check: checkCapabilityData},
		{id: "missing-capability-declared", severity: Error, against: Server, when: onFailure, modern: now("basic#_meta", "_meta, Per-request protocol fields"), check: checkCapabilityDeclared},
		{id: "unsupported-version-data", severity: Error, against: Server, when: onFailure, modern: versionNegotiation, check: checkVersionData},
		{id: "unsupported-version-loop", severity: Error, against: Server, when: onFailure, modern: versionNegotiation, check: checkVersionLoop},
	}
}

func checkErrorShape(v *view) {
	if _, ok := rpc.ReadError(v.m.Error); !ok {
		v.report("/error", "the error is not an object with an integer code and a message")
	}
}

func (v *view) code() int {
	e, _ := rpc.ReadError(v.m.Error)
	return e.Code
}

func checkReservedCode(v *view) {
	switch c := v.code(); {
	case !v.l.modern, c == codeHeaderMismatch, c == codeMissingCapability, c == codeUnsupportedVersion:
	case c == codeOldURLRequired:
		v.report("/error/code", "code %d was that of 2025-11-25 for URL elicitation and must not be used any more", c)
	case c <= -32020 && c >= -32099:
		v.report("/error/code", "code %d is reserved for the specification, which does not define it", c)
	}
}

func checkLegacyCode(v *view) {
	switch c := v.code(); {
	case !v.l.modern:
	case c == codeOldNotFound:
		v.reportAs(Error, "/error/code", "code %d was that of 2025-11-25 for a resource that does not exist; it is %d now", c, codeInvalidParams)
	case c <= -32000 && c >= -32019:
		v.report("/error/code", "code %d is of a range that new implementations should not use", c)
	}
}

func checkOddCode(v *view) {
	e, ok := rpc.ReadError(v.m.Error)
	switch c := e.Code; {
	case !ok:
	case c == 0:
		v.report("/error/code", "the error has code 0, which says nothing: %q", e.Message)
	case c <= -32100 && c >= -32768 && c != codeParse && (c > -32600 || c < -32603):
		v.report("/error/code", "code %d is of the range that JSON-RPC reserves, and JSON-RPC does not define it", c)
	}
}

func checkResourceCode(v *view) {
	if v.req == nil || v.req.method != "resources/read" {
		return
	}
	if e, ok := rpc.ReadError(v.m.Error); ok && e.Code == codeMethodNotFound && v.l.caps != nil && rpc.Member(v.l.caps, "resources") != nil {
		v.report("/error/code", "a resource that does not exist is answered as if the method did not")
	}
}

func checkCapabilityData(v *view) {
	if v.code() != codeMissingCapability {
		return
	}
	if need := rpc.Member(v.m.Error, "data", "requiredCapabilities"); len(need) == 0 || need[0] != '{' {
		v.report("/error/data/requiredCapabilities", "error %d does not say which capabilities are missing", codeMissingCapability)
	}
}

func checkCapabilityDeclared(v *view) {
	if v.code() != codeMissingCapability || v.req == nil || v.req.caps == nil {
		return
	}
	need := rpc.Member(v.m.Error, "data", "requiredCapabilities")
	missing := false
	count := 0
	for name, sub := range rpc.Members(need) {
		count++
		missing = missing || !declares(v.req.caps, name, sub)
	}
	if count > 0 && !missing {
		v.report("/error/data/requiredCapabilities", "the request declared every capability that the server misses: %s", clip(need))
	}
}

// declares reports whether capabilities hold one and everything that is asked
// below it. An elicitation that names no mode means form mode.
func declares(caps []byte, name string, sub []byte) bool {
	got := rpc.Member(caps, name)
	if got == nil || bytes.Equal(got, []byte("null")) || bytes.Equal(got, []byte("false")) {
		return false
	}
	for key := range rpc.Members(sub) {
		if name == "elicitation" && key == "form" && formMode(got) {
			continue
		}
		if rpc.Member(got, key) == nil {
			return false
		}
	}
	return true
}

func checkVersionData(v *view) {
	if v.code() != codeUnsupportedVersion {
		return
	}
	count := 0
	for _, x := range rpc.Elements(rpc.Member(v.m.Error, "data", "supported")) {
		if _, ok := rpc.String(x); ok {
			count++
		}
	}
	if count == 0 {
		v.report("/error/data/supported", "error %d does not list the versions that the server supports", codeUnsupportedVersion)
	}
	if _, ok := rpc.String(rpc.Member(v.m.Error, "data", "requested")); !ok {
		v.report("/error/data/requested", "error %d does not say which version was asked for", codeUnsupportedVersion)
	}
}

func checkVersionLoop(v *view) {
	if v.code() != codeUnsupportedVersion || v.req == nil || v.req.version == "" {
		return
	}
	for _, x := range rpc.Elements(rpc.Member(v.m.Error, "data", "supported")) {
		if s, _ := rpc.String(x); s == v.req.version {
			v.report("/error/data/supported", "the server refuses version %s and lists it as supported: a client that takes its advice loops", s)
			return
		}
	}
}
