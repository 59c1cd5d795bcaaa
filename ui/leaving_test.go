package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// TestLeavingAsksOnceWhereSomethingWouldBeLost goes to the top with something that
// waits or was begun, and leaves: by q and by Ctrl+C, each twice.
func TestLeavingAsksOnceWhereSomethingWouldBeLost(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, tc := range []struct {
			name  string
			begin func(*screentest.Screen)
			says  string
		}{
			{"a first question, untouched", func(sc *screentest.Screen) {
				call(sc, "book_table")
				sc.WaitFor("On which day")
			}, "An ask waits for an answer."},
			{"a first question, begun", func(sc *screentest.Screen) {
				call(sc, "book_table")
				sc.WaitFor("On which day")
				sc.Type("2026-12-24")
				sc.WaitFor(`{"date":"2026-12-24"}`)
			}, `The answer to "`},
			{"a second question, untouched", func(sc *screentest.Screen) {
				call(sc, "book_table")
				sc.WaitFor("On which day")
				sc.Type("2026-12-24", screentest.CtrlS)
				sc.WaitFor("For how many")
			}, "An ask waits for an answer."},
			{"arguments", func(sc *screentest.Screen) {
				call(sc, "add")
				sc.WaitFor("Call Ctrl+S")
				sc.Type("4")
				sc.WaitFor(`"a":4`)
			}, `The form of "add" was changed.`},
		} {
			for _, key := range []string{"q", screentest.CtrlC} {
				t.Run(tc.name+" "+key, func(t *testing.T) {
					sc := live(t, era, 100, 30)
					tc.begin(sc)
					if key == "q" { // letters type in a form: it is set aside first
						sc.Type(screentest.Esc)
						if tc.name != "arguments" {
							sc.WaitFor("set aside")
							sc.Type("q")
						}
						sc.WaitFor("[")
						sc.WaitForGone("Ctrl+S")
						sc.Type("q")
						sc.WaitFor(tc.says, "[>Stay Esc<]")
						sc.Type("q")
					} else {
						sc.Type(key)
						sc.WaitFor(tc.says, "dropped.", "[>Stay Esc<]")
						sc.Type(screentest.Esc)
						sc.WaitForGone("[>Stay")
						sc.Type(key)
						sc.WaitFor("[>Stay")
						sc.Type(key)
					}
					sc.WaitEnd()
				})
			}
		}
	})
}

// TestASwitchAsksWhereAnAskWaits sets the second question of a call aside, untouched.
func TestASwitchAsksWhereAnAskWaits(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	sw := newSwitchable(s)
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("you: ")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("An ask waits for an answer. Switch all the same?", "is dropped")
	require.Empty(t, sw.choices())
	sc.Type("y")
	sc.WaitFor("toll_the_bell")
}

// TestARecordingIsLeftWithoutAQuestion opens a session in which an ask waits: the
// file stays, and nothing can be answered.
func TestARecordingIsLeftWithoutAQuestion(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	sc := screentest.Start(t, ui.New(ui.Options{Log: s.Log, Start: script.Start}), 80, 24)
	sc.WaitFor("recording")
	sc.Type("q")
	sc.WaitEnd()
}
