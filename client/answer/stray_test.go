package answer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWasNotAskedIsSentAndNamed(t *testing.T) {
	const person = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}`
	for name, tc := range map[string]struct {
		schema, accept string
		want           []Stray
	}{
		"a slip":          {person + `}`, `{name: Ada, ag: 3}`, []Stray{{"a.yaml:2:29", "/ag", "ag", "age"}}},
		"nothing like it": {person + `}`, `{colour: red}`, []Stray{{"a.yaml:2:18", "/colour", "colour", ""}}},
		"all declared":    {person + `}`, `{name: Ada, age: 3}`, nil},
		"more is welcome": {person + `,"additionalProperties":{"type":"number"}}`, `{ag: 3}`, nil},
		"by pattern":      {person + `,"patternProperties":{"^a":{}}}`, `{ag: 3}`, nil},
		"nothing is said": {anything, `{ag: 3}`, nil},
		"within":          {`{"type":"object","properties":{"who":` + person + `}}}`, `{who: {aeg: 3}}`, []Stray{{"a.yaml:2:24", "/who/aeg", "aeg", "age"}}},
		"in a list":       {`{"type":"object","properties":{"all":{"type":"array","items":` + person + `}}}}`, `{all: [{age: 3}, {aeg: 3}]}`, []Stray{{"a.yaml:2:35", "/all/1/aeg", "aeg", "age"}}},
		"of a variant":    {`{"type":"object","properties":{"who":{"anyOf":[` + person + `},{"type":"object","properties":{"firm":{"type":"string"}}}]}}}`, `{who: {firm: x, frm: y}}`, []Stray{{"a.yaml:2:33", "/who/frm", "frm", "firm"}}},
		"escaped":         {person + `}`, `{a/b: 3}`, []Stray{{"a.yaml:2:18", "/a~1b", "a/b", ""}}},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := book(t, "answers:\n  who: {accept: "+tc.accept+"}").Answer(form("who", "", tc.schema))
			require.NoError(t, err)
			require.NoError(t, reply.Err())
			require.Equal(t, tc.want, reply.Strays)
			for _, s := range tc.want {
				require.Contains(t, string(reply.Result), string(encode(s.Name))+":")
			}
		})
	}
}

func TestStraysAreBounded(t *testing.T) {
	var accept []string
	for i := range 1000 {
		accept = append(accept, fmt.Sprintf("x%d: 1", i))
	}
	reply, err := book(t, "order: [{accept: {"+strings.Join(accept, ", ")+"}}]").Answer(form("", "", `{"type":"object","properties":{"name":{}}}`))
	require.NoError(t, err)
	require.Len(t, reply.Strays, maxStrays)
	var sent struct{ Content map[string]int }
	require.NoError(t, json.Unmarshal(reply.Result, &sent))
	require.Len(t, sent.Content, 1000)
}

func TestJSONThatIsNotUTF8IsRefused(t *testing.T) {
	_, err := Parse("a.json", []byte("{\"answers\":\n{\"who\":{\"accept\":{\"name\":\"\xff\"}}}}"))
	require.EqualError(t, err, "a.json:2:27: not UTF-8: the byte 0xff")
	_, err = Parse("a.json", []byte("{\"answers\":\n{\"who\":{\"accept\":{\"name\":\"\uFFFD\"}}}}"))
	require.NoError(t, err)
}
