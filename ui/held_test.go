package ui_test

import (
	"testing"

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
	sc.WaitFor("branch: round 1 answered again")
	sc.ClickOn("[ Send unchanged ]")
	sc.WaitFor("tools/call 9 from 1")
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
	sc.WaitFor("A form was changed")
	sc.Type("y")
	sc.WaitEnd()
}

func TestQuitDoesNotAskForNothing(t *testing.T) {
	sc := live(t, trace.Modern, 80, 24)
	sc.Type("q")
	sc.WaitEnd()
}
