package rerun

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"mcptui/client/control"
	"mcptui/client/trace"
)

// Log is what is read of a connection.
type Log interface {
	Next(ctx context.Context, after int) ([]trace.Event, error)
	Since(after int) []trace.Event
}

// Server is what is done to a connection.
type Server interface {
	Restart() error
	Rerun(call int) (again int, err error)
}

var _ Server = control.Controller(nil)

// Again restarts a server and runs the last call again. It remembers how far it
// has read the log, so one value serves one connection.
type Again struct {
	Log    Log
	Server Server

	mu    sync.Mutex // files may change again while the server still comes back
	after int
	last  int // the last call that was begun
}

// Run does it once; it returns when the call has been begun, or at once after the
// restart where no call was made yet.
func (a *Again) Run(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		events := a.Log.Since(a.after)
		if len(events) == 0 {
			break
		}
		a.read(events)
	}
	if err := a.Server.Restart(); err != nil {
		return fmt.Errorf("restart the server: %w", err)
	}
	for ready := false; !ready; {
		events, err := a.Log.Next(ctx, a.after)
		if err != nil {
			return fmt.Errorf("wait for the server: %w", err)
		}
		var failed string
		if ready, failed = a.read(events); failed != "" {
			return errors.New("the server did not come back: " + failed)
		}
	}
	if a.last == 0 {
		return nil
	}
	if _, err := a.Server.Rerun(a.last); err != nil {
		return fmt.Errorf("run call %d again: %w", a.last, err)
	}
	return nil
}

// read takes events in, and says whether the server is ready at their end or has
// failed among them.
func (a *Again) read(events []trace.Event) (ready bool, failed string) {
	for _, e := range events {
		a.after = e.Seq
		switch {
		case e.Act != nil && e.Act.Kind == trace.ActCall:
			a.last = e.Act.Call
		case e.Phase != nil && e.Phase.Name == trace.PhaseReady:
			ready, failed = true, ""
		case e.Phase != nil && e.Phase.Name == trace.PhaseFailed:
			ready, failed = false, e.Phase.Reason
		case e.Phase != nil:
			ready = false
		}
	}
	return ready, failed
}
