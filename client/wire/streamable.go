package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"mcptui/client/trace"
)

const (
	linger         = 250 * time.Millisecond // for a server to end its stream after the response
	cancelledAfter = 5 * time.Second        // until the stream of a cancelled legacy request is closed
	defaultRetry   = time.Second            // before a stream is resumed, where the server names no time
	longestRetry   = 30 * time.Second
	resumeTries    = 4 // without an event in between
	deleteWait     = time.Second
)

// Streamable is the Streamable HTTP transport: that of 2026-07-28, where every
// request stands alone, and that of 2025-03-26 to 2025-11-25 with its sessions,
// its standalone stream and its resumption. It learns which by Settled.
type Streamable struct {
	*web

	mu          sync.Mutex
	started     bool
	closing     bool
	era         trace.Era
	version     string
	session     string
	initialized bool               // the server took notifications/initialized
	listening   *listener          // the standalone stream, nil while there is none
	open        map[string]*stream // requests without an answer, by id
	order       order
}

// listener is the standalone stream of one session.
type listener struct{ cancel context.CancelFunc }

// stream is the response to a request that is still due.
type stream struct {
	cancel  context.CancelFunc
	aborted bool
}

// NewHTTP returns the transport; Start checks the URL, and the first message
// dials.
func NewHTTP(how HTTP, emit Emit) *Streamable {
	return &Streamable{web: newWeb(how, emit), open: map[string]*stream{}}
}

// Start checks URL, headers and certificates. It does not touch the network.
func (s *Streamable) Start(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started || s.closing {
		return fmt.Errorf("connect: %w", ErrClosed)
	}
	if err := s.web.open("http"); err != nil {
		return err
	}
	s.started = true
	return nil
}

// Send posts one message, in an exchange of its own.
func (s *Streamable) Send(m Message) error {
	if err := checkHeaders(m.Headers); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started || s.closing {
		return fmt.Errorf("send: %w", ErrClosed)
	}
	done, err := s.admit(m)
	if err != nil {
		return err
	}
	x := &exchange{
		n: s.next(), method: http.MethodPost, url: s.url, body: m.Bytes, message: true, cause: m.Cause,
	}
	first := m.Cause.Why == trace.WhyInitialize && m.Request
	own := []trace.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "application/json, text/event-stream"},
	}
	if !first {
		x.session = s.session
		own = append(own, s.legacyHeaders()...)
	}
	x.headers = merge(s.common(own), m.Headers)
	ctx, cancel := context.WithCancel(s.ctx)
	st := &stream{cancel: cancel}
	if m.Request {
		x.id = m.ID
		s.open[m.ID] = st
	}
	legacy := s.era == trace.Legacy || m.Cause.Why == trace.WhyInitialize
	notified := m.Cause.Why == trace.WhyInitialize && !m.Request
	x.place = s.order.ticket(notified)
	s.wg.Add(1)
	spawn(s.emit, func() {
		defer s.wg.Done()
		defer cancel()
		defer done()
		x.place.wait(ctx)
		s.post(ctx, x, st, legacy, notified)
		s.mu.Lock()
		if s.open[x.id] == st {
			delete(s.open, x.id)
		}
		s.mu.Unlock()
	})
	return nil
}

// common lays the headers of the configuration over our own.
func (w *web) common(own []trace.Header) []trace.Header {
	base := []trace.Header{
		{Name: "User-Agent", Value: w.how.UserAgent},
		{Name: "Accept-Encoding", Value: "gzip, deflate"},
	}
	return merge(append(base, own...), w.how.Headers)
}

// legacyHeaders are those that negotiation has brought. Locked by the caller.
func (s *Streamable) legacyHeaders() []trace.Header {
	var out []trace.Header
	if s.version >= "2025-06-18" { // earlier revisions do not know the header
		out = append(out, trace.Header{Name: "MCP-Protocol-Version", Value: s.version})
	}
	if s.session != "" && s.era != trace.Modern {
		out = append(out, trace.Header{Name: "Mcp-Session-Id", Value: s.session})
	}
	return out
}

