package edge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// errCut ends a stream that was told to break.
var errCut = errors.New("the connection was cut on purpose")

// defaultDrain is how long requests that are running when the input ends may take to
// be answered: a script that pipes its requests in should see its answers, and
// a server should still exit promptly.
const defaultDrain = 250 * time.Millisecond

// ServeStdio speaks the stdio binding over r and w: one message a line, both
// eras interleaved. It returns nil once r has ended and everything that runs
// is answered or cancelled, or the error of r, w or ctx. It does not close r
// or w.
func (e *Edge) ServeStdio(ctx context.Context, r io.Reader, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &stdio{edge: e, w: w, running: map[string]*running{}, fail: cancel}
	c.life, c.end = context.WithCancel(e.life)
	defer c.end()

	lines := make(chan []byte)
	var readErr error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(lines)
		guarded(e.opt.Logger, "reading stdio", func() { readErr = readLines(ctx, r, e.opt.MaxBody, lines, c.tooLong) })
	})
	for open := true; open; {
		select {
		case line, ok := <-lines:
			if open = ok; ok {
				guarded(e.opt.Logger, "receiving a line", func() { c.receive(ctx, line) })
			}
		case <-ctx.Done():
			// A reader that is blocked in Read cannot be woken by us: it is
			// left behind and ends with r.
			c.shut(0)
			return context.Cause(ctx)
		}
	}
	c.shut(e.drain)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return readErr
}

// readLines sends each non-empty line of r. A line above limit is skipped and
// reported, and reading goes on after it.
func readLines(ctx context.Context, r io.Reader, limit int64, lines chan<- []byte, tooLong func()) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	skipping := false
	for {
		part, err := br.ReadSlice('\n')
		if !skipping && int64(len(line)+len(part)) > limit+1 { // the newline does not count
			skipping, line = true, nil
			tooLong()
		}
		if !skipping {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if t := bytes.TrimSpace(line); len(t) > 0 {
			select {
			case lines <- t:
			case <-ctx.Done():
				return nil
			}
		}
		skipping, line = false, nil
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading requests: %w", err)
		}
	}
}

// stdio is one stream of lines.
type stdio struct {
	edge *Edge
	fail context.CancelCauseFunc
	life context.Context // ends when listen streams shall
	end  context.CancelFunc

	wmu  sync.Mutex // guards w, dead, and that nothing follows a cancellation
	w    io.Writer
	dead bool // nothing can be, or shall be, written any more

	mu      sync.Mutex
	running map[string]*running // modern requests by id
	legacy  *legacy             // the handshake-era session of this process
	tasks   sync.WaitGroup
}

type running struct {
	cancel context.CancelFunc
	silent bool // guarded by stdio.wmu
}

// write sends one line, unless about is silent by now.
func (c *stdio) write(about *running, frame []byte) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if about == nil || !about.silent {
		c.writeLocked(append(bytes.Clone(frame), '\n'))
	}
}

func (c *stdio) writeLocked(b []byte) {
	if c.dead {
		return
	}
	if _, err := c.w.Write(b); err != nil {
		c.dead = true
		c.fail(fmt.Errorf("writing a message: %w", err))
	}
}

// respond sends a response, or what it is to be replaced by.
func (c *stdio) respond(modern bool, m *message, about *running, frame []byte) {
	d := c.edge.damage(modern, m, frame)
	if d == nil {
		c.write(about, frame)
		return
	}
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if about != nil && about.silent {
		return
	}
	if len(d.Before) > 0 {
		c.writeLocked(d.Before)
	}
	for _, f := range d.Frames {
		c.writeLocked(append(bytes.Clone(f), '\n'))
	}
	if len(d.Partial) > 0 {
		c.writeLocked(d.Partial)
	}
	if d.Cut {
		c.dead = true
		c.fail(errCut)
	}
}

// send and finish make the stream the outlet of its handshake-era session.
func (c *stdio) send(frame []byte) { c.write(nil, frame) }

func (c *stdio) finish(m *message, frame []byte) {
	if frame != nil {
		c.respond(false, m, nil, frame)
	}
}

func (c *stdio) refuse(m *message, err *rpcError) {
	id := m.answerID()
	if err.anonymous {
		id = nil
	}
	c.write(nil, err.encode(id))
}

func (c *stdio) tooLong() {
	c.refuse(nil, failf(codeInvalidRequest, "the message is longer than %d bytes", c.edge.opt.MaxBody))
}

// receive takes one line.
func (c *stdio) receive(ctx context.Context, line []byte) {
	if all, ok := batch(line); ok {
		c.receiveBatch(all)
		return
	}
	m, err := parse(line)
	if err != nil {
		c.refuse(m, err)
		return
	}
	c.dispatch(ctx, m)
}

