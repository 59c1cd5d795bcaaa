package ui_test

import (
	"context"
	"errors"
	"testing"

	"mcptui/client/control"
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
	sc.WaitFor("recording, damaged", " ✖ 1", "✖ cut.jsonl:9:30: the recording is cut off here")
	sc.Type("4")
	sc.WaitFor("the recording itself", "recording-damaged", "recording, damaged")
}

// TestARecordingThatFailsIsToldAtOnceAndStaysTold lets the recording fail while the
// session runs: the header says so as long as it does, and all else goes on.
func TestARecordingThatFailsIsToldAtOnceAndStaysTold(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	full := make(chan error)
	m := ui.New(ui.Options{Log: s.Log, Control: struct{ control.Controller }{}, Start: script.Start, Unrecorded: func(ctx context.Context) error {
		select {
		case err := <-full:
			return err
		case <-ctx.Done():
			return nil
		}
	}})
	sc := screentest.Start(t, m, 120, 36)
	sc.WaitForGone("not recorded")
	full <- errors.New("--record: no space left on device")
	sc.WaitFor("✖ not recorded", "✖ --record: no space left on device", " ✖ 1")
	sc.Type("4")
	sc.WaitFor("✖ not recorded", "nothing more of this session is recorded", "recording-failed")
	sc.Type("3")
	sc.WaitFor("✖ not recorded", "Wire")
}
