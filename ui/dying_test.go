package ui_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// dies ends the server, as a signal would.
func (a *asker) dies() {
	a.mu.Lock()
	defer a.mu.Unlock()
	require.NoError(a.t, a.conn.Close())
}

func TestAnAnswerToAServerThatDiedWaitsForThePerson(t *testing.T) {
	a := newAsker(t, trace.Modern, rpc.Field{Name: "it", Raw: elicit(nameForm)})
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Please fill this in.")
	sc.Type("Ada")
	sc.WaitFor(`{"name":"Ada"}`)
	a.dies()
	sc.WaitFor("exited")
	sc.Type(CtrlS)
	sc.WaitFor("not sent: there is no connection. Esc, then R reconnects, then a sends it", "held: the retry of round 1")
	sc.Type(Esc, "a")
	sc.WaitFor("not sent: there is no connection. R connects again")
	before := a.count("tools/list")
	sc.Type("R")
	require.Eventually(t, func() bool { return a.count("tools/list") > before }, Patience, 2*time.Millisecond, "it connects")
	sc.WaitForGone("exited")
	require.Empty(t, a.answers("it"), "nothing leaves by itself")
	sc.Type("a")
	sc.WaitFor("all is well")
	require.Equal(t, []string{`{"action":"accept","content":{"name":"Ada"}}`}, a.answers("it"))
}

func TestWhatIsTypedIntoAnAskThatWasTakenAwayIsNoCommand(t *testing.T) {
	a := newAsker(t, trace.Legacy, rpc.Field{Name: "it", Raw: elicit(nameForm)})
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Please fill this in.")
	sc.Type("Ad")
	sc.WaitFor(`{"name":"Ad"}`)
	a.dies()
	sc.WaitFor("not asked any more: the connection has ended. Esc goes on")
	before := a.count("initialize")
	sc.Type("R", "\x7f", "q!:?r", CtrlS, "1") // restarts, quits, opens, runs again
	sc.WaitFor("not asked any more: the connection has ended. Esc goes on", "exited")
	sc.Type(Esc)
	sc.WaitForGone("not asked any more")
	sc.WaitFor("lost") // still in the call's screen
	require.Equal(t, before, a.count("initialize"))
	sc.Type("R")
	require.Eventually(t, func() bool { return a.count("initialize") == before+1 }, Patience, 2*time.Millisecond)
}

func TestWhatIsTypedIntoAnAskOfNoCallThatWasTakenAwayIsNoCommand(t *testing.T) {
	a := newAsker(t, trace.Legacy)
	sc := a.open(80, 24, ui.Options{})
	a.says(`{"jsonrpc":"2.0","id":"x/0","method":"elicitation/create","params":{"message":"Out of the blue?","requestedSchema":` + nameForm + `}}`)
	sc.WaitFor("◆ 1", "[2 Catalogue]")
	sc.Type("!")
	sc.WaitFor("Out of the blue?")
	sc.Type("Ad")
	sc.WaitFor(`{"name":"Ad"}`)
	a.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x/0"}}`)
	sc.WaitFor("not asked any more: cancelled by the server. Esc goes on", "[2 Catalogue]")
	sc.Type("R5", Enter)
	sc.WaitForGone("not asked any more")
	sc.WaitFor("[2 Catalogue]")
	require.Equal(t, 1, a.count("initialize"))
	sc.Type("5")
	sc.WaitFor("[5 ")
}
