package answer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"mcptui/client/position"
)

// TestWhatIsNotYAMLIsPlaced marks with « where a person would look.
func TestWhatIsNotYAMLIsPlaced(t *testing.T) {
	for _, tc := range []struct{ marked, why string }{
		// Brackets.
		{"a: [«", "the file ends here: did not find expected node content"},
		{"a: [\n# nothing«\n", "the file ends here: did not find expected node content"},
		{"answers:\n  who: {accept: {name: [«}}\n", "did not find expected node content"},
		{"answers:\n  who: {accept: {name: Ada}«\n", "the file ends here: did not find expected ',' or '}' (in the { that opens at 2:8)"},
		{"answers:\n  who: {accept: {name: Ada}\n  «when: decline\n", "did not find expected ',' or '}' (in the { that opens at 2:8)"},
		{"answers:\n  who: [decline, accept\n  when«: cancel\n", "did not find expected ',' or ']' (in the [ that opens at 2:8)"},
		{"answers:\n  who: [decline, cancel]«]\n", "did not find expected key (in the mapping that begins at 2:3)"},
		{"order: [a,\n\n\n  {b: [c«}]\n", "did not find expected ',' or ']' (in the [ that opens at 4:7)"},
		{"order: {a: 1 b«: 2}\n", "did not find expected ',' or '}' (in the { that opens at 1:8)"},
		{"order: {a: 1, «, b: 2}\n", "did not find expected node content"},
		{"order: []\n«}\n", "did not find expected key (in the mapping that begins at 1:1)"},
		{"order:\n  - {method: x, reply: }«}\n", "did not find expected '-' indicator (in the list that begins at 2:3)"},
		{"match:\n  - {method: elicitation/create, message: \"[\", reply: decline\n  - «{method: x}\n", "(in the { that opens at 2:5)"},
		{"{\"answers\": {\"who\": \"decline\"}«\n", "the file ends here: did not find expected ',' or '}' (in the { that opens at 1:1)"},
		// Quotes.
		{"answers:\n  who: {accept: {name: «\"Ada}}\n  x: decline\n", "the quoted text that begins here has no end"},
		{"answers:\n  who: {accept: {name: «'Ada}}\n  x: decline\n", "the quoted text that begins here has no end"},
		{"# x\n\nanswers: «\"unclosed\n\n\n", "the quoted text that begins here has no end"},
		{"a:\n  b: 'it'«s'\n", "did not find expected key"},
		{"answers:\n  who: \"a\" «b\n", "did not find expected key"},
		{"order:\n- {accept: {a: \"é«\\q\"}}\n", "found unknown escape character"},
		{"order:\n- {accept: {a: \"\\u«12\"}}\n", "did not find expected hexdecimal number"},
		// Indentation.
		{"a: b\n«\tc: d", "tab"},
		{"answers:\n«\twho: decline\n", "a tab cannot indent; write spaces"},
		{"answers:\n  who:\n    accept: {}\n   «when: decline\n", "did not find expected key (in the mapping that begins at 2:3)"},
		{"answers:\n  who: decline\n «when: decline\n", "did not find expected key (in the mapping that begins at 1:1)"},
		{"answers:\r\n  who: decline\r\n «when: decline\r\n", "did not find expected key (in the mapping that begins at 1:1)"},
		{"order:\n  - decline\n «- cancel\n", "did not find expected key"},
		{"answers:\n  - a\n  «b: c\n", "did not find expected '-' indicator (in the list that begins at 2:3)"},
		{"order: |\n«\tx\n", "tab"},
		// Colons.
		{"answers:\n  who: decline\n  «when\n  x: y\n", "could not find expected ':' behind this name"},
		{"order:\n  - decline\n  «cancel\n", "could not find expected ':' behind this name"},
		{"answers:\n  who: a«: b\n", "mapping values are not allowed in this context"},
		{"answers:\n  größe: a«: b\n", "mapping values are not allowed in this context"},
		// Characters that mean something.
		{"order: «@x\n", "found character that cannot start any token"},
		{"order: «`x`\n", "found character that cannot start any token"},
		{"order: «%x\n", "found character that cannot start any token"},
		{"order: &«\n", "the file ends here: did not find expected alphabetic or numeric character"},
		{"answers:\n  who: «*nobody\n", "unknown anchor 'nobody' referenced"},
		{"answers:\n  who: &a\n  «*b : x\n", "unknown anchor 'b' referenced"},
		{"order: [a, b«\x01]\n", "control characters are not allowed"},
		{"order: [é, b«\xff]\n", "invalid leading UTF-8 octet"},
		{"order: [é, {«]\n", "did not find expected node content"},
		{"\ufefforder: [é, {«]\n", "did not find expected node content"},
		{"«%YAML 3.0\n---\norder: []\n", "found incompatible YAML document"},
		{"order: []\n---\norder: [«", "the file ends here"},
	} {
		at := strings.Index(tc.marked, "«")
		text := strings.Replace(tc.marked, "«", "", 1)
		line, column := position.Of([]byte(text), at)
		_, err := Parse("a.yaml", []byte(text))
		var mistake *Error
		require.ErrorAs(t, err, &mistake, tc.marked)
		require.Equal(t, [2]int{line, column}, [2]int{mistake.Line, mistake.Column}, "%q: %v", tc.marked, err)
		require.Contains(t, mistake.Message, "not YAML: ", tc.marked)
		require.Contains(t, mistake.Message, tc.why, tc.marked)
	}
}

// TestTheLibraryKeepsItsMarks fails where a version of the library keeps the
// marks under other names: the column would be lost.
func TestTheLibraryKeepsItsMarks(t *testing.T) {
	d := yaml.NewDecoder(strings.NewReader("a:\n  b: {c: d]\n"))
	var doc yaml.Node
	require.Error(t, d.Decode(&doc))
	require.Equal(t, stop{
		problem: mark{13, 2, 11, true}, context: mark{8, 2, 6, true}, event: mark{0, 1, 1, true},
		during: "while parsing a flow mapping",
	}, stopOf(d))
}

func TestWithoutMarksTheMessageHasToDo(t *testing.T) {
	line, why := said(errOf("yaml: line 7: found trouble"))
	require.Equal(t, 7, line)
	require.Equal(t, "found trouble", why)
	line, why = said(errOf("yaml: trouble: found"))
	require.Equal(t, 1, line)
	require.Equal(t, "trouble: found", why)

	// A decoder that has none to show.
	require.Equal(t, stop{}, stopOf(nil))
	err := (&reader{file: "a.yaml"}).broken([]byte("a: ["), nil, errOf("yaml: line 7: found trouble"))
	require.EqualError(t, err, "a.yaml:7: not YAML: found trouble")
}

type errOf string

func (e errOf) Error() string { return string(e) }

func TestWhatIsCalledJSONIsPlacedAsJSON(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{\"answers\":\n {\"who\" 1}}", "a.json:2:9: not JSON: invalid character '1' after object key"},
		{"{\"answers\": \n", "a.json:1:12: not JSON: unexpected end of JSON input"},
		{"{\"é\": {}]}", "a.json:1:9: not JSON: invalid character ']' after object key:value pair"},
		{"{\"answers\":\n\t{\"é\": {\"a\": 1}}}", `a.json:2:9: unknown answer "a"`},
		{"\ufeff{\"anwers\": {}}", `a.json:1:2: unknown section "anwers"; did you mean "answers"?`},
	} {
		_, err := Parse("a.json", []byte(tc.text))
		require.ErrorContains(t, err, tc.want)
	}
}