func (s *Streamable) post(ctx context.Context, x *exchange, st *stream, legacy, notified bool) {
	resp, err := s.roundTrip(ctx, x)
	x.place.arrive()
	if notified {
		defer s.listen()
	}
	if err != nil {
		s.failed(x, err, x.id != "", "")
		return
	}
	s.learn(x, resp)
	if notified && resp.StatusCode < 300 {
		s.mu.Lock()
		s.initialized = true
		s.mu.Unlock()
	}
	r := &receiver{w: s.web, x: x, resp: resp, onAnswer: closeSoon(st.cancel)}
	res := r.run()
	if res.err != nil && ctx.Err() != nil && s.ctx.Err() == nil {
		s.cutByUs(x, st, resp, res)
		return
	}
	lost := x.id != "" && !x.answered
	if lost && legacy && res.shape == isEvents && r.lastID != "" && resp.StatusCode == http.StatusOK && s.ctx.Err() == nil {
		said := fmt.Sprintf("the stream ended before the response to id %s; it is resumed in %s, after event %s", x.id, retryTime(r.retryMS, 0), r.lastID)
		if res.err != nil {
			said = explain(res.err, x.url) + "; " + said
			res.err = nil
		}
		s.ended(x, resp, res, false, said)
		s.resume(ctx, x, r)
		return
	}
	s.ended(x, resp, res, lost)
}

// cutByUs tells of a stream that we closed: after the response, or to cancel.
func (s *Streamable) cutByUs(x *exchange, st *stream, resp *http.Response, res result) {
	s.mu.Lock()
	aborted := st.aborted
	s.mu.Unlock()
	res.err = nil
	if aborted && !x.answered {
		res.shape = isOther
		s.emit(trace.Event{HTTP: &trace.HTTP{
			Exchange: x.n, Stage: trace.HTTPEnd, Method: x.method, URL: x.url.String(), Proto: resp.Proto, Status: resp.StatusCode,
			Bytes: res.bytes, Note: "closed by the client, to cancel the request", Lost: true,
		}})
		return
	}
	s.ended(x, resp, res, false, "closed by the client: the response was there, and the server kept the stream open")
}

// closeSoon returns a function that calls f once, a little later.
func closeSoon(f func()) func() {
	var once sync.Once
	return func() { once.Do(func() { time.AfterFunc(linger, f) }) }
}

// learn takes note of what a response says of the session.
func (s *Streamable) learn(x *exchange, resp *http.Response) {
	id := strings.Trim(resp.Header.Get("Mcp-Session-Id"), " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.era == trace.Modern:
	case resp.StatusCode == http.StatusNotFound && x.message && x.session != "" && x.session == s.session:
		s.forget()
	case id != "" && resp.StatusCode < 300:
		s.session = id
	}
}

// forget drops the session and what depends on it. Locked by the caller.
func (s *Streamable) forget() {
	s.session, s.initialized = "", false
	if s.listening != nil {
		s.listening.cancel()
		s.listening = nil
	}
}

// Abort closes the response stream of a modern request, which cancels it. In
// the legacy era closing does not cancel: Abort reports false, and closes the
// stream somewhat later, should the server not.
func (s *Streamable) Abort(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.open[id]
	if st == nil {
		return false
	}
	st.aborted = true
	if s.era == trace.Legacy {
		time.AfterFunc(cancelledAfter, st.cancel)
		return false
	}
	st.cancel()
	return true
}

// Settled tells what negotiation found. Zero values begin anew, without a
// session.
func (s *Streamable) Settled(era trace.Era, version string) {
	s.mu.Lock()
	s.era, s.version = era, version
	if era == "" {
		s.forget()
	}
	s.mu.Unlock()
	s.listen()
}

// Close ends the streams, and the session by DELETE where there is one.
func (s *Streamable) Close(ctx context.Context) error {
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	started, session, legacy := s.started, s.session, s.era != trace.Modern
	s.mu.Unlock()
	if !started || !first {
		return s.web.close(ctx)
	}
	if legacy && session != "" {
		s.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseClosing, Reason: "ending the session", Transport: "http"}})
		s.endSession(ctx)
	}
	s.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseClosing, Reason: "closing the streams", Transport: "http"}})
	err := s.web.close(ctx)
	s.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseExited, Reason: "closed", Transport: "http"}})
	return err
}

func (s *Streamable) endSession(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, deleteWait)
	defer cancel()
	s.mu.Lock()
	x := &exchange{n: s.next(), method: http.MethodDelete, url: s.url}
	x.headers = s.common(s.legacyHeaders())
	s.mu.Unlock()
	resp, err := s.roundTrip(ctx, x)
	if err != nil {
		s.failed(x, err, false, "; the session was not ended")
		return
	}
	res := (&receiver{w: s.web, x: x, resp: resp}).run()
	said := ""
	if resp.StatusCode == http.StatusMethodNotAllowed {
		said = "the server does not let clients end sessions, which it need not"
	}
	s.ended(x, resp, res, false, said)
}

// sleep waits and reports whether it could to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
