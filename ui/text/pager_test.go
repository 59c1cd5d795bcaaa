package text

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWidth(t *testing.T) {
	require.Equal(t, 8, Wc.Of("👩‍👩‍👧‍👦"))
	require.Equal(t, 2, Grapheme.Of("👩‍👩‍👧‍👦"))
	require.Equal(t, "日…", Wc.Truncate("日本語", 4))
	require.Equal(t, "日本語", Wc.Truncate("日本語", 6))
	require.Equal(t, "", Wc.Truncate("abc", 0))
	require.Equal(t, "…語", Wc.TruncateLeft("日本語", 3))
	require.Equal(t, "ab   ", Wc.Pad("ab", 5))

	for _, c := range []struct {
		in   string
		cols int
		want []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"abcdefghij kl", 4, []string{"abcd", "efgh", "ij", "kl"}},
		{"a\n\nb", 9, []string{"a", "", "b"}},
		{"日本語", 3, []string{"日", "本", "語"}},
		{"日本", 1, []string{"日", "本"}},
		{"   indented text", 9, []string{"   indent", "ed text"}},
	} {
		got, more := Wc.Wrap(c.in, c.cols, 0)
		require.Equal(t, c.want, got, c.in)
		require.False(t, more)
	}
	rows, more := Wc.Wrap(strings.Repeat("word ", 1000), 10, 3)
	require.Equal(t, []string{"word word", "word word", "word word"}, rows)
	require.True(t, more)
}

func TestPagerWalksBothWays(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	alphabet := []string{"a", " ", "é", "日", "\n", "👩‍👩‍👧", "\t", "\xff", "\x1b", "e\u0301"}
	var b strings.Builder
	for b.Len() < 20_000 {
		switch rng.Intn(200) {
		case 0:
			b.WriteString(strings.Repeat("long line ", 900))
		case 1:
			b.WriteString("\n\n\n")
		default:
			b.WriteString(alphabet[rng.Intn(len(alphabet))])
		}
	}
	for _, cols := range []int{1, 7, 40, 300} {
		p := NewPager([]byte(b.String()), Wc)
		all := p.Rows(0, cols, 1<<20)
		at := 0
		for _, r := range all {
			require.Equal(t, at, r.From)
			require.Greater(t, r.To, r.From)
			requireSafe(t, r.Text, false)
			at = r.To
		}
		require.Equal(t, p.Len(), at, "every byte is in exactly one row")
		for i := len(all) - 1; i > 0; i -= 1 + rng.Intn(1+len(all)/40) {
			require.Equal(t, all[i-1].From, p.Up(all[i].From, cols, 1), "row %d of %d at width %d", i, len(all), cols)
			require.Equal(t, all[i].From, p.At(all[i].To-1, cols))
		}
		last := all[len(all)-1].From
		require.Equal(t, last, p.Down(0, cols, 1<<20))
		require.Equal(t, all[max(0, len(all)-5)].From, p.End(cols, 5))
		require.Equal(t, all[max(0, len(all)-9)].From, p.Up(last, cols, 8))
	}
	empty := NewPager(nil, Wc)
	require.Len(t, empty.Rows(0, 10, 5), 1)
	require.Zero(t, empty.End(10, 5))
	require.Zero(t, empty.Up(0, 10, 5))
}

func TestPagerFind(t *testing.T) {
	p := NewPager([]byte("one two one"), Wc)
	require.Equal(t, 8, p.Find([]byte("one"), 1))
	require.Equal(t, -1, p.Find([]byte("three"), 0))
}

func BenchmarkPagerInOneLineOf60MB(b *testing.B) {
	raw := []byte(`{"data":"` + strings.Repeat("abc é 日 ", 60<<20/12) + `"}`)
	p := NewPager(raw, Wc)
	from := p.At(len(raw)/2, 118)
	b.ResetTimer()
	for b.Loop() {
		p.Rows(from, 118, 34)
		p.Up(from, 118, 34)
		p.End(118, 34)
	}
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 999 * time.Millisecond: "999 ms", 1490 * time.Millisecond: "1.4 s", 59 * time.Second: "59 s",
		125 * time.Second: "2m 05s", 190 * time.Minute: "3h 10m", 98 * time.Hour: "4d 02h", -2 * time.Second: "-2.0 s",
	} {
		require.Equal(t, want, Duration(d))
	}
	require.Equal(t, "in 4m 32s", Left(272*time.Second))
	require.Equal(t, "now", Left(0))
	require.Equal(t, "5 s ago", Left(-5*time.Second))
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1500: "1.5 KB", 60 << 20: "60 MB", 1 << 30: "1.0 GB", 1048500: "1.0 MB"} {
		require.Equal(t, want, Size(n), fmt.Sprint(n))
	}
	require.Equal(t, "1 ask", Count(1, "ask"))
	require.Equal(t, "0 asks", Count(0, "ask"))
}
