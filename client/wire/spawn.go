package wire

import (
	"fmt"

	"mcptui/client/internal/owned"
	"mcptui/client/trace"
)

// spawn is the only way in which this package starts a goroutine. A panic in it
// is an event like any other: whoever reads the log ends what has to be ended.
func spawn(emit Emit, f func()) {
	owned.Go(func(cause any, stack []byte) { emit(Fault(cause, stack)) }, f)
}

// Fault is the event of a panic in a goroutine of the connection.
func Fault(cause any, stack []byte) trace.Event {
	return trace.Event{Phase: &trace.Phase{
		Name: trace.PhaseFailed, Reason: fmt.Sprintf("a fault in mcptui itself: %v", cause), Stack: string(stack),
	}}
}

// note tells of something that changes nothing by itself.
func note(emit Emit, text string) {
	emit(trace.Event{Act: &trace.Act{Who: trace.Client, Kind: trace.ActNote, Note: text}})
}
