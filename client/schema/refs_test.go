package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReferencesWithinTheSchema(t *testing.T) {
	for name, schema := range map[string]string{
		"pointer":            `{"properties":{"p":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`,
		"definitions":        `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"p":{"$ref":"#/definitions/n"}},"definitions":{"n":{"type":"integer"}}}`,
		"anchor":             `{"properties":{"p":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}`,
		"draft-07 anchor":    `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"p":{"$ref":"#n"}},"definitions":{"x":{"$id":"#n","type":"integer"}}}`,
		"own id":             `{"$id":"https://example.com/s","properties":{"p":{"$ref":"https://example.com/s#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`,
		"relative to id":     `{"$id":"https://example.com/a/s","properties":{"p":{"$ref":"t"}},"$defs":{"n":{"$id":"t","type":"integer"}}}`,
		"id below id":        `{"$id":"https://example.com/s","properties":{"p":{"$ref":"t#/$defs/m"}},"$defs":{"n":{"$id":"t","$defs":{"m":{"type":"integer"}}}}}`,
		"root from below id": `{"properties":{"p":{"$id":"https://example.com/p","$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`,
		"unknown place":      `{"properties":{"p":{"$ref":"#/components/schemas/n"}},"components":{"schemas":{"n":{"type":"integer"}}}}`,
		"part of unknown":    `{"properties":{"p":{"$ref":"#/components/n/properties/m"},"q":{"$ref":"#/components/n"}},"components":{"n":{"properties":{"m":{"type":"integer"}}}}}`,
		"escaped":            `{"properties":{"p":{"$ref":"#/$defs/a~1b%20~0c"}},"$defs":{"a/b ~c":{"type":"integer"}}}`,
		"chain":              `{"properties":{"p":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/c"}]},"c":{"type":"integer"}}}`,
		"property":           `{"properties":{"p":{"$ref":"#/properties/q"},"q":{"type":"integer"}}}`,
		"dynamic":            `{"properties":{"p":{"$dynamicRef":"#n"}},"$defs":{"x":{"$dynamicAnchor":"n","type":"integer"}}}`,
		"sibling of the ref": `{"properties":{"p":{"$ref":"#/$defs/n","title":"P","minimum":0}},"$defs":{"n":{"type":"integer","title":"N"}}}`,
		"union with null":    `{"properties":{"p":{"oneOf":[{"type":"null"},{"$ref":"#/$defs/n"}]}},"$defs":{"n":{"type":"integer"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := Parse([]byte(schema))
			require.Empty(t, f.Findings)
			p := f.Root.Child("p")
			require.Equal(t, Integer, p.Kind)
			require.Empty(t, f.Validate([]byte(`{"p":5}`)))
			require.Equal(t, []string{"/p"}, paths(f.Validate([]byte(`{"p":"x"}`))))
			require.NotEmpty(t, p.Check([]byte(`"x"`)))
			require.Empty(t, p.Check([]byte(`5`)))
		})
	}
	require.Equal(t, "P", Parse([]byte(`{"properties":{"p":{"$ref":"#/$defs/n","title":"P"}},"$defs":{"n":{"type":"integer","title":"N"}}}`)).Root.Child("p").Title)
}

func TestReferencesOutOfTheSchemaAreNotFetched(t *testing.T) {
	for _, ref := range []string{"http://127.0.0.1:9/canary.json", "https://example.com/s#/x", "other.json", "file:///etc/passwd", "//host/x"} {
		f := Parse([]byte(`{"properties":{"p":{"$ref":"` + ref + `"}},"required":["p"]}`))
		require.Len(t, f.Findings, 1, ref)
		require.Contains(t, f.Findings[0].Message, "is not fetched")
		require.Empty(t, f.Validate([]byte(`{"p":{"any":1}}`)))
		require.Len(t, f.Validate([]byte(`{}`)), 1, "the rest of the schema holds")
	}
}

func TestRecursiveFormsOpenStepByStep(t *testing.T) {
	d := newDraft(t, []byte(`{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},
		"$defs":{"node":{"type":"object","required":["v"],"properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`))
	n := d.Root.Child("tree")
	for range 30 {
		n.Fill()
		n.Child("v").SetText("x")
		kid, err := n.Child("kids").Append()
		require.NoError(t, err)
		n = kid
	}
	n.Child("v").SetText("last")
	require.Empty(t, d.Check())
	require.Equal(t, "/tree"+repeat("/kids/0", 30), n.Path())
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

func TestKeywordsWithImpossibleValuesAreLeftOut(t *testing.T) {
	f := Parse([]byte(`{"type":"object","required":"a","properties":{
		"a":{"type":"strng"},"b":{"type":["string","wat"],"minLength":-1,"maxLength":"9"},"c":{"type":"integer","minimum":"1","exclusiveMaximum":true,"maximum":5},
		"d":{"enum":"x"},"e":7,"f":{"type":"string","pattern":"("},"g":{"type":"array","items":[{"type":"integer"}],"uniqueItems":"yes"},
		"h":{"multipleOf":0},"i":{"anyOf":{}},"j":{"properties":[]},"k":{"title":5,"$ref":9}}}`))
	require.GreaterOrEqual(t, len(f.Findings), 12)
	valid := `{"a":1,"b":"","c":4,"d":2,"e":null,"f":"(","g":[1,1],"h":3,"i":0,"j":{},"k":1}`
	require.Empty(t, f.Validate([]byte(valid)), "what cannot be meant is left out")
	require.Equal(t, []string{"/b", "/c", "/g/0"}, paths(f.Validate([]byte(`{"b":1,"c":5,"g":["x"]}`))), "and the rest holds")
	require.Equal(t, String, f.Root.Child("b").Kind)
	require.Equal(t, "less than 5", f.Root.Child("c").Range())
}
