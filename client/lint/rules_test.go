package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/trace"
)

// web adds an HTTP exchange to a conversation.
func (c *talk) web(headers, body string, status int, answer string, bodies ...string) *talk {
	n := len(c.events)/2 + 1000
	add := func(e trace.Event) {
		e.Seq = len(c.events) + 1
		c.events = append(c.events, e)
	}
	add(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: n, Bytes: []byte(body)}})
	add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPRequest, Method: "POST", Headers: headerList("Accept: application/json, text/event-stream|" + headers)}})
	add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPResponse, Status: status, Headers: headerList(answer)}})
	for _, b := range bodies {
		if strings.HasPrefix(b, "{") {
			add(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: n, Bytes: []byte(b)}})
		} else {
			add(trace.Event{Noise: &trace.Noise{Exchange: n, Bytes: []byte(b), Why: "not JSON"}})
		}
	}
	add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPEnd}})
	return c
}

// headerList reads "Name: value|Name: value".
func headerList(s string) []trace.Header {
	out := []trace.Header{}
	for line := range strings.SplitSeq(s, "|") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			out = append(out, trace.Header{Name: name, Value: value})
		}
	}
	return out
}

func (c *talk) phase(p trace.Phase) *talk {
	c.events = append(c.events, trace.Event{Seq: len(c.events) + 1, Phase: &p})
	return c
}

func (c *talk) noise(why, text string) *talk {
	c.events = append(c.events, trace.Event{Seq: len(c.events) + 1, Noise: &trace.Noise{Bytes: []byte(text), Why: why}})
	return c
}

func chat() *talk { return &talk{} }

// discovered is a modern connection whose server has these capabilities.
func discovered(caps string) *talk {
	return chat().out("%s", request("0", "server/discover", "")).
		in("%s", result("0", `"capabilities":`+caps+`,"supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"public",`))
}

// initialized is a legacy connection.
func initialized(client, server string) *talk {
	return chat().out(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"t","version":"1"}}}`, client).
		in(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":%s,"serverInfo":{"name":"s","version":"1"}}}`, server).
		out(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (c *talk) call(id, members string) *talk { return c.out("%s", request(id, "tools/call", members)) }

func (c *talk) list(method string, members string) *talk {
	return c.out("%s", request("1", method, "")).in("%s", result("1", members+`"ttlMs":0,"cacheScope":"public",`))
}

// asked is a call that is answered with this ask.
func askedWith(ask string) *talk {
	return discovered(`{"tools":{}}`).call("1", `"name":"t",`).in("%s", askResult("1", `{"k":`+ask+`}`))
}

func elicits(params string) *talk {
	return askedWith(`{"method":"elicitation/create","params":{` + params + `}}`)
}

func formed(properties string) *talk { return askedWith(fmt.Sprintf(form, properties)) }

func samples(params string) *talk {
	return askedWith(`{"method":"sampling/createMessage","params":{` + params + `}}`)
}

func called(members string) *talk {
	return discovered(`{"tools":{}}`).call("1", `"name":"t",`).in("%s", result("1", members))
}

func withTool(tool string) *talk {
	return discovered(`{"tools":{}}`).list("tools/list", `"tools":[`+tool+`],`)
}

func (c *talk) returns(members string) *talk {
	return c.call("2", `"name":"t",`).in("%s", result("2", members))
}

func fails(method, failure string) *talk {
	return discovered(`{"tools":{},"resources":{}}`).out("%s", request("1", method, `"name":"t",`)).in(`{"jsonrpc":"2.0","id":1,"error":%s}`, failure)
}

// retried is a call that asked for k with a state, and its retry.
func retried(id, members string) *talk {
	return discovered(`{"tools":{}}`).call("1", `"name":"t",`).
		in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"5f1c","inputRequests":{"k":%s},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`, fmt.Sprintf(form, `"n":{"type":"integer"}`)).
		call(id, `"name":"t",`+members)
}

const (
	yes      = `"inputResponses":{"k":{"action":"accept","content":{"n":1}}},`
	listen   = `"notifications":{"toolsListChanged":true},`
	toolSeen = `{"name":"t","inputSchema":{"type":"object"}}`
	jsonType = "Content-Type: application/json"
	sseType  = "Content-Type: text/event-stream|X-Accel-Buffering: no"
	std      = "MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/call|Mcp-Name: t"
)

func listening(more string) *talk {
	return discovered(`{"tools":{"listChanged":true}}`).out("%s", request("7", "subscriptions/listen", listen)).in("%s", more)
}

func acked(more string) *talk {
	return listening(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`).in("%s", more)
}

func progressing(frames ...string) *talk {
	c := discovered(`{"tools":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", `,"progressToken":"p"`))
	for _, f := range frames {
		c.in("%s", f)
	}
	return c
}

func progressOf(token, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s}}`, token, value)
}

func logging(level, frame string) *talk {
	meta := ""
	if level != "" {
		meta = `,"io.modelcontextprotocol/logLevel":"` + level + `"`
	}
	return discovered(`{"tools":{},"logging":{}}`).out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",%s}}`, modernMeta("{}", meta)).in("%s", frame)
}

func logOf(level string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":"x"}}`
}

func callBody(members string) string { return request("1", "tools/call", members) }

func text(s string) string { return `"content":[{"type":"text","text":"` + s + `"}],` }

// TestEveryRuleFiresAndHoldsBack gives each rule what it is about, and the same
// done right.
func TestEveryRuleFiresAndHoldsBack(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range ruleCases() {
		for _, id := range strings.Fields(c.rule) {
			covered[id] = true
			t.Run(id, func(t *testing.T) {
				bad := find(lintAll(c.bad.events), id)
				require.NotEmpty(t, bad, "it does not fire: %v", names(lintAll(c.bad.events)))
				require.NotEmpty(t, bad[0].Message)
				require.NotEmpty(t, bad[0].Section.Title)
				require.NotZero(t, bad[0].Frame)
				require.Empty(t, find(lintAll(c.good.events), id), "it fires where nothing is wrong")
				for _, x := range lintAll(c.good.events) {
					require.False(t, x.Severity == lint.Error && x.Against == lint.Server, "the good case is not: %s %s", x.Rule, x.Message)
				}
			})
		}
	}
	rules := lint.Rules()
	require.GreaterOrEqual(t, len(rules), 30)
	seen := map[string]bool{}
	for _, r := range rules {
		require.False(t, seen[r.Rule], "two rules are called %s", r.Rule)
		seen[r.Rule] = true
		require.True(t, covered[r.Rule], "rule %s has no test", r.Rule)
		require.Contains(t, r.Section.URL(), r.Section.Revision)
	}
	for id := range covered {
		require.True(t, seen[id], "no rule is called %s", id)
	}
}

func find(list []lint.Finding, rule string) []lint.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f lint.Finding) bool { return f.Rule != rule })
}

func names(list []lint.Finding) (out []string) {
	for _, f := range list {
		out = append(out, f.Rule)
	}
	return out
}
