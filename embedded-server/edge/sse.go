package edge

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// accepts reports whether the Accept header lets a media type through. No
// header lets everything through (RFC 9110, section 12.5.1).
func accepts(h http.Header, want string) bool {
	lines := h.Values("Accept")
	if len(lines) == 0 {
		return true
	}
	major, _, _ := strings.Cut(want, "/")
	for _, part := range strings.Split(strings.Join(lines, ","), ",") {
		media, params, _ := strings.Cut(part, ";")
		media = strings.ToLower(strings.TrimSpace(media))
		if media != want && media != major+"/*" && media != "*/*" {
			continue
		}
		if q, err := strconv.ParseFloat(quality(params), 64); err == nil && q > 0 {
			return true
		}
	}
	return false
}

func quality(params string) string {
	for _, p := range strings.Split(params, ";") {
		if k, v, ok := strings.Cut(strings.TrimSpace(p), "="); ok && strings.EqualFold(k, "q") {
			return v
		}
	}
	return "1"
}

// writeLimit is how long a client may leave an event unread before its stream
// is given up.
const writeLimit = 30 * time.Second

// sse writes server-sent events into one HTTP response. The mutex is there for
// the keep-alive comments.
type sse struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	ctl  *http.ResponseController
	dead bool // nothing arrives any more
}

func openSSE(w http.ResponseWriter) *sse {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // proxies must not hold events back
	w.WriteHeader(http.StatusOK)
	s := &sse{w: w, ctl: http.NewResponseController(w)}
	s.raw(nil)
	return s
}

// event writes one message; id may be "".
func (s *sse) event(id string, frame []byte) {
	var b bytes.Buffer
	b.WriteString("event: message\n")
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("data: ")
	b.Write(frame)
	b.WriteString("\n\n")
	s.raw(b.Bytes())
}

// retry tells the client to come back after a time, and from which event.
func (s *sse) retry(id string, after time.Duration) {
	if after > 0 {
		s.raw([]byte("id: " + id + "\nretry: " + strconv.FormatInt(after.Milliseconds(), 10) + "\ndata: \n\n"))
	}
}

// prime opens a stream that can be resumed with an event that only has an id
// (2025-11-25 basic/transports).
func (s *sse) prime(id string) { s.raw([]byte("id: " + id + "\ndata: \n\n")) }

func (s *sse) comment() { s.raw([]byte(": keep-alive\n\n")) }

func (s *sse) isDead() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}

// raw writes and flushes.
func (s *sse) raw(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return
	}
	// Not every ResponseWriter has deadlines; without one a stalled client
	// costs its own goroutine only.
	_ = s.ctl.SetWriteDeadline(time.Now().Add(writeLimit))
	defer func() { _ = s.ctl.SetWriteDeadline(time.Time{}) }()
	if len(b) > 0 {
		if _, err := s.w.Write(b); err != nil {
			s.dead = true
			return
		}
	}
	if err := s.ctl.Flush(); err != nil {
		s.dead = true
	}
}
