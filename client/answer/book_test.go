package answer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func form(key, message, schema string) Ask {
	return Ask{key, Elicit, json.RawMessage(`{"message":` + string(encode(message)) + `,"requestedSchema":` + schema + `}`)}
}

func url(key, message string) Ask {
	return Ask{key, Elicit, json.RawMessage(`{"mode":"url","message":` + string(encode(message)) + `,"url":"https://example.com"}`)}
}

func sampling(key, text string) Ask {
	return Ask{key, Sample, json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":` + string(encode(text)) + `}}],"maxTokens":5}`)}
}

const anything = `{"type":"object"}`

func book(t *testing.T, text string) *Book {
	t.Helper()
	b, err := Parse("a.yaml", []byte(text))
	require.NoError(t, err)
	return b
}

func answered(t *testing.T, b *Book, a Ask) string {
	t.Helper()
	reply, err := b.Answer(a)
	require.NoError(t, err)
	require.NoError(t, reply.Err())
	if reply.Outcome != Result {
		return reply.Outcome.String()
	}
	require.True(t, json.Valid(reply.Result))
	return string(reply.Result)
}

// documented is the file of the documentation.
const documented = `
answers:                  # by ask key, tried first (legacy asks have no key: they match by method, message or order)
  when:   {accept: {date: 2026-12-04}}
  seats:  [{accept: {seats: 4}}, decline]        # a list: first time, second time
match:                    # by method and, where given, by a pattern in the message; first that fits
  - {method: elicitation/create, message: "password", reply: decline}
  - {method: elicitation/create, mode: url, reply: {accept: {}}} # consents; opens nothing
  - {method: elicitation/create, message: "^Default", reply: {accept: defaults}}
  - {method: sampling/createMessage, reply: {text: "A plan."}}   # or {result: {…}}, or reject
  - {method: roots/list, reply: {roots: ["file:///srv/data"]}}   # default: the --root list
order: [{accept: {name: Ada}}]                   # whatever is left, in order
`

func TestTheDocumentedFile(t *testing.T) {
	b := book(t, documented)
	date := `{"type":"object","properties":{"date":{"type":"string","format":"date"}}}`
	seats := `{"type":"object","properties":{"seats":{"type":"integer"}}}`
	require.Equal(t, `{"action":"accept","content":{"date":"2026-12-04"}}`, answered(t, b, form("when", "When?", date)))
	require.Equal(t, `{"action":"accept","content":{"date":"2026-12-04"}}`, answered(t, b, form("when", "When?", date)), "one answer is for every time")
	require.Equal(t, `{"action":"accept","content":{"seats":4}}`, answered(t, b, form("seats", "Seats?", seats)))
	require.Equal(t, `{"action":"decline"}`, answered(t, b, form("seats", "Seats?", seats)))
	require.Equal(t, `{"action":"decline"}`, answered(t, b, form("x", "Your password?", anything)))
	require.Equal(t, `{"action":"accept"}`, answered(t, b, url("pay", "Pay")))
	require.Equal(t, `{"action":"accept","content":{"n":1.50}}`, answered(t, b, form("", "Default?", `{"type":"object","properties":{"n":{"type":"number","default":1.50},"m":{"type":"string"}}}`)))
	require.Equal(t, `{"role":"assistant","content":{"type":"text","text":"A plan."},"model":"mcptui","stopReason":"endTurn"}`, answered(t, b, sampling("plan", "Plan?")))
	require.Equal(t, `{"roots":[{"uri":"file:///srv/data"}]}`, answered(t, b, Ask{"", Roots, nil}))
	require.Equal(t, `{"action":"accept","content":{"name":"Ada"}}`, answered(t, b, form("", "Name?", anything)))
	require.Equal(t, "none", answered(t, b, form("", "Name?", anything)), "order is used up")
	require.Empty(t, b.Unused())
}

func TestScalarsBecomeWhatTheSchemaAsks(t *testing.T) {
	schema := `{"type":"object","properties":{"s":{"type":"string"},"zip":{"type":"string"},"v":{"type":"string"},"d":{"type":"string"},"i":{"type":"integer"},
		"n":{"type":"number"},"b":{"type":"boolean"},"c":{"type":"string","enum":["no","on"]},"t":{"type":"array","items":{"type":"string","enum":["1","2"]}},
		"ns":{"type":["string","null"]},"e":{"type":"string"},"o":{"type":"object","properties":{"x":{"type":"string"}}},"l":{"type":"array","items":{"type":"string"}},
		"u":{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"x":{"type":"string"}},"required":["k"]}]}}}`
	b := book(t, `
order:
  - accept:
      s: no
      zip: 01234
      v: 1.10
      d: 2026-12-04
      i: "42"
      n: 1.50
      b: no
      c: no
      t: [1, 2]
      ns: ~
      e:
      o: {x: 7}
      l: [yes, 0x10, null]
      u: {k: b, x: 5}
      extra: [1, yes, 0x10, 1_000, .5, null, 12345678901234567890123]
`)
	require.Equal(t, `{"action":"accept","content":{"s":"no","zip":"01234","v":"1.10","d":"2026-12-04","i":42,"n":1.50,"b":false,"c":"no","t":["1","2"],`+
		`"ns":null,"e":"","o":{"x":"7"},"l":["yes","0x10","null"],"u":{"k":"b","x":"5"},"extra":[1,"yes",16,1000,0.5,null,12345678901234567890123]}}`,
		answered(t, b, form("", "", schema)))
}

func TestAnswersThatDoNotFitAreReported(t *testing.T) {
	schema := `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string","minLength":3},"c":{"enum":["red","green"]}},"required":["r","n"]}`
	b := book(t, "order:\n  - accept: {n: 0.5, s: ab, c: gren}\n  - {accept: defaults}\n")
	reply, err := b.Answer(form("", "", schema))
	require.NoError(t, err)
	require.Equal(t, Result, reply.Outcome)
	require.Equal(t, `{"action":"accept","content":{"n":0.5,"s":"ab","c":"gren"}}`, string(reply.Result), "it can be sent on purpose")
	var problems []string
	for _, p := range reply.Problems {
		problems = append(problems, p.String())
	}
	require.Equal(t, []string{"/n: must be an integer: 0.5 is not a whole number", `/c: "gren" is not among the choices; did you mean "green"?`,
		"/s: is too short: 2 of at least 3 characters", "/r: is required"}, problems)
	require.EqualError(t, reply.Err(), "a.yaml:2:5: the answer does not fit what is asked: /n: must be an integer: 0.5 is not a whole number (and 3 more)")
	reply, err = b.Answer(form("", "", schema))
	require.NoError(t, err)
	require.Error(t, reply.Err(), "the defaults leave a required member out")
}

func TestAnswersOfTheWrongKind(t *testing.T) {
	for _, tt := range []struct {
		answer string
		ask    Ask
		want   string
	}{
		{`{text: hi}`, form("k", "", anything), `the answer is text, which elicitation/create cannot take: it takes accept, decline, cancel, result or reject`},
		{`decline`, sampling("k", ""), `the answer is decline, which sampling/createMessage cannot take: it takes text, result or reject`},
		{`{accept: {}}`, Ask{"k", Roots, nil}, `the answer is accept, which roots/list cannot take: it takes roots, result or reject`},
		{`{accept: {a: 1}}`, url("k", ""), `an elicitation in URL mode takes no content: write {accept: {}}`},
		{`{roots: [a]}`, Ask{"k", "x/other", nil}, `the answer is roots, which x/other cannot take: it takes result or reject`},
	} {
		_, err := book(t, "answers:\n  k: "+tt.answer+"\n").Answer(tt.ask)
		require.ErrorContains(t, err, "a.yaml:2:")
		require.ErrorContains(t, err, tt.want)
	}
}

func TestEveryKindOfAnswer(t *testing.T) {
	b := book(t, `
answers:
  a: cancel
  b: reject
  c: accept
  d: {accept: {}}
  e: {result: {action: accept, content: {x: no}, extra: 1.0}}
  f: {text: 5, model: tiny, stopReason: maxTokens}
  g: {result: {role: assistant, model: m, content: []}}
  h: {roots: [{uri: "file:///a", name: A}, "file:///b"]}
  i: {roots: []}
  j: {result: {}}
`)
	require.Equal(t, `{"action":"cancel"}`, answered(t, b, form("a", "", anything)))
	require.Equal(t, `reject`, answered(t, b, sampling("b", "")))
	require.Equal(t, `{"action":"accept","content":{"x":1}}`, answered(t, b, form("c", "", `{"properties":{"x":{"default":1}}}`)))
	require.Equal(t, `{"action":"accept"}`, answered(t, b, url("c", "")))
	require.Equal(t, `{"action":"accept","content":{}}`, answered(t, b, form("d", "", anything)))
	require.Equal(t, `{"action":"accept","content":{"x":"no"},"extra":1.0}`, answered(t, b, form("e", "", anything)))
	require.Equal(t, `{"role":"assistant","content":{"type":"text","text":"5"},"model":"tiny","stopReason":"maxTokens"}`, answered(t, b, sampling("f", "")))
	require.Equal(t, `{"role":"assistant","model":"m","content":[]}`, answered(t, b, sampling("g", "")))
	require.Equal(t, `{"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"}]}`, answered(t, b, Ask{"h", Roots, nil}))
	require.Equal(t, `{"roots":[]}`, answered(t, b, Ask{"i", Roots, nil}))
	require.Equal(t, `{}`, answered(t, b, Ask{"j", "x/other", nil}))
}

func TestRulesAreTriedInTurn(t *testing.T) {
	b := book(t, `
match:
  - {message: "(?i)twice", reply: [decline, cancel]}
  - {mode: form, reply: {accept: {}}}
  - {method: sampling/createMessage, message: France, reply: {text: Paris}}
order: [reject]
`)
	require.Equal(t, `{"action":"decline"}`, answered(t, b, form("", "Twice?", anything)))
	require.Equal(t, `{"action":"cancel"}`, answered(t, b, form("", "twice!", anything)))
	require.Equal(t, `{"action":"accept","content":{}}`, answered(t, b, form("", "twice", anything)), "then the next rule that fits")
	require.Contains(t, answered(t, b, sampling("", "Capital of France?")), "Paris")
	require.Equal(t, `reject`, answered(t, b, sampling("", "Capital of Spain?")))
	require.Equal(t, `none`, answered(t, b, sampling("", "Capital of Spain?")))
}

func TestRootsDoNotTakeAnAnswerMeantForAnother(t *testing.T) {
	b := book(t, "order: [decline, {roots: [a]}]\n")
	require.Equal(t, "none", answered(t, b, Ask{"", Roots, nil}))
	require.Equal(t, `{"action":"decline"}`, answered(t, b, form("", "", anything)))
	require.Equal(t, `{"roots":[{"uri":"a"}]}`, answered(t, b, Ask{"", Roots, nil}))
}

func TestUnusedAnswersAreNamed(t *testing.T) {
	b := book(t, "answers:\n  a: decline\n  b: [decline, cancel]\norder: [reject]\n")
	answered(t, b, form("b", "", anything))
	require.Equal(t, []string{"a.yaml:2:6: answers.a was not asked for", "a.yaml:3:16: answers.b[1] was not asked for", "a.yaml:4:9: an answer in order was not needed"}, b.Unused())
}

func TestMistakesInTheFile(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"answer: {}", `a.yaml:1:1: unknown section "answer"; did you mean "answers"?`},
		{"foo: {}", `a.yaml:1:1: unknown section "foo"; there are answers, match, order`},
		{"answers:\n  a: acept", `a.yaml:2:6: unknown answer "acept"; did you mean "accept"?`},
		{"answers:\n  a: {declien: {}}", `a.yaml:2:7: unknown answer "declien"; did you mean "decline"?`},
		{"answers:\n  a: {decline: {}}", `a.yaml:2:7: write decline as one word`},
		{"answers:\n  a: {accept: {}, text: x}", `a.yaml:2:19: an answer is one thing, not accept and text`},
		{"answers:\n  a: {accept: later}", `a.yaml:2:15: accept takes a mapping of what to fill in, or defaults, not "later"`},
		{"answers:\n  a: {accept: [1]}", `not a list`},
		{"answers:\n  a: defaults", `write {accept: defaults}`},
		{"answers:\n  a: text", `text needs a value`},
		{"answers:\n  a:", `a.yaml:2:5: unknown answer ""`},
		{"answers:\n  a: {model: x}", `an answer is needed here: accept`},
		{"answers:\n  a: {accept: {}, model: x}", `model and stopReason go with text`},
		{"answers:\n  a: {text: {}}", `text takes text, not a mapping`},
		{"answers:\n  a: {roots: x}", `roots takes a list of URIs, not "x"`},
		{"answers:\n  a: {roots: [{name: x}]}", `a root needs a uri`},
		{"answers:\n  a: {result: 5}", `result takes a mapping, not "5"`},
		{"answers:\n  a: {result: {x: .nan}}", `.nan is not a number that JSON can hold`},
		{"answers:\n  a: decline\n  a: cancel", `a.yaml:3:3: "a" is there twice`},
		{"answers: [decline]", `a.yaml:1:10: a mapping is needed here, not a list`},
		{"order: decline", `order takes a list of answers, not "decline"`},
		{"match: decline", `match takes a list of rules, not "decline"`},
		{"match:\n  - {methd: roots/list, reply: reject}", `a.yaml:2:6: unknown part of a rule "methd"; did you mean "method"?`},
		{"match:\n  - {method: elicitation/crate, reply: decline}", `a.yaml:2:14: unknown method "elicitation/crate"; did you mean "elicitation/create"?`},
		{"match:\n  - {method: elicit, reply: decline}", `unknown method "elicit"`},
		{"match:\n  - {mode: uri, reply: decline}", `unknown mode "uri"; did you mean "url"?`},
		{"match:\n  - {message: \"(\", reply: decline}", `is not a regular expression`},
		{"match:\n  - {message: x}", `a.yaml:2:5: a rule needs a reply`},
		{"match:\n  - {method: roots/list, reply: decline}", `a.yaml:2:33: the answer is decline, which roots/list cannot take: it takes roots, result or reject`},
		{"a: [", `a.yaml:1:5: not YAML: `},
		{"a: b\n\tc: d", `a.yaml:2:1: not YAML: `},
		{"order: []\n---\norder: []", `a.yaml:2:1: a second document`},
		{"- a", `a.yaml:1:1: a mapping is needed here, not a list`},
		{"just text", `a mapping is needed here, not "just text"`},
		{"{\n  \"order\": [\n    \"declin\"]}", `a.yaml:3:5: unknown answer "declin"; did you mean "decline"?`},
		{"a: &a [*a, *a]\norder: *a", `unknown section "a"`},
		{"order: &a [*a]", `a.yaml:1:`},
	} {
		_, err := Parse("a.yaml", []byte(tt.text))
		require.ErrorContains(t, err, tt.want, tt.text)
		var mistake *Error
		require.ErrorAs(t, err, &mistake, tt.text)
	}
}

