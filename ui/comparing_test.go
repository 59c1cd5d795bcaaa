package ui_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// twoBookings are two calls of book_table that differ in the argument, in a
// message, in an answer and in the result.
func twoBookings(era trace.Era) *script.Script {
	type m = map[string]any
	s := ready(era)
	s.Book(3)
	s.Wait(20 * time.Second)
	c := s.Call("book_table", m{"restaurant": "Chez Zoë"})
	s.Wait(30 * time.Millisecond)
	c.Asks(m{"req": "9vT2mBk1Zc0pJ5xQ", "asked": m{"when": m{"method": "elicitation/create"}}}, script.When)
	s.Wait(3 * time.Second)
	c.Answer("when", m{"action": "accept", "content": m{"date": "2026-12-05"}})
	seats := script.Seats
	seats.Params = []byte(`{"message":"For how many?","requestedSchema":{"type":"object","properties":{"seats":{"type":"integer","minimum":1,"maximum":8}},"required":["seats"]}}`)
	c.Asks(m{"req": "9vT2mBk1Zc0pJ5xQ", "asked": m{"seats": m{"method": "elicitation/create"}}}, seats)
	s.Wait(2 * time.Second)
	c.Answer("seats", m{"action": "decline"})
	c.Done("Nothing was booked.")
	return s
}

func TestTwoCallsCompare(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			sc := start(t, twoBookings(trace.Modern), size.columns, size.rows)
			sc.WaitFor("✓ done")
			sc.Type(screentest.Home, "m")
			sc.WaitFor("is marked, = compares with it")
			sc.Type(screentest.Down, "=")
			sc.WaitFor(`"Chez `, "restaurant", "rounds")
			sc.Golden("list")
			sc.Type("/") // means nothing here
			for range 6 {
				sc.Type(screentest.Down)
			}
			sc.Type(screentest.Tab)
			sc.WaitFor("┏ before")
			sc.Golden("selected")
			sc.Type("y")
			sc.WaitFor("the comparison is in the clipboard")
			sc.Type("q")
			sc.WaitForGone("before: ")
		})
	}
}

func TestRoundsCompare(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc := start(t, s, 120, 36)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("Booked: a table for 4")
	sc.Type("=") // without a mark: with the round whose answers it carries
	sc.WaitFor("round 3 ─▶ round 4 of call 1 book_table", "answers sent /confirm")
	sc.Type(screentest.Esc)
	sc.WaitForGone("before: ")
	sc.Type("m")
	sc.WaitFor("round 4 of call 1 is marked")
	sc.Type(screentest.Home, "=")
	sc.WaitFor("round 4 ─▶ round 1 of call 1 book_table")
	sc.Type(screentest.Esc, "m")
	sc.WaitFor("round 1 of call 1 is marked")
	sc.Type("m")
	sc.WaitFor("call 1 is marked")
	sc.Type("m")
	sc.WaitFor("nothing is marked any more")
}

func TestEntriesCompare(t *testing.T) {
	sc := start(t, ready(trace.Modern), 80, 24)
	sc.WaitFor("book_table")
	sc.Type("=")
	sc.WaitFor("m marks an entry")
	sc.Type("m", screentest.Down, "=")
	sc.WaitFor("greet ─▶ book_table", "/title")
}

func TestARerunEndsInItsComparison(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 120, 36)
		call(sc, "greet")
		sc.WaitFor("*")
		sc.Type("Ada", screentest.CtrlS)
		sc.WaitFor("✓ done", "Ada")
		sc.Type("r") // it only reads: nothing is asked before
		sc.WaitFor("call 1 greet ─▶ call 2 greet: no difference", "of time and ids")
		sc.Type(screentest.Esc)
		sc.WaitForGone("no difference")
		sc.Type("=")
		sc.WaitFor("call 1 greet ─▶ call 2 greet: no difference")
		require.NotContains(t, sc.Text(), "is marked")
	})
}

func TestARerunThatEndsElsewhereOnlySaysSo(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	k := &rerunner{s: s}
	sc := startWith(t, s, k, 120, 36)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("Booked: a table for 4")
	sc.Type("r", "y")
	sc.WaitFor("2 book_table", "you: when")
	sc.Type(screentest.Esc, "q") // sets the ask aside and leaves
	sc.WaitFor("[1 Calls]")
	k.call.Answer("when", map[string]any{"action": "cancel"})
	k.call.Done("Nothing was booked.")
	sc.WaitFor("call 2 has ended: on it, = compares it with call 1")
	sc.Type("=")
	sc.WaitFor("call 1 book_table ─▶ call 2 book_table: ")
}

// rerunner begins a call again and leaves it where it asks.
type rerunner struct {
	deaf
	s    *script.Script
	call *script.Call
}

func (r *rerunner) Rerun(of int) (int, error) {
	r.call = r.s.Again(of, "book_table", map[string]any{"restaurant": "Chez Ada"})
	r.call.Asks(nil, script.When)
	return r.call.ID, nil
}

// frames returns the frames that were sent with a method, oldest first.
func frames(log *trace.Log, method string) (out []rpc.Message) {
	for _, e := range log.Since(0) {
		if e.Frame != nil && e.Frame.Dir == trace.Out && e.Frame.Message().Method == method {
			out = append(out, e.Frame.Message())
		}
	}
	return out
}

// A rerun that the UI did not begin, as that of a file which changed, is compared
// like any other.
func TestARerunFromOutsideIsFollowed(t *testing.T) {
	s := ready(trace.Modern)
	s.Call("add", map[string]any{"a": 1}).Done("1")
	sc := start(t, s, 120, 36)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("1 add  ✓ done")
	again := s.Again(1, "add", map[string]any{"a": 1})
	again.Done("2")
	sc.WaitFor("call 1 add ─▶ call 2 add", `"1" ─▶ "2"`)
	s.Again(1, "add", map[string]any{"a": 1}).Done("3") // while the comparison is looked at
	sc.WaitFor("call 1 add ─▶ call 3 add", `"1" ─▶ "3"`)
	sc.Type(screentest.Esc)
	sc.WaitFor("3 add  ✓ done")
	sc.Type("q", "2")
	sc.WaitFor("[2 Catalogue]")
	s.Again(3, "add", map[string]any{"a": 1}).Done("4")
	sc.WaitFor("call 4 has ended: on it, = compares it with call 3")
}
