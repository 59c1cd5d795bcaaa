// Package client is the face of the MCP client: it dials a server, keeps the
// connection running, and does to it what a person or a script wants
// (control.Controller). What happens is read from the log, and nowhere else:
// every frame with its exact bytes, every HTTP exchange, every phase, every act.
//
// It holds no protocol of its own: package flow decides, package wire moves the
// bytes, and this package owns the goroutine in between.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcptui/client/control"
	"mcptui/client/flow"
	"mcptui/client/internal/owned"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// Conn is one connection to a server. Its methods can be called from any
// goroutine; none but Ready, Wait, Watch and Close waits for the server.
type Conn struct {
	opts     Options
	log      *trace.Log
	counter  atomic.Int64 // HTTP exchanges, across transports
	ctx      context.Context
	stop     context.CancelFunc
	finished chan struct{} // closed when the engine has ended

	mu     sync.Mutex
	queue  []input
	wake   chan struct{}
	closed bool
	state  state
	change chan struct{} // closed and replaced when state changes
	busy   int           // transports that are being opened or closed in the background
	idle   chan struct{} // closed when busy comes to 0; nil while nobody waits for that

	// The engine's own.
	flow      *flow.Flow
	transport wire.Transport
	gen       int // counts transports; what an earlier one still says changes nothing

	foldMu sync.Mutex
	folded *session.Session
	seen   int
}

var _ control.Controller = (*Conn)(nil)

// input is what the engine takes in: an event of a transport, or something to do.
type input struct {
	gen   int
	event trace.Event
	do    func()
}

type state struct {
	ready  bool
	failed error
}

// Error says why a connection did not come about, or ended.
type Error struct {
	Kind   flow.FailKind
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// ErrClosed is wrapped by what is wanted of a connection that was closed.
var ErrClosed = errors.New("the connection is closed")

// Dial begins a connection and returns at once: how it gets on is in the log.
// The error is one of the options. The connection lives until Close, or until
// ctx ends.
func Dial(ctx context.Context, opts Options) (*Conn, error) {
	if err := opts.check(); err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	if opts.Log == nil {
		opts.Log = trace.NewLog(time.Now)
	}
	info, err := json.Marshal(map[string]string{"name": opts.Name, "version": opts.Release})
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	c := &Conn{
		opts: opts, log: opts.Log, finished: make(chan struct{}),
		wake: make(chan struct{}, 1), change: make(chan struct{}),
		flow: flow.New(flow.Config{
			Transport: opts.transport(), Era: opts.Era, Version: opts.Version, Info: info,
			Capabilities: opts.Capabilities, Roots: opts.Roots, AskRoots: opts.AskRoots, LogLevel: opts.LogLevel,
			Timeout: opts.Timeout, ProbeTimeout: opts.ProbeTimeout, Rounds: opts.Rounds, Lists: opts.Lists, Tool: opts.Tool,
			Authorized: slices.ContainsFunc(opts.Headers, func(h trace.Header) bool { return strings.EqualFold(h.Name, "Authorization") }),
		}),
	}
	c.ctx, c.stop = context.WithCancel(ctx)
	c.flow.Start(c.log.Now())
	c.perform() // the server starts at once, not when the engine does
	c.run(c.engine)
	return c, nil
}

func (o *Options) transport() string {
	switch {
	case o.Target.URL != "":
		return flow.HTTP
	case o.Target.Command != "":
		return flow.Stdio
	}
	return flow.InProcess
}

// run starts a goroutine of the connection's.
func (c *Conn) run(f func()) {
	owned.Go(func(cause any, stack []byte) {
		fault := wire.Fault(cause, stack)
		c.log.Append(fault)
		c.become(state{failed: &Error{flow.Unreachable, fault.Phase.Reason}})
		if c.opts.Crashed != nil {
			c.opts.Crashed(cause, stack)
		}
	}, f)
}

// background runs f, which settled waits for.
func (c *Conn) background(f func()) {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	c.run(func() {
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.busy--; c.busy == 0 && c.idle != nil {
				close(c.idle)
				c.idle = nil
			}
		}()
		f()
	})
}

// settled returns when nothing runs in the background.
func (c *Conn) settled() {
	for {
		c.mu.Lock()
		if c.busy == 0 {
			c.mu.Unlock()
			return
		}
		if c.idle == nil {
			c.idle = make(chan struct{})
		}
		idle := c.idle
		c.mu.Unlock()
		<-idle
	}
}

// Log is where everything is recorded.
func (c *Conn) Log() *trace.Log { return c.log }

// Ready waits until calls can be made. Its error is an *Error where the
// connection failed, else that of ctx, or ErrClosed. Of a server that has ended after
// it was ready, each call says so.
func (c *Conn) Ready(ctx context.Context) error {
	for {
		c.mu.Lock()
		s, change, closed := c.state, c.change, c.closed
		c.mu.Unlock()
		switch {
		case s.ready:
			return nil
		case s.failed != nil:
			return s.failed
		case closed:
			return ErrClosed
		}
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Conn) become(s state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
	close(c.change)
	c.change = make(chan struct{})
}

// fail says why no call can be made any more. A connection that came about stays
// ready for whoever waits for that, so that what they see does not depend on how soon
// they look.
func (c *Conn) fail(why *Error) {
	c.mu.Lock()
	cameAbout := c.state.ready
	c.mu.Unlock()
	c.become(state{ready: cameAbout, failed: why}) // by the engine alone, as every change
}

// Close ends the connection in order: open calls end, the child is ended in
// stages or the session is given back, and the log is closed. When ctx ends
// first, what is left is ended at once. A second Close waits for the first.
func (c *Conn) Close(ctx context.Context) error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	c.mu.Unlock()
	if !first {
		<-c.finished
		return nil
	}
	var transport wire.Transport
	err := c.do(func() error {
		c.flow.Close(c.log.Now())
		transport, c.transport = c.transport, nil
		return nil
	})
	if errors.Is(err, ErrClosed) { // the engine has ended before its time, and uses it no more
		err, transport = nil, c.transport
	}
	c.stop() // ends an opening that is under way
	c.settled()
	if transport != nil {
		err = errors.Join(err, transport.Close(ctx))
	}
	c.post(input{}) // nothing to do: the end
	<-c.finished
	c.settled()
	c.become(state{failed: ErrClosed})
	c.log.Close()
	return err
}
