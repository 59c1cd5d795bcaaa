package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcptui/client/rpc"
)

var (
	metaPage           = now("basic#_meta", "_meta")
	metaRequest        = now("basic#_meta", "_meta, Per-request protocol fields")
	metaResponse       = now("basic#_meta", "_meta, Per-response protocol fields")
	metaBefore         = before("basic#_meta", "_meta")
	resultTypePage     = now("basic#resulttype", "Messages, ResultType")
	versionNegotiation = now("basic/versioning#protocol-version-negotiation", "Versioning, Protocol Version Negotiation")
	lifecycle          = before("basic/lifecycle#initialization", "Lifecycle, Initialization")
	negotiationBefore  = before("basic/lifecycle#version-negotiation", "Lifecycle, Version Negotiation")
)

// metaRules are about the envelope that each message of the modern era carries.
func metaRules() []rule {
	return []rule{
		{id: "meta-version", severity: Error, against: Client, when: onRequest, modern: metaRequest, check: checkMetaVersion},
		{id: "meta-capabilities", severity: Error, against: Client, when: onRequest, modern: metaRequest, check: checkMetaCapabilities},
		{id: "meta-client-info", severity: Info, against: Client, when: onRequest, modern: metaRequest, check: checkMetaClientInfo, once: true},
		{id: "meta-missing-served", severity: Error, against: Server, when: onResult, modern: metaRequest, check: checkMetaServed},
		{id: "meta-server-info", severity: Info, against: Server, when: onResult, modern: metaResponse, check: checkServerInfo, once: true},
		{id: "meta-type", severity: Error, against: Server, when: onResult, modern: metaPage, legacy: metaBefore, check: checkMetaType},
		{id: "meta-key", severity: Warning, against: Server, when: onResult, modern: metaPage, legacy: metaBefore, check: checkMetaKeys},
	}
}

func (v *view) meta() []byte { return rpc.Member(v.m.Params, "_meta") }

func checkMetaVersion(v *view) {
	if _, ok := rpc.String(rpc.Member(v.meta(), metaVersion)); !ok {
		v.report("/params/_meta", "the request does not say which version it is of")
	}
}

func checkMetaCapabilities(v *view) {
	if c := rpc.Member(v.meta(), metaCapabilities); len(c) == 0 || c[0] != '{' {
		v.report("/params/_meta", "the request does not declare capabilities")
	}
}

func checkMetaClientInfo(v *view) {
	if rpc.Member(v.meta(), metaClientInfo) == nil {
		v.report("/params/_meta", "requests do not say which client they are of")
	}
}

// checkMetaServed is about a server that serves what it must refuse.
func checkMetaServed(v *view) {
	if v.req == nil || !v.l.modern || v.l.era == "legacy" {
		return
	}
	if v.req.version == "" || v.req.caps == nil {
		v.report("", "the server served a request without the required members of _meta, which it must refuse with %d", codeInvalidParams)
	}
}

func checkServerInfo(v *view) {
	if v.l.modern && v.resultText("_meta", metaServerInfo, "name") == "" {
		v.report("/result/_meta", "results do not say which server they are of")
	}
}

func checkMetaType(v *view) {
	if m := v.result("_meta"); m != nil && m[0] != '{' {
		v.report("/result/_meta", "_meta is not an object")
	}
}

