package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCoerce(t *testing.T) {
	schema := object(`{"s":{"type":"string"},"ns":{"type":["string","null"]},"i":{"type":"integer"},"n":{"type":"number"},"ni":{"type":["integer","null"]},
		"b":{"type":"boolean"},"c":{"enum":["low","high",3]},"t":{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]},
		"m":{"type":"array","items":{"enum":["a","b","a,b"]}},"l":{"type":"array","items":{"type":"number"}},"o":{"type":"object"},
		"u":{"type":["integer","string"]},"any":{},"e":{"enum":[1,"1"]}}`)
	for _, tt := range []struct{ name, text, want, fails string }{
		{"s", "no", `"no"`, ""}, {"s", "5", `"5"`, ""}, {"s", "null", `"null"`, ""}, {"s", `a"<b>`, `"a\"<b>"`, ""}, {"s", "", `""`, ""},
		{"ns", "null", `"null"`, ""},
		{"i", "5", `5`, ""}, {"i", " 5 ", `5`, ""}, {"i", "9007199254740993", `9007199254740993`, ""}, {"i", "5.0", `5.0`, ""},
		{"i", "0.5", "", "not a whole number"}, {"i", "five", "", "must be an integer"}, {"i", "", "", "a number is needed"}, {"i", "007", "", "leading zeros"},
		{"n", "1.50", `1.50`, ""}, {"n", "1,5", "", "decimal point"}, {"n", "1e999", "", "not finite"}, {"n", ".5", "", "digit before the point"},
		{"ni", "null", `null`, ""}, {"ni", "3", `3`, ""},
		{"b", "true", `true`, ""}, {"b", "no", `false`, ""}, {"b", "ON", `true`, ""}, {"b", "maybe", "", "true or false"},
		{"c", "high", `"high"`, ""}, {"c", "3", `3`, ""}, {"c", "hihg", "", `did you mean "high"?`}, {"c", "zzzzzz", "", "low, high, 3"},
		{"t", "r", `"r"`, ""}, {"t", "Green", `"g"`, ""},
		{"m", "a", `["a"]`, ""}, {"m", "b, a", `["b","a"]`, ""}, {"m", "a,b", `["a,b"]`, ""}, {"m", `["b"]`, `["b"]`, ""}, {"m", "a,x", "", "not among the choices"}, {"m", "", `[]`, ""},
		{"l", "[1, 2.0]", `[1, 2.0]`, ""}, {"l", "1", "", "must be an array"},
		{"o", `{"a":1}`, `{"a":1}`, ""}, {"o", "a", "", "must be an object"},
		{"u", "5", `5`, ""}, {"u", "five", `"five"`, ""},
		{"any", "5", `"5"`, ""}, {"undeclared", "5", `"5"`, ""},
		{"e", "1", `"1"`, ""},
	} {
		raw, err := Parse(schema).Coerce(tt.name, tt.text)
		if tt.fails != "" {
			require.ErrorContains(t, err, tt.fails, "%s=%s", tt.name, tt.text)
			require.ErrorContains(t, err, tt.name+": ")
			continue
		}
		require.NoError(t, err, "%s=%s", tt.name, tt.text)
		require.Equal(t, tt.want, string(raw), "%s=%s", tt.name, tt.text)
	}
}

func TestCoerceByAdditionalPropertiesAndVariants(t *testing.T) {
	raw, err := Parse([]byte(`{"type":"object","additionalProperties":{"type":"number"}}`)).Coerce("x", "1.0")
	require.NoError(t, err)
	require.Equal(t, `1.0`, string(raw))
	schema := []byte(`{"oneOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"id":{"type":"boolean"},"q":{"type":"string"}},"required":["q"]}]}`)
	for text, want := range map[string]string{"5": "5", "true": "true"} {
		raw, err = Parse(schema).Coerce("id", text)
		require.NoError(t, err)
		require.Equal(t, want, string(raw))
	}
	_, err = Parse(schema).Coerce("id", "x")
	require.ErrorContains(t, err, "id: must be an integer")
}

func TestScalarsOfANotationWithTypes(t *testing.T) {
	f := Parse(object(`{"s":{"type":"string"},"ns":{"type":["string","null"]},"any":{},"u":{"type":["integer","string"]},"e":{"enum":[1,"1"]},"b":{"type":"boolean"}}`))
	for _, tt := range []struct{ name, text, json, want string }{
		{"s", "no", `false`, `"no"`}, {"s", "5", `5`, `"5"`}, {"ns", "~", `null`, `null`}, {"any", "5", `5`, `5`}, {"any", "x", `"x"`, `"x"`},
		{"u", "5", `5`, `5`}, {"u", "5", `"5"`, `"5"`}, {"e", "1", `1`, `1`}, {"e", "1", `"1"`, `"1"`}, {"b", "no", `"no"`, `false`},
	} {
		raw, err := f.Root.Child(tt.name).Coerce(Scalar{Text: tt.text, JSON: []byte(tt.json)})
		require.NoError(t, err)
		require.Equal(t, tt.want, string(raw), "%v", tt)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"accept", "decline", "cancel"}
	require.Equal(t, "accept", Nearest("acept", names))
	require.Equal(t, "accept", Nearest("Accept", names))
	require.Equal(t, "decline", Nearest("declnie", names))
	require.Empty(t, Nearest("reject", names))
	require.Empty(t, Nearest("x", names))
}
