package ui_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

func TestEveryPresetOnSealedAndUnsealedStates(t *testing.T) {
	when := `{"date":"2026-12-04"}`
	booked := func(b *bench) {
		b.ask("book_table", `{}`)
		b.answer(when)
		b.answer(`{"seats":4,"area":"garden"}`)
		b.answer(`{"ok":true}`)
		b.became(trace.Done)
	}
	standing := func(b *bench) {
		b.hold()
		b.ask("book_table", `{}`)
		b.answer(when)
	}
	after := func(before ...func(*bench)) func(*bench) {
		return func(b *bench) {
			for _, f := range before {
				f(b)
			}
			standing(b)
		}
	}
	sealed := []attempt{
		{"state-drop", standing, differs("requestState"), "", "● silent", ""},
		{"state-flip", standing, differs("requestState"), "", "✓ kept", "refused with error -32602"},
		{"state-truncate", standing, differs("requestState"), "", "✓ kept", "refused with error -32602"},
		{"state-edit", standing, differs("requestState"), "", "✓ kept", "refused with error -32602"},
		{"state-round", standing, nil, "no other state is known", "", ""},
		{"state-call", after(booked), differs("requestState"), "", "● silent", ""},
		{"state-tool", after(func(b *bench) { b.ask("greet", `{}`) }), differs("requestState"), "", "✓ kept", "refused with error -32602"},
		{"state-finished", after(booked), differs("requestState"), "", "● silent", ""},
		{"state-expired", standing, nil, "good for another", "", ""},
		{"state-expired", lapsed(standing), same, "", "✓ kept", "refused with error -32602"},
		{"answer-early", standing, nil, "no later ask", "", ""},
		{"answer-early", after(booked), becomes(`{"action":"accept","content":{"seats":4,"area":"garden"}}`, "inputResponses", "seats"), "", "✓ kept", `"seats" is asked for all the same`},
		{"answer-unknown", standing, becomes(`{"action":"accept","content":{}}`, "inputResponses", "mcptui_unknown"), "", "✓ kept", "ignored"},
		{"answer-missing", standing, becomes(`{}`, "inputResponses"), "", "✓ kept", `asked for "when" again`},
		{"answer-type", standing, becomes(`42`, "inputResponses", "when", "content", "date"), "", "✓ kept", ""},
		{"answer-number", standing, becomes(`42`, "inputResponses", "when"), "", "✓ kept", ""},
		{"answer-null", standing, becomes(`null`, "inputResponses", "when"), "", "✓ kept", ""},
		{"answer-array", standing, becomes(`[]`, "inputResponses", "when"), "", "✓ kept", ""},
		{"answer-declined", standing, becomes(`{"action":"decline","content":`+when+`}`, "inputResponses", "when"), "", "● silent", "served"},
		{"arguments", standing, differs("arguments"), "", "✓ kept", "refused with error -32602"},
		{"capabilities", standing, becomes(`{}`, "_meta", "io.modelcontextprotocol/clientCapabilities"), "", "✓ kept", "refused with error -32021"},
		{"principal", standing, nil, "no headers", "", ""},
		{"id-used", standing, usedAgain, "", "● silent", ""},
		{"twice", standing, same, "", "● silent", ""},
	}
	t.Run("sealed", func(t *testing.T) {
		for _, a := range sealed {
			t.Run(a.preset, func(t *testing.T) { t.Parallel(); a.run(t, newBench(t, "demo", false, nil)) })
		}
	})
	refund := func(b *bench) {
		b.hold()
		b.ask("refund_leaky", `{"order":"A-17","amount":40}`)
		b.answer(`{"confirm":true}`)
	}
	with := func(f func(*bench)) func(*bench) { return func(b *bench) { f(b); refund(b) } }
	refunded := func(args string) func(*bench) {
		return with(func(b *bench) {
			b.ask("refund_leaky", args)
			b.answer(`{"confirm":true}`)
			b.became(trace.Done)
		})
	}
	served := "accepted: served as if nothing were wrong"
	unsealed := []attempt{
		{"state-drop", refund, differs("requestState"), "", "● silent", "answered with another round"},
		{"state-flip", refund, differs("requestState"), "", "✖ broken", served},
		{"state-truncate", refund, differs("requestState"), "", "● silent", "nothing protects this state"},
		{"state-edit", refund, func(t *testing.T, clean, sent rpc.Message) {
			differs("requestState")(t, clean, sent)
			require.JSONEq(t, `{"order":"A-17","amount":41,"reviewer":"nobody","refund":1}`, string(state.Decode(member("requestState")(sent)).Payload))
		}, "", "✖ broken", served},
		{"state-round", refund, nil, "no other state is known", "", ""},
		{"state-round", func(b *bench) {
			b.ask("changed_keys", `{}`)
			b.answer(`{"name":"x"}`)
			b.asking()
			b.hold()
			b.answer(`{"name":"x"}`)
		}, becomes(`"1"`, "requestState"), "", "● silent", "answered with another round"},
		{"state-call", refunded(`{"order":"B-1","amount":1}`), differs("requestState"), "", "✖ broken", served},
		{"state-call", refunded(`{"order":"A-17","amount":40}`), differs("requestState"), "", "● silent", "that call had the same arguments"},
		{"state-tool", with(func(b *bench) { b.ask("endless_asks", `{}`) }), becomes(`"1"`, "requestState"), "", "✓ kept", "refused with"},
		{"state-finished", refunded(`{"order":"A-17","amount":40}`), differs("requestState"), "", "● silent", "served; the specification leaves it open"},
		{"state-expired", refund, nil, "names no time at which it lapses", "", ""},
		{"answer-early", refund, nil, "no later ask", "", ""},
		{"answer-unknown", refund, becomes(`{"action":"accept","content":{}}`, "inputResponses", "mcptui_unknown"), "", "✓ kept", "ignored"},
		{"answer-missing", refund, becomes(`{}`, "inputResponses"), "", "● silent", "went on without it"},
		{"answer-type", refund, becomes(`"not a number"`, "inputResponses", "confirm", "content", "confirm"), "", "✖ broken", "taken for an answer"},
		{"answer-number", refund, becomes(`42`, "inputResponses", "confirm"), "", "✖ broken", "taken for an answer"},
		{"answer-null", refund, becomes(`null`, "inputResponses", "confirm"), "", "✖ broken", "taken for an answer"},
		{"answer-array", refund, becomes(`[]`, "inputResponses", "confirm"), "", "✖ broken", "taken for an answer"},
		{"answer-declined", refund, becomes(`"decline"`, "inputResponses", "confirm", "action"), "", "● silent", "served"},
		{"arguments", refund, becomes(`{"order":"A-17","amount":41}`, "arguments"), "", "✖ broken", served},
		{"capabilities", refund, becomes(`{}`, "_meta", "io.modelcontextprotocol/clientCapabilities"), "", "● silent", "nothing more was asked"},
		{"principal", refund, nil, "no headers", "", ""},
		{"id-used", refund, usedAgain, "", "● silent", "served"},
		{"twice", refund, same, "", "● silent", "served twice"},
	}
	t.Run("unsealed", func(t *testing.T) {
		for _, a := range unsealed {
			t.Run(a.preset, func(t *testing.T) { t.Parallel(); a.run(t, newBench(t, "faults", false, nil)) })
		}
	})
}

