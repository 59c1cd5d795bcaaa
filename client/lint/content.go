package lint

import (
	"net/url"
	"strings"

	"mcptui/client/rpc"
)

var (
	toolResult     = now("server/tools#tool-result", "Tools, Tool Result")
	toolResultOld  = before("server/tools#tool-result", "Tools, Tool Result")
	contentsPage   = now("server/resources#resource-contents", "Resources, Resource Contents")
	contentsOld    = before("server/resources#resource-contents", "Resources, Resource Contents")
	promptMessages = now("server/prompts#promptmessage", "Prompts, PromptMessage")
	promptOld      = before("server/prompts#promptmessage", "Prompts, PromptMessage")
	completionPage = now("server/utilities/completion#completion-results", "Completion, Completion Results")
	completionOld  = before("server/utilities/completion#completion-results", "Completion, Completion Results")
)

// resultRules are about the shape of results.
func resultRules() []rule {
	return []rule{
		{id: "tool-content", severity: Error, against: Server, when: onResult, modern: toolResult, legacy: toolResultOld, check: checkToolContent},
		{id: "tool-error-flag", severity: Error, against: Server, when: onResult, modern: toolResult, legacy: toolResultOld, check: checkErrorFlag},
		{id: "resource-contents", severity: Error, against: Server, when: onResult, modern: contentsPage, legacy: contentsOld, check: checkContents},
		{id: "resource-empty", severity: Warning, against: Server, when: onResult, modern: now("server/resources#error-handling", "Resources, Error Handling"), check: checkContentsEmpty},
		{id: "resource-blob", severity: Error, against: Server, when: onResult, modern: contentsPage, legacy: contentsOld, check: checkBlob},
		{id: "prompt-messages", severity: Error, against: Server, when: onResult, modern: promptMessages, legacy: promptOld, check: checkPromptMessages},
		{id: "completion-values", severity: Error, against: Server, when: onResult, modern: completionPage, legacy: completionOld, check: checkCompletion},
	}
}

// complete reports a final result of a method.
func (v *view) complete(method string) bool {
	if v.req == nil || v.req.method != method || len(v.m.Result) == 0 || v.m.Result[0] != '{' {
		return false
	}
	t := v.resultText("resultType")
	return t == "" || t == "complete"
}

func checkToolContent(v *view) {
	if !v.complete("tools/call") || v.result("task") != nil {
		return
	}
	if raw := v.result("content"); len(raw) == 0 || raw[0] != '[' {
		v.report("/result/content", "the result of tool %q has no list content", v.req.name)
	}
}

func checkErrorFlag(v *view) {
	if raw := v.result("isError"); v.complete("tools/call") && raw != nil && string(raw) != "true" && string(raw) != "false" {
		v.report("/result/isError", "isError is neither true nor false")
	}
}

func checkContents(v *view) {
	if !v.complete("resources/read") {
		return
	}
	raw := v.result("contents")
	if len(raw) == 0 || raw[0] != '[' {
		v.report("/result/contents", "the result has no list contents")
		return
	}
	for i, c := range rpc.Elements(raw) {
		at := "/result/contents/" + itoa(i)
		if fault := contentsFault(c); fault != "" {
			v.report(at, "%s", fault)
		}
	}
}

// contentsFault says what is wrong with the contents of a resource.
func contentsFault(c []byte) string {
	text, blob := rpc.Member(c, "text"), rpc.Member(c, "blob")
	switch {
	case c[0] != '{':
		return "the contents of a resource are not an object"
	case rpc.Text(c, "uri") == "":
		return "the contents of a resource have no uri"
	case text == nil && blob == nil:
		return "the contents of a resource have neither text nor blob"
	case text != nil && text[0] != '"', blob != nil && blob[0] != '"':
		return "text or blob of a resource is not text"
	}
	return ""
}

func checkContentsEmpty(v *view) {
	if !v.complete("resources/read") {
		return
	}
	for range rpc.Elements(v.result("contents")) {
		return
	}
	if raw := v.result("contents"); len(raw) > 0 && raw[0] == '[' {
		v.report("/result/contents", "the contents are empty; for a resource that does not exist an error is due")
	}
}