var (
	metaPrefix = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)
	})
	metaName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$`) })
)

func checkMetaKeys(v *view) {
	for key := range rpc.Members(v.result("_meta")) {
		name := key
		prefix, rest, ok := strings.Cut(key, "/")
		if ok {
			name = rest
		}
		if (ok && !metaPrefix().MatchString(prefix)) || !metaName().MatchString(name) {
			v.report("/result/_meta/"+escape(key), "%q is not a name that _meta may have", key)
		}
	}
}

// versionRules are about how both sides agree on a version.
func versionRules() []rule {
	return []rule{
		{id: "discover-versions", severity: Error, against: Server, when: onResult, modern: now("server/discover", "Discovery"), check: checkDiscoverVersions},
		{id: "discover-without-version", severity: Info, against: Server, when: onResult, modern: now("server/discover", "Discovery"), check: checkDiscoverOther},
		{id: "discover-capabilities", severity: Error, against: Server, when: onResult, modern: now("server/discover", "Discovery"), check: checkDiscoverCapabilities},
		{id: "discover-missing", severity: Error, against: Server, when: onFailure, modern: now("server/discover", "Discovery"), check: checkDiscoverMissing},
		{id: "discover-contradicted", severity: Error, against: Server, when: onFailure, modern: versionNegotiation, check: checkDiscoverContradicted},
		{id: "initialize-result", severity: Error, against: Server, when: onResult, legacy: lifecycle, check: checkInitializeResult},
		{id: "initialize-version", severity: Warning, against: Server, when: onResult, legacy: negotiationBefore, check: checkInitializeVersion},
		{id: "initialize-first", severity: Error, against: Client, when: onRequest, legacy: lifecycle, check: checkInitializeFirst},
		{id: "before-initialized", severity: Warning, against: Server, when: onTold, legacy: lifecycle, check: checkBeforeInitialized},
		{id: "removed-method", severity: Warning, against: Client, when: onRequest, modern: now("changelog", "Changelog"), check: checkRemovedMethod},
	}
}

func checkDiscoverVersions(v *view) {
	if v.req == nil || v.req.method != "server/discover" {
		return
	}
	list := v.result("supportedVersions")
	if len(list) == 0 || list[0] != '[' {
		v.report("/result/supportedVersions", "the server does not list the versions that it supports")
		return
	}
	n := 0
	for i, x := range rpc.Elements(list) {
		n++
		if _, ok := rpc.String(x); !ok {
			v.report("/result/supportedVersions", "entry %d of the versions is not text", i)
		}
	}
	if n == 0 {
		v.report("/result/supportedVersions", "the list of supported versions is empty")
	}
}

func checkDiscoverOther(v *view) {
	if v.req == nil || v.req.method != "server/discover" || v.req.version == "" {
		return
	}
	var names []string
	for _, x := range rpc.Elements(v.result("supportedVersions")) {
		s, _ := rpc.String(x)
		if s == v.req.version {
			return
		}
		names = append(names, s)
	}
	if len(names) > 0 {
		v.report("/result/supportedVersions", "the server answers a request of %s and supports only %s", v.req.version, strings.Join(names, ", "))
	}
}

func checkDiscoverCapabilities(v *view) {
	if v.req == nil || v.req.method != "server/discover" {
		return
	}
	if c := v.result("capabilities"); len(c) == 0 || c[0] != '{' {
		v.report("/result/capabilities", "the server does not say what it is capable of")
	}
}

func checkDiscoverMissing(v *view) {
	if v.req != nil && v.req.method == "server/discover" && v.l.modern && v.code() == codeMethodNotFound {
		v.report("/error/code", "a server of this era must know server/discover")
	}
}

func checkDiscoverContradicted(v *view) {
	if v.req != nil && v.code() == codeUnsupportedVersion && slices.Contains(v.l.supported, v.req.version) {
		v.report("/error/code", "the server refuses version %s, which server/discover lists as supported", v.req.version)
	}
}

func checkInitializeResult(v *view) {
	if v.req == nil || v.req.method != "initialize" {
		return
	}
	if _, ok := rpc.String(v.result("protocolVersion")); !ok {
		v.report("/result/protocolVersion", "the result of initialize names no version")
	}
	if c := v.result("capabilities"); len(c) == 0 || c[0] != '{' {
		v.report("/result/capabilities", "the result of initialize has no capabilities")
	}
	if v.resultText("serverInfo", "name") == "" {
		v.report("/result/serverInfo", "the result of initialize does not name the server")
	}
}

var legacyVersions = map[string]bool{"2024-11-05": true, "2025-03-26": true, "2025-06-18": true, "2025-11-25": true}

func checkInitializeVersion(v *view) {
	if v.req == nil || v.req.method != "initialize" {
		return
	}
	if s, ok := rpc.String(v.result("protocolVersion")); ok && !legacyVersions[s] {
		v.report("/result/protocolVersion", "version %q is none that is opened with initialize", s)
	}
}

func checkInitializeFirst(v *view) {
	if v.l.declared == nil && v.m.Method != "initialize" && v.m.Method != "ping" && v.l.era == "legacy" {
		v.report("/method", "%s was sent before initialize", v.m.Method)
	}
}

func checkBeforeInitialized(v *view) {
	if v.m.Kind == rpc.Request && !v.l.ready && v.m.Method != "ping" {
		v.report("/method", "the server asked with %s before notifications/initialized", v.m.Method)
	}
}

func checkRemovedMethod(v *view) {
	switch v.m.Method {
	case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize":
		v.report("/method", "%s does not exist in this era", v.m.Method)
	}
}

// resultTypeRules are about the member that says what a result is.
func resultTypeRules() []rule {
	return []rule{
		{id: "result-type-missing", severity: Error, against: Server, when: onResult, modern: resultTypePage, check: checkResultTypeMissing},
		{id: "result-type-unknown", severity: Error, against: Server, when: onResult, modern: resultTypePage, check: checkResultTypeUnknown},
		{id: "result-object", severity: Error, against: Server, when: onResult, modern: responses, legacy: responsesOld, check: checkResultObject},
	}
}

func checkResultTypeMissing(v *view) {
	if v.req == nil || v.result("resultType") != nil || len(v.m.Result) == 0 || v.m.Result[0] != '{' {
		return
	}
	severity := Error
	if !v.l.modern {
		severity = Warning // perhaps a server of the other era that lets everything pass
	}
	v.reportAs(severity, "/result/resultType", "the result of %s has no resultType", v.req.method)
}

func checkResultTypeUnknown(v *view) {
	raw := v.result("resultType")
	if raw == nil || v.req == nil {
		return
	}
	s, ok := rpc.String(raw)
	switch {
	case !ok:
		v.report("/result/resultType", "resultType is not text")
	case s == "complete", s == "input_required":
	case s == "task" && rpc.Member(v.req.caps, "extensions", "io.modelcontextprotocol/tasks") != nil:
	case s == "task":
		v.report("/result/resultType", "the server answers with a task, and the request did not declare the extension for tasks")
	case rpc.Member(v.req.caps, "extensions") != nil:
		v.reportAs(Warning, "/result/resultType", "resultType %q is not of the specification; an extension would have to define it", s)
	default:
		v.report("/result/resultType", "resultType %q is not of the specification, and a client must call it invalid", s)
	}
}

func checkResultObject(v *view) {
	if r := v.m.Result; len(r) > 0 && r[0] != '{' {
		v.report("/result", "the result is not an object")
	}
}
