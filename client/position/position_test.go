package position

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	for _, tc := range []struct {
		text         string
		offset       int
		line, column int
	}{
		{"", 0, 1, 1},
		{"abc", 0, 1, 1},
		{"abc", 2, 1, 3},
		{"abc", 3, 1, 4},
		{"abc", 99, 1, 4},
		{"abc", -1, 1, 1},
		{"a\nbc", 1, 1, 2},
		{"a\nbc", 2, 2, 1},
		{"a\r\nbc", 4, 2, 2},
		{"a\n\n", 3, 3, 1},
		{"äöü!", len("äöü"), 1, 4},
		{"x\n漢字!", len("x\n漢字"), 2, 3},
		{"\xff\xfe!", 2, 1, 3},
		{"\ufeff{", len("\ufeff"), 1, 1},
		{"\n\ufeff{", len("\n\ufeff"), 2, 2},
	} {
		line, column := Of([]byte(tc.text), tc.offset)
		require.Equal(t, [2]int{tc.line, tc.column}, [2]int{line, column}, "%q at %d", tc.text, tc.offset)
	}
}

// TestJSON marks with « where the fault must be said to be.
func TestJSON(t *testing.T) {
	for _, tc := range []struct{ marked, why string }{
		{"«", "unexpected end of JSON input"},
		{"«  \n ", "unexpected end of JSON input"},
		{"{«\n\n", "unexpected end of JSON input"},
		{`{"a":«`, "unexpected end of JSON input"},
		{`{"a":"b«`, "unexpected end of JSON input"},
		{`{"a": «}`, "invalid character '}' looking for beginning of value"},
		{"{\"who\" «1}", "invalid character '1' after object key"},
		{"{\n  \"a\": 1\n  «\"b\": 2}", `invalid character '"' after object key:value pair`},
		{"[1, 2«}", "invalid character '}' after array element"},
		{"[1, «]", "invalid character ']' looking for beginning of value"},
		{"{\"a\": 1, «}", "invalid character '}' looking for beginning of object key string"},
		{"{«a: 1}", "invalid character 'a' looking for beginning of object key string"},
		{"«nope", "invalid character 'o' in literal null (expecting 'u')"},
		{"{} «{}", "invalid character '{' after top-level value"},
		{"[\"ä\", «x]", "invalid character 'x' looking for beginning of value"},
		{"{\"a\": \"x«\n\"}", `invalid character '\n' in string literal`},
		{`["\«q"]`, `invalid character 'q' in string escape code`},
		{"[0«1]", "invalid character '1' after array element"},
		{"«// none\n{}", "invalid character '/' looking for beginning of value"},
		{"\n\n«<html>", "invalid character '<' looking for beginning of value"},
	} {
		text := strings.Replace(tc.marked, "«", "", 1)
		at := strings.Index(tc.marked, "«")
		if strings.HasPrefix(text, "nope") {
			at = 1 // what follows the n
		}
		fault := JSON([]byte(text))
		require.NotNil(t, fault, text)
		line, column := Of([]byte(text), at)
		require.Equal(t, [2]int{line, column}, [2]int{fault.Line, fault.Column}, tc.marked)
		require.EqualError(t, fault, tc.why, tc.marked)
	}
	for _, text := range []string{"1", " {} ", `{"a":[1,"x",null]}`} {
		require.Nil(t, JSON([]byte(text)), text)
	}
	var deep any
	require.Nil(t, Because([]byte("1"), json.Unmarshal([]byte("1"), &deep)))
}

func TestAMismatchIsPlacedAtItsValue(t *testing.T) {
	type inner struct {
		C int    `json:"c"`
		S string `json:"s"`
	}
	var into struct {
		A int    `json:"a"`
		B inner  `json:"b"`
		L []bool `json:"l"`
	}
	for _, tc := range []struct{ marked, why string }{
		{`{"a": «"x"}`, `"a" cannot be a string`},
		{`{"a": «1.5}`, `"a" cannot be number 1.5`},
		{"{\"x\": {\"c\": \"y\"},\n \"b\" : {\"s\": \"c\",\n\t\"c\":«[]}}", `"b.c" cannot be an array`},
		{`{"b": «true}`, `"b" cannot be true or false`},
		{`{"l": «{"x": 1}}`, `"l" cannot be an object`},
		{` «[1]`, `an array stands where something else is due`},
	} {
		text := []byte(strings.Replace(tc.marked, "«", "", 1))
		fault := Because(text, json.Unmarshal(text, &into))
		require.NotNil(t, fault, tc.marked)
		require.Equal(t, strings.Index(tc.marked, "«"), fault.Offset, tc.marked)
		require.EqualError(t, fault, tc.why, tc.marked)
	}
}

func TestMember(t *testing.T) {
	const text = ` {"a": {"b": [1], "c": "}"}, "d" : 5}`
	for _, tc := range []struct {
		path string
		at   string
	}{
		{"", `{"a"`},
		{"a", `{"b"`},
		{"a.b", `[1]`},
		{"A.C", `"}"`},
		{"d", `5}`},
		{"a.b.x", `[1]`},
		{"x.y", `{"a"`},
		{"a.x", `{"b"`},
	} {
		require.Equal(t, strings.Index(text, tc.at), Member([]byte(text), strings.FieldsFunc(tc.path, func(r rune) bool { return r == '.' })...), tc.path)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", "{", `{"a":1,}`, "nul", "\xff", "[\"\u2028\", x", "1 2"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fault := JSON(text)
		if fault == nil {
			if !json.Valid(text) {
				t.Fatal("no fault in what is not JSON")
			}
			return
		}
		if fault.Offset < 0 || fault.Offset > len(text) || fault.Line < 1 || fault.Column < 1 {
			t.Fatalf("%+v is not in a text of %d bytes", fault, len(text))
		}
		Member(text, "a", "b")
	})
}

// TestWhatIsCutOffEndsWhereItIsCut cuts a text at every byte: whatever it ends
// within, the fault is the end.
func TestWhatIsCutOffEndsWhereItIsCut(t *testing.T) {
	const whole = `{"a":[1,-2.5e+7,true,false,null],"b":"q\"\\\u00e9é","c":{}}`
	for n := 1; n < len(whole); n++ {
		fault := JSON([]byte(whole[:n]))
		require.NotNil(t, fault, whole[:n])
		require.Equal(t, n, fault.Offset, whole[:n])
		require.EqualError(t, fault, "unexpected end of JSON input", whole[:n])
	}
}
