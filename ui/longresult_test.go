package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// longText is a text of numbered lines, larger than is laid out.
func longText(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d %s\n", i, strings.Repeat("y", 100))
	}
	return b.String()
}

func TestAResultThatIsCutSaysHowMuchAndWhereTheRestIs(t *testing.T) {
	s := ready(trace.Modern)
	s.Call("big", nil).Done(longText(20000))
	sc, kept := withSave(t, s, 80, 24)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("line 0 yyy")
	sc.Type(screentest.Tab, "G")
	sc.WaitFor("… cut here: 2.0 MB more are in the bytes of the message", "w saves the whole response to a file; 4 (Response) and then Space")
	sc.Type("/19999", screentest.Enter)
	sc.WaitFor("not found in what is shown here: 19999")
	sc.Type("w")
	sc.WaitFor("saved to /tmp/response-")
	_, body := kept.last()
	require.Contains(t, string(body), "line 19999")
	sc.Type("4")
	sc.WaitFor(`"jsonrpc": "2.0"`)
	sc.Type("G")
	sc.WaitFor("… (2.1", "cut here: Space shows")
	sc.Type(" ", "/line 19999", screentest.Enter)
	sc.WaitFor("line 19999 yyy")
}

func TestASearchFindsFromTheStartAndSaysWhatIsNowhere(t *testing.T) {
	s := ready(trace.Modern)
	s.Call("talk", nil).Done(strings.Repeat("alpha\n", 50) + "beta\n" + strings.Repeat("gamma\n", 50))
	sc := start(t, s, 80, 24)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("alpha")
	sc.Type(screentest.Tab, "G")
	sc.WaitFor("gamma")
	sc.Type("/beta", screentest.Enter) // it is above
	sc.WaitFor("beta")
	require.NotContains(t, sc.Text(), "not found")
	sc.Type("/nowhere", screentest.Enter)
	sc.WaitFor("not found in what is shown here: nowhere")
	sc.Type("G")
	sc.WaitForGone("not found")
}

// TestTheVeryLastWordsOfAServerAreInSight writes hundreds of lines in pieces before
// the server ends: the last one is what is needed.
func TestTheVeryLastWordsOfAServerAreInSight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {60, 14}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := ready(trace.Modern)
			c := s.Call("crash", nil)
			for i := range 40 {
				var piece strings.Builder
				for j := range 10 {
					fmt.Fprintf(&piece, "trace line %d\n", 10*i+j)
				}
				s.Stderr(piece.String())
			}
			s.Stderr("Traceback: LAST WORDS KeyError 'x'")
			code := 3
			s.Phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Code: &code})
			s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: c.ID, Status: trace.Lost,
				Note: "tools/call crash (id 2): the server exited with code 3 before it answered; whether it was carried out is not known"})
			sc := start(t, s, size[0], size[1])
			sc.WaitFor("✖ ", "exited with code") // in the list: the reason, not the name again
			sc.Type(screentest.Enter)
			sc.WaitFor("Traceback: LAST WORDS KeyError 'x'", "exited with code")
			require.NotContains(t, sc.Text(), "41 stderr")
			sc.Type(screentest.Tab, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up, screentest.Up)
			sc.WaitForGone("LAST WORDS")
			sc.Type("G")
			sc.WaitFor("LAST WORDS")
		})
	}
}

// TestAServerThatDiesBeforeItIsReadySaysItsLastWords looks where nothing was listed.
func TestAServerThatDiesBeforeItIsReadySaysItsLastWords(t *testing.T) {
	s := script.New()
	s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
	s.Stderr(strings.Repeat("a line of a trace\n", 200) + "the very last line\n")
	s.Phase(trace.Phase{Name: trace.PhaseFailed, Reason: "the server ended before it was ready"})
	sc := start(t, s, 80, 24)
	sc.WaitFor("✖ failed: the server ended", "before it was ready", "the very last line", "R connects again")
}