func TestFilesWithoutAnswers(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "{}", "---\n", "order: []\nanswers: {}\nmatch: []", "answers:\nmatch:\norder:\n"} {
		require.Equal(t, "none", answered(t, book(t, text), form("a", "", anything)), text)
	}
	_, err := Read("no/such/file.yaml")
	require.ErrorContains(t, err, "read answers: ")
}

func TestJSONFiles(t *testing.T) {
	b := book(t, `{"answers":{"a":{"accept":{"s":"\ud83d\ude42\/","n":1.50,"b":true,"z":null}}},	"order":["decline"]}`)
	require.Equal(t, `{"action":"accept","content":{"s":"🙂/","n":1.50,"b":true,"z":null}}`, answered(t, b, form("a", "", anything)))
	require.Equal(t, `{"action":"decline"}`, answered(t, b, form("", "", anything)))
}

func TestAliasesAndMergeKeys(t *testing.T) {
	b := book(t, `
answers:
  a: &a {accept: &c {x: 1, y: 2}}
  b: *a
  c: {accept: {<<: *c, y: 3}}
`)
	require.Equal(t, `{"action":"accept","content":{"x":1,"y":2}}`, answered(t, b, form("b", "", anything)))
	require.Equal(t, `{"action":"accept","content":{"y":3,"x":1}}`, answered(t, b, form("c", "", anything)))
}

