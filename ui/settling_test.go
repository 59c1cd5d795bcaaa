package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// guarded opens the UI as a person gets it, on a clock that only the test moves:
// what opens takes no keys until the test lets time pass.
func guarded(t *testing.T, a *asker, columns, rows int) (*Screen, func(time.Duration)) {
	t.Helper()
	c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	a.clock = c.Now
	return a.open(columns, rows, ui.Options{Settle: 500 * time.Millisecond}), c.pass
}

const press = 60 * time.Millisecond // between two presses that are meant as one

func question(name string) rpc.Field {
	return rpc.Field{Name: name, Raw: fmt.Appendf(nil,
		`{"method":"elicitation/create","params":{"mode":"form","message":"The %s question.","requestedSchema":{"type":"object","properties":{"s":{"type":"string"}}}}}`, name)}
}

// TestASecondPressAnswersNoOtherQuestion presses each key that answers twice, as
// a hand does that was not sure of the first.
func TestASecondPressAnswersNoOtherQuestion(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, key := range []struct{ name, bytes string }{
			{"send", CtrlS}, {"decline", Alt("d")}, {"cancel", Alt("c")},
		} {
			t.Run(key.name, func(t *testing.T) {
				a := newAsker(t, era, question("first"), question("second"))
				sc, pass := guarded(t, a, 100, 30)
				sc.Type(Enter)
				sc.WaitFor("The first question.", "just opened")
				pass(time.Second)
				sc.Type(key.bytes)
				sc.WaitFor("The second question.", "just opened")
				pass(press)
				sc.Type(key.bytes, key.bytes)
				sc.WaitFor("The second question.", "just opened: press again")
				handled(sc)
				require.Empty(t, a.answers("second"))
				pass(time.Second)
				sc.Type(key.bytes)
				sc.WaitFor("all is well")
				require.Len(t, a.answers("second"), 1)
			})
		}
	})
}

// TestAnAskTakesNothingBeforeItIsSeen types what was on its way when an ask of
// each kind came.
func TestAnAskTakesNothingBeforeItIsSeen(t *testing.T) {
	for _, ask := range []struct{ name, raw, sign string }{
		{"form", string(elicit(`{"type":"object","properties":{"s":{"type":"string"}}}`)), "s "},
		{"choice", string(elicit(`{"type":"object","properties":{"b":{"type":"boolean"}}}`)), "( ) true"},
		{"list", string(elicit(wideList)), "p  "},
		{"nothing to type", string(elicit(`{"type":"object","properties":{}}`)), "[ Accept"},
		{"url", `{"method":"elicitation/create","params":{"mode":"url","message":"Look.","url":"https://example.com/","elicitationId":"1"}}`, "[ Open in browser"},
		{"sampling", `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Say."}}],"maxTokens":9}}`, "*Answer"},
		{"roots", `{"method":"roots/list","params":{}}`, "[ Give"},
	} {
		t.Run(ask.name, func(t *testing.T) {
			a := newAsker(t, trace.Modern, rpc.Field{Name: "it", Raw: []byte(ask.raw)})
			sc, pass := guarded(t, a, 80, 24)
			sc.Type(Enter)
			sc.WaitFor("just opened", ask.sign)
			before := sc.Text()
			for _, key := range []string{"x", " ", Enter, Left, Right, Down, Backspace, CtrlE, CtrlS, Alt("d"), Alt("c"), Alt("n"), Alt("a")} {
				sc.Type(key)
			}
			sc.WaitFor("just opened: press again")
			sc.Paste("pasted")
			sc.ClickOn("[ Give up the call")
			handled(sc)
			pass(time.Second)
			handled(sc)
			sc.WaitForGone("just opened")
			require.Equal(t, panelOf(before), panelOf(sc.Text()), "nothing was taken")
			require.Empty(t, a.answers("it"))
			require.Equal(t, 1, a.count("tools/call"))
		})
	}
}