// dispatch gives m to the era that it belongs to.
func (c *stdio) dispatch(ctx context.Context, m *message) {
	c.mu.Lock()
	l := c.legacy
	c.mu.Unlock()
	era := c.edge.opt.Era
	switch {
	case m.isResponse():
		if l == nil {
			c.refuse(m, failf(codeInvalidRequest, "this server has asked nothing that could be answered"))
			return
		}
		l.answer(m)
	case m.isNotification():
		if c.cancelModern(m) {
			return
		}
		if l != nil && !m.isModern() {
			l.notify(m)
		}
	case m.isModern() && era != Legacy:
		c.modern(ctx, m)
	case l != nil:
		if err := c.legacyCall(l, m, c); err != nil {
			c.refuse(m, err)
		}
	case m.method == "initialize" && era == Modern:
		want, _ := text(m.params.get("protocolVersion"))
		c.refuse(m, c.edge.unsupported(want, false))
	case m.method == "initialize":
		c.initialize(ctx, m)
	case m.method == "ping" && era != Modern:
		c.write(nil, response(m.id, json.RawMessage("{}"))) // allowed before initialize
	case era == Legacy && m.method == "server/discover":
		c.refuse(m, failf(codeNoMethod, "method %q does not exist", m.method))
	case era == Legacy:
		c.refuse(m, failf(codeInvalidRequest, "%q came before initialize", m.method))
	default:
		c.refuse(m, m.checkEnvelope())
	}
}

func (c *stdio) legacyCall(l *legacy, m *message, out outlet) *rpcError {
	if c.taken(m.id) {
		return errInUse(m.id)
	}
	return l.call(m, nil, out)
}

func (c *stdio) initialize(ctx context.Context, m *message) {
	if err := m.checkInitialize(); err != nil {
		c.refuse(m, err)
		return
	}
	l, err := c.edge.openLegacy(ctx, "", c)
	if err != nil {
		c.refuse(m, c.edge.errorOf(m.method, err))
		return
	}
	m = l.negotiated(m, false)
	c.mu.Lock()
	c.legacy = l
	c.mu.Unlock()
	if err := l.call(m, nil, c); err != nil {
		c.refuse(m, err)
	}
}

// taken: a request of either era on this stream has the id.
func (c *stdio) taken(id json.RawMessage) bool {
	c.mu.Lock()
	_, taken := c.running[string(id)]
	l := c.legacy
	c.mu.Unlock()
	return taken || l != nil && l.uses(id)
}

func (c *stdio) modern(ctx context.Context, m *message) {
	if c.taken(m.id) {
		c.refuse(m, errInUse(m.id))
		return
	}
	if err := c.edge.checkModern(m); err != nil {
		c.refuse(m, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	run := &running{cancel: cancel}
	key := string(m.id)
	c.mu.Lock()
	c.running[key] = run
	c.mu.Unlock()
	c.tasks.Go(func() {
		guarded(c.edge.opt.Logger, "serving "+m.method, func() {
			defer cancel()
			result, rerr, err := c.edge.serve(ctx, m, carrier{
				emit:   func(f []byte) { c.write(run, f) },
				ending: c.life.Done(),
			})
			// Freed before the response goes out: a client may use the id again
			// as soon as it has read it.
			c.mu.Lock()
			delete(c.running, key)
			c.mu.Unlock()
			switch {
			case err != nil:
			case rerr != nil:
				c.respond(true, m, run, rerr.encode(m.id))
			default:
				c.respond(true, m, run, response(m.id, result))
			}
		})
	})
}

// cancelModern silences and stops the modern request that a cancellation
// names; false where there is none.
func (c *stdio) cancelModern(m *message) bool {
	if m.method != "notifications/cancelled" {
		return false
	}
	c.mu.Lock()
	run := c.running[string(m.params.get("requestId"))]
	c.mu.Unlock()
	if run == nil {
		return false
	}
	c.wmu.Lock()
	run.silent = true
	c.wmu.Unlock()
	run.cancel()
	return true
}

// shut ends the stream: listen streams with their final results, calls after
// grace.
func (c *stdio) shut(grace time.Duration) {
	c.end()
	c.mu.Lock()
	l := c.legacy
	c.mu.Unlock()
	done := make(chan struct{})
	var waiter sync.WaitGroup
	waiter.Go(func() {
		defer close(done)
		c.tasks.Wait()
		if l != nil {
			l.pending.Wait()
		}
	})
	select {
	case <-done:
	case <-time.After(grace):
	}
	c.mu.Lock()
	for _, r := range c.running {
		r.cancel()
	}
	c.mu.Unlock()
	if l != nil {
		l.end()
	}
	select {
	case <-done:
	case <-time.After(closeGrace):
		// A write that nobody reads cannot be woken; it ends with its writer.
		c.edge.opt.Logger.Warn("a stream ended while a write was still waiting")
	}
}
