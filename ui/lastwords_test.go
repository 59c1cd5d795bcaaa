package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// exits ends the server by itself, with last words that would clear the screen.
func exits(s *script.Script, code int) {
	s.Stderr("Traceback (most recent call last):\n  File \"server.py\", line 7\n")
	s.Stderr("ValueError: \x1b[2Jno table\n")
	s.Phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Transport: "stdio", Code: &code})
}

// TestACrashShowsItsLastWords looks where a person looks when a server has died:
// at the call that was open, at the catalogue, at the findings.
func TestACrashShowsItsLastWords(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			s := ready(era)
			s.Catalogue()
			c := s.Call("boom", nil)
			s.Stderr("all is well\n")
			exits(s, 7)
			s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: c.ID, Status: trace.Lost, Note: "the server ended by itself"})
			sc := start(t, s, size[0], size[1])
			sc.WaitFor("lost", "✖ exited, code 7", "⚠ ")
			sc.Type(screentest.Enter)
			sc.WaitFor("what it wrote last", "ValueError: ␛[2Jno table", "Traceback")
			s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
			s.Stderr("another server\n")
			s.Phase(trace.Phase{Name: trace.PhaseReady, Era: era})
			sc.WaitForGone("exited, code 7")
			sc.WaitFor("ValueError: ␛[2Jno table") // the words of the one that died stay
			require.NotContains(t, sc.Text(), "another server")
			sc.Type("6")
			sc.WaitFor("[6 Findings]", "the server ended without an answer to tools/call")
		}
	})
}

func TestAServerThatDiesIdleSaysSoBesideItsCatalogue(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := ready(trace.Modern)
		s.Catalogue()
		sc := start(t, s, size[0], size[1])
		sc.WaitFor("[2 Catalogue]", "book_table")
		exits(s, 3)
		sc.WaitFor("✖ exited, code 3", "book_table", "✖ exited: the server ended by itself, code 3", "ValueError: ␛[2Jno table", "R connects again")
		sc.Type("4")
		sc.WaitFor("[4 Findings]", "the server ended by itself with code 3 while the client was connected")
	}
}

// TestHowACallWasLostIsSaidWhole: the sentence that tells how a call was lost stands
// above the last words of the server, to its end, where there is room for both.
func TestHowACallWasLostIsSaidWhole(t *testing.T) {
	const note = "tools/call diedeath (id 2): the server exited with code 9 before it answered; whether it was carried out is not known"
	lost := func(words string, columns, rows int) *screentest.Screen {
		s := ready(trace.Modern)
		s.Catalogue()
		c := s.Call("diedeath", nil)
		s.Stderr(words)
		code := 9
		s.Phase(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Transport: "stdio", Code: &code})
		s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: c.ID, Status: trace.Lost, Note: note})
		sc := start(t, s, columns, rows)
		sc.WaitFor("exited with code 9")
		sc.Type(screentest.Enter)
		sc.WaitFor("what it wrote last")
		return sc
	}
	for _, size := range [][2]int{{100, 30}, {120, 36}, {80, 40}} {
		sc := lost("dying now\n", size[0], size[1])
		sc.WaitFor("dying now", "not known")
	}
	many := ""
	for range 40 {
		many += "at line 7\n"
	}
	lost(many+"the very last\n", 100, 30).WaitFor("the very last", "not known")
}
