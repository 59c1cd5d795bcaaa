package edge

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// httpSession is a handshake-era session over HTTP: what Mcp-Session-Id names.
type httpSession struct {
	*legacy
	principal string
	own       *stream // GET: for what belongs to no call

	mu      sync.Mutex
	streams []*stream // of calls, oldest first, for Last-Event-ID
	serial  int
	active  int // HTTP requests that are being served
	ended   bool
	idle    *time.Timer
}

// keptStreams is how many finished or broken streams of a session can still be
// resumed.
const keptStreams = 32

type sessionTable struct {
	mu     sync.Mutex
	closed bool // no session is opened any more
	byID   map[string]*httpSession
}

// maxSessions bounds what clients that never say goodbye can take up.
const maxSessions = 10_000

var (
	errTooManySessions = errors.New("too many sessions are open: end one with DELETE, or wait until idle ones end")
	errClosing         = errors.New("the server is about to end")
)

// add takes a session in, unless there are too many, or the table was drained.
func (t *sessionTable) add(s *httpSession) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return errClosing
	case len(t.byID) >= maxSessions:
		return errTooManySessions
	}
	t.byID[s.id] = s
	return nil
}

func (t *sessionTable) drain() []*httpSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	var all []*httpSession
	for _, s := range t.byID {
		all = append(all, s)
	}
	clear(t.byID)
	return all
}

func (t *sessionTable) remove(id string) {
	t.mu.Lock()
	delete(t.byID, id)
	t.mu.Unlock()
}

func (t *sessionTable) get(id string) *httpSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id]
}

// newSession opens a session and gives it an id that cannot be guessed.
func (e *Edge) newSession(ctx context.Context, who *auth.TokenInfo) (*httpSession, error) {
	id := rand.Text()
	own := newStream("0")
	l, err := e.openLegacy(ctx, id, own)
	if err != nil {
		return nil, err
	}
	s := &httpSession{legacy: l, principal: principalOf(who), own: own}
	s.idle = time.AfterFunc(e.opt.SessionIdle, func() { guarded(e.opt.Logger, "idle session", func() { s.expire(e) }) })
	if err := e.sessions.add(s); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func principalOf(who *auth.TokenInfo) string {
	if who == nil {
		return ""
	}
	return who.UserID
}

func (s *httpSession) expire(e *Edge) {
	s.mu.Lock()
	busy := s.active > 0
	s.mu.Unlock()
	if busy {
		s.idle.Reset(e.opt.SessionIdle)
		return
	}
	e.sessions.remove(s.id)
	s.end()
}

// use marks the session as in use until the returned function is called.
func (s *httpSession) use(idle time.Duration) (done func()) {
	s.mu.Lock()
	s.active++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.active--
		if !s.ended {
			s.idle.Reset(idle)
		}
	}
}

func (s *httpSession) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.idle.Stop()
	s.legacy.end()
	s.own.close()
}

// stream opens the stream of one POST.
func (s *httpSession) stream() *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	st := newStream(itoa(s.serial))
	if s.streams = append(s.streams, st); len(s.streams) > keptStreams {
		for i, old := range s.streams { // one that still waits for its response stays
			if old.isDone() {
				s.streams = append(s.streams[:i:i], s.streams[i+1:]...)
				break
			}
		}
	}
	return st
}

func (s *httpSession) forget(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = slices.DeleteFunc(s.streams, func(other *stream) bool { return other == st })
}

func (s *httpSession) find(id string) *stream {
	if id == s.own.id {
		return s.own
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.streams {
		if st.id == id {
			return st
		}
	}
	return nil
}

// session finds the session of a request, or says why there is none.
func (e *Edge) session(r *http.Request, who *auth.TokenInfo) (*httpSession, int, *rpcError) {
	ids := r.Header.Values(headerSession)
	if len(ids) != 1 || ids[0] == "" {
		return nil, http.StatusBadRequest, failf(codeInvalidRequest, "there is no session: send initialize first, then its %s with every request", headerSession)
	}
	s := e.sessions.get(ids[0])
	if s == nil || s.principal != principalOf(who) {
		return nil, http.StatusNotFound, errSessionGone
	}
	if v := r.Header.Get(headerVersion); v != "" && v != e.opt.negotiate(v, true) {
		return nil, http.StatusBadRequest, failf(codeInvalidRequest, "%s %q is not served here: use one of %v", headerVersion, v, e.opt.versions(true))
	}
	return s, 0, nil
}
