package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func compiled(t testing.TB, schema string, o Options) *Schema {
	t.Helper()
	doc, err := Decode([]byte(schema))
	require.NoError(t, err, schema)
	s, err := Compile(doc, o)
	require.NoError(t, err, schema)
	return s
}

func judged(t testing.TB, schema, value string) []*Failure {
	t.Helper()
	v, err := Decode([]byte(value))
	require.NoError(t, err, value)
	return compiled(t, schema, Options{}).Validate(v)
}

// TestEachKeywordIsToldWithItsLimit breaks each keyword once.
func TestEachKeywordIsToldWithItsLimit(t *testing.T) {
	rat := func(text string) *big.Rat { r, _ := new(big.Rat).SetString(text); return r }
	for _, tt := range []struct {
		schema, value string
		want          Failure
	}{
		{`{"type":["string","null"]}`, `5`, Failure{Keyword: "type", Want: []string{"string", "null"}, Got: "number"}},
		{`{"type":"integer"}`, `1.5`, Failure{Keyword: "type", Want: []string{"integer"}, Got: "number"}},
		{`{"const":{"a":1}}`, `{"a":2}`, Failure{Keyword: "const", Want: map[string]any{"a": json.Number("1")}}},
		{`{"enum":["a",null]}`, `"b"`, Failure{Keyword: "enum", Want: []any{"a", nil}}},
		{`{"format":"date"}`, `"tomorrow"`, Failure{Keyword: "format", Want: "date"}},
		{`{"minLength":3}`, `"日本"`, Failure{Keyword: "minLength", Want: 3, Got: 2}},
		{`{"maxLength":1}`, `"日本"`, Failure{Keyword: "maxLength", Want: 1, Got: 2}},
		{`{"pattern":"^a"}`, `"b"`, Failure{Keyword: "pattern", Want: "^a"}},
		{`{"minimum":9007199254740993}`, `9007199254740992`, Failure{Keyword: "minimum", Want: rat("9007199254740993")}},
		{`{"maximum":0.1}`, `0.10000000000000001`, Failure{Keyword: "maximum", Want: rat("0.1")}},
		{`{"exclusiveMinimum":1}`, `1.0`, Failure{Keyword: "exclusiveMinimum", Want: rat("1")}},
		{`{"exclusiveMaximum":1}`, `1e0`, Failure{Keyword: "exclusiveMaximum", Want: rat("1")}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, Failure{Keyword: "exclusiveMinimum", Want: rat("1")}},
		{`{"multipleOf":0.01}`, `4.351`, Failure{Keyword: "multipleOf", Want: rat("0.01")}},
		{`{"minItems":1}`, `[]`, Failure{Keyword: "minItems", Want: 1, Got: 0}},
		{`{"maxItems":1}`, `[1,2]`, Failure{Keyword: "maxItems", Want: 1, Got: 2}},
		{`{"uniqueItems":true}`, `["1",1,[2],1.0]`, Failure{Keyword: "uniqueItems", Got: [2]int{1, 3}}},
		{`{"uniqueItems":true}`, `[{"a":1},{"a":2},{"a":1.0}]`, Failure{Keyword: "uniqueItems", Got: [2]int{0, 2}}},
		{`{"prefixItems":[true],"items":false}`, `[1,2,3]`, Failure{Keyword: "items", Want: 1, Got: 2}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[true],"additionalItems":false}`, `[1,2]`, Failure{Keyword: "additionalItems", Want: 1, Got: 1}},
		{`{"contains":{"type":"string"}}`, `[1]`, Failure{Keyword: "contains", Want: 1, Got: 0}},
		{`{"contains":{"type":"string"},"minContains":0,"maxContains":1}`, `["a","b"]`, Failure{Keyword: "maxContains", Want: 1, Got: 2}},
		{`{"minProperties":1}`, `{}`, Failure{Keyword: "minProperties", Want: 1, Got: 0}},
		{`{"maxProperties":0}`, `{"a":1}`, Failure{Keyword: "maxProperties", Want: 0, Got: 1}},
		{`{"required":["a","b"]}`, `{"b":1}`, Failure{Keyword: "required", Names: []string{"a"}}},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, Failure{Keyword: "dependentRequired", Got: "a", Names: []string{"b"}}},
		{`{"dependencies":{"a":["b"]}}`, `{"a":1}`, Failure{Keyword: "dependencies", Got: "a", Names: []string{"b"}}},
		{`{"dependentSchemas":{"a":{"maxProperties":1}}}`, `{"a":1,"b":2}`, Failure{Keyword: "maxProperties", Want: 1, Got: 2}},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"a":1,"c":2,"b":3}`, Failure{Keyword: "additionalProperties", Names: []string{"b", "c"}}},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, Failure{Keyword: "propertyNames", Names: []string{"ab"}}},
		{`{"not":{"type":"null"}}`, `null`, Failure{Keyword: "not"}},
		{`{"oneOf":[{"type":"string"},{"type":"number"},{"minimum":0}]}`, `1`, Failure{Keyword: "oneOf", Got: [2]int{1, 2}}},
		{`{"allOf":[true,{"$ref":"#/$defs/even"}],"$defs":{"even":{"multipleOf":2}}}`, `3`, Failure{Keyword: "multipleOf", Want: rat("2")}},
		{`{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"maximum":5}}`, `15`, Failure{Keyword: "multipleOf", Want: rat("10")}},
		{`{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"maximum":5}}`, `7`, Failure{Keyword: "maximum", Want: rat("5")}},
		{`false`, `7`, Failure{}},
		{`{"properties":{"a/b":{"items":{"type":"string"}}}}`, `{"a/b":["x",7]}`, Failure{Path: []string{"a/b", "1"}, Keyword: "type", Want: []string{"string"}, Got: "number"}},
		{`{"patternProperties":{"^x":{"type":"string"}}}`, `{"x":1}`, Failure{Path: []string{"x"}, Keyword: "type", Want: []string{"string"}, Got: "number"}},
		{`{"properties":{"a":true},"unevaluatedProperties":{"type":"string"}}`, `{"a":1,"b":2}`, Failure{Path: []string{"b"}, Keyword: "type", Want: []string{"string"}, Got: "number"}},
		{`{"prefixItems":[true],"contains":{"const":3},"unevaluatedItems":false}`, `[1,3,4]`, Failure{Path: []string{"2"}}},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, `1`, Failure{Keyword: "$ref"}},
	} {
		got := judged(t, tt.schema, tt.value)
		require.Len(t, got, 1, "%s by %s", tt.value, tt.schema)
		if tt.want.Path == nil {
			tt.want.Path = []string{}
		}
		require.Equal(t, fmt.Sprint(tt.want.Want), fmt.Sprint(got[0].Want), tt.schema) // big.Rat has more than one form of a number
		got[0].Want, tt.want.Want = nil, nil
		require.Equal(t, &tt.want, got[0], tt.schema)
		require.NotEmpty(t, got[0].Error())
	}
}

