package wire

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"mcptui/client/trace"
)

// resume goes on with the stream of a legacy request by GET and Last-Event-ID
// (2025-11-25, transports, Resumability and Redelivery), until the response has
// come or the server will not.
func (s *Streamable) resume(ctx context.Context, x *exchange, last *receiver) {
	why := "the stream could not be resumed"
	for try := 0; try < resumeTries; try++ {
		if !sleep(ctx, retryTime(last.retryMS, try)) {
			why = "closed by the client"
			break
		}
		again := &exchange{n: s.next(), id: x.id}
		r, res, resp, err := s.get(ctx, again, last.lastID, closeSoon(func() {}))
		if err != nil {
			s.failed(again, err, false, "")
			why = explain(err, s.url)
			continue
		}
		x.answered = again.answered
		s.ended(again, resp, res, false)
		if x.answered {
			return
		}
		if resp.StatusCode != http.StatusOK || res.shape == isOther {
			why = fmt.Sprintf("the server does not resume the stream (status %d)", resp.StatusCode)
			break
		}
		if r.progress {
			try = -1
		}
		last = &receiver{lastID: r.lastID, retryMS: r.retryMS}
	}
	s.emit(trace.Event{HTTP: &trace.HTTP{
		Exchange: x.n, Stage: trace.HTTPFailed, Method: x.method, URL: x.url.String(), Lost: true,
		Note: "no response to id " + x.id + ": " + why,
	}})
}

// get opens an event stream and reads it to its end.
func (s *Streamable) get(ctx context.Context, x *exchange, lastID string, onAnswer func()) (*receiver, result, *http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	x.method, x.url, x.session = http.MethodGet, s.url, s.session
	own := append([]trace.Header{{Name: "Accept", Value: "text/event-stream"}}, s.legacyHeaders()...)
	s.mu.Unlock()
	if lastID != "" {
		own = append(own, trace.Header{Name: "Last-Event-ID", Value: lastID})
	}
	x.headers = s.common(own)
	resp, err := s.roundTrip(ctx, x)
	if err != nil {
		return nil, result{}, nil, err
	}
	s.learn(x, resp)
	r := &receiver{w: s.web, x: x, resp: resp, lastID: lastID}
	if onAnswer != nil {
		r.onAnswer = closeSoon(cancel)
	}
	res := r.run()
	if x.answered && res.err != nil {
		res.err, res.note = nil, "closed by the client: the response was there"
	}
	return r, res, resp, nil
}

// retryTime is how long to wait before a stream is opened again.
func retryTime(ms, try int) time.Duration {
	wait := time.Duration(ms) * time.Millisecond
	if wait == 0 {
		wait = defaultRetry
	}
	if try > 0 {
		wait <<= min(try, 5)
	}
	return min(wait, max(longestRetry, time.Duration(ms)*time.Millisecond))
}

// listen opens the standalone stream of the legacy era once the server is
// initialized, and keeps it open.
func (s *Streamable) listen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.era != trace.Legacy || !s.initialized || s.listening != nil || s.version < "2025-03-26" {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	l := &listener{cancel}
	s.listening = l
	s.wg.Add(1)
	spawn(s.emit, func() {
		defer s.wg.Done()
		defer cancel()
		// It stays set where the server offers no stream: it is asked once a session.
		s.keepListening(ctx)
	})
}

func (s *Streamable) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

func (s *Streamable) keepListening(ctx context.Context) {
	lastID, retryMS := "", 0
	for try := 0; try < resumeTries; try++ {
		if (try > 0 || lastID != "" || retryMS > 0) && !sleep(ctx, retryTime(retryMS, try)) {
			return
		}
		x := &exchange{n: s.next()}
		r, res, resp, err := s.get(ctx, x, lastID, nil)
		switch {
		case ctx.Err() != nil && resp != nil:
			res.err = nil
			s.ended(x, resp, res, false, "closed by the client")
			return
		case err != nil:
			s.failed(x, err, false, "; this is the stream for what the server sends of its own accord")
			if ctx.Err() != nil {
				return
			}
			continue
		case resp.StatusCode != http.StatusOK:
			s.ended(x, resp, res, false, "the server offers no standalone stream, which it need not")
			return
		case res.shape != isEvents && res.shape != isEmpty:
			s.ended(x, resp, res, false, "this is no event stream")
			return
		}
		if s.isClosing() {
			s.ended(x, resp, res, false, "the standalone stream ended")
			return
		}
		s.ended(x, resp, res, false, "the standalone stream ended; it is opened again")
		lastID, retryMS = r.lastID, r.retryMS
		if r.progress {
			try = 0
		}
	}
	note(s.emit, "the standalone stream is not opened again after "+fmt.Sprint(resumeTries)+" tries in vain: what the server sends of its own accord is not seen")
}
