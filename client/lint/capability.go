package lint

import (
	"strings"

	"mcptui/client/rpc"
)

var capabilitiesBefore = before("basic/lifecycle#capability-negotiation", "Lifecycle, Capability Negotiation")

// capabilityRules hold what a server says it can do against what it does.
func capabilityRules() []rule {
	return []rule{
		{id: "capability-undeclared", severity: Error, against: Server, when: onResult, modern: now("server", "Server Features, Capabilities"), legacy: capabilitiesBefore, check: checkUndeclared},
		{id: "capability-unserved", severity: Error, against: Server, when: onFailure, modern: now("server", "Server Features, Capabilities"), legacy: capabilitiesBefore, check: checkUnserved},
		{id: "capability-notification", severity: Error, against: Server, when: onTold, modern: now("server", "Server Features, Capabilities"), legacy: capabilitiesBefore, check: checkUndeclaredTold},
		{id: "capability-type", severity: Error, against: Server, when: onResult, modern: now("server/discover", "Discovery"), legacy: capabilitiesBefore, check: checkCapabilityTypes},
		{id: "capability-misplaced", severity: Info, against: Server, when: onResult, modern: now("server/discover", "Discovery"), legacy: capabilitiesBefore, check: checkMisplaced},
	}
}

// capabilityOf is what a server must declare to serve a method, "" for none.
func capabilityOf(method string) string {
	switch {
	case strings.HasPrefix(method, "tools/"):
		return "tools"
	case strings.HasPrefix(method, "prompts/"):
		return "prompts"
	case strings.HasPrefix(method, "resources/"):
		return "resources"
	case method == "completion/complete":
		return "completions"
	case method == "logging/setLevel":
		return "logging"
	}
	return ""
}

func checkUndeclared(v *view) {
	if v.req == nil || v.l.caps == nil || v.req.answered != 0 {
		return
	}
	if need := capabilityOf(v.req.method); need != "" && rpc.Member(v.l.caps, need) == nil {
		severity := Error
		if v.req.method != "tools/call" && v.emptyList() {
			severity = Info // an empty list is as good as none
		}
		v.reportAs(severity, "", "the server serves %s and does not declare the capability %q", v.req.method, need)
	}
}

func (v *view) emptyList() bool {
	for _, name := range listMember {
		if raw := v.result(name); raw != nil {
			for range rpc.Elements(raw) {
				return false
			}
			return true
		}
	}
	return false
}

func checkUnserved(v *view) {
	if v.req == nil || v.l.caps == nil || v.code() != codeMethodNotFound {
		return
	}
	if listMember[v.req.method] == "" && v.req.method != "completion/complete" {
		return
	}
	need := capabilityOf(v.req.method)
	switch {
	case rpc.Member(v.l.caps, need) == nil:
	case v.req.method == "resources/templates/list":
		v.reportAs(Warning, "/error/code", "the server declares the capability %q and does not know %s", need, v.req.method)
	default:
		v.report("/error/code", "the server declares the capability %q and does not know %s", need, v.req.method)
	}
}

func checkUndeclaredTold(v *view) {
	if v.l.caps == nil || v.m.Kind != "notification" {
		return
	}
	switch v.m.Method {
	case "notifications/message":
		if rpc.Member(v.l.caps, "logging") == nil {
			v.report("/method", "the server sends logs and does not declare the capability \"logging\"")
		}
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
		what := strings.Split(v.m.Method, "/")[1]
		if string(rpc.Member(v.l.caps, what, "listChanged")) != "true" {
			v.reportAs(Warning, "/method", "the server tells of changed %s and does not declare %s.listChanged", what, what)
		}
	case "notifications/resources/updated":
		if string(rpc.Member(v.l.caps, "resources", "subscribe")) != "true" {
			v.reportAs(Warning, "/method", "the server tells of changed resources and does not declare resources.subscribe")
		}
	}
}

func (v *view) introduces() bool {
	return v.req != nil && (v.req.method == "server/discover" || v.req.method == "initialize")
}

func checkCapabilityTypes(v *view) {
	if !v.introduces() {
		return
	}
	for name, raw := range rpc.Members(v.result("capabilities")) {
		if raw[0] != '{' {
			v.report("/result/capabilities/"+escape(name), "capability %q is not an object", name)
			continue
		}
		for _, sub := range []string{"listChanged", "subscribe"} {
			if x := rpc.Member(raw, sub); x != nil && string(x) != "true" && string(x) != "false" {
				v.report("/result/capabilities/"+escape(name)+"/"+sub, "%s of capability %q is neither true nor false", sub, name)
			}
		}
	}
}

// checkMisplaced notices a server that declares what only clients declare.
func checkMisplaced(v *view) {
	if !v.introduces() {
		return
	}
	for _, name := range []string{"elicitation", "sampling", "roots"} {
		if v.result("capabilities", name) != nil {
			v.report("/result/capabilities/"+name, "the server declares %q, which is a capability of clients", name)
		}
	}
}
