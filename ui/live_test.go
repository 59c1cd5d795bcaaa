package ui_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

// clock is the time of a test: it stands still unless the test moves it, so that
// screens are the same each time.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// live runs the UI on a real connection to the embedded server.
func live(t *testing.T, era trace.Era, columns, rows int) *screentest.Screen {
	t.Helper()
	return liveAt(t, era, columns, rows, &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)})
}

// liveAt is live with a clock that the test moves.
func liveAt(t *testing.T, era trace.Era, columns, rows int, c *clock) *screentest.Screen {
	t.Helper()
	start := c.Now()
	log := trace.NewLog(c.Now)
	c.pass(time.Second)
	key := []byte("a key that only the tests have...")
	srv, err := embeddedserver.New(embeddedserver.Options{
		Version: "1.0.0", Now: func() time.Time { return start }, StateKeys: [][]byte{key},
	})
	require.NoError(t, err)
	conn, err := client.Dial(context.Background(), client.Options{
		Target:   client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return srv.Pipe(ctx), nil }},
		Era:      era,
		AskRoots: true,
		Log:      log,
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), screentest.Patience)
		defer cancel()
		require.NoError(t, conn.Close(ctx))
		srv.Close()
	})
	require.NoError(t, conn.Ready(context.Background()))
	sc := screentest.Start(t, ui.New(ui.Options{
		Settle: -1,
		Log:    log, Control: conn, Server: "built-in server", Start: start, Timeout: time.Minute,
		Roots: []control.Root{{URI: "file:///srv/data", Name: "data"}},
		Keys:  []state.Key{{Bytes: key}},
		Open:  func(string) error { return nil },
	}), columns, rows)
	sc.WaitFor("book_table", "weather")
	return sc
}

func eras(t *testing.T, f func(t *testing.T, era trace.Era)) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		t.Run(string(era), func(t *testing.T) { f(t, era) })
	}
}

// call begins a call of a tool that wants no arguments.
func call(sc *screentest.Screen, tool string) {
	sc.Type("/" + tool)
	sc.WaitFor("Catalogue /" + tool)
	sc.Type(screentest.Enter)
}

func TestBookTableByKeyboard(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
				sc := live(t, era, size.columns, size.rows)
				sc.Type("/", "b", "o", screentest.Enter) // four keys to the first question
				sc.WaitFor("On which day", "*Date")
				sc.Golden("1-when")
				sc.Type("2026-12-04", screentest.CtrlS)
				sc.WaitFor("For how many", "*Seats")
				sc.Type(screentest.CtrlS)
				sc.WaitFor("*Book it")
				sc.Type(screentest.Left)
				sc.WaitFor("(●) true")
				sc.Type(screentest.CtrlS)
				sc.WaitFor("Result", "✓ done", "is booked")
				sc.Type("7")
				sc.WaitFor("no logs, progress")
				sc.Golden("2-done")
			})
		}
	})
}

func TestBookTableByMouse(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 120, 36)
		sc.ClickOn("book_table")
		sc.WaitFor("Books a table")
		sc.ClickOn("book_table  Book a table")
		sc.WaitFor("On which day", "*Date")
		sc.ClickOn("*Date")
		sc.Type("2026-12-04")
		sc.WaitFor("2026-12-04")
		sc.ClickOn("[ Send")
		sc.WaitFor("For how many")
		sc.ClickOn("[ Send")
		sc.WaitFor("*Book it")
		sc.ClickOn("( ) true")
		sc.WaitFor("(●) true")
		sc.ClickOn("[ Send")
		sc.WaitFor("Result", "✓ done", "is booked")
		sc.ClickOn("3 Request")
		sc.WaitFor("[3 Request]", "jsonrpc")
	})
}

func TestTheFiveActs(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		begin := func(t *testing.T) *screentest.Screen {
			sc := live(t, era, 120, 36)
			call(sc, "book_table")
			sc.WaitFor("On which day", "*Date")
			return sc
		}
		t.Run("decline", func(t *testing.T) {
			sc := begin(t)
			sc.Type(screentest.Alt("d"))
			sc.WaitFor("─ decline ─", "Result")
		})
		t.Run("cancel", func(t *testing.T) {
			sc := begin(t)
			sc.Type(screentest.Alt("c"))
			sc.WaitFor("─ cancel ─", "Result")
		})
		t.Run("abandon", func(t *testing.T) {
			sc := begin(t)
			sc.ClickOn("[ Give up the call ]")
			sc.WaitFor("✖ cancelled: given up by the person", map[trace.Era]string{trace.Modern: "not answered", trace.Legacy: "─ cancelled"}[era])
		})
		t.Run("invalid", func(t *testing.T) {
			sc := begin(t)
			sc.Type("tomorrow", screentest.CtrlS)
			sc.WaitFor("✖", "is not a date", "send again to send it all the same")
			sc.WaitFor("tomorrow")
			sc.Type(screentest.CtrlS)
			sc.WaitFor("─ accept ─")
		})
		t.Run("later", func(t *testing.T) {
			sc := begin(t)
			sc.Type("2026-12-0")
			sc.WaitFor("2026-12-0")
			sc.Type(screentest.Esc)
			sc.WaitFor(", later", "set aside")
			sc.Type("q")
			sc.WaitFor("[1 Calls]", "◆ 1")
			sc.Type("!")
			sc.WaitFor("2026-12-0") // nothing that was typed is lost
			sc.Type("4", screentest.CtrlS)
			sc.WaitFor("For how many")
		})
	})
}

