package flow

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// request is one of ours that waits for its answer.
type request struct {
	id      rpc.ID
	method  string
	base    []byte // params before the era's members of _meta
	meta    []byte // the person's members of _meta
	own     []trace.Header
	fixed   bool   // params and headers stand as a person wrote them
	params  []byte // as sent
	headers []trace.Header
	cause   trace.Cause
	done    func(*request, outcome)
	expired func() // instead of giving up at the deadline

	call *call  // nil outside calls
	from *round // the round whose answers it carries, nil for a first request

	exchange int
	sent     time.Duration
	since    time.Duration // when the clock last started
	left     time.Duration
	timeout  time.Duration // 0 has no deadline
	paused   bool

	strays   int    // noise that had come when it was sent
	waits    string // what it waits for before it is sent, as was told
	putOffs  int    // how often it was put off by 429 or 503
	renewed  bool   // sent again after the session was lost
	switched bool   // sent again after a change of version
}

// loss says in which way an answer failed to come.
type loss string

const (
	lossNone    loss = ""
	lossTimeout loss = "timeout"
	lossExit    loss = "exit"    // the server ended
	lossBroken  loss = "broken"  // the stream of the answer broke off
	lossHTTP    loss = "http"    // an HTTP status without a message
	lossGarbage loss = "garbage" // an answer that is none
	lossUnsent  loss = "unsent"  // it never left
)

// outcome is what became of a request: a result, an error, or a loss.
type outcome struct {
	seq    int // the frame that answered
	result []byte
	fault  *rpc.ErrorBody
	loss   loss
	status int    // HTTP, 0 where there was none
	wants  string // what authorization a 401 or 403 wants
	why    string
}

// told says what a loss was, and of which request.
func (o outcome) told(method string) string {
	if o.loss == lossTimeout {
		return o.why // names it already
	}
	return method + ": " + o.why
}

// send gives a request its id where it has none, and sends it.
func (f *Flow) send(r *request) {
	if r.id == "" {
		r.id = f.newID()
	}
	f.compose(r)
	r.sent, r.since, r.left, r.paused, r.exchange, r.strays = f.now, f.now, r.timeout, false, 0, f.strays
	f.open = append(f.open, r)
	if r.call != nil {
		f.repause()
	}
	f.do(Send{wire.Message{
		Bytes: rpc.Encode(r.id, r.method, r.params, nil, nil), Cause: r.cause,
		Headers: r.headers, Request: true, ID: string(r.id),
	}})
}

// compose completes what is sent with what the era, the id and the tool demand.
func (f *Flow) compose(r *request) {
	if r.fixed || r.method == "initialize" {
		return
	}
	token := rpc.ID("")
	if r.call != nil {
		token = r.id
	}
	r.params = f.params(r.base, r.meta, token)
	r.headers = f.headers(r.method, r.params, r.own)
}

// sendAgain sends the same request once more, with a new id and what depends on it.
func (f *Flow) sendAgain(r *request) {
	again := *r
	again.id = f.newID()
	if r.call != nil {
		r.call.sent++
		again.cause.Round = r.call.sent
	}
	f.send(&again)
}

// notify sends a notification.
func (f *Flow) notify(method string, params []byte, cause trace.Cause) {
	var headers []trace.Header
	if f.modern() {
		headers = f.headers(method, params, nil)
	}
	f.do(Send{wire.Message{Bytes: rpc.Encode("", method, params, nil, nil), Cause: cause, Headers: headers}})
}

// Unsent tells that a message could not leave, and why.
func (f *Flow) Unsent(now time.Duration, id string, err error) {
	f.now = now
	r := f.byID(rpc.ID(id), 0)
	switch {
	case errors.Is(err, wire.ErrClosed) && !f.overHTTP():
		// A byte stream takes nothing more once its end is at hand. The event of
		// that end is on its way, and tells more than this does.
	case errors.Is(err, wire.ErrFull):
		if f.unsaid.more() {
			f.note("", fmt.Sprintf("a message could not be sent: %v (%d so far)", err, f.unsaid))
		}
	case r == nil:
		f.note("", "a message could not be sent: "+err.Error())
	case f.overHTTP():
		f.unsent(r, err)
	default:
		// A server that dies refuses bytes a moment before its end is known.
		f.after(unsentWait, r.call, func() {
			if slices.Contains(f.open, r) {
				f.unsent(r, err)
			}
		})
	}
}

