// Package flow is one connection and its calls as a state machine. It decides
// what is sent, when, and what an answer means: which era the server speaks,
// how a call goes through its rounds, which retry is held, when a deadline has
// passed. It does no IO and reads no clock: inputs come in with the time of the
// session, what has to be done comes out as effects, so that every path can be
// tested as a script.
//
// This package and package wire are the only places that know the two eras of
// the protocol apart.
package flow

import (
	"encoding/json"
	"time"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Kinds of transports, by the names that Phase events carry.
const (
	Stdio     = "stdio"
	HTTP      = "http"
	SSE       = "http+sse"
	InProcess = "in-process"
)

// Config is what a connection is begun with.
type Config struct {
	Transport    string    // Stdio, HTTP, SSE or InProcess
	Era          trace.Era // "" finds it out
	Version      string    // pins one protocol version; "" takes the newest both speak
	Info         json.RawMessage
	Capabilities json.RawMessage
	Roots        []control.Root
	AskRoots     bool          // a person answers roots/list; else the list of roots does, at once
	LogLevel     string        // "" asks for no logs
	Timeout      time.Duration // of each request
	ProbeTimeout time.Duration // of server/discover while the era is unknown
	Rounds       int           // limit of rounds that ask
	Lists        []string      // list methods to fetch when ready; nil for all that the server declares
	Authorized   bool          // an Authorization header is sent with every request
	Tool         string        // that is going to be called, "" where it is not known yet; see client.Options
}

// Defaults of Config.
const (
	DefaultTimeout      = 60 * time.Second
	DefaultProbeTimeout = 10 * time.Second
	DefaultRounds       = 10
)

type stage int

const (
	stageNew     stage = iota
	stageOpening       // the transport is being opened
	stageProbing       // server/discover is out
	stageInitializing
	stageReady
	stageDown // exited or failed; Restart or Reconnect begin anew
	stageClosed
)

// Flow is one connection. It is used from one goroutine.
type Flow struct {
	cfg       Config
	transport string // as configured; cfg's changes with a fallback
	now       time.Duration
	out       []Effect
	stage     stage
	gone      *trace.Phase // the end of a server that ended before its transport was open
	neg       negotiation

	era     trace.Era
	version string
	caps    []byte // the server's capabilities

	lastID    int
	open      []*request
	resend    []*request // to be sent again once a new session stands
	exchanges map[int]*exchange
	timers    []*timer

	strays  int    // lines without a message since the transport was opened
	stray   string // the last of them, an excerpt
	batched int    // counts the messages of a batch while it is taken apart, else 0

	lastCall int
	calls    map[int]*call // that are running, and that ended not too long ago
	active   []*call       // that are running, in the order in which they began
	queue    []*call       // calls and retries that wait to be sent
	asks     map[trace.AskID]*ask
	inbox    []*ask // legacy asks that are open
	holdAll  bool
	mostAsk  int   // bytes of asks that wait
	refusals tally // asks for which there was no room
	unsaid   tally // messages that the server did not take

	past      []*call // ended, in that order
	pastBytes int
	mostPast  int
	pastAsks  []trace.AskID // settled, of no call

	lists  map[string]*list
	tools  tools
	listen listening

	leveling *request // logging/setLevel, while calls wait for it
}

// New returns a connection that has not begun.
func New(cfg Config) *Flow {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.ProbeTimeout <= 0 {
		cfg.ProbeTimeout = DefaultProbeTimeout
	}
	cfg.ProbeTimeout = min(cfg.ProbeTimeout, cfg.Timeout)
	if cfg.Rounds <= 0 {
		cfg.Rounds = DefaultRounds
	}
	if cfg.Info == nil {
		cfg.Info = json.RawMessage(`{"name":"mcptui","version":"0"}`)
	}
	if cfg.Capabilities == nil {
		cfg.Capabilities = json.RawMessage(`{}`)
	}
	return &Flow{
		cfg: cfg, transport: cfg.Transport, exchanges: map[int]*exchange{}, calls: map[int]*call{},
		asks: map[trace.AskID]*ask{}, lists: map[string]*list{}, tools: tools{of: map[string]*tool{}, sought: map[string]bool{}}, mostPast: keptBytes, mostAsk: mostAskBytes,
	}
}

// Start begins the connection.
func (f *Flow) Start(now time.Duration) {
	f.now = now
	f.stage = stageOpening
	f.openAs(OpenFirst)
}

// Opened tells that the transport is open; err that it cannot be.
func (f *Flow) Opened(now time.Duration, err error) {
	f.now = now
	if f.stage != stageOpening {
		return
	}
	gone := f.gone
	f.gone = nil
	if err != nil {
		f.openFailed(err)
		return
	}
	f.negotiate()
	if gone != nil {
		f.exited(gone)
	}
}

// Close ends the connection from this side.
func (f *Flow) Close(now time.Duration) {
	f.now = now
	if f.stage == stageClosed {
		return
	}
	f.stage = stageClosed
	f.timers, f.open = nil, nil
	for _, c := range f.running() {
		f.end(c, trace.Cancelled, "the connection was closed")
	}
	f.queue = nil
}

// Take returns the effects that are due, in their order, and forgets them.
func (f *Flow) Take() []Effect {
	out := f.out
	f.out = nil
	return out
}

func (f *Flow) do(e Effect) { f.out = append(f.out, e) }

func (f *Flow) act(a trace.Act) {
	if a.Who == "" {
		a.Who = trace.Client
	}
	f.do(Append{trace.Event{Act: &a}})
}

// note puts something into the log that is worth telling.
func (f *Flow) note(method, text string) {
	f.act(trace.Act{Kind: trace.ActNote, Method: method, Note: text})
}

func (f *Flow) phase(name trace.PhaseName, reason string) {
	f.do(Append{trace.Event{Phase: &trace.Phase{Name: name, Reason: reason, Transport: f.cfg.Transport}}})
}

func (f *Flow) modern() bool { return f.era == trace.Modern }

// overHTTP reports whether requests carry headers of their own.
func (f *Flow) overHTTP() bool { return f.cfg.Transport == HTTP || f.cfg.Transport == SSE }

// newID gives every request an id that none had before.
func (f *Flow) newID() rpc.ID {
	f.lastID++
	return rpc.NumberID(f.lastID)
}
