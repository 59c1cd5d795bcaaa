package header

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http/httpguts"
)

func TestEncodeFollowsTheExamplesOfTheSpecification(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"us-west1", "us-west1"},
		{"", ""},
		{"two words", "two words"},
		{"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{" padded ", "=?base64?IHBhZGRlZCA=?="},
		{"line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
		{"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"tab\tinside", "=?base64?dGFiCWluc2lkZQ==?="},
	} {
		require.Equal(t, c.want, Encode(c.value), "%q", c.value)
		got, ok := Decode(Encode(c.value))
		require.True(t, ok)
		require.Equal(t, c.value, got)
	}
	_, ok := Decode("=?base64?***?=")
	require.False(t, ok)
}

func TestParamsRefusesWhatTheSpecificationForbids(t *testing.T) {
	for name, c := range map[string]struct{ schema, fault string }{
		"empty":       {`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "is empty"},
		"object":      {`{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`, "of type"},
		"array":       {`{"properties":{"a":{"type":"array","x-mcp-header":"A"}}}`, "of type"},
		"null":        {`{"properties":{"a":{"type":"null","x-mcp-header":"A"}}}`, "of type"},
		"only null":   {`{"properties":{"a":{"type":["null"],"x-mcp-header":"A"}}}`, "no usable type"},
		"number":      {`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "of type"},
		"untyped":     {`{"properties":{"a":{"x-mcp-header":"A"}}}`, "no type"},
		"value":       {`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`, "not a string"},
		"duplicate":   {`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`, "taken"},
		"space":       {`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`, "not a header name"},
		"colon":       {`{"properties":{"a":{"type":"string","x-mcp-header":"A:"}}}`, "not a header name"},
		"non-ASCII":   {`{"properties":{"a":{"type":"string","x-mcp-header":"Ä"}}}`, "not a header name"},
		"control":     {`{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`, "not a header name"},
		"root":        {`{"x-mcp-header":"A"}`, "whole schema"},
		"items":       {`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, "not reachable"},
		"anyOf":       {`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "not reachable"},
		"definitions": {`{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "not reachable"},
	} {
		_, err := Params([]byte(c.schema))
		require.ErrorContains(t, err, c.fault, name)
	}
}

func TestParamsFindsAnnotationsAndNothingElse(t *testing.T) {
	params, err := Params([]byte(`{"properties":{
		"x-mcp-header":{"type":"string"},
		"region":{"type":"string","x-mcp-header":"Region","default":{"x-mcp-header":"no"}},
		"deep":{"type":"object","properties":{"n":{"type":["integer","null"],"x-mcp-header":"N"}}}}}`))
	require.NoError(t, err)
	require.Equal(t, []Param{{"Mcp-Param-Region", []string{"region"}}, {"Mcp-Param-N", []string{"deep", "n"}}}, params)

	require.Equal(t, []Field{{"Mcp-Param-Region", "=?base64?w6k=?="}, {"Mcp-Param-N", "42"}},
		Values(params, []byte(`{"region":"é","deep":{"n":42.0}}`)))
	require.Equal(t, []Field{{"Mcp-Param-Region", ""}}, Values(params, []byte(`{"region":"","deep":{"n":null}}`)))
	require.Empty(t, Values(params, []byte(`{"deep":{"n":{}}}`)))
}

func TestStandardNamesWhatTheBodyNames(t *testing.T) {
	require.Equal(t, []Field{{"Mcp-Method", "resources/read"}, {"Mcp-Name", "file:///a%20b?c=d"}},
		Standard("resources/read", []byte(`{"uri":"file:///a%20b?c=d","name":"x"}`)))
	require.Equal(t, []Field{{"Mcp-Method", "tools/list"}}, Standard("tools/list", []byte(`{"name":"x"}`)))
	require.Equal(t, []Field{{"Mcp-Method", "tools/call"}}, Standard("tools/call", nil))
}

// texts lists the strings of the transcripts: values of headers, names of tools,
// arguments, URIs.
func texts(f *testing.F) (out []string) {
	files, err := filepath.Glob("../../testdata/transcripts/*.jsonl")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	seen := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if len(v) < 200 && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		for line := range bytes.Lines(data) {
			var v any
			require.NoError(f, json.Unmarshal(line, &v))
			walk(v)
		}
	}
	return out
}

// FuzzDecode holds that every value survives the trip, in a form that HTTP takes
// and leaves alone.
func FuzzDecode(f *testing.F) {
	for _, s := range texts(f) {
		f.Add(s)
	}
	for _, s := range []string{"", "plain", "=?base64?SGVsbG8=?=", "=?base64??=", " x", "é", "=?base64?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if as, ok := Decode(s); !ok {
			require.Equal(t, s, as, "what cannot be decoded stands as it came")
		}
		written := Encode(s)
		require.True(t, httpguts.ValidHeaderFieldValue(written))
		require.Equal(t, strings.TrimSpace(written), written)
		got, ok := Decode(written)
		require.True(t, ok)
		require.Equal(t, s, got)
	})
}

func FuzzParams(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`), []byte(`{"a":"b"}`))
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		params, err := Params(schema)
		if err == nil {
			Values(params, args)
		}
	})
}
