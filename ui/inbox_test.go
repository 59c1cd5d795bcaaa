package ui_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

const nameForm = `{"type":"object","properties":{"name":{"type":"string"}}}`

func TestThreeKindsInOneRoundLeaveOnceAndTogether(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era,
			rpc.Field{Name: "who", Raw: elicit(nameForm)},
			rpc.Field{Name: "plan", Raw: []byte(`{"method":"sampling/createMessage","params":{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Plan it."}}]}}`)},
			rpc.Field{Name: "where", Raw: []byte(`{"method":"roots/list"}`)})
		sc := a.open(80, 24, ui.Options{Here: "file:///here"})
		sc.Type(Enter)
		sc.WaitFor("Please fill this in.", "◆ 3")
		sc.Type("Ada", CtrlS)
		sc.WaitFor("Plan it.", "◆ 2")
		sc.Type("A walk.", CtrlS)
		sc.WaitFor("the working directory is a suggestion", "file:///here", "◆ 1")
		if era == trace.Modern {
			require.Empty(t, a.answers("who"), "nothing leaves before the last is answered")
		}
		sc.Type(CtrlS)
		sc.WaitFor("all is well")
		require.Equal(t, []string{`{"action":"accept","content":{"name":"Ada"}}`}, a.answers("who"))
		require.Equal(t, []string{`{"role":"assistant","content":{"type":"text","text":"A walk."},"model":"a person","stopReason":"endTurn"}`}, a.answers("plan"))
		require.Equal(t, []string{`{"roots":[{"uri":"file:///here"}]}`}, a.answers("where"))
	})
}

func TestRootsAreShownOnceAndThenGiven(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, rpc.Field{Name: "where", Raw: []byte(`{"method":"roots/list"}`)})
		sc := a.open(80, 24, ui.Options{Roots: []control.Root{{URI: "file:///srv"}}})
		sc.Type(Enter)
		sc.WaitFor("These roots would be given", "file:///srv")
		require.Empty(t, a.answers("where"), "nothing is given before it was seen")
		sc.Type(CtrlS)
		sc.WaitFor("all is well")
		sc.Type("q", "2", Enter)
		sc.WaitFor("2 form", "all is well")
		require.Equal(t, []string{`{"roots":[{"uri":"file:///srv"}]}`, `{"roots":[{"uri":"file:///srv"}]}`}, a.answers("where"))
	})
}

func TestFiftyAsksAtOnce(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		const n = 50
		var asks []rpc.Field
		for i := range n {
			asks = append(asks, rpc.Field{Name: fmt.Sprintf("k%02d", i), Raw: elicit(fmt.Sprintf(
				`{"type":"object","properties":{"n":{"type":"integer","title":"Number %d","default":%d}}}`, i, i))})
		}
		a := newAsker(t, era, asks...)
		sc := a.open(80, 24, ui.Options{})
		sc.Type(Enter)
		sc.WaitFor("◆ 50")
		for i := range n {
			sc.WaitFor(fmt.Sprintf("Number %d ", i))
			sc.Type(CtrlS)
		}
		sc.WaitFor("all is well")
		for i := range n {
			require.Equal(t, []string{fmt.Sprintf(`{"action":"accept","content":{"n":%d}}`, i)}, a.answers(fmt.Sprintf("k%02d", i)))
		}
	})
}

func TestAnAskDuringAnothersFormTakesNoKeystroke(t *testing.T) {
	a := newAsker(t, trace.Legacy, rpc.Field{Name: "it", Raw: elicit(nameForm)})
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Please fill this in.")
	sc.Type("Ad")
	sc.WaitFor(`{"name":"Ad"}`)
	a.mu.Lock()
	for _, r := range a.waiting { // the call is not over before this one is answered too
		a.waiting[`"late"`] = &legacyRound{call: r.call, key: "late"}
		break
	}
	a.mu.Unlock()
	a.says(`{"jsonrpc":"2.0","id":"late","method":"elicitation/create","params":{"message":"Me too?","requestedSchema":{"type":"object","properties":{"other":{"type":"string"}}}}}`)
	sc.WaitFor("◆ 2")
	sc.Type("a", CtrlS)
	sc.WaitFor("Me too?")
	a.gets("it", `{"action":"accept","content":{"name":"Ada"}}`)
}

func TestAnAskThatTheServerCancelsGetsNoAnswer(t *testing.T) {
	a := newAsker(t, trace.Legacy, rpc.Field{Name: "it", Raw: elicit(nameForm)}, rpc.Field{Name: "next", Raw: elicit(nameForm)})
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Please fill this in.", "◆ 2")
	sc.Type("Ad")
	sc.WaitFor(`{"name":"Ad"}`)
	a.mu.Lock()
	var id string
	for waiting, r := range a.waiting {
		if r.key == "it" {
			id = waiting
		}
	}
	delete(a.waiting, id)
	a.mu.Unlock()
	a.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
	sc.WaitFor("not asked any more: cancelled by the server", "◆ 1")
	sc.Type("a") // must not go to the next one
	sc.Type("!q", Esc, "!")
	sc.WaitFor("left out", `─▶ {}`)
	sc.Type("Bob", CtrlS)
	sc.WaitFor("all is well")
	require.Empty(t, a.answers("it"))
	require.Equal(t, []string{`{"action":"accept","content":{"name":"Bob"}}`}, a.answers("next"))
}

