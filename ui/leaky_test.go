package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
)

// A tool that acts before it asks is found out by running it twice: its first
// state counts on.
func TestARerunShowsWhatWasDoneBeforeTheAsk(t *testing.T) {
	sc, log := liveProfile(t, "faults", trace.Modern, 120, 36)
	sc.WaitFor("refund_leaky")
	call(sc, "refund_leaky")
	sc.WaitFor("Call Ctrl+S")
	sc.Type(screentest.CtrlS)
	sc.WaitFor("Refund 40.00 for order A-17?", "> *Refund it")
	sc.ClickOn("( ) true")
	sc.WaitFor("(●) true")
	sc.Type(screentest.CtrlS)
	sc.WaitFor("✓ done")
	sc.Type("r")
	sc.WaitFor("run refund_leaky again?")
	sc.Type("y")
	sc.WaitFor("call 1 refund_leaky ─▶ call 2 refund_leaky", "round 1: state given", "/refund 1 ─▶ 3")
	sc.Type(screentest.Esc, "8")
	sc.WaitFor("⚠ the first state says 3 at /refund, that of call 1 said 1", "counted before the ask")

	sent := frames(log, "tools/call")
	require.Len(t, sent, 4)
	for i := range 2 { // the rerun sends what the first run sent, with ids and states of its own
		require.JSONEq(t, string(rpc.Member(sent[i].Params, "arguments")), string(rpc.Member(sent[i+2].Params, "arguments")))
	}
	require.JSONEq(t, string(rpc.Member(sent[1].Params, "inputResponses")), string(rpc.Member(sent[3].Params, "inputResponses")))
	require.NotEqual(t, string(rpc.Member(sent[1].Params, "requestState")), string(rpc.Member(sent[3].Params, "requestState")))
}
