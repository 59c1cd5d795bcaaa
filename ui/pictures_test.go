package ui_test

import (
	"testing"
	"time"

	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// TestPictures draws the pictures of the README: what the screens show, so that
// they cannot go stale.
func TestPictures(t *testing.T) {
	show := func(t *testing.T, s *script.Script) *screentest.Screen {
		m := ui.New(ui.Options{Log: s.Log, Control: deaf{}, Start: script.Start, Timeout: time.Minute})
		return screentest.Start(t, m, 110, 32)
	}
	t.Run("list", func(t *testing.T) {
		sc := show(t, ready(trace.Modern))
		sc.WaitFor("book_table")
		sc.Type(screentest.Down)
		sc.WaitFor("Books a table in three")
		sc.Picture("list")
	})
	t.Run("question", func(t *testing.T) {
		s := ready(trace.Modern)
		s.Book(0)
		s.Wait(1200 * time.Millisecond)
		sc := show(t, s)
		sc.WaitFor("you: when")
		sc.Type(screentest.Enter)
		sc.WaitFor("When would you like")
		sc.Picture("question")
	})
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		t.Run("ladder "+string(era), func(t *testing.T) {
			s := ready(era)
			s.Book(3)
			sc := show(t, s)
			sc.WaitFor("✓ done")
			sc.Type(screentest.Enter)
			sc.WaitFor("Booked: a table for 4")
			sc.Picture("ladder-" + string(era))
		})
	}
	t.Run("state", func(t *testing.T) {
		s := ready(trace.Modern)
		s.Book(2)
		sc := show(t, s)
		sc.WaitFor("you: confirm")
		sc.Type(screentest.Enter)
		sc.WaitFor("Shall I book it")
		sc.Type(screentest.Esc, "1", screentest.ShiftTab, "+")
		sc.WaitFor("changed since round 2", "payload")
		sc.Picture("state")
	})
	t.Run("wire", func(t *testing.T) {
		s := ready(trace.Modern)
		s.Book(3)
		sc := show(t, s)
		sc.WaitFor("✓ done")
		sc.Type("3")
		sc.WaitFor("jsonrpc")
		sc.Picture("wire")
	})
}