func TestARoundWhoseRetryFailsKeepsTheAnswers(t *testing.T) {
	a := newAsker(t, trace.Modern, rpc.Field{Name: "it", Raw: elicit(nameForm)})
	tries := 0
	a.result = func(retry rpc.Message) string {
		if tries++; tries == 1 {
			return `{"jsonrpc":"2.0","id":` + string(retry.ID) + `,"error":{"code":-32603,"message":"the disk is full"}}`
		}
		return resultLine(retry.ID, plainResult)
	}
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Please fill this in.")
	sc.Type("Ada", CtrlS)
	sc.WaitFor("the disk is full")
	require.Len(t, a.answers("it"), 1, "nothing is sent twice by itself")
	sc.Type("b") // the same answers again, as a deliberate act
	sc.WaitFor("answered again")
	sc.Type(CtrlS)
	sc.WaitFor("Sure?")
	sc.Type("y")
	sc.WaitFor("all is well")
	require.Equal(t, []string{`{"action":"accept","content":{"name":"Ada"}}`, `{"action":"accept","content":{"name":"Ada"}}`}, a.answers("it"))
}

// refusing is a controller that cannot send.
type refusing struct{ deaf }

func (refusing) Answer(trace.AskID, control.Reply, trace.Who) error {
	return errors.New("the connection is gone")
}

func TestAFormWhoseAnswerDoesNotLeaveStays(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		s := ready(era)
		s.Book(0)
		sc := startWith(t, s, refusing{}, 80, 24)
		sc.WaitFor("book_table")
		sc.Type(Enter)
		sc.WaitFor("When would you like to come?")
		sc.Type("2026-12-04", CtrlS)
		sc.WaitFor("the connection is gone", "2026-12-04", "◆ 1")
	})
}

func TestAnAskOfNoCallIsAnswered(t *testing.T) {
	a := newAsker(t, trace.Legacy)
	sc := a.open(80, 24, ui.Options{})
	a.asks = []rpc.Field{{Name: "it"}}
	a.says(`{"jsonrpc":"2.0","id":"x/0","method":"elicitation/create","params":{"message":"Out of the blue?","requestedSchema":` + nameForm + `}}`)
	sc.WaitFor("◆ 1", "[2 Catalogue]")
	sc.Type("!")
	sc.WaitFor("Out of the blue?")
	sc.Type("Ada", CtrlS)
	sc.WaitForGone("Out of the blue?")
	sc.WaitForGone("◆ 1")
	a.gets("it", `{"action":"accept","content":{"name":"Ada"}}`)
}

func TestSamplingAndRootsAreRejected(t *testing.T) {
	for _, ask := range []rpc.Field{
		{Name: "plan", Raw: []byte(`{"method":"sampling/createMessage","params":{"maxTokens":9,"messages":[]}}`)},
		{Name: "where", Raw: []byte(`{"method":"roots/list"}`)},
	} {
		t.Run(ask.Name, func(t *testing.T) {
			eras(t, func(t *testing.T, era trace.Era) {
				a := newAsker(t, era, ask)
				sc := a.open(80, 24, ui.Options{})
				sc.Type(Enter)
				sc.WaitFor("[ Reject ]")
				sc.ClickOn("[ Reject ]")
				if era == trace.Legacy {
					sc.WaitFor("all is well") // the server goes on with the refusal
					require.Equal(t, []string{`{"code":-1,"message":"rejected by the user"}`}, a.answers(ask.Name))
					return
				}
				sc.WaitFor("✖ ") // no place for a refusal: the call is given up
				sc.WaitForGone("[ Reject ]")
				require.Empty(t, a.answers(ask.Name))
				require.Equal(t, 1, a.count("tools/call"))
			})
		})
	}
}

func TestAURLIsInSightOnASmallScreenAndCopiedByAKey(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, rpc.Field{Name: "it", Raw: []byte(`{"method":"elicitation/create","params":{"mode":"url","elicitationId":"e1","message":"Please connect.","url":"http://me@xn--e1.example:8443/x"}}`)})
		sc := a.open(40, 12, ui.Options{})
		sc.Type(Enter)
		sc.WaitFor("Please connect.", "http://me@xn--e1.example:8443/x", "not HTTPS")
		sc.Type("y")
		sc.WaitFor("the URL is in the clipboard")
		sc.Type(Alt("d"))
		sc.WaitFor("all is well")
		require.Equal(t, []string{`{"action":"decline"}`}, a.answers("it"))
	})
}

// TestAsksAtOnceStandInAStrip: how the questions stand that are open at the same
// time is in view in both eras, and once one of them is answered, too.
func TestAsksAtOnceStandInAStrip(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, question("first"), question("second"))
		sc := a.open(80, 24, ui.Options{})
		sc.Type(Enter)
		names := map[trace.Era][2]string{trace.Modern: {"first", "second"}, trace.Legacy: {"form", "form 2"}}[era]
		sc.WaitFor("The first question.", " ◆ "+names[0]+"  ◆ "+names[1]+" ")
		sc.Type(CtrlS)
		sc.WaitFor("The second question.", " ✓ "+names[0]+"  ◆ "+names[1]+" ")
		sc.Type(CtrlS)
		sc.WaitFor("all is well")
	})
}

func TestASingleAskHasNoStrip(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, question("only"))
		sc := a.open(80, 24, ui.Options{})
		sc.Type(Enter)
		sc.WaitFor("The only question.")
		require.NotContains(t, sc.Text(), "┃ ◆ ")
	})
}
