package ui_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
)

func TestATypedFilterTakesThePlaceOfTheOldOne(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc := start(t, s, 120, 36)
	sc.WaitFor("✓ done")
	sc.Type("3")
	sc.WaitFor("[3 Wire]")
	sc.Type("/", "dir:in", screentest.Enter)
	sc.WaitFor("dir:in")
	sc.Type("/")
	sc.WaitFor("filter: dir:in")
	sc.Type("method:tools/list")
	sc.WaitFor("filter: method:tools/list")
	require.NotContains(t, sc.Text(), "dir:in")
	sc.Type(screentest.Enter, "/")
	sc.WaitFor("filter: method:tools/list")
	sc.Type(screentest.End, " dir:out") // moved first: it is gone on with
	sc.WaitFor("filter: method:tools/list dir:out")
	sc.Type(screentest.Enter, "/")
	sc.WaitFor("filter: method:tools/list dir:out")
	sc.Type(screentest.Backspace, screentest.Enter) // clears it
	sc.WaitForGone("tools/list dir:out")
	sc.WaitForGone(" of ")
}

func TestASmallWindowShowsTwoRowsOfTheQuestion(t *testing.T) {
	s := ready(trace.Legacy)
	s.Come(rpc.Encode(`"s-1"`, "elicitation/create", []byte(`{"message":"The first line of the question.\nThe second line of it.\nAnd a third.","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`), nil, nil))
	sc := start(t, s, 40, 12)
	sc.WaitFor("◆ 1")
	sc.Type("!")
	sc.WaitFor("The first line of the question.", "The second line", "more", "name", "─▶", "[ Send")
}

func TestAWindowThatIsTooSmallActsOnNothingUnseen(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	sc := start(t, s, 100, 30)
	sc.WaitFor("book_table")
	sc.Type(screentest.Enter)
	sc.WaitFor("How many seats")
	sc.Type("3") // begins an answer
	sc.WaitFor("─▶ ")
	sc.Resize(20, 5)
	sc.WaitFor("window too small", "20×5, needs 30×8")
	sc.Type("8", "\x13", screentest.Esc, "r")
	sc.Resize(100, 30)
	sc.WaitFor("How many seats")
	require.NotContains(t, sc.Text(), "38")
	sc.Resize(20, 5)
	sc.WaitFor("window too small")
	sc.Type("q", "q") // an answer was begun: it takes the key twice
	sc.WaitEnd()
}

func TestFindingsOfTheServerStandFirst(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Book(0)
	s.Result("999", map[string]any{"content": []any{}}) // an answer that nothing asked for
	_ = c
	sc := start(t, s, 120, 36)
	sc.WaitFor("book_table")
	sc.Type("4")
	sc.WaitFor("[4 Findings]", "999")
	client, server := strings.Index(sc.Text(), "client: "), strings.Index(sc.Text(), "999")
	if client >= 0 {
		require.Less(t, server, client)
	}
}

func TestTheFooterSaysWhatItsKeysDo(t *testing.T) {
	sc := live(t, trace.Modern, 120, 36)
	sc.Type("/add", screentest.Enter)
	sc.WaitFor("[ Call Ctrl+S ]", "Ctrl+S call  Esc back")
	sc.Type(screentest.Esc)
	sc.WaitFor("Catalogue")
	sc.Type(":")
	sc.WaitFor("Enter choose  ↑ ↓ select  Esc close  letters filter")
	sc.Type(screentest.Esc)
	sc.WaitForGone("Enter choose")
	sc.Type("m", screentest.Down, "=")
	sc.WaitFor("↑ ↓ select  Tab before, after  y copy  w save  Esc back")
}

func TestTabsThatDoNotFitAreCutWithACue(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc := start(t, s, 40, 12)
	sc.WaitFor("✓ done", "[1 Calls]", "… 3 Wire", "5 S")
	sc.Type("5")
	sc.WaitFor("[5 Server]", "2 Ca")
	sc.Type("1", screentest.Enter)
	sc.WaitFor("│◀─ result")
	sc.Type("8")
	sc.WaitFor("1 2 3 4 5 6 7 [8 Re-entry]")
	sc.Resize(80, 24)
	sc.WaitFor("1 State 2 Diff 3 Request")
}

func TestASmallListOfCallsKeepsTheNames(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc := start(t, s, 40, 12)
	sc.WaitFor("book_table", "✓ done", "stands")
}

func TestTheLogOfARoundShowsWhatWasSaid(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("slow", nil)
	c.Progress(2, 5, "half-way")
	s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"warning","logger":"db","data":"slow disk"}`), nil, nil))
	sc := start(t, s, 120, 36)
	sc.WaitFor("slow")
	sc.Type(screentest.Enter, "7")
	sc.WaitFor("[7 Log]", "notifications/progress", "2 of 5 half-way", "log warning", "db slow disk")
}

func TestACallWithoutAStateOpensOnItsResponse(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("add", nil)
	sc := start(t, s, 120, 36)
	sc.WaitFor("add")
	sc.Type(screentest.Enter)
	sc.WaitFor("[1 State]")
	c.Done("42")
	sc.WaitFor("[4 Response]", `"jsonrpc"`)
	sc.Type("6")
	sc.WaitFor("[6 Findings]")
	sc.Type("q", screentest.Enter)
	sc.WaitFor("[6 Findings]") // what was chosen stays
}

// TestEveryPaneIsReachedBesideAForm goes from a form to the details of its call
// and back: in the form Tab goes to the next field.
func TestEveryPaneIsReachedBesideAForm(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 80, 24)
		call(sc, "greet")
		sc.WaitFor("asks you", "*")
		sc.Type(screentest.Esc)
		sc.WaitFor("set aside")
		require.NotContains(t, sc.Text(), "[1 State]")
		sc.Type(screentest.Tab)
		sc.WaitFor("[1 State]", "┏ Round 1")
		sc.Type(screentest.Tab)
		sc.WaitFor("asks you", "*")
		sc.WaitForGone("[1 State]")
		sc.Type("Ada", screentest.CtrlS)
		sc.WaitFor("✓ done")
	})
}
