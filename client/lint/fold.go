package lint

import (
	"bytes"
	"strconv"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Reserved members of _meta (2026-07-28, basic, "_meta").
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// keepDone is how many answered requests are remembered, to know a second
// answer when it comes.
const keepDone = 4096

// fold is what the rules need to know of what came before.
type fold struct {
	era       trace.Era // of the connection, as far as it is known
	version   string
	transport string
	modern    bool     // the server has shown that it knows the modern era
	connected bool     // the opening is over, the end has not come
	ready     bool     // notifications/initialized was sent
	supported []string // versions that server/discover listed
	caps      []byte   // the server's capabilities, nil while unknown
	declared  []byte   // the client's of the legacy era, nil while unknown
	session   string   // Mcp-Session-Id that the server gave
	opened    int      // frame of the newest initialize: ids count from there

	out       map[rpc.ID]*request // our requests
	done      []*request          // answered ones, oldest first
	open      int                 // not answered yet
	in        map[rpc.ID]*request // the server's requests
	exchanges map[int]*exchange
	tokens    map[string]*progress
	interims  []*interim
	tools     map[string]*tool
	lists     map[string]*listing
	listens   map[rpc.ID]*listen
}

func newFold() fold {
	return fold{
		out: map[rpc.ID]*request{}, in: map[rpc.ID]*request{}, exchanges: map[int]*exchange{},
		tokens: map[string]*progress{}, tools: map[string]*tool{}, lists: map[string]*listing{}, listens: map[rpc.ID]*listen{},
	}
}

// request is one request and what the rules need of it.
type request struct {
	seq       int
	id        rpc.ID
	method    string
	name      string // params.name or params.uri
	era       trace.Era
	call      int
	edited    bool
	exchange  int
	version   string
	caps      []byte // client capabilities that hold for it, nil where unknown
	token     string // raw progress token
	logLevel  string
	cursor    []byte // raw
	filter    []byte // of subscriptions/listen
	state     string // stateKey of requestState
	answers   []byte // raw inputResponses
	schema    []byte // of a legacy elicitation, to check its answer against
	mode      string // of a legacy elicitation
	retries   *interim
	answered  int
	cancelled bool
	told      int // notifications that came on its stream
}

// interim is a result that asked for input.
type interim struct {
	seq     int
	req     *request
	state   string // stateKey, "" where it had none
	asks    map[string]ask
	asked   string // stateKey of inputRequests, to know the same asks again
	retried bool
}

// ask is one thing that the server wants of the person.
type ask struct {
	key    string
	method string
	params []byte
	caps   []byte // declared for it, nil where unknown
}

func (l *Linter) phase(e trace.Event) {
	p := e.Phase
	if p.Transport != "" {
		l.transport = p.Transport
	}
	if p.Era != "" {
		l.era, l.version = p.Era, p.Version
		l.modern = l.modern || p.Era == trace.Modern
	}
	switch p.Name {
	case trace.PhaseStarting:
		// A new peer knows nothing of old ids, lists and subscriptions.
		fresh := newFold()
		fresh.transport, fresh.era = l.transport, l.era
		l.fold = fresh
		clear(l.nth)
		if p.Target != "" {
			l.target = p.Target
		}
	case trace.PhaseReady:
		l.connected = true
	case trace.PhaseExited:
		l.run(&view{l: l, e: e, era: l.era}, onClose)
		l.connected = false
	}
}

func (l *Linter) frame(e trace.Event) {
	f := e.Frame
	m := f.Message()
	v := &view{l: l, e: e, m: m, x: l.exchange(f.Exchange), era: l.era}
	if m.Kind == rpc.Batch {
		l.envelope(v)
		for i, one := range rpc.Elements(bytes.TrimSpace(f.Bytes)) {
			w := &view{l: l, e: e, m: rpc.Parse(one), x: v.x, era: l.era, prefix: "/" + strconv.Itoa(i)}
			l.message(w)
		}
		return
	}
	l.message(v)
}

func (l *Linter) message(v *view) {
	if v.e.Frame.Dir == trace.Out {
		l.sent(v)
		return
	}
	if v.x != nil {
		v.x.frames++
	}
	switch v.m.Kind {
	case rpc.Result, rpc.Failure:
		l.reply(v)
	case rpc.Request:
		l.asked(v)
	case rpc.Notification:
		l.told(v)
	default:
		l.envelope(v)
	}
}

// envelope runs the rules that look at any frame.
func (l *Linter) envelope(v *view) {
	if v.e.Frame.Dir == trace.Out {
		l.run(v, onSent)
	} else {
		l.run(v, onFrame)
	}
}
