package edge

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// internalID is the id of the one request that a throw-away session serves.
// The client's id never enters the SDK, which would round and re-type it.
const internalID = "request"

// listenBacklog is how many change notifications a listen stream may be behind
// before it is given up: the SDK tells all streams one after another, so one
// that blocked would hold up the others.
const listenBacklog = 256

var errSlowListener = errors.New("the client does not read its stream")

// single-use transport and connection in one, seen from the SDK.
type shot struct {
	edge   *Edge
	http   bool
	listen bool
	in     chan jsonrpc.Message
	out    chan jsonrpc.Message
	closed chan struct{}
	once   sync.Once
	behind func()
}

func (s *shot) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SupportsProtocolVersion implements [mcp.ProtocolVersionSupporter], for
// server/discover.
func (s *shot) SupportsProtocolVersion(v string) bool {
	for _, known := range s.edge.opt.versions(s.http) {
		if v == known {
			return true
		}
	}
	return false
}

func (s *shot) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-s.in:
		return m, nil
	case <-s.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *shot) Write(_ context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		// An error from Write would break the session before its response, so
		// the refusal comes back as the answer of a client.
		return s.answer(&jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{
			Code:    codeNoMethod,
			Message: "revision " + modernVersion + " has no requests from server to client: return an ask instead",
		}})
	}
	if _, ok := m.(*jsonrpc.Request); ok && s.listen {
		select {
		case s.out <- m:
		case <-s.closed:
			return io.ErrClosedPipe
		default:
			s.behind()
		}
		return nil
	}
	select {
	case s.out <- m:
		return nil
	case <-s.closed:
		return io.ErrClosedPipe
	}
}

func (s *shot) answer(m jsonrpc.Message) error {
	select {
	case s.in <- m:
		return nil
	case <-s.closed:
		return io.ErrClosedPipe
	}
}

func (s *shot) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *shot) SessionID() string { return "" }

// carrier is the transport's part in serving one modern request.
type carrier struct {
	http   bool
	extra  *mcp.RequestExtra
	emit   func([]byte)    // gets each notification, in order
	ending <-chan struct{} // closed when listen streams shall end
}

// serve runs one modern request that has passed every check, and returns its
// result or its error. Where ctx ends first, nothing more may be sent and the
// handler's context ends too: the third value then says why.
func (e *Edge) serve(ctx context.Context, m *message, by carrier) (json.RawMessage, *rpcError, error) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	listen := m.method == "subscriptions/listen"
	s := &shot{
		edge: e, http: by.http, listen: listen,
		in:     make(chan jsonrpc.Message, 2),
		out:    make(chan jsonrpc.Message, 8),
		closed: make(chan struct{}),
		behind: func() { giveUp(errSlowListener) },
	}
	if listen {
		s.out = make(chan jsonrpc.Message, listenBacklog)
	}
	// Seeded, so that the session is never taken for a handshake-era one,
	// which is told of every change without having asked.
	ss, err := e.server.Connect(context.WithoutCancel(ctx), s, &mcp.ServerSessionOptions{
		State: &mcp.ServerSessionState{InitializeParams: &mcp.InitializeParams{ProtocolVersion: modernVersion}},
	})
	if err != nil {
		return nil, nil, err
	}
	id, err := jsonrpc.MakeID(internalID)
	if err != nil {
		return nil, nil, err
	}
	s.in <- &jsonrpc.Request{ID: id, Method: m.method, Params: m.forSDK(), Extra: by.extra}

	// Armed by the acknowledgement of a listen stream: what has not begun
	// cannot end gracefully.
	var ending <-chan struct{}
	var lifetime <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			// Close waits for the handler, which may take its time; the client
			// is gone and must not be waited on.
			s.Close()
			e.spawn("end of a cancelled request", func() { e.closeSession(ss) })
			return nil, nil, context.Cause(ctx)
		case <-ending:
			ending, lifetime = nil, nil
			e.endListen(m, s, id, by.emit)
		case <-lifetime:
			ending, lifetime = nil, nil
			e.endListen(m, s, id, by.emit)
		case f := <-s.out:
			switch f := f.(type) {
			case *jsonrpc.Request:
				if belongs(f.Method, listen) {
					by.emit(notification(f.Method, m.tagged(f.Params)))
				}
				if f.Method == "notifications/subscriptions/acknowledged" {
					ending = by.ending
					if e.opt.ListenLifetime > 0 {
						t := time.NewTimer(e.opt.ListenLifetime)
						defer t.Stop()
						lifetime = t.C
					}
				}
			case *jsonrpc.Response:
				s.Close()
				e.spawn("end of a request", func() { e.closeSession(ss) }) // the client need not wait for it
				if f.Error != nil {
					return nil, e.errorOf(m.method, f.Error), nil
				}
				return m.modernResult(f.Result), nil, nil
			}
		}
	}
}

func (e *Edge) closeSession(ss *mcp.ServerSession) {
	if err := ss.Close(); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
		e.opt.Logger.Debug("closing a session", "err", err)
	}
}

// errorOf makes an error presentable and logs what is held back.
func (e *Edge) errorOf(method string, err error) *rpcError {
	out, leaked := wireError(err)
	if leaked != "" {
		e.opt.Logger.Error("a request failed", "method", method, "code", out.Code, "err", leaked)
	}
	return out
}

// belongs keeps the two kinds of stream apart: progress and log messages flow
// on the stream of their request, changes on listen streams.
func belongs(method string, listen bool) bool {
	scoped := method == "notifications/progress" || method == "notifications/message"
	return scoped != listen
}

// endListen tears a subscription down on the server's initiative: the client is
// told (basic/patterns/cancellation) and then gets its final result
// (basic/patterns/subscriptions, Graceful Closure), which the SDK writes when
// its handler ends.
func (e *Edge) endListen(m *message, s *shot, id jsonrpc.ID, emit func([]byte)) {
	meta := object{}.with(mcp.MetaKeySubscriptionID, m.id).encode()
	emit(notification("notifications/cancelled", object{
		{"requestId", m.id}, {"reason", encode("the server ends the subscription")}, {"_meta", meta},
	}.encode()))
	cancel := &jsonrpc.Request{Method: "notifications/cancelled", Params: object{{"requestId", encode(id.Raw())}}.encode()}
	if err := s.answer(cancel); err != nil {
		e.opt.Logger.Debug("ending a listen stream", "err", err)
	}
}

// forSDK is params as the SDK may decode them: private keys removed, and of
// inputResponses only the entries that it can read, with all of them beside
// under ask.MetaRawResponses. A handler then sees an unreadable answer as one that
// is not there, rather than the whole call failing.
func (m *message) forSDK() json.RawMessage {
	params := m.params
	meta := m.meta.without(ask.MetaRawResponses)
	if asks(m.method) && params.has("inputResponses") {
		readable := object{}
		if all, ok := readObject(params.get("inputResponses")); ok {
			all = all.unique()
			meta = meta.with(ask.MetaRawResponses, encode(string(all.encode())))
			for _, a := range all {
				if new(mcp.InputResponseMap).UnmarshalJSON(object{a}.encode()) == nil {
					readable = append(readable, a)
				}
			}
			params = params.with("inputResponses", readable.encode())
		} else {
			params = params.without("inputResponses")
		}
	}
	return params.with("_meta", meta.encode()).encode()
}
