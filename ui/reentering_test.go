package ui_test

import (
	"fmt"
	"testing"
	"time"

	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// A handler that does its work above its asks, and whose second ask drifts.
func TestWhatReentryDid(t *testing.T) {
	type m = map[string]any
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			s := ready(trace.Modern)
			c := s.Call("refund", m{"order": "A-17"})
			s.Stderr("12:00:01 refunded 40.00\n")
			c.Progress(1, 2, "looking up A-17")
			s.Wait(120 * time.Millisecond)
			c.Asks(m{"order": "A-17"}, script.Want{Key: "ask-1", Method: "elicitation/create", Params: m{"message": "Refund it?", "requestedSchema": m{"type": "object"}}})
			s.Wait(time.Second)
			c.Answer("ask-1", m{"action": "accept", "content": m{}})
			s.Stderr("12:00:02 refunded 40.00\n")
			c.Progress(1, 2, "looking up A-17")
			s.Wait(130 * time.Millisecond)
			c.Asks(m{"order": "A-17"}, script.Want{Key: "ask-2", Method: "elicitation/create", Params: m{"message": "Refund it?", "requestedSchema": m{"type": "object"}}})
			sc := start(t, s, size.columns, size.rows)
			sc.WaitFor("you: ask-2")
			sc.Type(screentest.Enter)
			sc.WaitFor("Refund it?")
			sc.Type(screentest.Esc)
			sc.WaitFor("set aside")
			sc.Type("8")
			sc.WaitForGone("set aside")
			sc.WaitFor("[8 Re-entry]", "each round runs the handler again")
			sc.WaitFor("stderr in rounds 1 and 2: 12:00:01 refunded 40.00", "progress in rounds 1 and 2", `the key "ask-1" in round 1 and "ask-2"`)
			sc.Golden("reentry")
		})
	}
}
