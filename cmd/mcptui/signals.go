package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// signals are those that end a run.
type signals struct {
	heard chan struct{} // closed once they are heard
}

// wait returns once signals are heard. It comes before anything that must not be
// left as it is: a child, a connection, a terminal, a line of output.
func (s *signals) wait() {
	if s != nil {
		<-s.heard
	}
}

// listen hears signals as long as the process lives.
func (s *signals) listen() <-chan os.Signal {
	came := make(chan os.Signal, 3)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(sig) { // as below nohup, and in the background of a script
			signal.Notify(came, sig)
		}
	}
	// A write to a closed pipe shall fail, not kill: there are children to end. (To
	// ignore the signal would do it too, but children inherit that.)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	close(s.heard)
	return came
}

// contexts gives a context that a signal ends, with the signal as its cause, and one
// that a second signal ends: then children are not given their time to end by
// themselves. A third signal ends the process the hard way. It does not wait until
// signals are heard: that takes the runtime a millisecond, in which the command line
// can be read. Until then a signal ends the process, which has done nothing yet.
func (s *signals) contexts(parent context.Context) (ctx, hurry context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	hurry, rush := context.WithCancel(parent)
	done := make(chan struct{})
	if s != nil {
		go func() { // ends with stop
			came := s.listen()
			for {
				select {
				case sig := <-came:
					switch {
					case hurry.Err() != nil:
						os.Exit(codeOf(sig))
					case ctx.Err() != nil:
						rush()
					}
					cancel(causeOf(sig)) // the first cause stays
				case <-done:
					return
				}
			}
		}()
	}
	return ctx, hurry, func() {
		close(done)
		cancel(nil)
		rush()
	}
}

func causeOf(sig os.Signal) error {
	if sig == os.Interrupt {
		return errInterrupted
	}
	return errTerminated
}

func codeOf(sig os.Signal) int {
	if sig == os.Interrupt {
		return exitInterrupted
	}
	return exitTerminated
}
