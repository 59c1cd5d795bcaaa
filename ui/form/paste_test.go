package form

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatIsPastedIsKeptWholeOrRefusedAloud pastes texts round every limit that
// a field has: bytes, lines, characters that it would alter.
func TestWhatIsPastedIsKeptWholeOrRefusedAloud(t *testing.T) {
	lines := func(n, width int) string { return strings.Repeat(strings.Repeat("x", width-1)+"\n", n) + "end" }
	for _, c := range []struct{ name, before, pasted string }{
		{"3000 lines of 27 bytes", "", lines(3000, 27)},
		{"3000 lines behind some text", "so far: ", lines(3000, 27)},
		{"3500 lines, 105 kB", "", lines(3500, 30)},
		{"2400 lines, 65 kB", "", lines(2400, 27)},
		{"20000 lines", "", lines(20000, 9)},
		{"one line of 120 kB", "a", strings.Repeat("y", 120<<10)},
		{"tabs over the limit", "a", strings.Repeat("\t1", 40<<10)},
		{"80 lines behind 80 lines", lines(80, 5), lines(80, 5)},
		{"89 lines behind 30 lines", lines(30, 5), lines(89, 5)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, field := range []string{`{"type":"string"}`, `{"type":"string","maxLength":10000000,"format":"textarea"}`} {
				d := begin(t, `{"type":"object","properties":{"s":`+field+`}}`)
				if c.before != "" {
					d.paste(c.before)
				}
				d.paste(c.pasted)
				raw, _ := d.f.Value()
				var v struct{ S string }
				require.NoError(t, json.Unmarshal(raw, &v))
				require.Equal(t, len(c.before+c.pasted), len(v.S))
				require.True(t, v.S == c.before+c.pasted)
				if len(v.S) > longest && d.f.edit == nil {
					d.sees("kept whole, and too long to type in here: Ctrl+E edits it")
				}
				d.keys("ctrl+e")
				after, _ := d.f.Value()
				require.True(t, string(raw) == string(after), "as JSON it is the same text")
			}
		})
	}
}

func TestALongTextShowsItsSize(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{"type":"string"},"t":{"type":"string"}}}`)
	d.paste(strings.Repeat(strings.Repeat("x", 26)+"\n", 3000)+"end").sees("3001 lines", "Ctrl+E edits it")
	d.paste("more").sees("nothing was pasted")
	raw, _ := d.f.Value()
	d.keys("tab").sees("3001 lines")
	again, _ := d.f.Value()
	require.True(t, string(raw) == string(again))
}

func TestADocumentRefusesMoreLinesThanItHolds(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{}}}`)
	d.keys("ctrl+e").sends(`{}`)
	d.paste(strings.Repeat("\n", 10001)).sees("nothing was pasted", "10000 lines").sends(`{}`)
	d.paste(strings.Repeat("\n", 90)).sends(`{}`).seesNot("nothing was pasted")
}
