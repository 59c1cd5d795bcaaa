package client

import (
	"context"
	"fmt"
	"io"
	"time"

	"mcptui/client/flow"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// closeWait bounds how long a transport that is replaced may take to end.
const closeWait = 10 * time.Second

// endpointWait is how long a server of the HTTP+SSE transport may take to say
// where to post, should a request be given more time than that.
const endpointWait = 10 * time.Second

// post hands something to the engine and never waits.
func (c *Conn) post(in input) {
	c.mu.Lock()
	c.queue = append(c.queue, in)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// emitter is what a transport puts events into the log with. The engine gets
// them in the order of the log.
func (c *Conn) emitter(gen int) wire.Emit {
	return func(e trace.Event) int {
		c.mu.Lock()
		e.Seq = c.log.Append(e)
		if e.Stderr == nil {
			c.queue = append(c.queue, input{gen: gen, event: e})
		}
		c.mu.Unlock()
		if e.Phase != nil && e.Phase.Stack != "" && c.opts.Crashed != nil {
			c.opts.Crashed(e.Phase.Reason, []byte(e.Phase.Stack))
		}
		select {
		case c.wake <- struct{}{}:
		default:
		}
		return e.Seq
	}
}

// do runs f on the engine's goroutine and returns its error.
func (c *Conn) do(f func() error) error {
	done := make(chan error, 1)
	c.post(input{do: func() {
		err := f()
		c.perform() // what was done is in the log before the caller goes on
		done <- err
	}})
	select {
	case err := <-done:
		return err
	case <-c.finished:
		select {
		case err := <-done:
			return err
		default:
			return ErrClosed
		}
	}
}

// engine owns the flow: it takes inputs in their order, and does what comes out.
func (c *Conn) engine() {
	defer close(c.finished)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	armed := time.Duration(-1) // session time at which the timer fires, -1 for none
	for {
		c.mu.Lock()
		batch := c.queue
		c.queue = nil
		c.mu.Unlock()
		for _, in := range batch {
			switch {
			case in.do != nil:
				in.do()
			case in.event.Seq == 0:
				return
			case in.gen == c.gen:
				c.flow.Event(c.log.Now(), in.event)
			}
			c.perform()
		}
		if len(batch) > 0 {
			continue
		}
		at, waits := c.flow.Next()
		// A timer that fires early costs one look; setting it for every request
		// would cost more.
		if waits && (armed < 0 || at < armed) {
			armed = at
			timer.Reset(max(at-c.log.Now(), 0))
		}
		select {
		case <-c.wake:
		case <-timer.C:
			armed = -1
			c.flow.Tick(c.log.Now())
			c.perform()
		case <-c.ctx.Done():
			if !c.abandoned() {
				return
			}
			<-c.wake
		}
	}
}

// abandoned ends the connection whose context has ended. It reports whether
// somebody closes it properly, and the engine is needed for that.
func (c *Conn) abandoned() bool {
	c.mu.Lock()
	closing := c.closed
	c.closed = true
	c.mu.Unlock()
	if closing {
		return true
	}
	c.flow.Close(c.log.Now())
	c.perform()
	if c.transport != nil {
		c.closeQuietly(c.transport)
	}
	c.settled()
	c.mu.Lock()
	left := c.queue
	c.queue = nil
	c.mu.Unlock()
	for _, in := range left { // a transport may have opened meanwhile
		if in.do != nil {
			in.do()
		}
	}
	c.settled()
	c.become(state{failed: ErrClosed})
	c.log.Close()
	return false
}

// closeQuietly closes a transport that nobody waits for; what goes wrong is in
// the log.
func (c *Conn) closeQuietly(t wire.Transport) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		c.tell("the connection did not end in order: " + err.Error())
	}
}

func (c *Conn) tell(note string) {
	c.log.Append(trace.Event{Act: &trace.Act{Who: trace.Client, Kind: trace.ActNote, Note: note}})
}

// perform does what the flow wants done.
func (c *Conn) perform() {
	for {
		effects := c.flow.Take()
		if len(effects) == 0 {
			return
		}
		for _, effect := range effects {
			c.performOne(effect)
		}
	}
}