func TestAnotherPrincipalIsASecondSetOfHeaders(t *testing.T) {
	authorization := func(b *bench) string {
		at := ""
		for _, e := range b.log.Since(0) {
			if e.HTTP == nil || e.HTTP.Stage != trace.HTTPRequest {
				continue
			}
			for _, h := range e.HTTP.Headers {
				if h.Name == "Authorization" {
					at = h.Value
				}
			}
		}
		return at
	}
	held := func(b *bench) {
		b.hold()
		b.ask("book_table", `{}`)
		b.answer(`{"date":"2026-12-04"}`)
		b.held()
	}
	p, _ := state.PresetByID("principal")
	t.Run("known", func(t *testing.T) {
		b := newBench(t, "demo", true, []trace.Header{{Name: "Authorization", Value: "Bearer " + otherToken}})
		held(b)
		b.tamper(p)
		b.WaitFor("add the header Authorization", "the specification, SHOULD", `"Authorization": "Bearer ***"`)
		require.NotContains(t, b.Text(), otherToken)
		twice, _ := state.PresetByID("twice")
		b.tamper(twice) // another preset on top leaves the token what it is
		b.WaitFor("send it twice", `"Authorization": "Bearer ***"`)
		b.ClickOn("[ Undo ]")
		b.WaitForGone("send it twice")
		require.NotContains(t, b.Text(), otherToken)
		own := authorization(b)
		b.Type(screentest.CtrlS)
		b.WaitForGone("held: the retry")
		b.ClickOn("6 Findings")
		b.WaitFor("✓ kept  round 2: another principal", "refused with error -32602")
		require.NotEqual(t, own, authorization(b))
		require.Equal(t, "Bearer "+otherToken, authorization(b))
		b.ClickOn("5 Headers")
		b.WaitFor("[5 Headers]", "Authorization: Bearer ***")
		require.NotContains(t, b.Text(), otherToken)
	})
	t.Run("made up", func(t *testing.T) {
		b := newBench(t, "demo", true, nil)
		held(b)
		b.tamper(p)
		b.WaitFor("add the header Authorization", "PUT-ANOTHER-PRINCIPALS")
		b.Type(screentest.CtrlS)
		b.WaitForGone("held: the retry")
		b.ClickOn("6 Findings")
		b.WaitFor("✓ kept  round 2: another principal", "refused with HTTP 401")
	})
}