func TestAnAskTakesNoKeystrokeOfAnother(t *testing.T) {
	sc := live(t, trace.Modern, 120, 36)
	call(sc, "greet")
	sc.WaitFor("asks you")
	sc.Type(screentest.Esc)
	sc.WaitFor("later")
	sc.Type("q", "2")
	sc.WaitFor("[2 Catalogue]", "◆ 1")
	sc.Type("/weath", screentest.Enter)
	sc.WaitFor("◆ 1", "Call Ctrl+S")
	sc.Type("Pa", "ris", "!") // ! types here
	sc.WaitFor("Paris!")
}

func TestThreeAsksOfThreeKinds(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 120, 36)
		call(sc, "plan_trip")
		sc.WaitFor("destination")
		sc.Type(screentest.CtrlS)
		if era == trace.Modern {
			sc.WaitFor("◆ 3", " ◆ draft  ◆ folders  ◆ travellers ") // one round that asks three things
		}
		sc.WaitFor("Plan one day in Isola Verde", "*Answer")
		sc.Type("A walk.", screentest.CtrlS)
		sc.WaitFor("These roots would be given", "file:///srv/data")
		if era == trace.Legacy {
			sc.Golden("roots")
		}
		sc.Type(screentest.CtrlS)
		if era == trace.Modern {
			sc.WaitFor(" ✓ draft  ✓ folders  ◆ travellers ", "not sent")
		}
		sc.WaitFor("*Travellers")
		if era == trace.Modern { // what is not sent can be answered again
			sc.Type(screentest.Esc)
			sc.ClickOn("◀─ ◆ draft")
			sc.Type(screentest.Enter)
			sc.WaitFor("A walk.")
			sc.Type(" And a swim.", screentest.CtrlS)
			sc.WaitFor("*Travellers")
		}
		sc.Type(screentest.CtrlS)
		sc.WaitFor("✓ done", "A walk.")
		if era == trace.Modern {
			sc.WaitFor("And a swim.")
		}
	})
}

func TestSamplingIsAnsweredByAPerson(t *testing.T) {
	sc := live(t, trace.Legacy, 120, 36)
	call(sc, "dictate_letter")
	sc.WaitFor("Write a short letter", "maxTokens 200", "*Answer")
	sc.Golden("sampling")
	sc.Type("Dear all,")
	sc.WaitFor(`"text":"Dear all,"`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("Result", "Dear all,")
}

func TestSamplingAsTheWholeResult(t *testing.T) {
	sc := live(t, trace.Legacy, 120, 36)
	call(sc, "dictate_letter")
	sc.WaitFor("*Answer")
	sc.Type("Hi")
	sc.WaitFor(`"text":"Hi"`)
	sc.ClickOn("[ Whole result ]")
	sc.WaitFor(`"role": "assistant"`, `"text": "Hi"`, `"stopReason": "endTurn"`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("✓ done")
}

func TestSamplingIsRejected(t *testing.T) {
	sc := live(t, trace.Legacy, 120, 36)
	call(sc, "dictate_letter")
	sc.WaitFor("*Answer")
	sc.ClickOn("[ Reject ]")
	sc.WaitFor("rejected")
	sc.WaitForGone("*Answer")
}

func TestAURLOpensOnlyWithConsent(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 120, 36)
		call(sc, "connect_account")
		sc.WaitFor("https://example.com/porto-lume/connect", "Nothing is fetched")
		if era == trace.Legacy {
			sc.Golden("url")
		}
		sc.Type(screentest.Enter) // presses nothing: no button has the focus
		sc.ClickOn("[ Open in browser ]")
		sc.WaitFor("opened in the browser")
		sc.Type(screentest.CtrlS)
		sc.WaitForGone("Nothing is fetched")
	})
}

// TestACallThatNoAnswerBelongsTo says so where the answer would stand, and why
// the call ended.
func TestACallThatNoAnswerBelongsTo(t *testing.T) {
	for _, tool := range []string{"not_json", "no_id", "wrong_id_type", "cut"} {
		t.Run(tool, func(t *testing.T) {
			b := newBench(t, "faults", false, nil)
			id, err := b.conn.Call(control.Request{Method: "tools/call", Params: []byte(`{"name":"` + tool + `","arguments":{}}`)})
			require.NoError(t, err)
			if tool == "no_id" { // an answer without an id ends no call: a person does
				b.until("there", func(*session.Session, *session.Call) bool { return true })
				require.NoError(t, b.conn.Cancel(id, "given up"))
			}
			c := b.until("over", func(_ *session.Session, c *session.Call) bool { return c.Status.Final() })
			b.Type("1")
			b.WaitFor("[1 Calls]", "✖ ")
			b.Type(screentest.Enter, "4")
			b.WaitFor("[4 Response]", "no answer that belongs to this request came; see Wire", string(c.Status)+": ")
			require.NotContains(t, b.Text(), "nothing came yet")
		})
	}
}

// TestWhoIsWaitedFor names both where both work.
func TestWhoIsWaitedFor(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(0)
	s.Call("slow", nil)
	sc := start(t, s, 120, 36)
	sc.WaitFor("● server works  you ◆ 1")
}
