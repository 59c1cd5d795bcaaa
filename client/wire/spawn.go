package wire

import (
	"fmt"

	"mcptui/client/internal/owned"
	"mcptui/client/trace"
)

// Crashed is called when a goroutine of a transport panics, after the panic is
// in the log. The program sets it to end its children and restore the terminal;
// left nil, the connection counts as failed and the program goes on.
var Crashed func(cause any, stack []byte)

// spawn is the only way in which this package starts a goroutine.
func spawn(emit Emit, f func()) {
	owned.Go(func(cause any, stack []byte) {
		emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseFailed, Reason: fmt.Sprintf("a fault in mcptui itself: %v", cause)}})
		if Crashed != nil {
			Crashed(cause, stack)
		}
	}, f)
}

// note tells of something that changes nothing by itself.
func note(emit Emit, text string) {
	emit(trace.Event{Act: &trace.Act{Who: trace.Client, Kind: trace.ActNote, Note: text}})
}