func TestAllFailuresAreTold(t *testing.T) {
	got := judged(t, `{"properties":{"a":{"type":"string"},"b":{"minimum":1,"multipleOf":2},"c":{"anyOf":[{"type":"string"},{"minimum":5}]}},"required":["d"]}`, `{"a":1,"b":-3,"c":2}`)
	var all []string
	for _, f := range got {
		all = append(all, f.Error())
	}
	require.Equal(t, []string{`breaks required ["d"]`, "/a: breaks type [string]", "/b: breaks minimum 1/1", "/b: breaks multipleOf 2/1", "/c: breaks anyOf"}, all)
	why := got[4].Variants
	require.Len(t, why, 2)
	require.Equal(t, "type", why[0][0].Keyword)
	require.Equal(t, "minimum", why[1][0].Keyword)
}

// TestReferences follows pointers, cycles and names with escapes.
func TestReferences(t *testing.T) {
	tree := `{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"additionalProperties":false}}}`
	require.Empty(t, judged(t, tree, `{"kids":[{"kids":[]},{}]}`))
	require.Len(t, judged(t, tree, `{"kids":[{"kids":[{"x":1}]}]}`), 1)
	require.Len(t, judged(t, `{"$ref":"#/$defs/a~1b%20%25","$defs":{"a/b %":{"type":"null"}}}`, `1`), 1)
	require.Len(t, judged(t, `{"$ref":"#/$defs/n","minimum":5,"$defs":{"n":{"maximum":9}}}`, `3`), 1, "what stands beside a reference counts")
	require.Empty(t, judged(t, `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/n","minimum":5,"definitions":{"n":{"maximum":9}}}`, `3`), "but not in draft-07")
}