// unsentWait is how long the end of a server may take to be known.
const unsentWait = 2 * time.Second

func (f *Flow) unsent(r *request, err error) {
	f.close(r)
	f.settle(r, outcome{loss: lossUnsent, why: err.Error()})
}

// byID finds an open request: the one of the exchange where two share an id, as
// a person can make them do.
func (f *Flow) byID(id rpc.ID, exchange int) *request {
	var found *request
	for _, r := range f.open {
		if r.id != id {
			continue
		}
		if exchange != 0 && r.exchange == exchange {
			return r
		}
		if found == nil {
			found = r
		}
	}
	return found
}

func (f *Flow) byExchange(exchange int) *request {
	if exchange == 0 {
		return nil
	}
	for _, r := range f.open {
		if r.exchange == exchange {
			return r
		}
	}
	return nil
}

// close takes a request out of the open ones; what comes for it later is late.
func (f *Flow) close(r *request) {
	f.open = slices.DeleteFunc(f.open, func(o *request) bool { return o == r })
	if x := f.exchanges[r.exchange]; x != nil && x.ended {
		delete(f.exchanges, r.exchange)
	}
}

// settle hands an outcome to who waits for it.
func (f *Flow) settle(r *request, o outcome) {
	if f.switchVersion(r, o) {
		return
	}
	if r.done != nil {
		r.done(r, o)
	}
}

// cancelOnWire tells the server that an answer is not waited for any more: by
// closing the response stream over modern HTTP, else by notification.
func (f *Flow) cancelOnWire(r *request, reason string) {
	if f.stage != stageReady || r.method == "initialize" {
		return // initialize must not be cancelled, and nothing else is out before
	}
	if f.modern() && f.overHTTP() {
		f.do(Abort{r.id})
		return
	}
	f.notify("notifications/cancelled", rpc.Object(
		rpc.Field{Name: "requestId", Raw: []byte(r.id)},
		rpc.Field{Name: "reason", Raw: rpc.Quote(reason)},
	), trace.Cause{Why: trace.WhyCancel, Call: r.cause.Call, Round: r.cause.Round})
}

// params completes a request's params with what the era demands in _meta, the
// person's own members over it.
func (f *Flow) params(base, own []byte, token rpc.ID) []byte {
	if base != nil && !isObject(base) {
		return base // sent as the person wrote it
	}
	var meta []rpc.Field
	if f.modern() {
		meta = append(meta,
			rpc.Field{Name: metaVersion, Raw: rpc.Quote(f.version)},
			rpc.Field{Name: metaInfo, Raw: f.cfg.Info},
			rpc.Field{Name: metaCapabilities, Raw: f.cfg.Capabilities})
		if f.cfg.LogLevel != "" {
			meta = append(meta, rpc.Field{Name: metaLogLevel, Raw: rpc.Quote(f.cfg.LogLevel)})
		}
	}
	if token != "" {
		meta = append(meta, rpc.Field{Name: "progressToken", Raw: []byte(token)})
	}
	object := rpc.Object(meta...)
	for _, over := range [][]byte{rpc.Member(base, "_meta"), own} {
		var set []rpc.Field
		for k, v := range rpc.Members(over) {
			set = append(set, rpc.Field{Name: k, Raw: v})
		}
		object = rpc.With(object, set...)
	}
	if string(object) == "{}" && rpc.Member(base, "_meta") == nil && own == nil {
		return base
	}
	return rpc.With(base, rpc.Field{Name: "_meta", Raw: object})
}

// Members of _meta that the protocol reserves (2026-07-28, "_meta").
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaInfo         = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}

// oneLine removes the line breaks between tokens, which a byte stream could not
// carry; nothing inside a string changes.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
