package ui_test

import (
	"testing"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

func TestARecordingSendsNothing(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	s.Log.Close()
	sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Start: script.Start}), 100, 30)
	sc.WaitFor("recording", "book_table")
	sc.Type(screentest.Enter)
	sc.WaitFor("How many seats")
	for _, act := range []string{"r", "b", "T", "x", "i"} { // said at once, without a question before
		sc.Type(act)
		sc.WaitFor("this is a recording")
		sc.Type("F") // another key clears the footer
		sc.WaitForGone("this is a recording")
	}
	sc.Type("q", "2", screentest.Enter)
	sc.WaitFor("this is a recording")
}

func TestAnAskOfNoCallHasAScreenOfItsOwn(t *testing.T) {
	s := ready(trace.Legacy)
	s.Come(rpc.Encode(`"s-1"`, "elicitation/create", []byte(`{"message":"Out of the blue?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`), nil, nil))
	sc := start(t, s, 80, 24)
	sc.WaitFor("◆ 1", "[2 Catalogue]")
	sc.Type("!")
	sc.WaitFor("Out of the blue?")
	sc.Type("Ada", screentest.Esc)
	sc.WaitFor("[2 Catalogue]", "◆ 1")
	sc.Type("!")
	sc.WaitFor("Out of the blue?", "Ada")
}

func TestAnAskOfNoCallThatIsWithdrawnGoesAway(t *testing.T) {
	s := ready(trace.Legacy)
	s.Come(rpc.Encode(`"s-1"`, "roots/list", nil, nil, nil))
	sc := start(t, s, 80, 24)
	sc.WaitFor("◆ 1")
	sc.Type("!")
	sc.WaitFor("These roots would be given")
	s.Come(rpc.Encode("", "notifications/cancelled", []byte(`{"requestId":"s-1"}`), nil, nil))
	sc.WaitFor("[2 Catalogue]")
	sc.WaitForGone("◆ 1")
}