func TestBranchRerunAndCompare(t *testing.T) {
	b := newBench(t, "faults", false, nil)
	b.ask("refund_leaky", `{"order":"A-17","amount":40}`)
	b.answer(`{"confirm":true}`)
	b.became(trace.Done)
	b.WaitFor("1 Calls", "2 Catalogue")
	b.Type("1")
	b.WaitFor("[1 Calls]", "✓ done")
	b.Type("G", screentest.Enter)
	b.WaitFor("Refunded: 40.00")
	before := len(b.requests())

	b.Type("b")
	b.WaitFor("branch: round 1 answered again")
	p, _ := state.PresetByID("state-edit")
	b.tamper(p)
	b.WaitFor("change /requestState", `"amount": 41`, `"state" is the payload`)
	b.Type(screentest.CtrlS)
	b.WaitFor("Answer round 1 of refund_leaky again?")
	b.Type("y")
	b.WaitFor("Refunded: 41.00", "from 1")
	sent := b.requests()
	require.Len(t, sent, before+1)
	require.Equal(t, "41", string(rpc.Member(state.Decode(member("requestState")(sent[before])).Payload, "amount")))
	require.NotEqual(t, member("requestState")(sent[before-1]), member("requestState")(sent[before]))
	b.ClickOn("6 Findings")
	b.WaitFor("✖ broken  round 3: edit the payload of the state")

	b.Type("r")
	b.WaitFor("call 1 refund_leaky ─▶ call 2 refund_leaky") // a rerun ends in its comparison
	again := b.requests()
	require.Equal(t, member("arguments")(again[0]), member("arguments")(again[before+1]))
	require.Equal(t, member("inputResponses")(again[1]), member("inputResponses")(again[before+2]))
}

func TestTheArgumentsOfAFinishedCallAreEdited(t *testing.T) {
	b := newBench(t, "faults", false, nil)
	b.ask("refund_leaky", `{"order":"B-2","amount":7}`)
	b.answer(`{"confirm":true}`)
	b.became(trace.Done)
	b.WaitFor("1 Calls", "2 Catalogue")
	b.Type("1")
	b.WaitFor("[1 Calls]", "✓ done")
	b.Type("G", screentest.Enter)
	b.WaitFor("Refunded: 7.00")
	b.Type("e")
	b.WaitFor("Call Ctrl+S", `"order": "B-2"`, `"amount": 7`)
	b.Type(screentest.CtrlS)
	b.WaitFor("2 refund_leaky", "Refund 7.00 for order B-2?")
	sent := b.requests()
	require.JSONEq(t, `{"order":"B-2","amount":7}`, member("arguments")(sent[len(sent)-1]))
}