func (c *Conn) performOne(effect flow.Effect) {
	switch e := effect.(type) {
	case flow.Append:
		c.log.Append(e.Event)
	case flow.Send:
		err := fmt.Errorf("send: %w", ErrClosed)
		if c.transport != nil {
			gen, id := c.gen, e.ID
			e.Failed = func(err error) {
				c.post(input{do: func() {
					if gen == c.gen {
						c.flow.Unsent(c.log.Now(), id, err)
					}
				}})
			}
			err = c.transport.Send(e.Message)
		}
		if err != nil {
			c.flow.Unsent(c.log.Now(), e.ID, err)
		}
	case flow.Abort:
		if c.transport != nil {
			c.transport.Abort(string(e.ID))
		}
	case flow.Settle:
		if c.transport != nil {
			c.transport.Settled(e.Era, e.Version)
		}
	case flow.Open:
		c.open(e.How)
	case flow.Ready:
		c.become(state{ready: true})
	case flow.Failed:
		c.fail(&Error{e.Kind, e.Reason})
	}
}

// open opens a transport, after closing the one before, and tells the flow.
func (c *Conn) open(how flow.How) {
	old := c.transport
	c.transport = nil
	c.gen++
	gen := c.gen
	if how == flow.OpenAgain {
		c.become(state{})
	}
	c.background(func() {
		if old != nil {
			c.closeQuietly(old)
		}
		t, err := c.newTransport(how == flow.OpenSSE, c.emitter(gen))
		if err == nil {
			if err = t.Start(c.ctx); err != nil {
				c.closeQuietly(t)
				t = nil
			}
		}
		c.post(input{do: func() { c.opened(t, err) }})
	})
}

// opened takes over a transport; one that comes after the connection was closed
// is closed in turn.
func (c *Conn) opened(t wire.Transport, err error) {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed && t != nil {
		c.background(func() { c.closeQuietly(t) })
		return
	}
	if err == nil {
		c.transport = t
	}
	c.flow.Opened(c.log.Now(), err)
}

func (c *Conn) newTransport(sse bool, emit wire.Emit) (wire.Transport, error) {
	t := c.opts.Target
	switch {
	case t.Command != "":
		return wire.NewStdio(wire.Stdio{
			Command: t.Command, Args: t.Args, Env: t.Env, Dir: t.Dir, MaxFrame: c.opts.MaxFrame, Wait: c.opts.Grace,
		}, emit), nil
	case t.Pipe != nil:
		pipe, err := openPipe(c.ctx, t.Pipe)
		if err != nil {
			return nil, fmt.Errorf("open the pipe to the server: %w", err)
		}
		return wire.NewPipe(pipe, c.opts.MaxFrame, emit), nil
	}
	how := wire.HTTP{
		URL: t.URL, Headers: c.opts.Headers, Insecure: c.opts.Insecure, CA: c.opts.CA, MaxFrame: c.opts.MaxFrame,
		UserAgent: c.opts.Name + "/" + c.opts.Release, Counter: &c.counter,
		EndpointWait: min(c.opts.Timeout, endpointWait),
	}
	if sse {
		return wire.NewSSE(how, emit), nil
	}
	return wire.NewHTTP(how, emit), nil
}

// pipe is one to a server in this process.
type pipe struct {
	io.ReadWriteCloser
	end context.CancelFunc // of the context that the server lives by
}

// openPipe opens a pipe. The end of ctx ends the opening, and not the server: what
// was sent still leaves before the pipe is closed.
func openPipe(ctx context.Context, open func(context.Context) (io.ReadWriteCloser, error)) (*pipe, error) {
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end)
	defer stop()
	rwc, err := open(living)
	if err != nil {
		end()
		return nil, err
	}
	return &pipe{rwc, end}, nil
}

// Close closes the pipe, and lets the server end.
func (p *pipe) Close() error {
	defer p.end()
	return p.ReadWriteCloser.Close()
}
