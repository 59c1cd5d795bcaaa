package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"mcptui/client/trace"
)

// EventStream is the HTTP+SSE transport of 2024-11-05: one GET stream that
// brings everything, after an event that says where to post. Servers that the
// person reaches by URL may still speak it.
type EventStream struct {
	*web

	mu       sync.Mutex
	started  bool
	closing  bool
	endpoint *url.URL
	version  string
	order    order
}

// NewSSE returns the transport; Start opens its stream.
func NewSSE(how HTTP, emit Emit) *EventStream { return &EventStream{web: newWeb(how, emit)} }

// ErrNoEndpoint is wrapped by the error of Start when the stream brought no
// usable endpoint event.
var ErrNoEndpoint = errors.New("no endpoint event")

// lateEndpoint says that a stream stayed silent for too long.
type lateEndpoint struct{ wait time.Duration }

func (l lateEndpoint) Error() string {
	return fmt.Sprintf("the stream is open, but within %s it brought %s; this is no server of the HTTP+SSE transport, or it is slow", l.wait, ErrNoEndpoint)
}

func (lateEndpoint) Unwrap() error { return ErrNoEndpoint }

// Timeout reports true, as the errors of package net do.
func (lateEndpoint) Timeout() bool { return true }

// Start opens the stream and waits for the endpoint event. Where the wait was
// too long the error has a method Timeout that reports true.
func (e *EventStream) Start(ctx context.Context) error {
	e.mu.Lock()
	if e.started || e.closing {
		e.mu.Unlock()
		return fmt.Errorf("connect: %w", ErrClosed)
	}
	if err := e.web.open("http+sse"); err != nil {
		e.mu.Unlock()
		return err
	}
	e.started = true
	e.mu.Unlock()

	found := make(chan error, 1)
	e.wg.Add(1)
	spawn(e.emit, func() {
		defer e.wg.Done()
		e.read(found)
	})
	timer := time.NewTimer(e.how.EndpointWait)
	defer timer.Stop()
	var err error
	select {
	case err = <-found:
	case <-timer.C:
		err = lateEndpoint{e.how.EndpointWait}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		return nil
	}
	e.stop()
	return fmt.Errorf("open the event stream of %s: %w", e.url.Redacted(), err)
}

// read reads the stream to its end. It says once whether the endpoint came.
func (e *EventStream) read(found chan<- error) {
	var once sync.Once
	say := func(err error) bool {
		first := false
		once.Do(func() { first = true; found <- err })
		return first
	}
	x := &exchange{n: e.next(), method: http.MethodGet, url: e.url}
	x.headers = e.common([]trace.Header{{Name: "Accept", Value: "text/event-stream"}})
	resp, err := e.roundTrip(e.ctx, x)
	if err != nil {
		e.failed(x, err, false, "")
		say(errors.New(explain(err, e.url)))
		return
	}
	r := &receiver{w: e.web, x: x, resp: resp}
	r.onEvent = func(b sseBlock) bool {
		if b.Event != "endpoint" {
			return false
		}
		e.found(string(b.Data), say)
		return true
	}
	res := r.run()
	switch {
	case e.ctx.Err() != nil:
		res.err = nil
		e.ended(x, resp, res, false, "closed by the client")
		say(e.ctx.Err())
	case res.shape == isJSON || res.shape == isOther || resp.StatusCode != http.StatusOK:
		e.ended(x, resp, res, false)
		say(fmt.Errorf("status %d %s and no event stream: %w", resp.StatusCode, http.StatusText(resp.StatusCode), ErrNoEndpoint))
	default:
		why := "the server ended the event stream"
		if res.err != nil {
			why = "the event stream broke off: " + explain(res.err, e.url)
		}
		e.ended(x, resp, res, false)
		if !say(fmt.Errorf("%s and brought %w", why, ErrNoEndpoint)) {
			e.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseExited, Reason: why + "; without it no answer can come", Transport: "http+sse"}})
		}
	}
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
}

// found takes the endpoint event. Only the first counts, and it must stay with
// the origin of the stream: messages carry credentials.
func (e *EventStream) found(data string, say func(error) bool) {
	to, err := e.url.Parse(strings.TrimSpace(data))
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.endpoint != nil:
		note(e.emit, "a second endpoint event is ignored")
	case err != nil:
		say(fmt.Errorf("the endpoint event holds no URL (%w): %w", err, ErrNoEndpoint))
	case !sameOrigin(e.url, to):
		say(fmt.Errorf("the endpoint event leads to another origin, %s, where neither credentials nor arguments may go: %w", to.Redacted(), ErrNoEndpoint))
	default:
		e.endpoint = to
		say(nil)
	}
}

// Send posts one message to the endpoint. The answer comes on the stream.
func (e *EventStream) Send(m Message) error {
	if err := checkHeaders(m.Headers); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.endpoint == nil || e.closing {
		return fmt.Errorf("send: %w", ErrClosed)
	}
	done, err := e.admit(m)
	if err != nil {
		return err
	}
	x := &exchange{n: e.next(), method: http.MethodPost, url: e.endpoint, body: m.Bytes, message: true, cause: m.Cause}
	own := []trace.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "application/json, text/event-stream"},
	}
	if e.version >= "2025-06-18" {
		own = append(own, trace.Header{Name: "MCP-Protocol-Version", Value: e.version})
	}
	x.headers = merge(e.common(own), m.Headers)
	if m.Request {
		x.id = m.ID
	}
	x.place = e.order.ticket(m.Cause.Why == trace.WhyInitialize && !m.Request)
	e.wg.Add(1)
	spawn(e.emit, func() {
		defer e.wg.Done()
		defer done()
		x.place.wait(e.ctx)
		resp, err := e.roundTrip(e.ctx, x)
		x.place.arrive()
		if err != nil {
			e.failed(x, err, x.id != "", "")
			return
		}
		res := (&receiver{w: e.web, x: x, resp: resp}).run()
		e.ended(x, resp, res, x.id != "" && !x.answered && resp.StatusCode >= 300)
	})
	return nil
}

// Abort reports false: all answers share one stream.
func (e *EventStream) Abort(string) bool { return false }

// Settled tells what negotiation found.
func (e *EventStream) Settled(_ trace.Era, version string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.version = version
}

// Close ends the stream.
func (e *EventStream) Close(ctx context.Context) error {
	e.mu.Lock()
	tell := e.started && !e.closing
	e.closing = true
	e.mu.Unlock()
	if tell {
		e.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseClosing, Reason: "closing the event stream", Transport: "http+sse"}})
	}
	err := e.web.close(ctx)
	if tell {
		e.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseExited, Reason: "closed", Transport: "http+sse"}})
	}
	return err
}
