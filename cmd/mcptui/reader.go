package main

import (
	"context"
	"os"
	"time"
)

// readerEvery is how often it is looked whether standard output is still read.
const readerEvery = 200 * time.Millisecond

// whileRead gives a context that ends, with errOutputClosed as its cause, once
// nobody reads our standard output any more: a command that waits for a server
// writes nothing meanwhile, and no write would tell. It looks at pipes and sockets;
// the end of a terminal is a signal.
func (a *app) whileRead(parent context.Context) context.Context {
	out, ok := a.Out.(*os.File)
	if !ok {
		return parent
	}
	about, err := out.Stat()
	if err != nil || about.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return parent
	}
	ctx, cancel := context.WithCancelCause(parent)
	var look func()
	look = func() { // a timer, and no goroutine that waits: most runs end before it looks once
		switch {
		case ctx.Err() != nil: // the run has ended
		case unread(out):
			cancel(errOutputClosed)
		default:
			time.AfterFunc(readerEvery, look)
		}
	}
	time.AfterFunc(readerEvery, look)
	return ctx
}
