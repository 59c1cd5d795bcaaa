package ui_test

import (
	"errors"
	"testing"

	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// TestADamagedRecordingIsShownAndSaysSo opens what could be read of a recording:
// the header, the footer and the findings say that it is not all.
func TestADamagedRecordingIsShownAndSaysSo(t *testing.T) {
	s := script.New()
	s.Phase(trace.Phase{Name: trace.PhaseReady, Era: trace.Modern})
	m := ui.New(ui.Options{Log: s.Log, Server: "cut.jsonl", Start: script.Start,
		Damage: errors.New("cut.jsonl:9:30: the recording is cut off here; 1 event could be read")})
	sc := screentest.Start(t, m, 120, 36)
	sc.WaitFor("recording, damaged", "⚠ 1", "✖ cut.jsonl:9:30: the recording is cut off here")
	sc.Type("4")
	sc.WaitFor("the recording itself", "recording-damaged", "recording, damaged")
}
