package lint

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"mcptui/client/header"
	"mcptui/client/rpc"
	"mcptui/client/schema"
)

var (
	toolPage      = now("server/tools#tool", "Tools, Tool")
	toolOld       = before("server/tools#tool", "Tools, Tool")
	toolNames     = now("server/tools#tool-names", "Tools, Tool Names")
	toolNamesOld  = before("server/tools#tool-names", "Tools, Tool Names")
	schemaPage    = now("basic#json-schema-usage", "JSON Schema Usage")
	schemaOld     = before("basic#json-schema-usage", "JSON Schema Usage")
	outputSchema  = now("server/tools#output-schema", "Tools, Output Schema")
	outputOld     = before("server/tools#output-schema", "Tools, Output Schema")
	structuredNow = now("server/tools#structured-content", "Tools, Structured Content")
	structuredOld = before("server/tools#structured-content", "Tools, Structured Content")
)

// tool is what the rules keep of a tool.
type tool struct {
	name   string
	input  []byte
	output []byte // raw outputSchema, nil where it has none
	form   *schema.Form
}

func newTool(raw []byte) *tool {
	name := rpc.Text(raw, "name")
	if name == "" {
		return nil
	}
	t := &tool{name: name, input: bytes.Clone(rpc.Member(raw, "inputSchema"))}
	if out := rpc.Member(raw, "outputSchema"); len(out) > 0 && out[0] == '{' {
		t.output = bytes.Clone(out)
	}
	return t
}

func toolRules() []rule {
	return []rule{
		{id: "tool-name", severity: Warning, against: Server, when: onResult, modern: toolNames, legacy: toolNamesOld, check: checkToolName},
		{id: "tool-input-schema", severity: Error, against: Server, when: onResult, modern: toolPage, legacy: toolOld, check: checkInputSchema},
		{id: "tool-output-schema", severity: Error, against: Server, when: onResult, modern: toolPage, legacy: toolOld, check: checkOutputSchema},
		{id: "tool-schema-fault", severity: Warning, against: Server, when: onResult, modern: schemaPage, legacy: schemaOld, check: checkSchemaFaults},
		{id: "tool-schema-ref", severity: Warning, against: Server, when: onResult, modern: now("basic#$ref-resolution", "JSON Schema Usage, $ref Resolution"), check: checkExternalRef},
		{id: "tool-header", severity: Error, against: Server, when: onResult, modern: now("server/tools#x-mcp-header", "Tools, x-mcp-header"), check: checkToolHeader},
		{id: "structured-missing", severity: Error, against: Server, when: onResult, modern: outputSchema, legacy: outputOld, check: checkStructuredMissing},
		{id: "structured-invalid", severity: Error, against: Server, when: onResult, modern: outputSchema, legacy: outputOld, check: checkStructuredInvalid},
		{id: "structured-type", severity: Error, against: Server, when: onResult, legacy: structuredOld, check: checkStructuredType},
		{id: "structured-text", severity: Info, against: Server, when: onResult, modern: structuredNow, legacy: structuredOld, check: checkStructuredText},
	}
}

