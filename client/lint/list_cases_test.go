package lint_test

import (
	"fmt"
	"strings"
)

func listCases() []ruleCase {
	all := `{"tools":{},"prompts":{},"resources":{}}`
	list := func(method, members string) *talk { return discovered(all).list(method, members) }
	tools := func(entries string) *talk { return list("tools/list", `"tools":[`+entries+`],`) }
	ok := tools(toolSeen)
	resources := func(entries string) *talk { return list("resources/list", `"resources":[`+entries+`],`) }
	resource := `{"uri":"file:///a","name":"a","annotations":{"priority":0.5,"audience":["user"]}}`
	fineResource := resources(resource)
	templates := func(t string) *talk {
		return list("resources/templates/list", `"resourceTemplates":[{"name":"t","uriTemplate":"`+t+`"}],`)
	}
	prompts := func(p string) *talk { return list("prompts/list", `"prompts":[`+p+`],`) }
	page := func(id, cursor, next, scope string) (string, string) {
		if cursor != "" {
			cursor = `"cursor":"` + cursor + `",`
		}
		if next != "" {
			next = `"nextCursor":"` + next + `",`
		}
		return request(id, "tools/list", cursor), result(id, `"tools":[{"name":"t`+id+`","inputSchema":{"type":"object"}}],`+next+`"ttlMs":0,"cacheScope":"`+scope+`",`)
	}
	pages := func(steps ...[3]string) *talk {
		c := discovered(all)
		for i, s := range steps {
			out, in := page(fmt.Sprint(i+1), s[0], s[1], s[2])
			c.out("%s", out).in("%s", in)
		}
		return c
	}
	two := pages([3]string{"", "a", "public"}, [3]string{"a", "", "public"})
	hinted := func(hints string) *talk {
		return discovered(all).out("%s", request("1", "tools/list", "")).in("%s", result("1", `"tools":[],`+hints))
	}
	fine := hinted(`"ttlMs":0,"cacheScope":"private",`)
	output := func(schema string) *talk {
		return withTool(`{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + schema + `}`)
	}
	numeric := `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	right := output(numeric).returns(text("{}") + `"structuredContent":{"n":1},`)
	legacyCall := func(structured string) *talk {
		return initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`).in(`{"jsonrpc":"2.0","id":1,"result":{%s"structuredContent":%s}}`, text("x"), structured)
	}
	other := `{"name":"u","inputSchema":{"type":"object"}}`
	twice := func(second string) *talk {
		return tools(toolSeen+","+other).out("%s", request("2", "tools/list", "")).in("%s", result("2", `"tools":[`+second+`],"ttlMs":0,"cacheScope":"public",`))
	}
	return []ruleCase{
		{"list-member", list("tools/list", ``), ok},
		{"list-entry", tools(`5`), ok},
		{"list-entry", tools(`{"inputSchema":{"type":"object"}}`), ok},
		{"list-duplicate", tools(toolSeen + "," + toolSeen), ok},
		{"list-order", twice(other + "," + toolSeen), twice(toolSeen + "," + other)},
		{"cursor-type", list("tools/list", `"tools":[],"nextCursor":5,`), two},
		{"cursor-loop", pages([3]string{"", "a", "public"}, [3]string{"a", "a", "public"}), two},
		{"cursor-loop", pages([3]string{"", "a", "public"}, [3]string{"a", "b", "public"}, [3]string{"b", "a", "public"}), two},
		{"cursor-invalid-served", pages([3]string{"", "a", "public"}, [3]string{"zzz", "", "public"}), two},
		{"cache-scope-pages", pages([3]string{"", "a", "public"}, [3]string{"a", "", "private"}), two},
		{"cache-missing", hinted(``), fine},
		{"cache-ttl", hinted(`"ttlMs":-1,"cacheScope":"public",`), fine},
		{"cache-scope", hinted(`"ttlMs":0,"cacheScope":"shared",`), fine},
		{"cache-interim", discovered(all).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"5f1c","ttlMs":0}}`),
			discovered(all).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"5f1c"}}`)},
		{"resource-uri", resources(`{"uri":"no scheme","name":"a"}`), fineResource},
		{"resource-name", resources(`{"uri":"file:///a"}`), fineResource},
		{"template-form", templates("foo://{a:b}"), templates("foo://{a}/{b:3}{?c}")},
		{"prompt-arguments", prompts(`{"name":"p","arguments":[{"name":"a"},{"name":"a"}]}`), prompts(`{"name":"p","arguments":[{"name":"a"},{"name":"b"}]}`)},
		{"annotations", resources(`{"uri":"file:///a","name":"a","annotations":{"priority":7}}`), fineResource},
		{"icon-scheme", tools(`{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"file:///etc/passwd"}]}`), tools(`{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"https://a.example/i.png"}]}`)},
		{"tool-name", tools(`{"name":"a tool","inputSchema":{"type":"object"}}`), ok},
		{"tool-input-schema", tools(`{"name":"t"}`), ok},
		{"tool-input-schema", tools(`{"name":"t","inputSchema":{"type":"array"}}`), ok},
		{"tool-output-schema", output(`[]`), output(numeric)},
		{"tool-schema-fault", tools(`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/nowhere"}}}}`), ok},
		{"tool-schema-ref", tools(`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://a.example/s.json"}}}}`), ok},
		{"structured-missing", output(numeric).returns(text("x")), right},
		{"structured-missing", output(numeric).returns(text("x")), output(numeric).returns(text("x") + `"isError":true,`)},
		{"structured-invalid", output(numeric).returns(text("x") + `"structuredContent":{"n":"1"},`), right},
		{"structured-type", legacyCall(`[1]`), legacyCall(`{}`)},
		{"structured-text", output(numeric).returns(`"content":[],"structuredContent":{"n":1},`), right},
	}
}