func TestAliasBombsEnd(t *testing.T) {
	var text strings.Builder
	text.WriteString("answers:\n  a: {result: {a0: &a0 [x,x,x,x,x,x,x,x,x,x]")
	for i := range 12 {
		last := string(rune('a' + i))
		text.WriteString(", " + last + "1: &" + last + "1 [")
		before := "a0"
		if i > 0 {
			before = string(rune('a'+i-1)) + "1"
		}
		text.WriteString(strings.TrimSuffix(strings.Repeat("*"+before+",", 10), ",") + "]")
	}
	text.WriteString("}}\n")
	_, err := Parse("a.yaml", []byte(text.String()))
	require.ErrorContains(t, err, "too large or too deep")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(documented))
	f.Add([]byte(`{"answers":{"a":["decline",{"accept":{"s":1e5}}]},"order":[{"text":"x"}]}`))
	f.Add([]byte("order: [{accept: {a: &x [1, *x]}}, *x]"))
	f.Add([]byte("answers: {a: {accept: {<<: {a: 1}, ? [b] : c}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse("f", data)
		if err != nil {
			return
		}
		for _, a := range []Ask{form("a", "m", `{"properties":{"a":{"type":"integer"},"s":{"type":"array","items":{"type":"string"}}}}`), sampling("a", "x"), {"", Roots, nil}, url("", "x")} {
			for range 3 {
				reply, err := b.Answer(a)
				if err == nil && reply.Outcome == Result && !json.Valid(reply.Result) {
					t.Fatalf("not JSON: %s", reply.Result)
				}
			}
		}
		b.Unused()
	})
}

func TestAcceptedContentTakesRequiredDefaults(t *testing.T) {
	const params = `{"message":"m","requestedSchema":{"type":"object","required":["seats","area"],"properties":{
		"seats":{"type":"integer"},"area":{"type":"string","enum":["inside","terrace"],"default":"terrace"},"note":{"type":"string","default":"n"}}}}`
	for _, tc := range []struct{ file, want string }{
		{`answers: {k: {accept: {seats: 4}}}`, `{"action":"accept","content":{"seats":4,"area":"terrace"}}`},
		{`answers: {k: {accept: {seats: 4, area: inside}}}`, `{"action":"accept","content":{"seats":4,"area":"inside"}}`},
	} {
		b, err := Parse("f", []byte(tc.file))
		require.NoError(t, err)
		r, err := b.Answer(Ask{Key: "k", Method: Elicit, Params: json.RawMessage(params)})
		require.NoError(t, err)
		require.NoError(t, r.Err())
		require.Equal(t, tc.want, string(r.Result))
	}
}
