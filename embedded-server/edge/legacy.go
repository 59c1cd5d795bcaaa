package edge

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// outlet is where the messages of one call, or of none, leave.
type outlet interface {
	// send takes a notification or a request of the server.
	send(frame []byte)
	// finish takes the response to m, or nil where the call was cancelled and
	// gets none.
	finish(m *message, response []byte)
}

// legacy is one handshake-era session: one SDK session, the ids that are in
// use on it, and where its messages leave. It is the SDK's transport and
// connection in one.
type legacy struct {
	edge       *Edge
	id         string // Mcp-Session-Id; "" on stdio
	standalone outlet // for what belongs to no call
	version    string // negotiated

	ss     *mcp.ServerSession
	in     chan jsonrpc.Message
	closed chan struct{}
	once   sync.Once

	mu     sync.Mutex
	ended  bool
	byID   map[string]*legacyCall // by internal id
	byWire map[string]string      // client's id → internal id

	pending sync.WaitGroup // calls without a response
}

// legacyCall is a request of the client that has no response yet.
type legacyCall struct {
	message *message
	out     outlet
	extra   *mcp.RequestExtra
	silent  bool // cancelled: no response any more
}

// inbox is how many messages a session takes in before its reader waits.
const inbox = 64

// openLegacy starts the SDK session that an initialize request asks for. The
// request itself still has to be sent through it.
func (e *Edge) openLegacy(ctx context.Context, id string, standalone outlet) (*legacy, error) {
	l := &legacy{
		edge: e, id: id, standalone: standalone,
		in: make(chan jsonrpc.Message, inbox), closed: make(chan struct{}),
		byID: map[string]*legacyCall{}, byWire: map[string]string{},
	}
	ss, err := e.server.Connect(context.WithoutCancel(ctx), l, nil)
	if err != nil {
		return nil, err
	}
	l.ss = ss
	return l, nil
}

// negotiated makes an initialize request ask for the revision that it is going
// to get. The SDK otherwise keeps the one that was asked for, and a client that
// asks for the modern revision here is refused every ask.
func (l *legacy) negotiated(m *message, http bool) *message {
	want, _ := text(m.params.get("protocolVersion"))
	l.version = l.edge.opt.negotiate(want, http)
	n := *m
	n.params = m.params.with("protocolVersion", encode(l.version))
	return &n
}

// checkInitialize refuses params that would leave a session half open.
func (m *message) checkInitialize() *rpcError {
	if m.params == nil {
		return failf(codeInvalidParams, "the request has no params")
	}
	if err := json.Unmarshal(m.members.get("params"), new(mcp.InitializeParams)); err != nil {
		return failf(codeInvalidParams, "the params do not have the form that the method requires")
	}
	return nil
}

// call passes a request of the client on; its response goes to out.
func (l *legacy) call(m *message, extra *mcp.RequestExtra, out outlet) *rpcError {
	if m.method == "server/discover" || m.method == "subscriptions/listen" {
		return failf(codeNoMethod, "method %q does not exist in revision %s", m.method, l.version) // the SDK would serve it
	}
	if needsParams(m.method) && !m.members.has("params") {
		return failf(codeInvalidParams, "the request has no params")
	}
	if extra == nil {
		extra = &mcp.RequestExtra{}
	}
	internal := strconv.FormatInt(l.edge.ids.Add(1), 36)
	id, err := jsonrpc.MakeID(internal)
	if err != nil {
		return l.edge.errorOf(m.method, err)
	}
	c := &legacyCall{message: m, out: out, extra: extra}
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		return errSessionGone
	}
	if _, taken := l.byWire[string(m.id)]; taken {
		l.mu.Unlock()
		return errInUse(m.id)
	}
	l.byID[internal], l.byWire[string(m.id)] = c, internal
	l.pending.Add(1)
	l.mu.Unlock()
	l.edge.calls.Store(extra, c)
	l.push(&jsonrpc.Request{ID: id, Method: m.method, Params: m.legacyParams(), Extra: extra})
	return nil
}

// uses: a call in this session has the id.
func (l *legacy) uses(id json.RawMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, taken := l.byWire[string(id)]
	return taken
}

// legacyParams is params without what has no meaning in this era: the modern
// envelope, which the SDK would take for a modern request, and the answers and
// state of a retry. No params stay none, which the SDK tells from an empty
// object.
func (m *message) legacyParams() json.RawMessage {
	if m.params == nil {
		return m.members.get("params") // none, or not an object, which the SDK refuses
	}
	params := m.params
	if m.meta != nil {
		params = params.with("_meta", m.meta.without(ask.MetaRawResponses, mcp.MetaKeyProtocolVersion,
			mcp.MetaKeyClientCapabilities, mcp.MetaKeyClientInfo, mcp.MetaKeyLogLevel).encode())
	}
	if asks(m.method) {
		params = params.without("inputResponses", "requestState")
	}
	return params.encode()
}

