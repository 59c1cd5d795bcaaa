package lint

import (
	"net/url"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/schema"
)

var (
	elicitRequests  = now("client/elicitation#elicitation-requests", "Elicitation, Elicitation Requests")
	elicitBefore    = before("client/elicitation#elicitation-requests", "Elicitation, Elicitation Requests")
	elicitSchema    = now("client/elicitation#requested-schema", "Elicitation, Requested Schema")
	elicitSchemaOld = before("client/elicitation#requested-schema", "Elicitation, Requested Schema")
	elicitURL       = now("client/elicitation#url-mode-elicitation-requests", "Elicitation, URL Mode Elicitation Requests")
	elicitURLOld    = before("client/elicitation#url-mode-elicitation-requests", "Elicitation, URL Mode Elicitation Requests")
	elicitUser      = now("client/elicitation#user-interaction-model", "Elicitation, User Interaction Model")
	elicitUserOld   = before("client/elicitation#user-interaction-model", "Elicitation, User Interaction Model")
	safeURL         = now("client/elicitation#safe-url-handling", "Elicitation, Safe URL Handling")
	safeURLOld      = before("client/elicitation#safe-url-handling", "Elicitation, Safe URL Handling")
	samplingData    = now("client/sampling#data-types", "Sampling, Data Types")
	samplingOld     = before("client/sampling#data-types", "Sampling, Data Types")
	samplingTools   = now("client/sampling#message-content-constraints", "Sampling, Message Content Constraints")
	samplingToolOld = before("client/sampling#message-content-constraints", "Sampling, Message Content Constraints")
	samplingCaps    = now("client/sampling#capabilities", "Sampling, Capabilities")
	samplingCapsOld = before("client/sampling#capabilities", "Sampling, Capabilities")
)

// elicitationRules are about questions to the person, in either era.
func elicitationRules() []rule {
	return []rule{
		{id: "elicit-message", severity: Error, against: Server, when: onAsk, modern: elicitRequests, legacy: elicitBefore, check: checkElicitMessage},
		{id: "elicit-mode", severity: Error, against: Server, when: onAsk, modern: elicitRequests, legacy: elicitBefore, check: checkElicitMode},
		{id: "elicit-schema-missing", severity: Error, against: Server, when: onAsk, modern: elicitSchema, legacy: elicitSchemaOld, check: checkElicitSchema},
		{id: "elicit-schema-subset", severity: Warning, against: Server, when: onAsk, modern: elicitSchema, legacy: elicitSchemaOld, check: checkElicitSubset},
		{id: "elicit-schema-fault", severity: Warning, against: Server, when: onAsk, modern: elicitSchema, legacy: elicitSchemaOld, check: checkElicitFault},
		{id: "elicit-secret", severity: Warning, against: Server, when: onAsk, modern: elicitUser, legacy: elicitUserOld, check: checkElicitSecret},
		{id: "elicit-url", severity: Error, against: Server, when: onAsk, modern: elicitURL, legacy: elicitURLOld, check: checkElicitURL},
		{id: "elicit-url-scheme", severity: Warning, against: Server, when: onAsk, modern: safeURL, legacy: safeURLOld, check: checkElicitScheme},
		{id: "elicit-url-secret", severity: Error, against: Server, when: onAsk, modern: safeURL, legacy: safeURLOld, check: checkElicitURLSecret},
		{id: "elicit-id", severity: Error, against: Server, when: onAsk, legacy: elicitURLOld, check: checkElicitID},
	}
}

func (v *view) elicits(url bool) bool {
	return v.ask.method == "elicitation/create" && (rpc.Text(v.ask.params, "mode") == "url") == url
}

// params is where the params of the ask stand in the message.
func (v *view) params() string {
	if strings.HasSuffix(v.at, "/params") {
		return v.at
	}
	return v.at + "/params"
}

func checkElicitMessage(v *view) {
	if v.ask.method != "elicitation/create" {
		return
	}
	if s, ok := rpc.String(rpc.Member(v.ask.params, "message")); !ok {
		v.report(v.params()+"/message", "the question has no message")
	} else if strings.TrimSpace(s) == "" {
		v.reportAs(Warning, v.params()+"/message", "the message of the question is empty")
	}
}

func checkElicitMode(v *view) {
	if v.ask.method != "elicitation/create" {
		return
	}
	switch raw := rpc.Member(v.ask.params, "mode"); string(raw) {
	case "", `"form"`, `"url"`:
	default:
		v.report(v.params()+"/mode", "mode %s is neither form nor url", raw)
	}
}

func checkElicitSchema(v *view) {
	if !v.elicits(false) {
		return
	}
	s := rpc.Member(v.ask.params, "requestedSchema")
	switch {
	case len(s) == 0 || s[0] != '{':
		v.report(v.params()+"/requestedSchema", "the form has no requestedSchema")
	case rpc.Text(s, "type") != "object":
		v.report(v.params()+"/requestedSchema/type", "requestedSchema is not of type object")
	case len(rpc.Member(s, "properties")) == 0 || rpc.Member(s, "properties")[0] != '{':
		v.report(v.params()+"/requestedSchema/properties", "requestedSchema has no properties")
	}
}

// form reads the schema of a form; nil where there is none to read.
func (v *view) form() *schema.Form {
	s := rpc.Member(v.ask.params, "requestedSchema")
	if !v.elicits(false) || len(s) == 0 || s[0] != '{' {
		return nil
	}
	return schema.Parse(s)
}

