package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestElicitationSubset(t *testing.T) {
	require.Len(t, Parse(testParams(t, "signup.json")).Elicitation(), 1, "enumNames")
	messages := func(schema string) []string {
		var out []string
		for _, f := range Parse([]byte(schema)).Elicitation() {
			out = append(out, f.Level.String()+" "+f.String())
		}
		return out
	}
	for _, tt := range []struct {
		schema string
		want   []string
	}{
		{`{"type":"object","properties":{"a":{"type":"string","format":"uri"},"b":{"type":"array","items":{"type":"string","enum":["x"]}}},"required":["a"],"$schema":"https://json-schema.org/draft/2020-12/schema"}`, nil},
		{`{"type":"object","properties":{}}`, nil},
		{`{}`, []string{`warning type must be "object"`, "warning properties is missing"}},
		{`{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}`,
			[]string{"note additionalProperties is outside of the elicitation subset",
				"warning /properties/a: an object is outside of the elicitation subset: only strings, numbers, booleans and enums may be asked for"}},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"x","format":"uuid"}},"allOf":[]}`,
			[]string{"warning allOf is outside of the elicitation subset", "warning /properties/a: pattern is outside of the elicitation subset",
				`warning /properties/a: the format "uuid" is outside of the elicitation subset (email, uri, date, date-time)`}},
		{`{"type":"object","properties":{"a":{"type":"string","enum":["x"],"enumNames":["X"]},"b":{"type":["string","null"]},"c":{"type":"array","items":{"type":"string"}}}}`,
			[]string{"note /properties/a: enumNames is the older form: oneOf with const and title took its place", "warning /properties/b: a property must name one primitive type",
				"warning /properties/c: an array is in the elicitation subset only as a choice of several enum values"}},
		{`{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x"}]},"b":{"type":"string","enum":[1]},"c":true}}`,
			[]string{"warning /properties/a/oneOf: each choice must have a const and a title that are strings", "warning /properties/b/enum: enum values must be strings",
				"warning /properties/c: a property must be a schema with a type"}},
	} {
		require.Equal(t, tt.want, messages(tt.schema), tt.schema)
	}
}

func TestSecretsAreNoticed(t *testing.T) {
	asks := func(properties string) []string {
		var out []string
		for _, s := range Parse(object(properties)).Secrets() {
			out = append(out, s.Path+" "+s.Word)
		}
		return out
	}
	require.Equal(t, []string{"/password password", "/apiKey api key", "/x token", "/cardNumber card", "/pin pin", "/p password", "/key key", "/o/GITHUB_TOKEN token", "/q api key"},
		asks(`{"password":{"type":"string"},"apiKey":{"type":"string"},"x":{"type":"string","title":"Access token"},"cardNumber":{"type":"string"},
		"pin":{"type":"integer"},"p":{"type":"string","format":"password"},"key":{"type":"string"},"o":{"type":"object","properties":{"GITHUB_TOKEN":{"type":"string"}}},
		"q":{"type":"string","description":"Your API key"}}`))
	require.Empty(t, asks(`{"name":{"type":"string"},"email":{"type":"string"},"max_tokens":{"type":"integer"},"monkey":{"type":"string"},"keyboard":{"type":"string"},
		"keywords":{"type":"string"},"discard":{"type":"boolean"},"spinner":{"type":"string"},"token":{"enum":["a"]},"cardType":{"type":"string"},"pinned":{"type":"boolean"}}`))
	require.Equal(t, "password", SecretWord("Please enter your password"))
	require.Empty(t, SecretWord("What shall we call it?"))
}