// needsParams: the method has required params (schema of each revision).
func needsParams(method string) bool {
	return slices.Contains([]string{
		"initialize", "tools/call", "prompts/get", "resources/read", "completion/complete",
		"logging/setLevel", "resources/subscribe", "resources/unsubscribe",
	}, method)
}

// notify passes a notification of the client on. A cancellation ends the call
// that it names, silently.
func (l *legacy) notify(m *message) {
	params := m.legacyParams()
	if m.method == "notifications/cancelled" {
		l.mu.Lock()
		internal, ok := l.byWire[string(m.params.get("requestId"))]
		c := l.byID[internal]
		if ok && c.message.method != "initialize" { // must not be cancelled (2025-11-25 basic/utilities/cancellation)
			c.silent = true
		} else {
			ok = false
		}
		l.mu.Unlock()
		if !ok {
			return
		}
		params = m.params.with("requestId", encode(internal)).encode()
	}
	l.push(&jsonrpc.Request{Method: m.method, Params: params})
}

// answer passes on the client's response to a request of ours.
func (l *legacy) answer(m *message) {
	if m.id == nil {
		l.edge.opt.Logger.Warn("ignored an answer without a usable id", "id", string(m.members.get("id")))
		return
	}
	msg, err := jsonrpc.DecodeMessage(m.raw)
	if err != nil {
		l.edge.opt.Logger.Warn("ignored an answer that cannot be read", "err", err)
		return
	}
	l.push(msg)
}

func (l *legacy) push(m jsonrpc.Message) {
	select {
	case l.in <- m:
	case <-l.closed:
	}
}

// Connect, Read, Write, Close and SessionID are the SDK's side.
func (l *legacy) Connect(context.Context) (mcp.Connection, error) { return l, nil }

func (l *legacy) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.in:
		return m, nil
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *legacy) Write(ctx context.Context, msg jsonrpc.Message) error {
	select {
	case <-l.closed:
		return io.ErrClosedPipe
	default:
	}
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		l.respond(msg)
	case *jsonrpc.Request:
		l.outletOf(ctx, msg.Method).send(request(msg))
	}
	return nil
}

func (l *legacy) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *legacy) SessionID() string { return l.id }

// end closes the session and cancels what runs in it.
func (l *legacy) end() {
	l.Close()
	// The SDK waits for handlers, which may ignore their context.
	l.edge.spawn("end of a session", func() { l.edge.closeSession(l.ss) })
	l.mu.Lock()
	l.ended = true // a call that comes now would never be answered
	left := l.byID
	l.byID, l.byWire = map[string]*legacyCall{}, map[string]string{}
	l.mu.Unlock()
	for _, c := range left {
		l.edge.calls.Delete(c.extra)
		c.out.finish(c.message, nil)
		l.pending.Done()
	}
}

// outletOf finds the call inside which ctx runs. A call that was cancelled gets
// nothing more, but for the news that what was asked inside it is off: that
// belongs to the ask, which the client may still show.
func (l *legacy) outletOf(ctx context.Context, method string) outlet {
	c, ok := ctx.Value(callKey{}).(*legacyCall)
	if !ok {
		return l.standalone
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !c.silent:
	case method == "notifications/cancelled":
		return l.standalone
	default:
		return nowhere{}
	}
	return c.out
}

// nowhere swallows what is said about a cancelled call.
type nowhere struct{}

func (nowhere) send([]byte)             {}
func (nowhere) finish(*message, []byte) {}

func (l *legacy) respond(r *jsonrpc.Response) {
	internal, _ := r.ID.Raw().(string)
	l.mu.Lock()
	c := l.byID[internal]
	if c == nil {
		l.mu.Unlock()
		return
	}
	delete(l.byID, internal)
	delete(l.byWire, string(c.message.id))
	silent := c.silent
	l.mu.Unlock()
	l.edge.calls.Delete(c.extra)
	defer l.pending.Done()
	if silent {
		c.out.finish(c.message, nil)
		return
	}
	if r.Error != nil {
		e := l.edge.errorOf(c.message.method, r.Error)
		if c.message.method == "resources/read" && e.Code == codeInvalidParams && len(e.Data) > 0 {
			e.Code = codeNotFoundLegacy // the code of these revisions; later ones took it back
		}
		c.out.finish(c.message, e.encode(c.message.id))
		return
	}
	c.out.finish(c.message, response(c.message.id, legacyResult(r.Result)))
}

// request frames a request or notification of the server. Its ids are ours,
// small integers, so that nothing is lost in the SDK's hands.
func request(r *jsonrpc.Request) []byte {
	if !r.IsCall() {
		return notification(r.Method, r.Params)
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      any             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{"2.0", r.ID.Raw(), r.Method, r.Params})
}