func checkElicitSubset(v *view) {
	f := v.form()
	if f == nil {
		return
	}
	for _, x := range f.Elicitation() {
		if (x.Place == "" && strings.HasPrefix(x.Message, "type must")) || x.Message == "properties is missing" {
			continue // another rule's
		}
		severity := Info
		if x.Level == schema.Warning {
			severity = Warning
		}
		v.reportAs(severity, v.params()+"/requestedSchema"+x.Place, "%s", x.Message)
	}
}

func checkElicitFault(v *view) {
	if f := v.form(); f != nil {
		for _, x := range f.Findings {
			if x.Level == schema.Warning {
				v.report(v.params()+"/requestedSchema"+x.Place, "%s", x.Message)
			}
		}
	}
}

func checkElicitSecret(v *view) {
	if f := v.form(); f != nil {
		for _, s := range f.Secrets() {
			v.report(v.params()+"/requestedSchema/properties"+s.Path, "the form seems to ask for a secret (%s); that is for URL mode", s.Word)
		}
	}
}

func (v *view) url() (*url.URL, bool) {
	s, ok := rpc.String(rpc.Member(v.ask.params, "url"))
	if !ok {
		return nil, false
	}
	u, err := url.Parse(s)
	return u, err == nil && u.Scheme != ""
}

func checkElicitURL(v *view) {
	if !v.elicits(true) {
		return
	}
	if _, ok := v.url(); !ok {
		v.report(v.params()+"/url", "the url to visit is missing or is none: %s", clip(rpc.Member(v.ask.params, "url")))
	}
}

func checkElicitScheme(v *view) {
	u, ok := v.url()
	if !v.elicits(true) || !ok {
		return
	}
	switch strings.ToLower(u.Scheme) {
	case "https":
	case "http":
		if host := u.Hostname(); host != "localhost" && host != "127.0.0.1" && host != "::1" {
			v.report(v.params()+"/url", "the url is not encrypted (http)")
		}
	default:
		v.reportAs(Error, v.params()+"/url", "a url of scheme %q must not be opened", u.Scheme)
	}
	if strings.Contains(strings.ToLower(u.Hostname()), "xn--") {
		v.report(v.params()+"/url", "the host name of the url is written in Punycode: it may look like another")
	}
}

func checkElicitURLSecret(v *view) {
	if u, ok := v.url(); ok && v.elicits(true) && u.User != nil {
		v.report(v.params()+"/url", "the url carries a user name or password")
	}
}

// checkElicitID is about the id that 2025-11-25 had and the modern era has not.
func checkElicitID(v *view) {
	if v.elicits(true) && rpc.Text(v.ask.params, "elicitationId") == "" {
		v.report(v.params()+"/elicitationId", "a url elicitation of this revision needs an elicitationId")
	}
}

// samplingRules are about questions to the client's model.
func samplingRules() []rule {
	return []rule{
		{id: "sampling-max-tokens", severity: Error, against: Server, when: onAsk, modern: samplingData, legacy: samplingOld, check: checkMaxTokens},
		{id: "sampling-messages", severity: Error, against: Server, when: onAsk, modern: samplingData, legacy: samplingOld, check: checkSamplingMessages},
		{id: "sampling-tool-results", severity: Error, against: Server, when: onAsk, modern: samplingTools, legacy: samplingToolOld, check: checkToolResults},
		{id: "sampling-context", severity: Warning, against: Server, when: onAsk, modern: samplingCaps, legacy: samplingCapsOld, check: checkIncludeContext},
	}
}

func checkMaxTokens(v *view) {
	if v.ask.method != "sampling/createMessage" {
		return
	}
	if raw := rpc.Member(v.ask.params, "maxTokens"); !isNumber(raw) {
		v.report(v.params()+"/maxTokens", "maxTokens is missing or no number")
	}
}

func isNumber(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || (raw[0] >= '0' && raw[0] <= '9'))
}

func checkSamplingMessages(v *view) {
	if v.ask.method != "sampling/createMessage" {
		return
	}
	list := rpc.Member(v.ask.params, "messages")
	if len(list) == 0 || list[0] != '[' {
		v.report(v.params()+"/messages", "messages is missing or no list")
		return
	}
	for i, m := range rpc.Elements(list) {
		role := rpc.Text(m, "role")
		if (role != "user" && role != "assistant") || rpc.Member(m, "content") == nil {
			v.report(v.params()+"/messages", "message %d needs a role, user or assistant, and content", i)
		}
	}
}

func checkToolResults(v *view) {
	if v.ask.method != "sampling/createMessage" {
		return
	}
	for i, m := range rpc.Elements(rpc.Member(v.ask.params, "messages")) {
		results, others := 0, 0
		for _, c := range rpc.Elements(rpc.Member(m, "content")) {
			if rpc.Text(c, "type") == "tool_result" {
				results++
			} else {
				others++
			}
		}
		if results > 0 && others > 0 {
			v.report(v.params()+"/messages", "message %d mixes results of tools with other content", i)
		}
	}
}

func checkIncludeContext(v *view) {
	c := rpc.Text(v.ask.params, "includeContext")
	if v.ask.method == "sampling/createMessage" && c != "" && c != "none" && v.ask.caps != nil && rpc.Member(v.ask.caps, "sampling", "context") == nil {
		v.report(v.params()+"/includeContext", "includeContext %q is deprecated, and the client did not declare sampling.context", c)
	}
}
