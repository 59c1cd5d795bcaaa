package edge

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeHTTP is the MCP endpoint of both eras, whatever its path.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				e.opt.Logger.Error("panic", "in", "an HTTP request", "panic", p, "stack", string(debug.Stack()))
			}
			panic(http.ErrAbortHandler) // how net/http is told to end the connection, quietly
		}
	}()
	// Also for a body that nobody is going to read: net/http drains it.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(e.bodyLimit)) // not every ResponseWriter has deadlines
	if err := e.checkAccess(r); err != nil {
		writeError(w, http.StatusForbidden, nil, err)
		return
	}
	who, challenge, ok := e.principal(r)
	if !ok {
		w.Header().Set("WWW-Authenticate", challenge)
		writeError(w, http.StatusUnauthorized, nil, failf(codeInvalidRequest, "a bearer token is required"))
		return
	}
	switch {
	case r.Method == http.MethodPost:
		e.post(w, r, who)
	case r.Method == http.MethodGet && e.opt.Era != Modern:
		if _, err := e.readBody(w, r); err != nil { // it has none, but from somebody hostile
			panic(http.ErrAbortHandler)
		}
		e.legacyGet(w, r, who)
	case r.Method == http.MethodDelete && e.opt.Era != Modern:
		e.legacyDelete(w, r, who)
	default:
		w.Header().Set("Allow", allowed(e.opt.Era))
		writeError(w, http.StatusMethodNotAllowed, nil, failf(codeInvalidRequest, "method %s is not allowed here", r.Method))
	}
}

func allowed(era Era) string {
	if era == Modern {
		return "POST"
	}
	return "POST, GET, DELETE"
}

func (e *Edge) post(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo) {
	if t := r.Header.Get("Content-Type"); t != "" {
		if media, _, err := mime.ParseMediaType(t); err != nil || media != "application/json" {
			writeError(w, http.StatusUnsupportedMediaType, nil, failf(codeInvalidRequest, "the body must be application/json, not %s", t))
			return
		}
	}
	body, err := e.readBody(w, r)
	if err != nil {
		var over *http.MaxBytesError
		switch {
		case errors.As(err, &over):
			writeError(w, http.StatusRequestEntityTooLarge, nil, failf(codeInvalidRequest, "the message is longer than %d bytes", over.Limit))
		case errors.Is(err, os.ErrDeadlineExceeded):
			w.Header().Set("Connection", "close")
			writeError(w, http.StatusRequestTimeout, nil, failf(codeInvalidRequest, "the message did not come to its end within %s", e.bodyLimit))
		default: // it is framed wrongly, or its client went away in the middle of it
			w.Header().Set("Connection", "close")
			writeError(w, http.StatusBadRequest, nil, failf(codeParse, "the body cannot be read: %v", err))
		}
		return
	}
	modernHeader := e.opt.Era == Modern || r.Header.Get(headerVersion) == modernVersion && e.opt.Era != Legacy
	if all, ok := batch(body); ok {
		if modernHeader {
			writeError(w, http.StatusBadRequest, nil, failf(codeInvalidRequest, "revision %s has no batches: send one message", modernVersion))
			return
		}
		e.legacyBatch(w, r, who, all)
		return
	}
	m, perr := parse(body)
	if m != nil && e.opt.Era == Dual {
		// The body decides about the era; a header may only agree with it.
		if v, claimed := m.claim(); claimed && len(r.Header.Values(headerVersion)) > 0 && r.Header.Get(headerVersion) != v {
			writeError(w, http.StatusBadRequest, m.answerID(), checkVersionHeader(m, r.Header))
			return
		}
	}
	switch {
	case perr != nil:
		writeError(w, http.StatusBadRequest, m.answerID(), perr)
	case e.opt.Era != Legacy && (m.isModern() || modernHeader):
		e.modernPost(w, r, who, m)
	default:
		e.legacyPost(w, r, who, m)
	}
}

// readBody reads the body of a request, and lifts the deadline that it has to
// arrive by: a connection that brings its body a byte a minute would otherwise
// be held for as long as it likes.
func (e *Edge) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, e.opt.MaxBody))
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	return body, err
}

// modernPost serves a message of revision 2026-07-28.
func (e *Edge) modernPost(w http.ResponseWriter, r *http.Request, who *auth.TokenInfo, m *message) {
	if m.isNotification() {
		modernNotification(w, m)
		return
	}
	if m.isResponse() {
		writeError(w, http.StatusBadRequest, nil, failf(codeInvalidRequest, "a client sends no responses: answers go into a new request"))
		return
	}
	if err := e.checkHTTP(m, r); err != nil {
		writeError(w, err.status(), m.id, err)
		return
	}
	takesEvents := accepts(r.Header, "text/event-stream")
	if m.method == "subscriptions/listen" && !takesEvents {
		writeError(w, http.StatusNotAcceptable, m.id, failf(codeInvalidRequest, "subscriptions/listen needs an Accept header with text/event-stream"))
		return
	}
	ctx, giveUp := context.WithCancelCause(r.Context())
	defer giveUp(nil)
	out := &modernReply{edge: e, w: w, m: m, takesEvents: takesEvents, giveUp: giveUp}
	defer out.stop()
	result, rerr, err := e.serve(ctx, m, carrier{
		http:   true,
		extra:  &mcp.RequestExtra{Header: r.Header, TokenInfo: who},
		emit:   out.emit,
		ending: e.life.Done(),
	})
	switch {
	case err != nil:
		if r.Context().Err() == nil {
			e.opt.Logger.Warn("a request ended without a response", "method", m.method, "err", err)
		}
	case rerr != nil:
		out.respond(rerr.status(), rerr.encode(m.id))
	default:
		out.respond(http.StatusOK, response(m.id, result))
	}
}

