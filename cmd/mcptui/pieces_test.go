package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargeTextsAreDecodedInPieces cuts texts of all kinds of characters and
// escapes at every place that a piece can end at.
func TestLargeTextsAreDecodedInPieces(t *testing.T) {
	for _, unit := range []string{"x", "é", "漢字", `\n`, `\\`, `\"`, `\u00e9`, `\ud83d\ude42`, `\ud83d`, `\ude42`, "🙂", `a\ud83d\ude42\\u`, `\/\u0041 `} {
		for shift := range 14 {
			raw := []byte(`"` + strings.Repeat("-", pieceSize-shift) + strings.Repeat(unit, 50) + `"`)
			var want string
			require.NoError(t, json.Unmarshal(raw, &want))
			var got []byte
			for piece := range pieces(raw) {
				got = append(got, piece...)
			}
			require.True(t, want == string(got), "%s shifted by %d: …%q", unit, shift, got[max(0, len(got)-60):])
		}
	}
	for range pieces([]byte(`{"a":1}`)) {
		t.Fatal("an object is no text")
	}
}

func FuzzPieces(f *testing.F) {
	f.Add([]byte("a\\n\u00e9🙂"), 3)
	f.Fuzz(func(t *testing.T, text []byte, before int) {
		if before < 0 || before > 40 {
			return
		}
		raw := []byte(`"` + strings.Repeat("-", pieceSize-before) + string(text) + strings.Repeat("-", 20) + `"`)
		var want string
		if !json.Valid(raw) || json.Unmarshal(raw, &want) != nil || !bytes.Contains(raw, []byte(`\`)) {
			return
		}
		var got []byte
		for piece := range pieces(raw) {
			got = append(got, piece...)
		}
		if strings.ToValidUTF8(want, "?") != strings.ToValidUTF8(string(got), "?") && strings.ContainsRune(want, 0xFFFD) == false {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

// TestIndentIsThatOfTheLibrary holds the indenting that does not copy to the one
// that does.
func TestIndentIsThatOfTheLibrary(t *testing.T) {
	for _, raw := range []string{
		`{}`, `[]`, `{ }`, "[\n]", `1`, `"a"`, `null`, `{"a":1}`, `[1,2,[3,{}],{"b":[]}]`, ` {"a" : "x , y : { [ \" ] }" , "b\\" : [ true,false ] } `, `[[[[]]]]`, `[[[[1e5]]]]`, `{"":{"":{}}}`,
	} {
		var want bytes.Buffer
		require.NoError(t, json.Indent(&want, []byte(strings.TrimSpace(raw)), "", "  "))
		require.Equal(t, want.String(), indented([]byte(raw)), raw)
	}
}

// TestAnOutputThatFailsEndsTheResult: nothing more is decoded for nobody.
func TestAnOutputThatFailsEndsTheResult(t *testing.T) {
	full := errors.New("full")
	w := failing{full}
	require.ErrorIs(t, resultText(w, "tools/call", []byte(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`)), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