func contentCases() []ruleCase {
	ok := called(text("x"))
	block := func(b string) *talk { return called(`"content":[` + b + `],`) }
	read := func(contents string) *talk {
		return discovered(`{"resources":{}}`).out("%s", request("1", "resources/read", `"uri":"file:///a",`)).in("%s", result("1", contents+`"ttlMs":0,"cacheScope":"public",`))
	}
	contents := read(`"contents":[{"uri":"file:///a","blob":"aGk="}],`)
	prompt := func(messages string) *talk {
		return discovered(`{"prompts":{}}`).out("%s", request("1", "prompts/get", `"name":"p",`)).in("%s", result("1", messages))
	}
	complete := func(values string) *talk {
		return discovered(`{"completions":{}}`).out("%s", request("1", "completion/complete", "")).in("%s", result("1", `"completion":{"values":`+values+`},`))
	}
	return []ruleCase{
		{"tool-content", called(``), ok},
		{"tool-error-flag", called(text("x") + `"isError":"yes",`), ok},
		{"resource-contents", read(``), contents},
		{"resource-contents", read(`"contents":[{"uri":"file:///a"}],`), contents},
		{"resource-empty", read(`"contents":[],`), contents},
		{"resource-blob", read(`"contents":[{"uri":"file:///a","blob":"***"}],`), contents},
		{"prompt-messages", prompt(`"messages":[{"role":"system","content":{"type":"text","text":"x"}}],`), prompt(`"messages":[{"role":"user","content":{"type":"text","text":"x"}}],`)},
		{"completion-values", complete(`[` + strings.Repeat(`"a",`, 100) + `"a"]`), complete(`["a"]`)},
		{"content-type", block(`{"type":"video"}`), ok},
		{"content-fields", block(`{"type":"text"}`), ok},
		{"content-base64", block(`{"type":"image","mimeType":"image/png","data":"not base64"}`), block(`{"type":"image","mimeType":"image/png","data":"aGk="}`)},
		{"content-uri", block(`{"type":"resource_link","name":"a","uri":"nowhere"}`), block(`{"type":"resource_link","name":"a","uri":"file:///a"}`)},
		{"content-annotations", block(`{"type":"text","text":"x","annotations":{"audience":["dog"]}}`), block(`{"type":"text","text":"x","annotations":{"audience":["user"],"priority":1}}`)},
	}
}

func notifyCases() []ruleCase {
	moving := progressing(progressOf(`"p"`, "1"), progressOf(`"p"`, "1.5"))
	changed := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`
	ok := acked(changed)
	ended := func(id string) *talk {
		return acked(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%s,"io.modelcontextprotocol/serverInfo":{"name":"s"}}}}`, id))
	}
	return []ruleCase{
		{"progress-fields", progressing(progressOf(`"p"`, `"half"`)), moving},
		{"progress-token", progressing(progressOf(`"q"`, "1")), moving},
		{"progress-after-end", progressing(result("1", text("x")), progressOf(`"p"`, "1")), moving},
		{"progress-increase", progressing(progressOf(`"p"`, "2"), progressOf(`"p"`, "2.0")), moving},
		{"progress-token-type", discovered(`{}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", `,"progressToken":{}`)), moving},
		{"progress-token-twice", progressing().out(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", `,"progressToken":"p"`)), moving},
		{"log-unasked", logging("", logOf("info")), logging("info", logOf("info"))},
		{"log-level", logging("info", logOf("loud")), logging("info", logOf("info"))},
		{"log-below-level", logging("warning", logOf("info")), logging("warning", logOf("error"))},
		{"log-data", logging("info", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}`), logging("info", logOf("info"))},
		{"listen-ack-first", listening(changed), ok},
		{"listen-ack-more", listening(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`), ok},
		{"listen-id", acked(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), ok},
		{"listen-id", acked(strings.Replace(changed, ":7", `:"7"`, 1)), ok},
		{"listen-unasked", acked(strings.Replace(changed, "tools", "prompts", 1)), ok},
		{"listen-result-id", ended(`"7"`), ended("7")},
		{"listen-acknowledged", listening(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`), ended("7")},
		{"cancelled-by-server", discovered(`{}`).call("1", `"name":"t",`).in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`),
			acked(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)},
		{"notification-unknown", discovered(`{}`).in(`{"jsonrpc":"2.0","method":"notifications/weather"}`), ok},
		{"cancelled-unknown", discovered(`{}`).out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`),
			discovered(`{}`).call("1", `"name":"t",`).out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)},
	}
}
