package ui_test

import (
	"testing"
	"time"

	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// TestABranchTakesThePersonsTimeAndNoMore answers a round of a finished call again,
// long after: what lay between is nobody's time, and what the person took is shown
// beside the answer.
func TestABranchTakesThePersonsTimeAndNoMore(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	a.clock = c.Now
	sc := a.open(120, 36, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("The only question.")
	c.pass(2 * time.Second)
	sc.Type("x", CtrlS)
	sc.WaitFor("all is well", "you 2.0 s")
	c.pass(90 * time.Second)
	sc.Type("b")
	sc.WaitFor("branch: round 1 answered again")
	c.pass(3 * time.Second)
	sc.Type("y", CtrlS)
	sc.WaitFor("Sure?")
	sc.Type("y")
	sc.WaitFor("Result of round 3", "you 2.0 s", "you 3.0 s")
	c.pass(90 * time.Second)
	sc.Type(Esc, "1")
	sc.WaitFor("[1 Calls]", "✓ done", " 5.0 s")
	sc.Type("r")
	sc.WaitFor("in all 5.0 s", "person 3.0 s")
}
