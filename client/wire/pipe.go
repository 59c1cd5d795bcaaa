package wire

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"mcptui/client/trace"
)

// Pipe is the transport to a server inside the same process, over the framing
// of stdio: one message a line.
type Pipe struct {
	rwc  io.ReadWriteCloser
	emit Emit
	max  int
	wait time.Duration // for messages that wait when it is closed

	mu      sync.Mutex
	queue   *queue
	closing bool
	ended   chan struct{}
}

// NewPipe returns a transport that reads and writes rwc. It owns rwc from now
// on and closes it. A message longer than maxFrame bytes is not kept whole; 0
// stands for 256 MB.
func NewPipe(rwc io.ReadWriteCloser, maxFrame int, emit Emit) *Pipe {
	if maxFrame <= 0 {
		maxFrame = defaultMaxFrame
	}
	return &Pipe{rwc: rwc, emit: emit, max: maxFrame, wait: flushTime, ended: make(chan struct{})}
}

// Start begins to read. It does not wait for the server.
func (p *Pipe) Start(context.Context) error {
	p.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: "in-process", Target: "built-in server"}})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.queue != nil || p.closing {
		return fmt.Errorf("start: %w", ErrClosed)
	}
	p.queue = newQueue(p.rwc, p.emit)
	spawn(p.emit, func() {
		defer close(p.ended)
		err := (&lineReader{emit: p.emit, max: p.max}).run(p.rwc)
		p.mu.Lock()
		closing := p.closing
		p.mu.Unlock()
		reason := "the server ended the connection"
		switch {
		case closing:
			reason = "closed"
		case err != nil:
			reason = "reading failed: " + err.Error()
		}
		p.queue.close()
		p.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseExited, Reason: reason, Transport: "in-process"}})
	})
	return nil
}

// Send queues one message.
func (p *Pipe) Send(m Message) error {
	p.mu.Lock()
	q := p.queue
	p.mu.Unlock()
	if q == nil {
		return fmt.Errorf("send: %w", ErrClosed)
	}
	return q.send(m)
}

// Abort reports false: a byte stream has no way of its own to end a request.
func (p *Pipe) Abort(string) bool { return false }

// Settled changes nothing on a byte stream.
func (p *Pipe) Settled(trace.Era, string) {}

// Progress tells how far the writing has come.
func (p *Pipe) Progress() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.queue == nil {
		return Progress{}
	}
	return p.queue.Progress()
}

// Close closes the pipe, once what was sent has left or is stuck, and waits for
// its goroutines.
func (p *Pipe) Close(ctx context.Context) error {
	p.mu.Lock()
	first := !p.closing
	p.closing = true
	q := p.queue
	p.mu.Unlock()
	if q == nil {
		if first {
			return p.rwc.Close()
		}
		return nil
	}
	var err error
	if first && !isClosed(p.ended) {
		p.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseClosing, Reason: "pipe closed", Transport: "in-process"}})
		q.drained(p.wait)
	}
	if first {
		q.close()
		err = p.rwc.Close()
	}
	for _, c := range []<-chan struct{}{p.ended, q.done} {
		select {
		case <-c:
		case <-ctx.Done():
			return fmt.Errorf("close: %w", ctx.Err())
		}
	}
	return err
}
