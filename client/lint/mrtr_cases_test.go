package lint_test

import (
	"fmt"
	"slices"
)

func mrtrCases() []ruleCase {
	reply := func(method, body string) *talk {
		return discovered(`{"tools":{}}`).out("%s", request("1", method, `"name":"t",`)).in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",%s}}`, body)
	}
	one := `"inputRequests":{"k":` + fmt.Sprintf(form, "") + `}`
	ok := reply("tools/call", one)
	state := func(s string) *talk { return reply("tools/call", `"requestState":`+s) }
	answered := func(members string) *talk { return retried("2", members+`"requestState":"5f1c",`) }
	again := func(action string) *talk {
		return answered(`"inputResponses":{"k":{"action":"`+action+`","content":{"n":1}}},`).in("%s", askResult("2", `{"k":`+fmt.Sprintf(form, "")+`}`))
	}
	legacyAnswer := func(content string) *talk {
		return initialized(`{"elicitation":{}}`, `{}`).in(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`).
			out(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":%s}}`, content)
	}
	const signed = "v1.eyJwIjp7InN0ZXAiOjF9LCJleHAiOjE3OTYxNjEzNzV9.5JBghWANSqbRsnZ_LaSYAIj5o2Rytvl3v9NaCAxRaNo"
	const bound = "v1.eyJwIjp7InN0ZXAiOjF9LCJleHAiOjE3OTYxNjEzNzUsImIiOiJBQUVDQXdRRkJnY0lDUW9MREEwT0R3In0.5JBghWANSqbRsnZ_LaSYAIj5o2Rytvl3v9NaCAxRaNo"
	const endless = "v2.eyJzdGVwIjoxfQ.5JBghWANSqbRsnZ_LaSYAIj5o2Rytvl3v9NaCAxRaNo"
	return []ruleCase{
		{"ask-method", reply("tools/list", one), ok},
		{"ask-empty", reply("tools/call", `"_meta":{}`), ok},
		{"ask-requests-type", reply("tools/call", `"inputRequests":[]`), ok},
		{"ask-requests-type", reply("tools/call", `"inputRequests":{}`), reply("tools/call", `"inputRequests":{},"requestState":"5f1c"`)},
		{"ask-state-type", state(`{"step":1}`), state(`"5f1c"`)},
		{"ask-kind", askedWith(`{"method":"tools/call"}`), ok},
		{"ask-key-twice", reply("tools/call", `"inputRequests":{"k":`+fmt.Sprintf(form, "")+`,"k":`+fmt.Sprintf(form, "")+`}`), ok},
		{"ask-capability", discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta(`{"elicitation":{}}`, "")).in("%s", askResult("1", `{"k":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/"}}}`)),
			discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta(`{"elicitation":{}}`, "")).in("%s", askResult("1", `{"k":`+fmt.Sprintf(form, "")+`}`))},
		{"ask-capability", initialized(`{}`, `{}`).in(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`), initialized(`{"roots":{}}`, `{}`).in(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)},
		{"ask-stray-members", reply("tools/call", one+`,"content":null`), ok},
		{"ask-in-complete", called(text("x") + one + `,`), ok},
		{"ask-in-complete", initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`).in(`{"jsonrpc":"2.0","id":1,"result":{"content":[],%s}}`, one),
			initialized("{}", `{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`).in(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)},
		{"ask-by-request", discovered(`{}`).in(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`), ok},
		{"ask-again-after-no", again("decline"), again("accept")},
		{"ask-repeats", answered(yes).in(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"5f1c","inputRequests":{"k":%s}}}`, fmt.Sprintf(form, `"n":{"type":"integer"}`)),
			answered(yes).in(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"5f1d","inputRequests":{"k":%s}}}`, fmt.Sprintf(form, `"n":{"type":"integer"}`))},
		{"ask-partial-refused", retried("2", `"inputResponses":{},"requestState":"5f1c",`).in(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"m"}}`),
			answered(yes).in(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"m"}}`)},

		{"retry-state-changed state-changed-accepted", retried("2", yes+`"requestState":"5f1d",`).in("%s", result("2", text("x"))), answered(yes).in("%s", result("2", text("x")))},
		{"retry-state-changed", retried("2", yes), answered(yes)},
		{"retry-state-invented", ok.then().call("2", `"name":"t","requestState":"x","inputResponses":{"k":{"action":"decline"}},`), ok.then().call("2", `"name":"t","inputResponses":{"k":{"action":"decline"}},`)},
		{"retry-replayed", answered(yes).call("3", `"name":"t",`+yes+`"requestState":"5f1c",`), answered(yes)},
		{"retry-same-id", retried("1", yes+`"requestState":"5f1c",`), answered(yes)},
		{"retry-answer-missing retry-answer-unknown", answered(`"inputResponses":{"other":{"action":"decline"}},`), answered(yes)},
		{"retry-answer-shape", answered(`"inputResponses":{"k":{"action":"accept","content":{"n":"one"}}},`), answered(yes)},
		{"retry-answer-shape", answered(`"inputResponses":[],`), answered(`"inputResponses":{"k":{"action":"cancel"}},`)},
		{"retry-wrong-method", discovered(`{}`).out("%s", request("1", "tools/list", `"requestState":"x",`)), answered(yes)},
		{"answer-shape", legacyAnswer(`{"n":"one"}`), legacyAnswer(`{"n":1}`)},

		{"state-secret", state(`"{\"password\":\"hunter2\"}"`), state(`"` + signed + `"`)},
		{"state-unsigned", state(`"{\"step\":1}"`), state(`"` + signed + `"`)},
		{"state-unsigned", state(`"step:1"`), state(`"34626636-96cf-44dc-a440-33632cc7ccab"`)},
		{"state-no-expiry", state(`"` + endless + `"`), state(`"` + signed + `"`)},
		{"state-unbound", state(`"` + signed + `"`), state(`"` + bound + `"`)},
		{"state-unsafe", state(`"rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA=="`), state(`"` + signed + `"`)},
	}
}

// then copies a conversation, to go on from it.
func (c *talk) then() *talk { return &talk{slices.Clone(c.events)} }

func askCases() []ruleCase {
	ok := formed(`"n":{"type":"integer"}`)
	visit := func(url string) *talk { return elicits(`"mode":"url","message":"m","url":"` + url + `"`) }
	safe := visit("https://pay.example.com/?id=1")
	sampled := samples(`"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":10`)
	legacyURL := func(more string) *talk {
		return initialized(`{"elicitation":{"url":{}}}`, `{}`).in(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/"%s}}`, more)
	}
	return []ruleCase{
		{"elicit-message", elicits(`"requestedSchema":{"type":"object","properties":{}}`), ok},
		{"elicit-mode", elicits(`"mode":"voice","message":"m","requestedSchema":{"type":"object","properties":{}}`), ok},
		{"elicit-schema-missing", elicits(`"message":"m"`), ok},
		{"elicit-schema-subset", formed(`"a":{"type":"object","properties":{}}`), ok},
		{"elicit-schema-fault", formed(`"a":{"type":"string","minLength":5,"maxLength":2}`), ok},
		{"elicit-secret", formed(`"password":{"type":"string"}`), ok},
		{"elicit-url", elicits(`"mode":"url","message":"m","url":"not a url"`), safe},
		{"elicit-url-scheme", visit("javascript:alert(1)"), safe},
		{"elicit-url-scheme", visit("http://pay.example.com/"), visit("http://localhost:8080/")},
		{"elicit-url-secret", visit("https://ada:pw@pay.example.com/"), safe},
		{"elicit-id", legacyURL(``), legacyURL(`,"elicitationId":"e1"`)},
		{"sampling-max-tokens", samples(`"messages":[]`), sampled},
		{"sampling-messages", samples(`"messages":[{"role":"system","content":{"type":"text","text":"x"}}],"maxTokens":10`), sampled},
		{"sampling-tool-results", samples(`"maxTokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","toolUseId":"1","content":[]}]}]`), sampled},
		{"sampling-context", discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta(`{"sampling":{}}`, "")).
			in("%s", askResult("1", `{"k":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"includeContext":"thisServer"}}}`)), sampled},
	}
}
