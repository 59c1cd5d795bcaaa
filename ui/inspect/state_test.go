package inspect

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func fold(s *script.Script) *session.Session {
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	return sess
}

func plain(lines []draw.Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Plain())
	}
	return strings.Join(out, "\n")
}

func TestStateOfARound(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(2)
	sess := fold(s)
	c := sess.Calls[0]
	var st States
	theme := draw.NewTheme(nil)
	now := s.Now().Add(90 * time.Second)

	got := plain(st.State(sess, c, c.Round(2), now, theme))
	require.Contains(t, got, "expires in 8m 22s")
	require.Contains(t, got, "changed since round 1")
	require.Contains(t, got, `+ /answers  {"when"`)
	require.Contains(t, got, "byte for byte what round 1 gave")
	require.Contains(t, got, `"date": "2026-12-04"`, "the payload is JSON")

	later := plain(st.State(sess, c, c.Round(2), now.Add(time.Hour), theme))
	require.Contains(t, later, "expired 51m 37s ago")
}

func TestNoStateInTheLegacyEra(t *testing.T) {
	s := script.New()
	s.Ready(trace.Legacy)
	s.Book(1)
	sess := fold(s)
	var st States
	require.Equal(t, "no requestState in this era", plain(st.State(sess, sess.Calls[0], sess.Calls[0].Round(1), s.Now(), draw.NewTheme(nil))))
}

func TestDiffOfRounds(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(1)
	sess := fold(s)
	c := sess.Calls[0]
	var st States
	got := plain(st.Diff(sess, c, c.Round(2), s.Now(), draw.NewTheme(nil)))
	require.Contains(t, got, "- when form  When would you like to come?")
	require.Contains(t, got, "+ seats form  How many seats, and where?")
	require.Contains(t, got, "12 ms ─▶ 9 ms")
}

func TestWrapKeepsEverything(t *testing.T) {
	line := draw.L(draw.Style{}, "  a long line of words that has to be broken").With(draw.Style{}, "andonewordthatislongerthanthewholewidth")
	for width := 4; width < 60; width++ {
		rows := Wrap(text.Wc, line, width)
		joined := ""
		for _, r := range rows {
			require.LessOrEqual(t, text.Wc.Of(r.Plain()), width)
			joined += r.Plain()
		}
		require.Equal(t, strings.ReplaceAll(line.Plain(), " ", ""), strings.ReplaceAll(joined, " ", ""))
	}
}

func TestDocScrollsAndSearches(t *testing.T) {
	var lines []draw.Line
	for i := range 100 {
		lines = append(lines, draw.L(draw.Style{}, "line "+string(rune('a'+i%26))+strings.Repeat("x", i/26)))
	}
	var d Doc
	show := func() string {
		s := draw.NewScreen(20, 5, nil, text.Wc)
		d.Draw(s, s.Bounds())
		return s.Plain()
	}
	d.Lines("a", 1, func() []draw.Line { return lines })
	require.True(t, strings.HasPrefix(show(), "line a\n"))
	d.Do(keys.PageDown)
	require.True(t, strings.HasPrefix(show(), "line e\n"))
	d.Search("Line BX")
	require.True(t, strings.HasPrefix(show(), "line bx\n"))
	d.Do(keys.NextMatch)
	require.True(t, strings.HasPrefix(show(), "line bxx\n"))
	d.Lines("a", 2, func() []draw.Line { return lines })
	require.True(t, strings.HasPrefix(show(), "line bxx\n"), "the place stays while the document changes")
	d.Do(keys.Last)
	show()
	require.Zero(t, d.Below())
	d.Lines("b", 1, func() []draw.Line { return lines })
	require.True(t, strings.HasPrefix(show(), "line a\n"))
	d.Raw("c", []byte(strings.Repeat("0123456789", 100)))
	require.True(t, strings.HasPrefix(show(), "01234567890123456789\n"))
	d.Do(keys.Last)
	show()
	require.Zero(t, d.Below())
}
