package ui_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

// TestACallThatMetTheLimitGoesOn answers a server that asks for ever: ten rounds, and
// then as many more as the person permits.
func TestACallThatMetTheLimitGoesOn(t *testing.T) {
	a := newAsker(t, trace.Modern, rpc.Field{Name: "it", Raw: elicit(nameForm)})
	n := 0
	a.result = func(m rpc.Message) string {
		n++
		return resultLine(m.ID, fmt.Sprintf(`{"resultType":"input_required","requestState":"s%d","inputRequests":{"it":{"method":"elicitation/create","params":{"mode":"form","message":"Question %d.","requestedSchema":%s}}}}`, n, n, nameForm))
	}
	sc := a.open(80, 24, ui.Options{})
	sc.Type(screentest.Enter)
	sc.WaitFor("Please fill this in.")
	answer := func(i int) {
		sc.Type("Ada")
		sc.WaitFor(`{"name":"Ada"}`)
		sc.Type(screentest.CtrlS)
		if i < 10 {
			sc.WaitFor(fmt.Sprintf("Question %d.", i))
		}
	}
	for i := 1; i <= 10; i++ {
		answer(i)
	}
	sc.WaitFor("limited: still input_required after 10 rounds", "E permits 10 more rounds, and goes on from the last one", "E more rounds")
	sc.Type("q") // from the list, too
	sc.WaitFor("[1 Calls]", "E more rounds")
	sc.Type("E")
	sc.WaitFor("branch: round 11 answered again", "Question 10.")
	sc.Type("Ada")
	sc.WaitFor(`{"name":"Ada"}`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("Question 11.", "◆ you")
	require.Len(t, a.answers("it"), 11)
}

func TestALegacyCallThatMetTheLimitSaysWhatToDo(t *testing.T) {
	s := ready(trace.Legacy)
	s.Book(1)
	s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: 1, Status: trace.Limited, Note: "still asking after 1 rounds"})
	k := heard{set: make(chan control.Setting, 1)}
	sc := startWith(t, s, k, 80, 24)
	sc.WaitFor("limited", "E more rounds")
	sc.Type(screentest.Enter)
	sc.WaitFor("E permits 2 rounds from now on; its request was given up: r runs it again")
	sc.Type("E")
	sc.WaitFor("2 rounds are permitted from now on; r runs the call again")
	require.Equal(t, 2, *(<-k.set).Rounds)
}
