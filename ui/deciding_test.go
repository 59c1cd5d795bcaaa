package ui_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// TestAQuestionOfEffectsIsReadBeforeItIsAnswered presses what answers right behind
// what asks: nothing happens until half a second has passed without a key.
func TestAQuestionOfEffectsIsReadBeforeItIsAnswered(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	sc, pass := guarded(t, a, 80, 24)
	sc.Type(Enter)
	sc.WaitFor("The only question.")
	pass(time.Second)
	sc.Type(CtrlS)
	sc.WaitFor("all is well")
	sc.Type("r", Enter)
	sc.WaitFor("Sure?", "just opened", "just opened: press again what was not taken: Enter")
	for key, name := range map[string]string{"y": "y", "Y": "Y", " ": "Space", Enter: "Enter"} {
		pass(press)
		sc.Type(key)
		sc.WaitFor("Sure?", "not taken: "+name)
	}
	sc.ClickOn("[>Yes")
	sc.WaitFor("Sure?", "not taken: a click")
	require.Equal(t, 2, a.count("tools/call"), "a round and its retry")
	sc.Type(Esc) // it does nothing: it is taken at once
	sc.WaitForGone("Sure?")
	sc.Type("r")
	sc.WaitFor("just opened")
	pass(time.Second)
	sc.WaitForGone("just opened")
	sc.Type(Enter)
	sc.WaitFor("2 form")
	require.GreaterOrEqual(t, a.count("tools/call"), 3)
}

// TestAHeldQDoesNotQuit holds down the key that leads to the top, with a form that
// would be lost; Ctrl+C twice leaves at once.
func TestAHeldQDoesNotQuit(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}`
	sc, pass := guarded(t, a, 80, 24)
	sc.Type(Enter)
	sc.WaitFor("*a")
	sc.Type("4", Esc)
	sc.WaitFor("[2 Catalogue]")
	sc.Type("q", "q", "q")
	sc.WaitFor(`The form of "form" was changed. Quit all the same?`, "just opened: press again what was not taken: q")
	sc.Type(Enter)
	sc.WaitFor("not taken: Enter")
	sc.Type(Esc)
	sc.WaitForGone("Sure?")
	sc.Type("q")
	sc.WaitFor("Sure?")
	pass(time.Second)
	sc.WaitForGone("just opened")
	sc.Type(Esc)
	sc.WaitForGone("Sure?")
	sc.Type(CtrlC, CtrlC)
	sc.WaitEnd()
}

// TestTheSessionIsSavedOnQuitting saves from the question itself, in every way there
// is, and says where to once the program has ended.
func TestTheSessionIsSavedOnQuitting(t *testing.T) {
	for name, tt := range map[string]struct {
		act          func(*Screen)
		fails, stays bool
		files        int
	}{
		"by its key":       {act: func(sc *Screen) { sc.Type("W") }, files: 1},
		"by the arrows":    {act: func(sc *Screen) { sc.Type(Right, Left, Enter) }, files: 1},
		"by a click":       {act: func(sc *Screen) { sc.ClickOn("Save and quit W") }, files: 1},
		"not at all":       {act: func(sc *Screen) { sc.Type("y") }},
		"stays":            {act: func(sc *Screen) { sc.Type(Right, Enter) }, stays: true},
		"cannot be saved":  {act: func(sc *Screen) { sc.Type("W") }, fails: true, stays: true},
		"quits by Ctrl+C":  {act: func(sc *Screen) { sc.Type(CtrlC) }},
		"saves by default": {act: func(sc *Screen) { sc.Type(Enter) }, files: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(trace.Modern)
			s.Book(1)
			rec := &recorder{}
			if tt.fails {
				rec.fails = errors.New("the disk is full")
			}
			m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Record: rec.record})
			sc := Start(t, m, 80, 24)
			sc.WaitFor("you: ")
			sc.Type(CtrlC)
			sc.WaitFor("An ask waits for an answer. Quit all the same?", "W saves it first.", "[ Quit y ]", "[>Save and quit W<]", "[ Stay Esc ]")
			tt.act(sc)
			if tt.stays {
				sc.WaitForGone("Sure?")
				if tt.fails {
					sc.WaitFor("✖ the disk is full")
				}
				require.Zero(t, rec.count())
				return
			}
			sc.WaitEnd()
			require.Equal(t, tt.files, rec.count())
			if tt.files > 0 {
				require.Contains(t, m.Farewell(), "saved to mcptui-")
			} else {
				require.Empty(t, m.Farewell())
			}
		})
	}
}

// TestWWhereTheLogIsKeptOrCannotBe offers no saving where there is nothing to save
// or no way to.
func TestWWhereTheLogIsKeptOrCannotBe(t *testing.T) {
	for name, saves := range map[string]bool{"no way": false, "saved just now": true} {
		t.Run(name, func(t *testing.T) {
			s := ready(trace.Modern)
			s.Book(1)
			rec := &recorder{}
			o := ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start}
			if saves {
				o.Record = rec.record
			}
			sc := Start(t, ui.New(o), 80, 24)
			sc.WaitFor("you: ")
			if saves {
				sc.Type("W")
				sc.WaitFor("the whole session")
				sc.Type(Down, Enter)
				sc.WaitFor("saved to mcptui-")
			}
			sc.Type(CtrlC)
			sc.WaitFor("Quit all the same?")
			require.NotContains(t, sc.Text(), "Save and quit")
			if saves { // nothing is dropped
				require.Contains(t, sc.Text(), "[>Quit y<]")
			} else {
				require.Contains(t, sc.Text(), "[>Stay Esc<]")
			}
			sc.Type("W")
			sc.Type(Esc)
			sc.WaitForGone("Sure?")
		})
	}
}

// TestAQuestionOfQuittingNamesWhatWouldBeLost changes two forms.
func TestAQuestionOfQuittingNamesWhatWouldBeLost(t *testing.T) {
	sc := live(t, trace.Modern, 100, 30)
	for _, f := range [][3]string{{"add", "4", `{"a":4`}, {"weather", Right, "(●) Isola Verde"}} {
		call(sc, f[0])
		sc.WaitFor("[ Call")
		sc.Type(f[1])
		sc.WaitFor(f[2])
		sc.Type(Esc)
		sc.WaitFor("[2 Catalogue]")
	}
	sc.Type(CtrlC)
	sc.WaitFor(`The form of "add" and 1 other was changed.`)
}

// TestWithoutAConnectionItIsSaidWhatToPress tries to send from where a letter types,
// and from where it is a command.
func TestWithoutAConnectionItIsSaidWhatToPress(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("*a")
	sc.Type("kept")
	sc.WaitFor(`{"a":"kept"}`)
	a.dies()
	sc.WaitFor("exited")
	sc.Type(CtrlS)
	sc.WaitFor("there is no connection: what was typed stays. Esc, then R connects again", `{"a":"kept"}`)
	require.Zero(t, a.count("tools/call"))
	before := a.count("tools/list")
	sc.Type(Esc)
	sc.WaitFor("[2 Catalogue]")
	sc.Type("R")
	require.Eventually(t, func() bool { return a.count("tools/list") > before }, Patience, 2*time.Millisecond, "it connects")
	sc.WaitForGone("exited")
	sc.Type(Enter)
	sc.WaitFor(`{"a":"kept"}`)
	sc.Type(CtrlS)
	sc.WaitFor("The only question.")
	sc.Type("x", CtrlS)
	sc.WaitFor("all is well")
	a.dies()
	sc.WaitFor("exited")
	sc.Type("r")
	sc.WaitFor("there is no connection. R connects again")
	require.NotContains(t, sc.Text(), "Sure?")
}
