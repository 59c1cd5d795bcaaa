package ui_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// deaf is a controller that does nothing: screens over a scripted log.
type deaf struct{ control.Controller }

func (deaf) Later(trace.AskID) error { return nil }

var sizes = []struct{ columns, rows int }{{80, 24}, {120, 36}}

func start(t *testing.T, s *script.Script, columns, rows int) *screentest.Screen {
	t.Helper()
	m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Timeout: time.Minute})
	return screentest.Start(t, m, columns, rows)
}

func ready(era trace.Era) *script.Script {
	s := script.New()
	s.Ready(era)
	s.Catalogue()
	return s
}

func TestScreens(t *testing.T) {
	for _, size := range sizes {
		name := func(what string) string { return fmt.Sprintf("%s-%dx%d", what, size.columns, size.rows) }
		t.Run(name("catalogue"), func(t *testing.T) {
			sc := start(t, ready(trace.Modern), size.columns, size.rows)
			sc.WaitFor("book_table")
			sc.Golden("start")
			sc.Type(screentest.Down)
			sc.WaitFor("Books a table")
			sc.Golden("tool")
		})
		for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
			t.Run(name("call-"+string(era)), func(t *testing.T) {
				s := ready(era)
				s.Book(1)
				s.Wait(2500 * time.Millisecond)
				sc := start(t, s, size.columns, size.rows)
				sc.WaitFor("you: ")
				sc.Golden("calls")
				sc.Type(screentest.Enter)
				sc.WaitFor("How many seats")
				sc.Golden("ask")
			})
			t.Run(name("done-"+string(era)), func(t *testing.T) {
				s := ready(era)
				s.Book(3)
				sc := start(t, s, size.columns, size.rows)
				sc.WaitFor("✓ done")
				sc.Type(screentest.Enter)
				sc.WaitFor("Booked: a table for 4")
				sc.Golden("result")
				sc.Type("1")
				sc.WaitFor(map[trace.Era]string{trace.Modern: "signature", trace.Legacy: "no requestState in this era"}[era])
				sc.Golden("state")
			})
		}
		t.Run(name("wire"), func(t *testing.T) {
			s := ready(trace.Modern)
			s.Book(3)
			sc := start(t, s, size.columns, size.rows)
			sc.WaitFor("✓ done")
			sc.Type("3")
			sc.WaitFor("jsonrpc")
			sc.Golden("wire")
			sc.Type("/", "method:tools/call dir:out", screentest.Enter)
			sc.WaitFor("4 of ", "jsonrpc", "Enter open") // the filter works while it is typed: the footer says that Enter came, too
			sc.Golden("filtered")
		})
	}
}

// TestARecordingThatEndedInTheMiddle shows a session whose last call was open
// when it was recorded.
func TestARecordingThatEndedInTheMiddle(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	s.Call("slow", nil)
	s.Log.Close()
	sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Start: script.Start}), 150, 36)
	sc.WaitFor("[1 Calls]", "recording", "open when the recording ended")
	for _, gone := range []string{"the server works", "server works", "you", "r rerun", "i hold", "b branch", "T tamper"} {
		require.NotContains(t, sc.Text(), gone)
	}
	sc.Type(screentest.Enter)
	sc.WaitFor("2 slow  open when the recording ended", "┏ Now")
	require.NotContains(t, sc.Text(), "so far")
	require.NotContains(t, sc.Text(), "gives the call up")
}

func TestAServerThatExitedIsConnectedAgainByTheKeyOfTheFooter(t *testing.T) {
	s := ready(trace.Modern)
	code := 3
	s.Phase(trace.Phase{Name: trace.PhaseExited, Code: &code, Reason: "it exited"})
	sc := start(t, s, 120, 36)
	sc.WaitFor("✖ exited", "R connect again")
}
