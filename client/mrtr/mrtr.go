// Package mrtr reads results as multi round-trip requests (2026-07-28, "Multi
// Round-Trip Requests"): whether a result ends a call, asks for input, or breaks
// the protocol, and how. It decides nothing else, does no IO and keeps nothing,
// so that what acts on a result and what shows it read it the same way.
package mrtr

import (
	"bytes"
	"fmt"
	"slices"

	"mcptui/client/rpc"
)

// Member of _meta that a request declares the client's capabilities with.
const Capabilities = "io.modelcontextprotocol/clientCapabilities"

// MayAsk reports whether a method's result may ask for input.
func MayAsk(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// Ask is one entry of inputRequests.
type Ask struct {
	Key    string
	Raw    []byte
	Method string
	Params []byte // nil where absent
}

// Round is what a result makes of a call. Its slices share the memory of the
// result.
type Round struct {
	Asking bool   // more input is required; else the call has its result
	Asks   []Ask  // in the order of the result, each key once
	Wants  bool   // inputRequests was there, empty or not
	State  []byte // requestState as its raw JSON, nil where absent
	Fault  string // which rule the result breaks, "" for none
}

// Read reads a result that answers a request of the given method. Declared are
// the capabilities of that request, nil where it named none: nothing is held
// against them then. Versions before 2026-07-28 know neither
// asking nor types of results: modern is false for them.
func Read(method string, modern bool, result, declared []byte) Round {
	kind := Type(result)
	switch {
	case !isObject(result):
		return Round{Fault: "the result is not an object: " + clip(result)}
	case kind == "" || kind == "complete":
		return Round{}
	case !modern && kind != "input_required":
		return Round{}
	case !modern:
		return Round{Fault: "input_required does not exist before version 2026-07-28"}
	case kind != "input_required", !MayAsk(method):
		return Round{Fault: Forbidden(method, kind)}
	}
	return read(result, declared)
}

func read(result, declared []byte) Round {
	r := Round{Asking: true}
	for name, value := range rpc.Members(result) {
		switch name {
		case "requestState":
			r.State = value
			if _, ok := rpc.String(value); !ok {
				r.Fault = "requestState is not a string: " + clip(value)
			}
		case "inputRequests":
			r.Wants, r.Asks = true, nil
			if !isObject(value) {
				r.Fault = "inputRequests is not an object: " + clip(value)
				continue
			}
			for key, raw := range rpc.Members(value) {
				a := Ask{Key: key, Raw: raw, Method: rpc.Text(raw, "method"), Params: rpc.Member(raw, "params")}
				if i := slices.IndexFunc(r.Asks, func(b Ask) bool { return b.Key == key }); i >= 0 {
					r.Asks[i] = a // the last one counts, as for every member
					continue
				}
				r.Asks = append(r.Asks, a)
			}
		}
	}
	switch {
	case r.Fault != "":
	case r.State == nil && !r.Wants:
		r.Fault = "input_required with neither inputRequests nor requestState"
	case r.State == nil && len(r.Asks) == 0:
		r.Fault = "input_required with empty inputRequests and no requestState: there is nothing to answer"
	}
	for _, a := range r.Asks {
		if r.Fault != "" {
			break
		}
		if why := Malformed(a); why != "" {
			r.Fault = fmt.Sprintf("the ask %q cannot be answered: %s", a.Key, why)
		} else if missing := Undeclared(declared, a.Method, a.Params); missing != "" && declared != nil {
			r.Fault = fmt.Sprintf("the ask %q is of a kind that the request did not declare (%s)", a.Key, missing)
		}
	}
	return r
}

// URLRequired is the error code by which a server of 2025-11-25 says that the
// person has to visit a URL before the request can be carried out (Elicitation,
// "URL Elicitation Required Error").
const URLRequired = -32042

// Required reads the URL elicitations that such an error lists, with their
// elicitationId as the key. They are asks of the client alone: nothing but the
// request itself is sent again. Entries without an id or a URL are left out.
func Required(data []byte) []Ask {
	var asks []Ask
	for _, raw := range rpc.Elements(rpc.Member(data, "elicitations")) {
		a := Ask{Key: rpc.Text(raw, "elicitationId"), Raw: raw, Method: "elicitation/create", Params: raw}
		if a.Key != "" && rpc.Text(raw, "mode") == "url" && Malformed(a) == "" &&
			!slices.ContainsFunc(asks, func(b Ask) bool { return b.Key == a.Key }) {
			asks = append(asks, a)
		}
	}
	return asks
}

// Type reads resultType; what is no string is given as it is written, and is
// then no type that anybody knows. It is "" where the member is absent.
func Type(result []byte) string {
	raw := rpc.Member(result, "resultType")
	if s, ok := rpc.String(raw); ok {
		return s
	}
	return string(raw)
}

// Forbidden says what is wrong with a result of this type in answer to method.
func Forbidden(method, kind string) string {
	switch kind {
	case "input_required":
		return "input_required is not allowed on " + method + " (only tools/call, prompts/get, resources/read)"
	case "task":
		return "the server answered " + method + " with a task (the tasks extension), which this client did not declare and does not follow"
	}
	return fmt.Sprintf("the resultType %s in answer to %s is not known", clip([]byte(kind)), method)
}

// Malformed says why an ask has not the shape that the protocol gives it, ""
// where it has. What a form cannot show, but a person can answer as JSON, passes.
func Malformed(a Ask) string {
	switch {
	case a.Raw != nil && !isObject(a.Raw):
		return "it is not an object: " + clip(a.Raw)
	case a.Method == "":
		return "it names no method"
	case a.Method != "elicitation/create" && a.Method != "sampling/createMessage" && a.Method != "roots/list":
		return "its method " + clip([]byte(a.Method)) + " is not one that a server may ask with"
	case a.Params != nil && !isObject(a.Params):
		return "its params are not an object"
	}
	is := func(name string, first byte) bool {
		v := rpc.Member(a.Params, name)
		return len(v) > 0 && v[0] == first
	}
	switch a.Method {
	case "roots/list":
		return ""
	case "sampling/createMessage":
		if !is("messages", '[') {
			return "sampling without an array of messages"
		}
		return ""
	}
	switch mode := string(rpc.Member(a.Params, "mode")); {
	case a.Params == nil:
		return "elicitation without params"
	case mode != "" && mode != `"form"` && mode != `"url"`:
		return "the elicitation mode " + clip([]byte(mode)) + " is not known"
	case !is("message", '"'):
		return "elicitation without a message"
	case mode == `"url"` && !is("url", '"'):
		return "elicitation in url mode without a url"
	case mode != `"url"` && !is("requestedSchema", '{'):
		return "the requestedSchema is not an object"
	}
	return ""
}

// Undeclared names the capability that an ask needs and the client did not
// declare, "" where it did. An elicitation capability that names no mode stands
// for form mode.
func Undeclared(declared []byte, method string, params []byte) string {
	has := func(path ...string) bool {
		v := rpc.Member(declared, path...)
		return v != nil && string(v) != "null" && string(v) != "false"
	}
	switch method {
	case "elicitation/create":
		if string(rpc.Member(params, "mode")) == `"url"` {
			if !has("elicitation", "url") {
				return "elicitation.url"
			}
		} else if !has("elicitation") || !has("elicitation", "form") && has("elicitation", "url") {
			return "elicitation.form"
		}
	case "sampling/createMessage":
		switch {
		case !has("sampling"):
			return "sampling"
		case (rpc.Member(params, "tools") != nil || rpc.Member(params, "toolChoice") != nil) && !has("sampling", "tools"):
			return "sampling.tools"
		}
	case "roots/list":
		if !has("roots") {
			return "roots"
		}
	}
	return ""
}

// Provisional reports whether an error is one that a client may act on by
// itself: a version to switch to, a time to wait, a session to begin again. It
// ends a call only where an act says so. Status is that of the HTTP response
// which carried it, 0 for none.
func Provisional(code, status int) bool {
	switch status {
	case 401, 403, 404, 429, 503:
		return true
	}
	return code == -32022
}

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}

func clip(raw []byte) string {
	const most = 60
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}
