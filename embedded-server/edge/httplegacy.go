package edge

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// legacyPost serves one message of a handshake-era client.
func (e *Edge) legacyPost(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo, m *message) {
	var s *httpSession
	if m.method == "initialize" && m.hasID && len(r.Header.Values(headerSession)) == 0 {
		if err := m.checkInitialize(); err != nil {
			writeError(w, http.StatusOK, m.id, err)
			return
		}
		var err error
		if s, err = e.newSession(r.Context(), who); err != nil {
			writeError(w, http.StatusServiceUnavailable, m.id, &rpcError{Code: codeInternal, Message: err.Error()})
			return
		}
		m = s.negotiated(m, true)
		w.Header().Set(headerSession, s.id)
	} else {
		found, status, err := e.session(r, who)
		if err != nil {
			writeError(w, status, m.answerID(), err)
			return
		}
		s = found
	}
	defer s.use(e.opt.SessionIdle)()
	switch {
	case m.isResponse():
		s.answer(m)
		w.WriteHeader(http.StatusAccepted)
	case m.isNotification() && !isNotificationMethod(m.method):
		writeError(w, http.StatusBadRequest, nil, failf(codeInvalidRequest, "%q is a request and must have an id", m.method))
	case m.isNotification():
		s.notify(m)
		w.WriteHeader(http.StatusAccepted)
	default:
		st := s.stream()
		st.wants(accepts(r.Header, "text/event-stream"), s.own)
		st.attach(-1) // before the call: its handler may let the response go at once
		defer st.detach()
		if err := s.call(m, st.extra(r, who), st); err != nil {
			st.close()
			status := http.StatusOK // clients of this era take another one for a broken transport
			if err == errSessionGone {
				status = http.StatusNotFound
			}
			writeError(w, status, m.id, err)
			return
		}
		e.carry(w, r, s, st)
	}
}

// legacyBatch serves an array of messages.
func (e *Edge) legacyBatch(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo, all []json.RawMessage) {
	if len(r.Header.Values(headerSession)) == 0 {
		writeError(w, http.StatusBadRequest, nil, refuseBatch(nil, all))
		return
	}
	s, status, err := e.session(r, who)
	if err == nil {
		status, err = http.StatusBadRequest, refuseBatch(s.legacy, all)
	}
	if err != nil {
		writeError(w, status, nil, err)
		return
	}
	defer s.use(e.opt.SessionIdle)()
	st := s.stream()
	st.wants(accepts(r.Header, "text/event-stream"), s.own)
	st.attach(-1)
	defer st.detach()
	g := &collector{outlet: st, done: func(f []byte) { st.finish(nil, f) }}
	g.run(s.legacy, all, func(m *message, out outlet) *rpcError { return s.call(m, st.extra(r, who), out) })
	if g.wanted == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	e.carry(w, r, s, st)
}

// legacyGet opens the stream for what belongs to no call, or resumes one.
func (e *Edge) legacyGet(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo) {
	s, status, err := e.session(r, who)
	if err != nil {
		writeError(w, status, nil, err)
		return
	}
	if !accepts(r.Header, "text/event-stream") {
		writeError(w, http.StatusNotAcceptable, nil, failf(codeInvalidRequest, "GET needs an Accept header with text/event-stream"))
		return
	}
	defer s.use(e.opt.SessionIdle)()
	st, after := s.own, -1
	if last := r.Header.Get(headerLastEvent); last != "" {
		id, n, _ := strings.Cut(last, "-")
		var bad error
		after, bad = strconv.Atoi(n)
		if st = s.find(id); st == nil || bad != nil {
			writeError(w, http.StatusBadRequest, nil, failf(codeInvalidRequest, "event %q is not known: the stream cannot be resumed", last))
			return
		}
	}
	if !st.attach(after) {
		writeError(w, http.StatusConflict, nil, failf(codeInvalidRequest, "the session already has this stream open"))
		return
	}
	defer st.detach()
	e.pump(r, st, openSSE(w))
}

// legacyDelete ends a session.
func (e *Edge) legacyDelete(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo) {
	s, status, err := e.session(r, who)
	if err != nil {
		writeError(w, status, nil, err)
		return
	}
	e.sessions.remove(s.id)
	s.end()
	w.WriteHeader(http.StatusNoContent)
}

// extra is what handlers learn about the request that carries a call.
func (st *stream) extra(r *http.Request, who *auth.TokenInfo) *mcp.RequestExtra {
	return &mcp.RequestExtra{
		Header:         r.Header,
		TokenInfo:      who,
		CloseSSEStream: func(a mcp.CloseSSEStreamArgs) { st.interrupt(a.RetryAfter) },
	}
}

// carry answers a POST from its stream, to which it is attached: with JSON where the response is all
// there is, with events otherwise. A client that disconnects cancels nothing
// in this era; the stream can be resumed.
func (e *Edge) carry(w http.ResponseWriter, r *http.Request, s *httpSession, st *stream) {
	first, ok := st.next(r.Context().Done())
	switch {
	case !ok && r.Context().Err() != nil:
	case !ok && st.takesEvents:
		openSSE(w) // cancelled: a stream without a response
	case !ok:
		w.WriteHeader(http.StatusNoContent)
	case first.last:
		if d := e.damageOf(first); d != nil {
			if len(d.Frames) > 1 && st.takesEvents {
				d.writeEvents(openSSE(w))
			} else {
				d.writeBody(w, http.StatusOK)
			}
			return
		}
		writeJSON(w, http.StatusOK, first.frame)
		s.forget(st) // it had no ids to resume from
	default:
		st.unread(first)
		events := openSSE(w)
		if s.version >= primingVersion {
			events.prime(st.id + "-0")
		}
		e.pump(r, st, events)
	}
}

// pump writes the events of a stream until it, or the client, is done.
func (e *Edge) pump(r *http.Request, st *stream, events *sse) {
	defer e.keepAlive(events)()
	for {
		ev, ok := st.next(r.Context().Done())
		switch {
		case !ok:
			return
		case ev.interrupt:
			events.retry(st.eventID(ev.n), ev.after)
			return
		}
		if d := e.damageOf(ev); d != nil {
			d.writeEvents(events)
		} else {
			events.event(st.eventID(ev.n), ev.frame)
		}
		if ev.last || events.isDead() {
			return
		}
	}
}

func (e *Edge) damageOf(ev event) *Damage {
	if ev.of == nil {
		return nil
	}
	return e.damage(false, ev.of, ev.frame)
}
