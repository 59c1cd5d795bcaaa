package wire

import (
	"context"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"

	"mcptui/client/trace"
)

// sentRequest emits a request at the moment when its headers are written, with
// those that the library added.
type sentRequest struct {
	w      *web
	x      *exchange
	target *url.URL
	hop    int
	note   string

	mu      sync.Mutex
	conn    *headConn // that it goes over, nil for one with TLS
	head    *head
	headers []trace.Header
	times   int
	leaving chan struct{} // closed when all of it is written; nil before it is begun, and after
}

// until gives a context that ends as ctx does, but not in the middle of writing the
// request: one that was told of has to leave.
func (s *sentRequest) until(ctx context.Context) context.Context {
	out, end := context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { // runs at the latest when the exchange is over, and no longer than flushTime
		defer func() { end(context.Cause(ctx)) }()
		s.mu.Lock()
		leaving := s.leaving
		s.mu.Unlock()
		if leaving == nil {
			return
		}
		timer := time.NewTimer(flushTime)
		defer timer.Stop()
		select {
		case <-leaving:
		case <-timer.C:
		}
	})
	return out
}

// wrote notes that the library has the whole request in its buffer, or on the way.
func (s *sentRequest) wrote(info httptrace.WroteRequestInfo) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn == nil || info.Err != nil {
		s.left()
		return
	}
	conn.afterWrite(s.left)
}

// left notes that nothing of the request is to be written any more.
func (s *sentRequest) left() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving != nil {
		close(s.leaving)
		s.leaving = nil
	}
}

// given notes where the head of the response will be, on the connection that the
// request goes over.
func (s *sentRequest) given(info httptrace.GotConnInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.head = nil
	if s.conn, _ = info.Conn.(*headConn); s.conn != nil {
		s.head = s.conn.expect()
	}
}

func (s *sentRequest) response() *head {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.head
}

func (s *sentRequest) field(name string, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		s.headers = append(s.headers, trace.Header{Name: name, Value: v})
	}
}

func (s *sentRequest) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times++
	said := s.note
	if s.times > 1 {
		said = "written again on a new connection: the server had closed the one that was kept open"
	}
	if s.leaving == nil {
		s.leaving = make(chan struct{})
	}
	s.emit(s.headers, said)
	s.headers = nil
}

// never tells of a request that could not be sent at all. The frame is told of
// too, so that what waits for its answer can learn that none will come.
func (s *sentRequest) never() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.times == 0 {
		s.times++
		said := "not sent"
		if s.note != "" {
			said += ", " + s.note
		}
		s.emit(s.x.headers, said)
	}
}

func (s *sentRequest) emit(headers []trace.Header, said string) {
	s.w.emit(trace.Event{HTTP: &trace.HTTP{
		Exchange: s.x.n, Stage: trace.HTTPRequest, Method: s.x.method, URL: s.target.String(), Headers: headers, Note: said,
	}})
	if s.x.message && s.hop == 0 && s.times == 1 {
		s.w.emit(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: s.x.n, Bytes: s.x.body, Cause: s.x.cause}})
	}
	s.x.place.leave()
}
