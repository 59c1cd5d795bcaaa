package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
)

// heldGreet begins a call whose retry is held, ready to leave.
func heldGreet(t *testing.T) *screentest.Screen {
	sc := live(t, trace.Modern, 120, 36)
	call(sc, "greet")
	sc.WaitFor("asks you", "*")
	sc.Type(screentest.Esc)
	sc.WaitFor("set aside")
	sc.Type("i")
	sc.WaitFor("retries are held")
	sc.Type("!", "Ada", screentest.CtrlS)
	sc.WaitFor("held: the retry of round 1", "as a conforming client would send it", `"inputResponses"`)
	return sc
}

func TestAHeldRetryIsEditedAndSent(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "a")
	sc.WaitFor("Result", "✓ done", "Ada")
}

func TestAHeldRetryIsDropped(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "X")
	sc.WaitFor("✖ cancelled", "the held retry was dropped")
}

// TestAHeldRetryInTheListOfCalls does there what the screen of the call offers.
func TestAHeldRetryInTheListOfCalls(t *testing.T) {
	listed := func(t *testing.T) *screentest.Screen {
		sc := heldGreet(t)
		sc.Type(screentest.Esc, "q")
		sc.WaitFor("[1 Calls]", "held, send or drop", "a send", "X drop")
		return sc
	}
	t.Run("send", func(t *testing.T) {
		sc := listed(t)
		sc.Type("a")
		sc.WaitFor("[1 Calls]", "✓ done")
	})
	t.Run("drop", func(t *testing.T) {
		sc := listed(t)
		sc.Type("X")
		sc.WaitFor("[1 Calls]", "✖ cancelled: the held retry")
	})
	t.Run("edit", func(t *testing.T) {
		sc := listed(t)
		sc.Type("e")
		sc.WaitFor("held: the retry of round 1", `"inputResponses"`, "Ctrl+S send")
	})
	t.Run("tamper", func(t *testing.T) {
		sc := listed(t)
		sc.Type("T")
		sc.WaitFor("held: the retry of round 1", "drop the state") // the presets, over the retry
		sc.Type("drop the", screentest.Enter)
		sc.WaitFor("held: the retry of round 1", "remove /requestState")
	})
	t.Run("tamper before it was looked at", func(t *testing.T) {
		b := newBench(t, "demo", false, nil)
		b.hold()
		b.ask("greet", "{}")
		b.answer(`{"name":"Ada"}`)
		b.Type("1")
		b.WaitFor("[1 Calls]", "held, send or drop")
		b.Type("G", "T")
		b.WaitFor("held: the retry of round 1", "drop the state")
	})
}

func TestTamperingWithASealedStateIsRefused(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "T", "flip", screentest.Enter)
	sc.WaitFor("change /requestState", "MUST")
	sc.Type(screentest.CtrlS)
	sc.WaitFor("✖ error", "kept: flip one byte of the state")
	sc.Type("6")
	sc.WaitFor("✓ kept  round 2: flip one byte of the state")
}

func TestTamperingIsUndone(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "T", "drop the", screentest.Enter)
	sc.WaitFor("remove /requestState")
	sc.ClickOn("[ Undo ]")
	sc.WaitFor("as a conforming client would send it")
}

func TestABranchAnswersARoundAgain(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "a")
	sc.WaitFor("✓ done", "Ada")
	sc.Type("b")
	sc.WaitFor("branch: round 1 answered again", `"name":"Ada"`)
	sc.Type(" Lovelace")
	sc.WaitFor(`"name":"Ada Lovelace"`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("tools/call 9 from 1", "Result of round 3", "Ada Lovelace", "round 3 answers round 1 another way: on it, = compares it with round 2")
	sc.Type("=")
	sc.WaitFor("round 2 ─▶ round 3 of call 1 greet", "answers sent /who/content/name", "Ada Lovelace")
	sc.Type(screentest.Esc)
	sc.WaitForGone("round 2 ─▶")
	sc.ClickOn(" 2  │")
	sc.WaitFor("Result of round 2")
	require.NotContains(t, sc.Text(), "Lovelace")

	// A branch of the branch, declined this time; its request can be looked at first.
	sc.ClickOn(" 3  │")
	sc.WaitFor("Result of round 3")
	sc.Type("b")
	sc.WaitFor("branch: round 1 answered again")
	sc.ClickOn("[ The request ]")
	sc.WaitFor("as a conforming client would send it", "[ Send unchanged ]")
	sc.ClickOn("[ Forget ]")
	sc.WaitForGone("branch: round 1")
	sc.Type("b")
	sc.WaitFor("branch: round 1 answered again")
	sc.Type(screentest.Alt("d"))
	sc.WaitFor("from 1", "Result of round 4", "round 4 answers round 1 another way")
}

func TestQuitAsksOnceWhereARetryIsHeld(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.CtrlC)
	sc.WaitFor("A retry is held. Quit all the same?")
	sc.Type(screentest.Esc)
	sc.WaitForGone("Quit all the same?")
	sc.Type(screentest.CtrlC)
	sc.WaitFor("Quit all the same?")
	sc.Type(screentest.CtrlC)
	sc.WaitEnd()
}

func TestQuitAsksOnceWhereAFormWasChanged(t *testing.T) {
	sc := live(t, trace.Modern, 80, 24)
	call(sc, "add")
	sc.WaitFor("Call Ctrl+S")
	sc.Type("4", screentest.Esc)
	sc.WaitFor("[2 Catalogue]")
	sc.Type(screentest.Esc, "q")
	sc.WaitFor(`The form of "add" was changed. Quit`)
	sc.Type("y")
	sc.WaitEnd()
}

func TestQuitDoesNotAskForNothing(t *testing.T) {
	sc := live(t, trace.Modern, 80, 24)
	sc.Type("q")
	sc.WaitEnd()
}

func TestABranchFromACallThatWasGivenUp(t *testing.T) {
	sc := live(t, trace.Modern, 80, 24)
	call(sc, "greet")
	sc.WaitFor("asks you", "*")
	sc.ClickOn("[ Give up the call ]")
	sc.WaitFor("given up by the person")
	sc.Type("b")
	sc.WaitFor("branch: round 1 answered again", "it was not answered then")
	sc.Type("Ada", screentest.CtrlS)
	sc.WaitFor("✓ done", "Hello, Ada!")
	require.NotContains(t, sc.Text(), "given up") // it is no more how the call ended
	sc.Type("r")
	sc.WaitFor("2 greet", "asks you") // a rerun gives the answers of the first run, which has none
}

func TestAHeldRetryIsCountedAndFound(t *testing.T) {
	sc := heldGreet(t)
	sc.Type(screentest.Esc, "q", "2")
	sc.WaitFor("[2 Catalogue]", " 1 held", "! held retry")
	sc.Type("!")
	sc.WaitFor("held: the retry of round 1", "Ctrl+S send")
	sc.Type(screentest.CtrlS)
	sc.WaitFor("✓ done", "Ada")
	sc.WaitForGone("1 held")
}