func checkBlob(v *view) {
	if !v.complete("resources/read") {
		return
	}
	for i, c := range rpc.Elements(v.result("contents")) {
		if raw := rpc.Member(c, "blob"); len(raw) > 1 && raw[0] == '"' && !isBase64(raw) {
			v.report("/result/contents/"+itoa(i)+"/blob", "the blob is not base64")
		}
	}
}

func checkPromptMessages(v *view) {
	if !v.complete("prompts/get") {
		return
	}
	raw := v.result("messages")
	if len(raw) == 0 || raw[0] != '[' {
		v.report("/result/messages", "the result has no list messages")
		return
	}
	for i, m := range rpc.Elements(raw) {
		if role := rpc.Text(m, "role"); role != "user" && role != "assistant" {
			v.report("/result/messages/"+itoa(i)+"/role", "the role is neither user nor assistant")
		}
		if c := rpc.Member(m, "content"); len(c) == 0 || c[0] != '{' {
			v.report("/result/messages/"+itoa(i)+"/content", "the message has no content block")
		}
	}
}

func checkCompletion(v *view) {
	if !v.complete("completion/complete") {
		return
	}
	values := v.result("completion", "values")
	if len(values) == 0 || values[0] != '[' {
		v.report("/result/completion/values", "the result has no list of values")
		return
	}
	n := 0
	for i, x := range rpc.Elements(values) {
		if n++; x[0] != '"' {
			v.report("/result/completion/values/"+itoa(i), "the value is not text")
		}
	}
	if n > 100 {
		v.report("/result/completion/values", "%d values are more than the 100 that are allowed", n)
	}
}

// contentRules are about content blocks of tools and prompts.
func contentRules() []rule {
	return []rule{
		{id: "content-type", severity: Error, against: Server, when: onBlock, modern: toolResult, legacy: toolResultOld, check: checkBlockType},
		{id: "content-fields", severity: Error, against: Server, when: onBlock, modern: toolResult, legacy: toolResultOld, check: checkBlockFields},
		{id: "content-base64", severity: Error, against: Server, when: onBlock, modern: toolResult, legacy: toolResultOld, check: checkBlockData},
		{id: "content-uri", severity: Error, against: Server, when: onBlock, modern: toolResult, legacy: toolResultOld, check: checkBlockURI},
		{id: "content-annotations", severity: Warning, against: Server, when: onBlock, modern: toolResult, legacy: toolResultOld, check: checkBlockAnnotations},
	}
}

func checkBlockType(v *view) {
	if len(v.block) == 0 || v.block[0] != '{' {
		v.report(v.at, "the content block is not an object")
		return
	}
	switch t := v.partText("type"); t {
	case "text", "image", "audio", "resource", "resource_link":
	default:
		v.report(v.at+"/type", "%q is no type of content", t)
	}
}

// blockFields are the texts that a type of content must have.
var blockFields = map[string][]string{
	"text": {"text"}, "image": {"data", "mimeType"}, "audio": {"data", "mimeType"}, "resource_link": {"uri", "name"},
}

func checkBlockFields(v *view) {
	t := v.partText("type")
	for _, name := range blockFields[t] {
		if raw := v.part(name); len(raw) == 0 || raw[0] != '"' {
			v.report(v.at+"/"+name, "content of type %s needs the text %s", t, name)
		}
	}
	if t == "resource" {
		c := v.part("resource")
		if c == nil {
			v.report(v.at+"/resource", "content of type resource has no resource")
		} else if fault := contentsFault(c); fault != "" {
			v.report(v.at+"/resource", "%s", fault)
		}
	}
}

func checkBlockData(v *view) {
	for _, path := range [][]string{{"data"}, {"resource", "blob"}} {
		if raw := v.part(path...); len(raw) > 1 && raw[0] == '"' && !isBase64(raw) {
			v.report(v.at+"/"+strings.Join(path, "/"), "the data is not base64")
		}
	}
}

func checkBlockURI(v *view) {
	if v.partText("type") != "resource_link" {
		return
	}
	s := v.partText("uri")
	if u, err := url.Parse(s); s != "" && (err != nil || u.Scheme == "") {
		v.report(v.at+"/uri", "%q is no URI", s)
	}
}

func checkBlockAnnotations(v *view) {
	if at, fault := annotationFault(v.part("annotations")); fault != "" {
		v.report(v.at+"/annotations"+at, "%s", fault)
	}
}