// TestWhatIsNoSchemaIsNamed holds each keyword to the values that it may have.
func TestWhatIsNoSchemaIsNamed(t *testing.T) {
	for schema, want := range map[string]string{
		`5`:                                  "# is no schema",
		`{"properties":{"a":7}}`:             "#/properties/a is no schema",
		`{"properties":7}`:                   "#/properties must be an object of schemas",
		`{"type":"text"}`:                    "#/type must be one of null, boolean",
		`{"type":7}`:                         "#/type must be a list of strings",
		`{"enum":"a"}`:                       "#/enum must be a list",
		`{"minLength":-1}`:                   "#/minLength must be a whole number",
		`{"minLength":1.5}`:                  "#/minLength must be a whole number",
		`{"maxItems":"one"}`:                 "#/maxItems must be a whole number",
		`{"minimum":"1"}`:                    "#/minimum must be a number",
		`{"multipleOf":0}`:                   "#/multipleOf must be a number",
		`{"required":"a"}`:                   "#/required must be a list of strings",
		`{"required":[1]}`:                   "#/required must be a list of strings",
		`{"uniqueItems":1}`:                  "#/uniqueItems must be true or false",
		`{"pattern":"("}`:                    "#/pattern must be a regular expression: ",
		`{"pattern":1}`:                      "#/pattern must be a string",
		`{"format":1}`:                       "#/format must be a string",
		`{"patternProperties":{"(":{}}}`:     "#/patternProperties must be a regular expression",
		`{"allOf":[]}`:                       "#/allOf must be a list of schemas",
		`{"anyOf":{}}`:                       "#/anyOf must be a list of schemas",
		`{"dependentRequired":{"a":1}}`:      "#/dependentRequired must be a list of strings",
		`{"$ref":"other.json"}`:              "#/$ref must be a JSON Pointer within the document",
		`{"$ref":"#/$defs/missing"}`:         "there is nothing at #/$defs/missing",
		`{"items":{"not":{"contains":"x"}}}`: "#/items/not/contains is no schema",
		`{"anyOf":[{},{"minimum":{}}]}`:      "#/anyOf/1/minimum must be a number",
		`{"properties":{"a/b":{"const":1,"minLength":"x"}}}`: "#/properties/a~1b/minLength must be",
	} {
		doc, err := Decode([]byte(schema))
		require.NoError(t, err)
		_, err = Compile(doc, Options{})
		require.ErrorContains(t, err, want, schema)
	}
	for _, raw := range []string{`{} {}`, `{}}`, `1 x`} {
		_, err := Decode([]byte(raw))
		require.ErrorContains(t, err, "more than one", raw)
	}
}

// TestNumbersBeyondReasonAreRefused passes by ending.
func TestNumbersBeyondReasonAreRefused(t *testing.T) {
	require.NotEmpty(t, judged(t, `{"minimum":0}`, `1e999999999`))
	require.NotEmpty(t, judged(t, `{"type":"integer"}`, `1e-999999999`))
	require.Empty(t, judged(t, `{"type":"number"}`, `1e999999999`))
	require.NotEmpty(t, judged(t, `{"multipleOf":3}`, strings.Repeat("9", 10000)))
	require.Empty(t, judged(t, `{"uniqueItems":true}`, `[1e999999999,2e999999999]`))
	doc, err := Decode([]byte(`{"minimum":1e999999999}`))
	require.NoError(t, err)
	_, err = Compile(doc, Options{})
	require.Error(t, err)
}

// TestAStepCanEndTheJudging is how callers bound schemas that multiply.
func TestAStepCanEndTheJudging(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	b.WriteString(`"d40":{}}}`)
	steps, enough := 0, errors.New("enough")
	s := compiled(t, b.String(), Options{Step: func() {
		if steps++; steps > 1000 {
			panic(enough)
		}
	}})
	require.PanicsWithError(t, "enough", func() { s.Validate("x") })
}

// TestASubschemaStandsForItself judges by a part of a document, once it is asked
// for; what is broken elsewhere does not matter.
func TestASubschemaStandsForItself(t *testing.T) {
	doc, err := Decode([]byte(`{"properties":{"a":{"type":"string"},"b":{"type":"nothing"}}}`))
	require.NoError(t, err)
	d := New(doc, Options{})
	_, err = d.Schema("")
	require.Error(t, err)
	s, err := d.Schema("/properties/a")
	require.NoError(t, err)
	again, err := d.Schema("/properties/a")
	require.NoError(t, err)
	require.Same(t, s, again)
	require.Empty(t, s.Validate("x"))
	require.NotEmpty(t, s.Validate(nil))
}
