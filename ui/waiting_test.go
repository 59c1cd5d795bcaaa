package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// Each name says what people saw in other clients; here it cannot happen.

func TestAnAskIsNeverSurfacedAndExecuteSpinsForever(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		s := ready(era)
		s.Book(0)
		sc := start(t, s, 80, 24)
		sc.WaitFor("you ◆ 1", "◆ you: ") // counted, and who waits for whom, before anything is opened
		sc.Type("!")
		sc.WaitFor("When would you like to come?", "[ Send", "[ Decline", "[ Give up the call ]")
	})
}

const briefly = 100 * time.Millisecond

// shortOfTime gives requests little time, on a clock that stands still until the test
// lets it pass: a slow machine takes none of it.
func shortOfTime(a *asker) (pass func(time.Duration)) {
	c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	a.clock, a.timeout = c.Now, briefly
	return c.pass
}

func TestTheDeadlineKillsAnAskWhileThePersonTypes(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, rpc.Field{Name: "it", Raw: elicit(nameForm)})
		pass := shortOfTime(a)
		sc := a.open(80, 24, ui.Options{})
		sc.Type(Enter)
		sc.WaitFor("Please fill this in.")
		sc.Type("Ad")
		sc.WaitFor(`{"name":"Ad"}`)
		pass(time.Hour)         // well past the deadline of a request
		time.Sleep(2 * briefly) // for whatever would notice it
		sc.Type("a")
		sc.WaitFor(`{"name":"Ada"}`)
		sc.Type(CtrlS)
		sc.WaitFor("all is well")
		require.Equal(t, []string{`{"action":"accept","content":{"name":"Ada"}}`}, a.answers("it"))
	})
}

func TestTheDeadlineIsSeenAndPutOff(t *testing.T) {
	a := newAsker(t, trace.Legacy) // it never answers
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("deadline in ", "(of ", "E puts it off")
	sc.Type(":", "timeout once more")
	sc.WaitFor("give the call its timeout once more")
	sc.Type(Enter)
	sc.WaitFor("it has its timeout once more")
	sc.WaitFor("put off 1 time)")
	sc.Type("E")
	sc.WaitFor("put off 2 times)")
	sc.Type("x") // any key: the deadline itself is looked at
	sc.WaitFor("given up by the person")
}

func TestAResultThatComesTooLateIsLost(t *testing.T) {
	a := newAsker(t, trace.Legacy)
	pass := shortOfTime(a)
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("● server works")
	pass(time.Hour)
	sc.WaitFor("no answer to tools/call form")
	require.Eventually(t, func() bool { return a.count("tools/call") == 1 }, Patience, time.Millisecond, "it never came")
	a.mu.Lock()
	var id rpc.ID
	for _, m := range a.came {
		if m.Method == "tools/call" {
			id = m.ID
		}
	}
	a.mu.Unlock()
	a.says(resultLine(id, plainResult))
	sc.WaitFor("Result, too late", "all is well")
}

func TestASilentHangAfterOneProgressNotification(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		s := ready(era)
		c := s.Call("add", map[string]any{"a": 1, "b": 2})
		c.Progress(1, 4, "one of four")
		s.Wait(9 * time.Second)
		sc := start(t, s, 80, 24)
		sc.WaitFor("add")
		sc.Type(Enter)
		sc.WaitFor("nothing was heard of the server for 9", "one of four", "deadline in", "x gives the call up")
	})
}

func TestALargeArgumentHangsWithoutTimeoutOrCancel(t *testing.T) {
	a := newAsker(t, trace.Legacy)
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`
	a.stuck = true // it reads nothing of what is sent
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("Call Ctrl+S", "text")
	sc.Type("\x1b[200~" + strings.Repeat("0123456789abcdef", 8<<10) + "\x1b[201~")
	sc.WaitFor(`─▶ {"text":"0123456789abcdef`)
	sc.Type(CtrlS)
	sc.WaitFor("● server works", "deadline in")
	sc.Type("x")
	sc.WaitFor("given up by the person")
}

func TestAnAskThatMayBelongToTheCallIsNamedThere(t *testing.T) {
	s := ready(trace.Legacy)
	s.Call("add", map[string]any{"a": 1, "b": 2})
	s.Call("add", map[string]any{"a": 3, "b": 4})
	s.Wait(time.Second)
	s.Come(rpc.Encode(`"s-1"`, "elicitation/create", []byte(`{"message":"Whose?","requestedSchema":`+nameForm+`}`), nil, nil))
	s.Wait(5 * time.Second)
	sc := start(t, s, 80, 24)
	sc.WaitFor("◆ 1")
	sc.Type(Enter)
	sc.WaitFor("may belong to this call: ! goes there")
	require.NotContains(t, sc.Text(), "deadline in", "the clock stands while the server waits for a person")
	sc.Type("!")
	sc.WaitFor("Whose?")
}
