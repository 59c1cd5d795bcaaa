package mrtr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const all = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}`

func TestReadTellsEndsAsksAndFaultsApart(t *testing.T) {
	for _, c := range []struct {
		name, method, result string
		legacy               bool
		asking               bool
		keys                 []string
		state, fault         string
	}{
		{name: "no type", method: "tools/call", result: `{"content":[]}`},
		{name: "complete", method: "x", result: ` {"resultType":"complete"}`},
		{name: "legacy", method: "tools/call", result: `{"resultType":"odd"}`, legacy: true},
		{name: "legacy asks", method: "tools/call", result: `{"resultType":"input_required"}`, legacy: true, fault: "does not exist before"},
		{name: "text", method: "tools/call", result: `"done"`, fault: "not an object"},
		{name: "null", method: "tools/call", result: `null`, fault: "not an object"},
		{name: "type is a number", method: "tools/call", result: `{"resultType":3}`, fault: "resultType 3"},
		{name: "asks", method: "prompts/get", result: `{"resultType":"input_required","inputRequests":{"b":{"method":"roots/list"},"a":{"method":"roots/list","params":{}}},"requestState":"s\u0000"}`,
			asking: true, keys: []string{"b", "a"}, state: `"s\u0000"`},
		{name: "a key twice", method: "tools/call", result: `{"resultType":"input_required","inputRequests":{"a":{"method":"x"},"a":{"method":"roots/list"}}}`,
			asking: true, keys: []string{"a"}},
		{name: "state only", method: "resources/read", result: `{"resultType":"input_required","inputRequests":{},"requestState":""}`, asking: true, state: `""`},
		{name: "state null", method: "tools/call", result: `{"resultType":"input_required","requestState":null}`, asking: true, state: `null`, fault: "not a string"},
		{name: "nowhere", method: "tools/list", result: `{"resultType":"input_required","requestState":"s"}`, fault: "not allowed on tools/list"},
	} {
		r := Read(c.method, !c.legacy, []byte(c.result), []byte(all))
		require.Equal(t, c.asking, r.Asking, c.name)
		require.Equal(t, c.state, string(r.State), c.name)
		var keys []string
		for _, a := range r.Asks {
			keys = append(keys, a.Key)
		}
		require.Equal(t, c.keys, keys, c.name)
		if c.fault == "" {
			require.Empty(t, r.Fault, c.name)
		} else {
			require.Contains(t, r.Fault, c.fault, c.name)
		}
	}
}

func TestUndeclared(t *testing.T) {
	for _, c := range []struct{ declared, method, params, want string }{
		{`{"elicitation":{}}`, "elicitation/create", `{}`, ""},
		{`{"elicitation":{"form":{}}}`, "elicitation/create", `{"mode":"form"}`, ""},
		{`{"elicitation":{"url":{}}}`, "elicitation/create", `{}`, "elicitation.form"},
		{`{"elicitation":{}}`, "elicitation/create", `{"mode":"url"}`, "elicitation.url"},
		{`{"elicitation":null}`, "elicitation/create", `{}`, "elicitation.form"},
		{`{"sampling":{}}`, "sampling/createMessage", `{}`, ""},
		{`{"sampling":{}}`, "sampling/createMessage", `{"toolChoice":{}}`, "sampling.tools"},
		{`{"sampling":{"tools":{}}}`, "sampling/createMessage", `{"tools":[]}`, ""},
		{`{}`, "sampling/createMessage", ``, "sampling"},
		{`{"roots":{}}`, "roots/list", ``, ""},
		{``, "roots/list", ``, "roots"},
	} {
		require.Equal(t, c.want, Undeclared([]byte(c.declared), c.method, []byte(c.params)), "%+v", c)
	}
}

func TestRequired(t *testing.T) {
	asks := Required([]byte(`{"elicitations":[
		{"mode":"url","elicitationId":"e1","url":"https://a","message":"Connect"},
		{"mode":"url","elicitationId":"e1","url":"https://b","message":"Twice"},
		{"mode":"form","elicitationId":"e2","message":"no URL"},
		{"mode":"url","url":"https://a","message":"no id"},
		7]}`))
	require.Len(t, asks, 1)
	require.Equal(t, "e1", asks[0].Key)
	require.Empty(t, Required([]byte(`{"elicitations":{}}`)))
	require.Empty(t, Required(nil))
}

func TestProvisional(t *testing.T) {
	require.True(t, Provisional(-32022, 0))
	require.True(t, Provisional(-32000, 429))
	require.False(t, Provisional(-32602, 400))
	require.False(t, Provisional(-32602, 0))
}

func FuzzRead(f *testing.F) {
	f.Add("tools/call", []byte(`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"x","requestedSchema":{}}}}}`))
	f.Add("tools/list", []byte(`{"resultType":"input_required","requestState":"\ud800"}`))
	f.Fuzz(func(t *testing.T, method string, result []byte) {
		r := Read(method, true, result, []byte(all))
		if r.Asking && r.Fault == "" {
			require.True(t, len(r.Asks) > 0 || r.State != nil)
		}
	})
}
