package compare

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// TestTheFirstDifferenceIsSeen changes one letter of texts of any length, of
// letters of any width and however they are escaped.
func TestTheFirstDifferenceIsSeen(t *testing.T) {
	s := draw.NewScreen(80, 24, nil, text.Wc)
	random := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b ", "表", "😀", "\n", "é", "\x1b[2K"}
	for range 500 {
		var head, rest strings.Builder
		for range random.IntN(400) {
			head.WriteString(letters[random.IntN(len(letters))])
		}
		for range random.IntN(200) {
			rest.WriteString(letters[random.IntN(len(letters))])
		}
		escaped := func(letter string) []byte {
			raw, err := json.Marshal(head.String() + letter + rest.String())
			require.NoError(t, err)
			var b strings.Builder
			for _, r := range string(raw) { // as a server that escapes all but ASCII
				if r < 0x80 {
					b.WriteRune(r)
				} else if r < 0x10000 {
					fmt.Fprintf(&b, "\\u%04x", r)
				} else {
					fmt.Fprintf(&b, "\\u%04x\\u%04x", 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
				}
			}
			return []byte(b.String())
		}
		for _, room := range []int{8, 12, 30, 80} {
			before, after := beside(s, Difference{Op: state.Changed, JSON: true, Before: escaped("X"), After: escaped("Y")}, room)
			require.Contains(t, before, "X", "%d columns, behind %q", room, head.String())
			require.Contains(t, after, "Y", "%d columns, behind %q", room, head.String())
			require.LessOrEqual(t, s.Width.Of(before), room)
			require.LessOrEqual(t, s.Width.Of(after), room)
			require.NotContains(t, before+after, `\u`)
			require.NotContains(t, before+after, "\x1b")
		}
	}
}

func TestANumberIsNotTakenForAText(t *testing.T) {
	s := draw.NewScreen(80, 24, nil, text.Wc)
	before, after := beside(s, Difference{Op: state.Changed, JSON: true, Before: []byte(`"2"`), After: []byte(`2`)}, 20)
	require.Equal(t, []string{`"2"`, `2`}, []string{before, after})
	before, after = beside(s, Difference{Op: state.Changed, Before: []byte("r\xc3\xa9"), After: []byte("r\xc3\xa8")}, 20)
	require.Equal(t, []string{"ré", "rè"}, []string{before, after})
	before, after = beside(s, Difference{Op: state.Changed, Before: []byte("longer"), After: []byte("long")}, 20)
	require.Equal(t, []string{"longer", "long"}, []string{before, after})
}
