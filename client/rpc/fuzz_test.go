package rpc

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// seed gives a fuzz test the messages of the transcripts.
func seed(f *testing.F) {
	files, err := filepath.Glob("../../testdata/transcripts/*.jsonl")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		for i, line := range bytes.Split(data, []byte("\n")) {
			if i < 12 && len(line) < 4000 {
				f.Add(line)
			}
		}
	}
	for _, s := range []string{
		"", "{", "[1,2", `{"a":}`, `{"a":1,}`, `{"jsonrpc":"2.0","id":1.0,"result":null}`, `{"jsonrpc":"2.0","id":1,"id":2,"error":{}}`,
		"\ufeff{}", `"\ud800"`, `"\u12"`, "\"\x01\"", "-", "1e", "0.5E+3", "01", "[[[[]]]]", "tru", `{"a" : [ ] , "b":{}}`,
		`{'jsonrpc':'2.0'}`, `{"jsonrpc":"2.0",/* c */"id":1}`, `[{"jsonrpc":"2.0"}]`, strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
	} {
		f.Add([]byte(s))
	}
}

func FuzzValidIsWhatEncodingJSONSays(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if valid(data) != json.Valid(data) {
			t.Fatalf("valid says %v of %q", valid(data), data)
		}
	})
}

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m := Parse(data)
		require.Equal(t, before, data, "parsing changes nothing")
		require.NotEmpty(t, m.Kind)
		for _, part := range [][]byte{m.Params, m.Result, m.Error, []byte(m.ID)} {
			require.True(t, bytes.Contains(data, part), "a part is a piece of what came")
			if m.Kind != NotJSON && part != nil && len(part) > 0 {
				require.True(t, json.Valid(part), "%s", part)
			}
		}
		for _, p := range m.Problems {
			require.NotEmpty(t, p.Text)
			require.GreaterOrEqual(t, p.Offset, 0)
			require.LessOrEqual(t, p.Offset, len(data))
		}
		peeked := Peek(data)
		if m.Kind != NotJSON {
			require.Equal(t, m.ID, peeked.ID)
			require.Equal(t, m.Method, peeked.Method)
		}
		if !json.Valid(data) || !utf8.Valid(data) { // encoding/json would alter names that are not UTF-8
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) == nil && object != nil {
			seen := map[string][]byte{}
			for k, v := range Members(data) {
				seen[k] = v
			}
			for k, v := range seen {
				require.Equal(t, string(bytes.TrimSpace(object[k])), string(v), "member %q", k)
			}
			require.Len(t, seen, len(object))
			set := With(data, Field{"added", []byte("1")})
			require.True(t, json.Valid(set), "%s", set)
			require.Equal(t, "1", string(Member(set, "added")))
		}
		var array []json.RawMessage
		if json.Unmarshal(data, &array) == nil {
			n := 0
			for i, v := range Elements(data) {
				require.Equal(t, string(array[i]), string(v))
				n++
			}
			require.Len(t, array, n)
		}
	})
}