var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`) })

func (v *view) listedTools(yield func(path string, raw []byte)) {
	if listName(v) == "tools/list" {
		v.entries(func(path string, raw []byte) {
			if raw[0] == '{' {
				yield(path, raw)
			}
		})
	}
}

func checkToolName(v *view) {
	v.listedTools(func(path string, raw []byte) {
		if name := rpc.Text(raw, "name"); name != "" && !toolName().MatchString(name) {
			v.report(path+"/name", "the tool name %q has characters or a length that names should not have", name)
		}
	})
}

func checkInputSchema(v *view) {
	v.listedTools(func(path string, raw []byte) {
		s := rpc.Member(raw, "inputSchema")
		switch {
		case len(s) == 0 || s[0] != '{':
			v.report(path+"/inputSchema", "tool %q has no input schema", rpc.Text(raw, "name"))
		case rpc.Text(s, "type") != "object":
			v.report(path+"/inputSchema/type", "the input schema of tool %q is not of type object", rpc.Text(raw, "name"))
		}
	})
}

func checkOutputSchema(v *view) {
	v.listedTools(func(path string, raw []byte) {
		s := rpc.Member(raw, "outputSchema")
		switch {
		case s == nil:
		case s[0] != '{':
			v.report(path+"/outputSchema", "the output schema of tool %q is not an object", rpc.Text(raw, "name"))
		case v.era == "legacy" && rpc.Text(s, "type") != "object":
			v.report(path+"/outputSchema/type", "the output schema of tool %q is not of type object", rpc.Text(raw, "name"))
		}
	})
}

func checkSchemaFaults(v *view) {
	v.listedTools(func(path string, raw []byte) {
		for _, name := range []string{"inputSchema", "outputSchema"} {
			s := rpc.Member(raw, name)
			if len(s) == 0 || s[0] != '{' || len(s) > 1<<20 {
				continue
			}
			for _, x := range schema.Parse(s).Findings {
				if x.Level == schema.Warning {
					v.report(path+"/"+name+x.Place, "schema of tool %q: %s", rpc.Text(raw, "name"), x.Message)
				}
			}
		}
	})
}

func checkExternalRef(v *view) {
	v.listedTools(func(path string, raw []byte) {
		for _, name := range []string{"inputSchema", "outputSchema"} {
			if at, ref := externalRef(rpc.Member(raw, name), 0); ref != "" {
				v.report(path+"/"+name+at, "the schema of tool %q refers to %s, which a client must not fetch", rpc.Text(raw, "name"), ref)
			}
		}
	})
}

// externalRef finds a reference that leads to the network.
func externalRef(raw []byte, depth int) (path, ref string) {
	if depth > 100 {
		return "", ""
	}
	for k, v := range rpc.Members(raw) {
		if s, ok := rpc.String(v); ok && k == "$ref" && (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")) {
			return "/$ref", s
		}
		if at, ref := externalRef(v, depth+1); ref != "" {
			return "/" + escape(k) + at, ref
		}
	}
	for i, v := range rpc.Elements(raw) {
		if at, ref := externalRef(v, depth+1); ref != "" {
			return "/" + itoa(i) + at, ref
		}
	}
	return "", ""
}

func checkToolHeader(v *view) {
	if v.x == nil {
		return // only over HTTP does it forbid the tool
	}
	v.listedTools(func(path string, raw []byte) {
		if _, err := header.Params(rpc.Member(raw, "inputSchema")); err != nil {
			v.report(path+"/inputSchema", "tool %q must not be used over HTTP: %s", rpc.Text(raw, "name"), err)
		}
	})
}

// called is the tool that a complete result comes from, nil where it is not
// known or the result tells of a failure.
func (v *view) called() *tool {
	if v.req == nil || v.req.method != "tools/call" || v.req.answered != 0 || v.asks() ||
		string(v.result("isError")) == "true" || v.resultText("resultType") == "task" {
		return nil
	}
	return v.l.tools[v.req.name]
}

func checkStructuredMissing(v *view) {
	if t := v.called(); t != nil && t.output != nil && v.result("structuredContent") == nil {
		v.report("/result/structuredContent", "tool %q declares an output schema, and its result has no structuredContent", t.name)
	}
}

// maxValidated bounds what is checked against a schema as it comes in: more
// takes longer than a screen may wait.
const maxValidated = 1 << 20

func checkStructuredInvalid(v *view) {
	t := v.called()
	raw := v.result("structuredContent")
	if t == nil || t.output == nil || raw == nil || len(raw) > maxValidated {
		return
	}
	if t.form == nil {
		t.form = schema.Parse(t.output)
	}
	for i, p := range t.form.Validate(raw) {
		if i >= 5 {
			break // the first few say it
		}
		if p.Kind == schema.Invalid || p.Kind == schema.Missing {
			v.report("/result/structuredContent"+p.Path, "structuredContent breaks the output schema of tool %q: %s", t.name, p.Message)
		}
	}
}

func checkStructuredType(v *view) {
	raw := v.result("structuredContent")
	if raw != nil && raw[0] != '{' && v.req != nil && v.req.method == "tools/call" {
		v.report("/result/structuredContent", "structuredContent is not an object")
	}
}

func checkStructuredText(v *view) {
	if v.req == nil || v.req.method != "tools/call" || v.result("structuredContent") == nil {
		return
	}
	for _, c := range rpc.Elements(v.result("content")) {
		if rpc.Text(c, "type") == "text" {
			return
		}
	}
	v.report("/result/content", "structuredContent is not repeated as text for clients that do not know it")
}

func itoa(i int) string { return strconv.Itoa(i) }

// number reads a JSON number.
func number(raw []byte) (float64, bool) {
	if !isNumber(raw) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil
}
