package ui_test

import (
	"testing"
	"time"

	"mcptui/client/control"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// startWith shows a scripted log with a controller of the test's own.
func startWith(t *testing.T, s *script.Script, k control.Controller, columns, rows int) *screentest.Screen {
	t.Helper()
	m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: k, Start: script.Start, Timeout: time.Minute})
	return screentest.Start(t, m, columns, rows)
}