// TestWhoTypesAtOnceLosesHalfASecond types a text without a pause, from when a
// question opens: what came in the first half second is named in the footer, and
// the rest stands in the field.
func TestWhoTypesAtOnceLosesHalfASecond(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	sc, pass := guarded(t, a, 80, 24)
	sc.Type(Enter)
	sc.WaitFor("The only question.", "just opened")
	const typed = "lost, but only this: the rest is typed"
	for i := range typed {
		sc.Type(typed[i : i+1])
		if i < 5 {
			sc.WaitFor(`not taken: "` + typed[:i+1])
		} else {
			sc.WaitFor(`not taken: "lost,"`, `{"s":"`+typed[5:i+1])
		}
		pass(100 * time.Millisecond)
	}
	sc.Paste(" and pasted")
	sc.WaitFor(`typed and pasted"}`)
	pass(press)
	sc.Type(CtrlS)
	sc.WaitFor(`press again what was not taken: "lost,", Ctrl+S`)
	require.Empty(t, a.answers("only"))
	pass(time.Second)
	sc.Type(CtrlS)
	sc.WaitFor("all is well")
	require.Len(t, a.answers("only"), 1)
}

// handled waits until all that was typed has been handled.
func handled(sc *Screen) {
	sc.Type(F1)
	sc.WaitFor("What applies here")
	sc.Type(Esc)
	sc.WaitForGone("What applies here")
}

// panelOf is the screen without the lines that say how the panel stands.
func panelOf(screen string) string {
	var out []string
	for _, l := range strings.Split(screen, "\n") {
		if strings.HasPrefix(l, "┃") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

var wideList = func() string {
	s := `{"type":"object","properties":{"p":{"type":"string","enum":["value 0"`
	for i := 1; i < 30; i++ {
		s += fmt.Sprintf(`,"value %d"`, i)
	}
	return s + `]}}}`
}()

// TestAWrongValueIsNotSentByTheSecondOfTwoPresses: what speaks against a value
// is to be read before it is sent all the same.
func TestAWrongValueIsNotSentByTheSecondOfTwoPresses(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}`
	sc, pass := guarded(t, a, 80, 24)
	sc.Type(Enter)
	sc.WaitFor("*a", "[ Call")
	sc.Type(CtrlS) // a form that the person opened takes keys at once
	sc.WaitFor("send again to send it all the same", "just shown")
	pass(press)
	sc.Type(CtrlS)
	sc.WaitFor("just shown: press again")
	require.Zero(t, a.count("tools/call"))
	pass(time.Second)
	sc.Type(CtrlS)
	sc.WaitFor("The only question.")
	require.Equal(t, 1, a.count("tools/call"))
}

// TestARetryThatStandsIsNotSentByTheSecondOfTwoPresses: it stands to be looked
// at.
func TestARetryThatStandsIsNotSentByTheSecondOfTwoPresses(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	sc, pass := guarded(t, a, 100, 30)
	sc.Type("i")
	sc.WaitFor("retries are held")
	sc.Type(Enter)
	sc.WaitFor("The only question.", "just opened")
	pass(time.Second)
	sc.Type(CtrlS)
	sc.WaitFor("held: the retry", "just opened")
	pass(press)
	sc.Type(CtrlS)
	sc.WaitFor("just opened: press again")
	require.Equal(t, 1, a.count("tools/call"))
	pass(time.Second)
	sc.Type(CtrlS)
	sc.WaitFor("all is well")
}

// TestWhatWasSeenBeforeTakesKeysAtOnce: who goes back to a question knows it.
func TestWhatWasSeenBeforeTakesKeysAtOnce(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	sc, pass := guarded(t, a, 100, 30)
	sc.Type(Enter)
	sc.WaitFor("The only question.", "just opened")
	sc.Type(Esc) // it loses nothing: it is taken at any time
	sc.WaitFor("set aside")
	pass(time.Second)
	sc.Type("q", "2")
	sc.WaitFor("[2 Catalogue]")
	sc.Type("!", "typed at once")
	sc.WaitFor("The only question.", `{"s":"typed at once"}`)
}