// TestTheWalkThroughRefundLeaky types what the README says.
func TestTheWalkThroughRefundLeaky(t *testing.T) {
	b := newBench(t, "faults", false, nil)
	b.WaitFor("refund_leaky")
	b.Type("i")
	b.WaitFor("retries are held")
	b.Type("/refund")
	b.WaitFor("/refund")
	b.Type(screentest.Enter)
	b.WaitFor("Call Ctrl+S")
	b.Type(screentest.CtrlS)
	b.WaitFor("Refund 40.00 for order A-17?", "unsigned", `"refund": 1`)
	b.Type(screentest.Right)
	b.WaitFor("(●) true")
	b.Type(screentest.CtrlS)
	b.WaitFor("held: the retry of round 1")
	b.Type(screentest.Esc, "T", "edit the payload", screentest.Enter)
	b.WaitFor(`"amount": 41`)
	b.Type(screentest.Down, screentest.Down, screentest.Down, screentest.End, screentest.Left, "00")
	b.WaitFor(`"amount": 4100`)
	b.Type(screentest.CtrlS)
	b.WaitFor("broken: edit the payload of the state (MUST)", "Refunded: 4100.00", "so far: 2", "┃ ✖ broken")
	b.Type("6")
	b.WaitFor("[6 Findings]", "✖ broken  round 2: edit the payload of the state")
	b.Type("i")
	b.WaitFor("retries are not held any more")
	b.Type("r")
	b.WaitFor("run refund_leaky again?")
	b.Type("y")
	b.WaitFor("call 1 refund_leaky ─▶ call 2 refund_leaky", "/refund 1 ─▶ 3")
	b.Type(screentest.Esc, "8")
	b.WaitFor("the first state says 3 at /refund, that of call 1 said 1", "counted before the ask")
}

// TestVerdictsStandInTheLog opens a recording of tampered retries: whoever opens
// it sees the verdicts of the session, answers masked or not.
func TestVerdictsStandInTheLog(t *testing.T) {
	b := newBench(t, "faults", false, nil)
	tampered := func(preset string) {
		b.hold()
		b.ask("refund_leaky", `{"order":"A-17","amount":40}`)
		b.answer(`{"confirm":true}`)
		b.held()
		p, _ := state.PresetByID(preset)
		b.tamper(p)
		b.WaitFor(p.Title + ": ")
		b.Type(screentest.CtrlS)
		b.WaitForGone("held: the retry")
		b.WaitFor(": " + p.Title + " (")
		b.Type("q")
	}
	tampered("state-edit")
	tampered("twice")
	tampered("capabilities")
	for name, mask := range map[string]trace.Mask{"whole": {}, "masked": {Answers: true}} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			require.NoError(t, trace.NewRecorder(&file, mask).WriteAll(b.log.Since(0)))
			read, err := trace.OpenRecording(&file)
			require.NoError(t, err)
			sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: trace.Replay(read.Events), Start: read.Start}), 150, 44)
			sc.WaitFor("[1 Calls]", "> 3   refund_leaky")
			sc.Type("4")
			sc.WaitFor("[4 Findings]", "tampered with, edit the payload of the state: accepted: served as if nothing were wrong (MUST)")
			sc.Type("g") // what was selected stays while the rest of the recording is read
			sc.WaitFor("> ✖", "basic/patterns/mrtr#server-requirements-basic-workflow")
			sc.Type("1")
			sc.WaitFor("[1 Calls]", "> 3   refund_leaky")
			for _, want := range []string{
				"● silent  round 2: other capabilities: none", "● silent  round 2: the same retry twice at once", "✖ broken  round 2: edit the payload of the state",
			} {
				sc.Type(screentest.Enter, "6")
				sc.WaitFor("[6 Findings]", want)
				verdict, _, _ := strings.Cut(want, "  round")
				sc.WaitFor("┃ " + verdict)                            // beside the request in the ladder
				require.NotContains(t, sc.Text(), "(MUST): accepted") // no news
				sc.Type("q", screentest.Up)
			}
		})
	}
}

// TestInALegacyEraThereIsNothingToTamperWith says so, and offers no key that
// could not do it.
func TestInALegacyEraThereIsNothingToTamperWith(t *testing.T) {
	sc := live(t, trace.Legacy, 150, 36)
	call(sc, "greet")
	sc.WaitFor("asks you", "*")
	sc.Type("Ada", screentest.CtrlS)
	sc.WaitFor("✓ done", "r rerun")
	for _, hint := range []string{"i hold", "b branch", "T tamper"} {
		require.NotContains(t, sc.Text(), hint)
	}
	sc.Type("T")
	sc.WaitFor("all rounds of a call lie in one request")
	require.NotContains(t, sc.Text(), "b answers a round again")
}

func TestTheFooterOffersABranchWhereARoundAsked(t *testing.T) {
	sc := live(t, trace.Modern, 150, 36)
	call(sc, "greet")
	sc.WaitFor("asks you", "*")
	sc.Type("Ada", screentest.CtrlS)
	sc.WaitFor("✓ done", "r rerun", "b branch", "i hold")
	sc.Type("q")
	sc.WaitFor("[1 Calls]", "r rerun")
	require.NotContains(t, sc.Text(), "b branch") // a branch is of one round: the screen of the call shows which
}
