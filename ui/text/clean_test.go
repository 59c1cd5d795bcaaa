package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain is untouched", "a plain line, 100 % of it", "a plain line, 100 % of it"},
		{"newline stays", "a\nb", "a\nb"},
		{"carriage return is seen", "safe\rrm", "safe␍rm"},
		{"tab goes to its stop", "ab\tc\n\td", "ab  c\n    d"},
		{"colour", "\x1b[31;1;5mRED\x1b[0m", "␛[31;1;5mRED␛[0m"},
		{"title", "\x1b]0;pwned\x07", "␛]0;pwned␇"},
		{"C1 as code points", "\u009b31m\u009d\u009c\u0085", `\u009b31m\u009d\u009c\u0085`},
		{"C1 as a lone byte", "\x9b2J", `\x9b2J`},
		{"NUL, BS, DEL", "a\x00b\b\x7f", "a␀b␈␡"},
		{"bidi", "user\u202egnp.exe\u202c \u2066x\u2069\u200e\u061c", `user\u202egnp.exe\u202c \u2066x\u2069\u200e\u061c`},
		{"zero width", "ad\u200bmin\u2060\ufeff\u00ad", `ad\u200bmin\u2060\ufeff\u00ad`},
		{"tags", "hi\U000e0041\U000e0042", `hi\U000e0041\U000e0042`},
		{"separators", "a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"private and unassigned", "\ue000\uffff\U0010ffff", `\ue000\uffff\U0010ffff`},
		{"blank letters", "\u3164\u115f\uffa0", `\u3164\u115f\uffa0`},
		{"bad UTF-8", "a\xffb\xc3(\xed\xa0\x80", `a\xffb\xc3(\xed\xa0\x80`},
		{"a true replacement character stays", "a\ufffdb", "a\ufffdb"},
		{"CJK, accents, Devanagari", "日本 é e\u0301 नमस्ते", "日本 é e\u0301 नमस्ते"},
		{"emoji family keeps its joiners", "👩‍👩‍👧‍👦!", "👩‍👩‍👧‍👦!"},
		{"heart keeps its selector", "❤️", "❤️"},
		{"keycap keeps its selector", "1️⃣", "1️⃣"},
		{"joiner between letters is seen", "ad\u200dmin", `ad\u200dmin`},
		{"joiner at an end is seen", "\u200d👩\u200d", `\u200d👩\u200d`},
		{"selector on a letter is seen", "a\ufe0fb\ufe00", `a\ufe0fb\ufe00`},
		{"hidden selectors in a run", "😀\U000e0101\U000e0142", `😀\U000e0101\U000e0142`},
		{"marks without end", "Z" + strings.Repeat("\u0301", 200) + "!", "Z" + strings.Repeat("\u0301", 8) + "<+192 marks>!"},
		{"a mark with nothing below", "\u0301a\n\u0301", `\u0301a` + "\n" + `\u0301`},
		{"a mark after an escape", "\x1b\u0301", "␛" + `\u0301`},
		{"a mark after a joiner", "a\u200d\u0301", `a\u200d\u0301`},
		{"a flag", "🇪🇺", "🇪🇺"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, Clean(c.in)) })
	}
	require.Equal(t, "a␊␉b", CleanLine("a\n\tb"))
}

func TestCleanJoinedWithoutEnd(t *testing.T) {
	got := Clean(strings.Repeat("👩\u200d", 500) + "👩")
	require.Contains(t, got, "code points>")
	require.Less(t, utf8.RuneCountInString(got), 50)
}

// requireSafe fails where s holds anything that a terminal would obey or a
// person could not see.
func requireSafe(t *testing.T, s string, newlines bool) {
	t.Helper()
	require.True(t, utf8.ValidString(s), "%q", s)
	var prev rune
	for i, r := range s {
		switch {
		case r == '\n' && newlines:
		case r == zwj || r == vs15 || r == vs16:
			require.NotZero(t, prev, "selector at the start of %q", s)
		case r < 0x20, r == 0x7f, !unicode.IsGraphic(r), hidden(r):
			t.Fatalf("%U at %d of %q", r, i, s)
		}
		prev = r
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		multi, line := Clean(s), CleanLine(s)
		requireSafe(t, multi, true)
		requireSafe(t, line, false)
		require.Equal(t, strings.Count(s, "\n"), strings.Count(multi, "\n"))
		for _, w := range []Width{Wc, Grapheme} {
			rows, _ := w.Wrap(multi, 7, 0)
			for _, r := range rows {
				if g, _ := w.Next(r + " "); len(g) < len(r) {
					require.LessOrEqual(t, w.Of(r), 7, "%q", r)
				}
			}
			require.LessOrEqual(t, w.Of(w.Truncate(line, 9)), 9)
		}
	})
}

func TestCleanIsLinear(t *testing.T) {
	// A megabyte of what is dearest; a quadratic step would take minutes.
	for _, s := range []string{"\u0301", "é", "\x9b", "👩\u200d", "\u1100"} {
		require.NotEmpty(t, CleanLine(strings.Repeat(s, 1<<20/len(s))))
	}
}
