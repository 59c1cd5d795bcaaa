package edge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestObjectsKeepOrderAndBytes(t *testing.T) {
	o, ok := readObject([]byte(` { "b" : 1.50 , "a" : { "x" : [ "}" , "\"" ] } ,"\u0063":"\\", "b":null } `))
	require.True(t, ok)
	require.Equal(t, `{"b":1.50,"a":{ "x" : [ "}" , "\"" ] },"c":"\\","b":null}`, string(o.encode()))
	require.Equal(t, "null", string(o.get("b")), "the last one counts")
	require.True(t, o.has("b"))
	require.False(t, o.has("d"))
	require.Equal(t, `{"b":null,"a":{ "x" : [ "}" , "\"" ] },"c":"\\"}`, string(o.unique().encode()))
	require.Equal(t, `{"a":{ "x" : [ "}" , "\"" ] }}`, string(o.without("b", "c").encode()))
	require.Equal(t, `{"b":2,"a":{ "x" : [ "}" , "\"" ] },"c":"\\","d":3}`, string(o.with("b", json.RawMessage("2")).with("d", json.RawMessage("3")).encode()))
	many := object{}
	for i := range 300_000 { // each of them twice, as a message of a few megabytes can have
		many = append(many, member{itoa(i % 150_000), json.RawMessage(itoa(i))})
	}
	require.Len(t, many.unique(), 150_000)
	require.Equal(t, "150007", string(many.unique()[7].value))
	for _, no := range []string{``, `[]`, `"{}"`, `1`, `null`, `true`} {
		_, ok := readObject([]byte(no))
		require.False(t, ok, no)
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{`""`: "", `"a"`: "a", `"\u00fc\n"`: "ü\n", `"<&>"`: "<&>"} {
		got, ok := text(json.RawMessage(raw))
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	for _, no := range []string{``, `1`, `null`, `{}`} {
		_, ok := text(json.RawMessage(no))
		require.False(t, ok)
	}
}

// Our own splitting and encoding/json see the same members.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1}`, `{"a":"\\","b":[{"c":"]"}],"a":null}`, ` { "x" : -1.5e3 , "y" : true } `, `[1]`, `"x"`, `{"":{"":{}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			readObject(raw) // must only not crash
			return
		}
		var want map[string]json.RawMessage
		isObject := strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "{")
		o, ok := readObject(raw)
		require.Equal(t, isObject, ok)
		if !ok {
			return
		}
		require.NoError(t, json.Unmarshal(raw, &want))
		got := map[string]json.RawMessage{}
		for _, m := range o {
			got[m.key] = m.value
		}
		require.Equal(t, want, got)
		require.True(t, json.Valid(o.encode()), "%s", o.encode())
	})
}
