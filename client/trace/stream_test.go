package trace

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargeBodiesAreWrittenAsSmallOnesAre holds the two ways of writing an event
// against each other.
func TestLargeBodiesAreWrittenAsSmallOnesAre(t *testing.T) {
	for name, body := range map[string]string{
		"ASCII":               strings.Repeat("line\n", largeBody),
		"runes over the cuts": "a" + strings.Repeat("€", largeBody),
		"what is escaped":     strings.Repeat("\"\\/\u2028\u2029\u202a\u00e2€<&>\x00\x01\x1f\x7f\t\n\r\b\f'", largeBody/8+1),
		"not UTF-8":           strings.Repeat("\xff\xfe", largeBody) + "x",
		"at the limit":        strings.Repeat("x", largeBody),
		"below it":            strings.Repeat("x", largeBody-1),
		"what it is cut by":   strings.Repeat(`"bytes":""`, largeBody/10+1),
	} {
		t.Run(name, func(t *testing.T) {
			e := Event{Seq: 3, At: 5, Frame: &Frame{Dir: In, Exchange: 2, Bytes: []byte(body), Pre: []byte(`"bytes":""` + "\ndata: "), Post: []byte("\n\n"), Cause: Cause{Why: `"bytes":""`}}}
			want, err := encode(e)
			require.NoError(t, err)
			var got bytes.Buffer
			w := bufio.NewWriter(&got)
			require.NoError(t, writeEvent(w, e))
			require.NoError(t, w.Flush())
			require.True(t, bytes.Equal(want, got.Bytes()))
			back, err := decode(got.Bytes())
			require.NoError(t, err)
			require.True(t, bytes.Equal(e.Frame.Bytes, back.Frame.Bytes))
			require.Equal(t, e.Frame.Pre, back.Frame.Pre)
		})
	}
}

// TestALargeBodyIsWrittenInPieces: no buffer ever holds the whole of it.
func TestALargeBodyIsWrittenInPieces(t *testing.T) {
	var most longest
	w := bufio.NewWriter(&most)
	require.NoError(t, writeEvent(w, Event{Seq: 1, Frame: &Frame{Dir: In, Bytes: bytes.Repeat([]byte("line\n"), 1<<20)}}))
	require.NoError(t, w.Flush())
	require.LessOrEqual(t, int(most), 1<<20, "the bytes as they are, between two line ends")
}

// longest is the longest single write.
type longest int

func (l *longest) Write(b []byte) (int, error) {
	*l = max(*l, longest(len(b)))
	return len(b), nil
}
