package wire

import (
	"strings"
	"testing"

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

func booked() (*session.Session, *trace.Log) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Catalogue()
	s.Book(3)
	s.Stderr("a warning\n")
	s.Noise("Server started!", "not JSON")
	_, id := s.Request(trace.Cause{Why: trace.WhyRaw}, "x/y", nil)
	s.Failure(id, -32603, "unexpected")
	return fold(s), s.Log
}

// settle lets a view look at everything.
func settle(v *View, sess *session.Session, log Log) {
	v.Sync(sess)
	for j := v.Job(); j != nil; j = v.Job() {
		v.Take(j.Run(log), sess)
	}
}

func TestFilter(t *testing.T) {
	sess, log := booked()
	for filter, want := range map[string]int{
		"":                              sess.Rows.Len(),
		"method:tools/call dir:out":     4,
		"method:tools/call dir:in":      4,
		"tool:book_table dir:out":       4,
		"TOOL:book":                     0, // a name of a term is written small: this is a text
		"dir:out -method:tools/call":    6,
		"part:stderr":                   1,
		"warning":                       1,
		"status:error":                  2,
		"status:-32603":                 1,
		"method:tools/call dur:>10ms":   2,
		"method:tools/call dur:<=9ms":   2,
		"call:1 part:act":               4,
		"server started":                1,
		"id:1":                          2,
		"method:tools/list status:open": 0,
	} {
		v := New()
		require.NoError(t, v.SetFilter(filter, sess), filter)
		settle(v, sess, log)
		require.Equal(t, want, v.len(), filter)
	}
}

func TestFilterErrorsNameTheTerm(t *testing.T) {
	for _, bad := range []string{"dir:up", "dur:fast", "call:x"} {
		_, err := ParseFilter(bad)
		require.ErrorContains(t, err, bad)
	}
}

func TestTheOldFilterStaysWhereTheNewOneIsWrong(t *testing.T) {
	sess, _ := booked()
	v := New()
	require.NoError(t, v.SetFilter("part:stderr", sess))
	require.Error(t, v.SetFilter("dir:up", sess))
	require.Equal(t, 1, v.len())
}

func TestSelectionSurvivesAFilter(t *testing.T) {
	sess, _ := booked()
	v := New()
	v.Sync(sess)
	var answer int
	for r := range sess.Rows.All() {
		if r.Method == "tools/call" && r.Dir == trace.In {
			answer = r.Seq
			break
		}
	}
	v.Go(answer)
	require.NoError(t, v.SetFilter("method:tools/call", sess))
	require.Equal(t, answer, v.Seq())
	require.NoError(t, v.SetFilter("", sess))
	require.Equal(t, answer, v.Seq())
}

func TestFollow(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	sess := fold(s)
	v := New()
	screen := draw.NewScreen(80, 6, nil, text.Wc)
	v.Draw(screen, screen.Bounds(), sess, true)
	require.Equal(t, sess.Rows.Len(), v.Seq())
	v.Do(keys.Up)
	at := v.Seq()
	for range 5 {
		n := s.Stderr("more\n")
		sess.Apply(s.Log.Since(n - 1)[0])
	}
	v.Draw(screen, screen.Bounds(), sess, true)
	require.Equal(t, at, v.Seq(), "moving up stops following")
	v.Do(keys.Follow)
	v.Draw(screen, screen.Bounds(), sess, true)
	require.Equal(t, sess.Rows.Len(), v.Seq())
}

func TestRowsOfAServerAreClean(t *testing.T) {
	s := script.New()
	s.Noise("\x1b]0;owned\x07", "not JSON\x1b[2J")
	sess := fold(s)
	screen := draw.NewScreen(100, 5, nil, text.Wc)
	New().Draw(screen, screen.Bounds(), sess, true)
	require.Contains(t, screen.Plain(), "␛]0;owned␇")
}

// TestWhatAsksIsToldFromWhatEnds reads the wire of one call in both eras: what
// the server asks, and with what it ends, are told apart in the list.
func TestWhatAsksIsToldFromWhatEnds(t *testing.T) {
	for era, asks := range map[trace.Era]string{trace.Modern: " tools/call input_required ", trace.Legacy: " elicitation/create "} {
		s := script.New()
		s.Ready(era)
		s.Book(3)
		sess := fold(s)
		screen := draw.NewScreen(80, 60, nil, text.Wc)
		v := New()
		settle(v, sess, s.Log)
		v.Draw(screen, screen.Bounds(), sess, true)
		told := map[string]int{}
		for line := range strings.Lines(screen.Plain()) {
			for _, what := range []string{asks, " tools/call result "} {
				if strings.Contains(line, "◀─") && strings.Contains(line, what) {
					told[what]++
				}
			}
		}
		require.Equal(t, map[string]int{asks: 3, " tools/call result ": 1}, told, "%s\n%s", era, screen.Plain())
	}
}