func modernNotification(w http.ResponseWriter, m *message) {
	switch {
	case !isNotificationMethod(m.method):
		writeError(w, http.StatusBadRequest, nil, failf(codeInvalidRequest, "%q is a request and must have an id", m.method))
	case removedNotification(m.method):
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// checkHTTP runs the checks in the order in which the specification decides
// between them: what is malformed, what disagrees, what is not served, what
// does not exist.
func (e *Edge) checkHTTP(m *message, r *http.Request) *rpcError {
	if m.method == "initialize" && e.opt.Era == Modern && !m.isModern() {
		// This text may be all that a handshake-era client ever shows.
		want, _ := text(m.params.get("protocolVersion"))
		return e.unsupported(want, true)
	}
	if err := m.checkEnvelope(); err != nil {
		return err
	}
	if err := checkVersionHeader(m, r.Header); err != nil {
		return err
	}
	if err := e.checkVersion(m, true); err != nil {
		return err
	}
	if err := m.checkMethod(); err != nil {
		return err
	}
	if err := checkStandardHeaders(m, r.Header); err != nil {
		return err
	}
	return m.checkParams()
}

// modernReply is the HTTP response to one modern request: a JSON object, or,
// from the first notification on, an event stream.
type modernReply struct {
	edge        *Edge
	w           http.ResponseWriter
	m           *message
	takesEvents bool
	giveUp      context.CancelCauseFunc
	events      *sse
	ticking     func()
}

func (o *modernReply) emit(frame []byte) {
	if !o.takesEvents {
		return // a client that takes JSON only does without
	}
	if o.events == nil {
		o.events = openSSE(o.w)
		o.ticking = o.edge.keepAlive(o.events)
	}
	o.events.event("", frame)
	if o.events.isDead() {
		o.giveUp(errSlowListener)
	}
}

func (o *modernReply) stop() {
	if o.ticking != nil {
		o.ticking()
	}
}

func (o *modernReply) respond(status int, frame []byte) {
	d := o.edge.damage(true, o.m, frame)
	if d != nil && len(d.Frames) > 1 && o.takesEvents && o.events == nil {
		o.events = openSSE(o.w)
	}
	switch {
	case d != nil && o.events != nil:
		d.writeEvents(o.events)
	case d != nil:
		d.writeBody(o.w, status)
	case o.events != nil:
		o.events.event("", frame)
	default:
		writeJSON(o.w, status, frame)
	}
}

// keepAlive comments an event stream now and then, so that nothing between the
// two ends takes it for dead. The returned function ends that.
func (e *Edge) keepAlive(s *sse) (stop func()) {
	if e.opt.KeepAlive < 0 {
		return func() {}
	}
	t := time.NewTicker(e.opt.KeepAlive)
	done := make(chan struct{})
	stopped := make(chan struct{})
	e.spawn("keep-alive", func() {
		defer close(stopped)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				s.comment()
			case <-done:
				return
			}
		}
	})
	return func() { close(done); <-stopped } // no write may follow the end of the HTTP handler
}

// writeJSON writes a whole response. A client that is gone, or does not read
// on, is nobody's error: it only must not hold us.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Length", itoa(len(body)))
	writePart(w, status, body)
}

// writePart writes a response, in pieces that the client has writeLimit each
// to take.
func writePart(w http.ResponseWriter, status int, body []byte) {
	ctl := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	defer func() { _ = ctl.SetWriteDeadline(time.Time{}) }()
	for more := true; more; {
		piece := body[:min(len(body), writePiece)]
		body = body[len(piece):]
		more = len(body) > 0
		_ = ctl.SetWriteDeadline(time.Now().Add(writeLimit)) // not every ResponseWriter has deadlines
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
	_ = ctl.Flush() // while there is a deadline
}

const writePiece = 256 << 10

func writeError(w http.ResponseWriter, status int, id []byte, err *rpcError) {
	if len(id) == 0 {
		id = nil
	}
	writeJSON(w, status, err.encode(id))
}

// writeEvents and writeBody are how HTTP carries damage.
func (d *Damage) writeEvents(s *sse) {
	if len(d.Before) > 0 {
		s.raw(d.Before)
	}
	for _, f := range d.Frames {
		s.event("", f)
	}
	if len(d.Partial) > 0 {
		s.raw([]byte("event: message\ndata: " + string(d.Partial)))
	}
	if d.Cut {
		panic(http.ErrAbortHandler)
	}
}

func (d *Damage) writeBody(w http.ResponseWriter, status int) {
	var b strings.Builder
	b.Write(d.Before)
	for _, f := range d.Frames {
		b.Write(f)
		b.WriteByte('\n')
	}
	b.Write(d.Partial)
	if !d.Cut {
		writeJSON(w, status, []byte(b.String()))
		return
	}
	writePart(w, status, []byte(b.String())) // without a length, which would make it look whole
	panic(http.ErrAbortHandler)
}
