// Package headless runs calls on a connection for scripts. It reads the same log
// that the screens read, answers asks by rule instead of by hand, and says what
// came of it in the terms of the command line: a result, or why there is none.
package headless

import (
	"context"
	"fmt"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Conn is a connection, live or about to be.
type Conn interface {
	control.Controller
	Log() *trace.Log
	Ready(ctx context.Context) error
}

// Follower folds the log as it grows.
type Follower struct {
	Session *session.Session
	log     *trace.Log
	after   int
	watch   func(trace.Event, *session.Session)
	attend  func(context.Context) error
}

// Follow returns a follower of a log from its beginning. Watch, where given, is
// told of each event once it is folded.
func Follow(log *trace.Log, watch func(trace.Event, *session.Session)) *Follower {
	return &Follower{Session: session.New(), log: log, watch: watch}
}

// Watch has a further function told of each event from now on.
func (f *Follower) Watch(watch func(trace.Event, *session.Session)) {
	before := f.watch
	f.watch = func(e trace.Event, s *session.Session) {
		if before != nil {
			before(e, s)
		}
		watch(e, s)
	}
}

// Attend has asks that belong to no call answered, or refused, while the
// follower waits: a server may want them settled before it goes on.
func (f *Follower) Attend(conn control.Answerer, by Answerer) {
	seen := map[trace.AskID]bool{}
	f.attend = func(ctx context.Context) error {
		for _, ask := range own(f.Session.Waiting(), 0) {
			if seen[ask.ID] {
				continue
			}
			seen[ask.ID] = true
			if _, err := settle(ctx, conn, by, ask); err != nil {
				delete(seen, ask.ID) // to be tried again by whoever waits next
				return err
			}
		}
		return nil
	}
}

// Until folds events until done says so. It asks before it waits, and after
// each batch.
func (f *Follower) Until(ctx context.Context, done func() (bool, error)) error {
	for {
		f.Catch()
		if f.attend != nil {
			if err := f.attend(ctx); err != nil {
				return err
			}
		}
		if ok, err := done(); ok || err != nil {
			return err
		}
		events, err := f.log.Next(ctx, f.after)
		if err != nil {
			return fmt.Errorf("read the connection's log: %w", err)
		}
		f.fold(events)
	}
}

// Catch folds what has come meanwhile, without waiting.
func (f *Follower) Catch() {
	f.fold(f.log.Since(f.after))
}

func (f *Follower) fold(events []trace.Event) {
	for _, e := range events {
		f.Session.Apply(e)
		f.after = e.Seq
		if f.watch != nil {
			f.watch(e, f.Session)
		}
		if e.Frame != nil {
			e.Frame.Forget() // it is folded: what was parsed of it takes as much as its bytes
		}
	}
}
