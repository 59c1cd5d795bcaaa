package ui_test

import (
	"testing"

	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
)

// TestGivingUpACallAsksWhereAnAnswerWasBegun gives a call up, from its screen and
// from the list of calls: what was typed for it is lost only if the person says so.
func TestGivingUpACallAsksWhereAnAnswerWasBegun(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, where := range []string{"its screen", "the list"} {
			for _, begun := range []bool{true, false} {
				name := where + ", untouched"
				if begun {
					name = where + ", begun"
				}
				t.Run(name, func(t *testing.T) {
					sc := live(t, era, 100, 30)
					call(sc, "book_table")
					sc.WaitFor("On which day")
					if begun {
						sc.Type("2026-12-24")
						sc.WaitFor(`{"date":"2026-12-24"}`)
					}
					sc.Type(screentest.Esc)
					sc.WaitFor("set aside")
					if where == "the list" {
						sc.Type("q")
						sc.WaitFor("[1 Calls]")
					}
					sc.Type("x")
					if begun {
						sc.WaitFor(`The answer to "`, "[>No Esc<]")
						sc.Type(screentest.Esc)
						sc.WaitForGone("[>No")
						sc.WaitFor("you ◆ 1")
						sc.Type("x")
						sc.WaitFor("[>No Esc<]")
						sc.Type("y")
					}
					sc.WaitFor("cancelled")
				})
			}
		}
	})
}
