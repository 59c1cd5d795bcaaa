package edge

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Edge serves one [mcp.Server] over any number of HTTP requests, stdio streams
// and pipes at the same time. It is an [http.Handler].
type Edge struct {
	server *mcp.Server
	opt    Options
	tokens map[[32]byte]string // digest of a bearer token → principal

	calls    sync.Map // *mcp.RequestExtra → *legacyCall, while a handler may send
	mirrored mirrorCache
	sessions sessionTable

	drain     time.Duration // defaultDrain, but in tests
	bodyLimit time.Duration // defaultBodyLimit, but in tests
	ids       atomic.Int64
	tasks     tasks
	life      context.Context // ends with Close
	end       context.CancelFunc
}

// New puts an edge in front of s. It adds a receiving middleware to s, so it
// is called after the server's own middleware is in place, and once for each
// server.
func New(s *mcp.Server, o Options) *Edge {
	e := &Edge{server: s, opt: o.withDefaults(), drain: defaultDrain, bodyLimit: defaultBodyLimit}
	e.life, e.end = context.WithCancel(context.Background())
	e.tokens = digestTokens(o.Tokens)
	e.sessions.byID = map[string]*httpSession{}
	s.AddReceivingMiddleware(e.guard)
	return e
}

// defaultBodyLimit is how long the body of a POST may take to arrive.
const defaultBodyLimit = 2 * time.Minute

// closeGrace bounds how long Close waits for handlers that ignore their
// context.
const closeGrace = 3 * time.Second

// Close ends what outlives a request: subscriptions/listen streams get their
// final result (basic/patterns/subscriptions, Graceful Closure), handshake-era
// HTTP sessions and pipes end. HTTP calls that are running are left to their
// [http.Server]. Close is idempotent and returns when all is done, or after
// three seconds where a handler ignores its context.
func (e *Edge) Close() {
	e.end()
	for _, s := range e.sessions.drain() {
		s.end()
	}
	if !e.tasks.wait(closeGrace) {
		e.opt.Logger.Warn("closing: a handler still runs", "waited", closeGrace)
	}
}

// spawn runs f in a goroutine that Close waits for and no panic escapes from.
func (e *Edge) spawn(what string, f func()) {
	e.tasks.start(func() { guarded(e.opt.Logger, what, f) })
}

// guarded keeps a panic of f from ending the process.
func guarded(log *slog.Logger, what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "in", what, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	f()
}

// tasks counts goroutines. Unlike a WaitGroup it may be waited on while new
// ones start.
type tasks struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n is 0 again; nil while nobody waits
}

func (t *tasks) start(f func()) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.n--; t.n == 0 && t.idle != nil {
				close(t.idle)
				t.idle = nil
			}
		}()
		f()
	})
}

// wait reports whether all have ended within d.
func (t *tasks) wait(d time.Duration) bool {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return true
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	select {
	case <-idle:
		return true
	case <-time.After(d):
		return false
	}
}
