package ui_test

import (
	"testing"
	"time"

	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/keys"
)

// TestPictures walks through book_table on the built-in server as the README
// does, and draws its pictures: what the screens show, so that they cannot go
// stale.
func TestPictures(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		t.Run(string(era), func(t *testing.T) {
			c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
			sc := liveAt(t, era, 110, 32, c)
			picture := func(name string) {
				if era == trace.Modern { // the legacy screens differ in the ladder alone
					sc.Picture(name)
				}
			}
			sc.Type(screentest.Down)
			sc.WaitFor(">   book_table", "Books a table")
			picture("list")
			sc.Type(screentest.Enter)
			sc.WaitFor("On which day", "*Date")
			sc.Type("2026-12-24")
			sc.WaitFor(`{"date":"2026-12-24"}`)
			picture("question")
			c.pass(4200 * time.Millisecond)
			sc.Type(screentest.CtrlS)
			sc.WaitFor("For how many", "*Seats")
			c.pass(6800 * time.Millisecond)
			sc.Type(screentest.CtrlS)
			sc.WaitFor("*Book it")
			sc.Type(screentest.Esc)
			sc.WaitFor("set aside")
			sc.Type("2")
			sc.WaitFor("[2 Diff]", "round 3 against round 2", "! ask", ", later")
			picture("diff")
			sc.Type("!", screentest.Left)
			sc.WaitFor("(●) true")
			c.pass(2100 * time.Millisecond)
			sc.Type(screentest.CtrlS)
			sc.WaitFor("✓ done", "is booked")
			sc.Type("1")
			sc.WaitFor("[1 State]")
			sc.Picture("ladder-" + string(era))
		})
	}
	t.Run("wire", func(t *testing.T) { // scripted: what happens at once has no order of its own
		s := ready(trace.Modern)
		s.Book(3)
		sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Timeout: time.Minute}), 110, 32)
		sc.WaitFor("✓ done")
		sc.Type("3")
		sc.WaitFor("jsonrpc", "following")
		sc.Picture("wire")
	})
}

// TestReadmeListsTheKeys holds the README's table of keys to the one in code.
func TestReadmeListsTheKeys(t *testing.T) {
	screentest.Section(t, "README.md", "keys", keys.Markdown())
}
