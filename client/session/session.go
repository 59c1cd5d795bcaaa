// Package session folds the event log into what people think in: calls with
// their rounds and asks, the catalogue, the wire as rows. It does no IO, reads
// no clock and draws nothing: the same events give the same session, live or
// replayed.
//
// It keeps nothing that shares memory with a frame: bodies are read back from
// the log by sequence number.
package session

import (
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Session is the folded state. Read it only from the goroutine that applies.
type Session struct {
	Conn      Conn
	Calls     []*Call // in the order of their numbers
	Asks      []*Ask  // in the order they came; of those that belong to no call and are settled, the newest
	Catalogue Catalogue
	Rows      Rows
	Logs      []LogEntry // the newest
	Logged    int        // logs so far, also those that are not kept
	Stderr    Tail
	Listening *Listening // what the server acknowledged that it will tell of
	Tampers   []Tamper   // the tamper presets that retries went through
	Changes   []Change   // the newest list changes and resource updates that the server told of
	Changed   int        // how many it told of

	calls    map[int]*Call
	asks     map[trace.AskID]*Ask
	out      map[rpc.ID]*pending // our requests
	in       map[rpc.ID]*pending // the server's requests
	tokens   map[string]int      // progress token to call
	carried  map[int]int         // HTTP exchange to call
	statuses map[int]int         // HTTP exchange to its status
	batched  int                 // place in the batch that is being folded, 0 for none
	listens  map[rpc.ID]bool

	askCount  int // asks so far
	outDone   queue[rpc.ID]
	inDone    queue[rpc.ID]
	exchanges queue[int] // that have ended
}

// New returns the session before its first event.
func New() *Session {
	return &Session{
		calls: map[int]*Call{}, asks: map[trace.AskID]*Ask{},
		out: map[rpc.ID]*pending{}, in: map[rpc.ID]*pending{},
		tokens: map[string]int{}, carried: map[int]int{}, statuses: map[int]int{}, listens: map[rpc.ID]bool{},
		outDone: queue[rpc.ID]{most: keepDone}, inDone: queue[rpc.ID]{most: keepDone}, exchanges: queue[int]{most: keepEnded},
	}
}

// pending is a request and what came of it.
type pending struct {
	seq      int
	at       time.Duration
	method   string
	name     string
	cause    trace.Cause
	params   []byte      // of list requests only: the cursor is read from it
	declared []byte      // the capabilities that the request declared
	ask      trace.AskID // of the server's requests
	exchange int         // that carried it, 0 for none
	done     bool
}

// Conn is the connection.
type Conn struct {
	Phase        trace.PhaseName
	Reason       string
	Transport    string
	Target       string
	Era          trace.Era
	Version      string
	PID          int
	Code         *int
	Signal       string
	Steps        []Step // every phase so far
	Server       Implementation
	Supported    []string // versions that server/discover listed
	Capabilities []byte   // the server's, raw
	Declared     []byte   // the client's, as last sent, raw
	Instructions string
	HoldAll      bool
	LastIn       time.Duration // when the server was last heard of
	Dropped      int64         // bytes of stderr and noise that were given up
}

// Step is one phase with its time.
type Step struct {
	At time.Duration
	trace.Phase
}

// Implementation is what a server says of itself.
type Implementation struct{ Name, Title, Version string }

// Call is one call of the person's or a script's, with all its rounds.
type Call struct {
	ID      int
	Who     trace.Who
	Method  string
	Name    string // tool or prompt name, resource URI
	Params  []byte
	Rounds  []*Round
	Status  trace.Status
	Note    string // why it ended as it did, where no response says
	Begun   time.Duration
	Ended   time.Duration // 0 while open
	Away    time.Duration // of the time since Begun, what lay between an end and a branch
	Hold    bool          // its retries are held
	Held    []byte        // the retry that stands, nil where none does
	Clean   []byte        // what a conforming client would send
	Wait    *Wait
	Last    *Progress
	Late    []int // responses that came after the end
	Again   int   // the call that this one runs again, 0 for none
	Frames  []int // every frame that certainly belongs to it, but for the server's notifications
	Related int   // how many logs, progress and noise came while only this call was open

	branched time.Duration // when the questions were asked again that the next request answers, 0 where that is not known
	told     bool          // it was told itself whether its retries are held
}

// Lasted returns how long a call took, or has taken so far where it is open. What
// passed between its end and the moment in which one of its rounds was asked about
// again is no part of it.
func (c *Call) Lasted(now time.Duration) time.Duration {
	if c.Ended != 0 {
		now = c.Ended
	}
	return max(0, now-c.Begun-c.Away)
}

// reopen goes on with a call, at a moment that the person came back to it.
func (c *Call) reopen(at time.Duration) {
	if c.Ended != 0 {
		c.Away += max(0, at-c.Ended)
	}
	c.Status, c.Ended = trace.Running, 0
}

// Round is the stretch in which the server had control, up to where it wanted
// something or ended, and what was answered then. In the modern era each has a
// request and a response of its own; in the legacy one the first has the
// request and the last the response.
type Round struct {
	N        int // 1 for the first
	Parent   int // the round it carries the answers of, 0 for none
	Request  int
	Response int
	Came     trace.Status // what the response made of the call: asking, or how it ended; "" where none did
	ID       rpc.ID
	Asks     []trace.AskID
	Refused  int // of the server's requests, by the client itself; only the first are among Asks
	StateIn  *State
	StateOut *State
	Begun    time.Duration // the server got control
	Turned   time.Duration // it gave control back; 0 while it has it
	Edited   bool
	Notes    []int  // logs, progress, stderr and noise in between: the first and the newest
	NotesCut int    // how many were left out of Notes, behind the first NotesFirst
	Told     []Told // how many there were of each kind, left out or not

	visits bool // its asks are URLs that an error named
}

// State is a requestState as it crossed the wire.
type State struct {
	Raw []byte // the JSON string, quotes included
}

// Wait is a retry that waits.
type Wait struct {
	Note  string
	Until time.Duration // session time; 0 where only a person ends it
}

// Progress is the newest progress notification of a call.
type Progress struct {
	At       time.Duration
	Progress string // the numbers as written
	Total    string
	Message  string
	Count    int
}

// OwnerKind says how sure it is what an ask belongs to.
type OwnerKind string

// Owners of asks.
const (
	OfCall       OwnerKind = "call"
	Inferred     OwnerKind = "inferred" // the only call that was open
	OfConnection OwnerKind = "connection"
)

// Owner is what an ask belongs to.
type Owner struct {
	Kind  OwnerKind
	Call  int
	Round int
}

// AskStatus is how an ask stands.
type AskStatus string

// Statuses of an ask.
const (
	Open      AskStatus = "open"
	Later     AskStatus = "later"     // set aside
	Staged    AskStatus = "staged"    // answered, not yet sent; can be answered again
	Sent      AskStatus = "sent"      // the answer is on the wire
	Withdrawn AskStatus = "withdrawn" // cancelled by the server
	Moot      AskStatus = "moot"      // its call ended without the answer
)

// Waiting reports whether the ask still waits for a person.
func (s AskStatus) Waiting() bool { return s == Open || s == Later }

// Kind is the kind of an ask.
type Kind string

// Kinds of asks.
const (
	Form     Kind = "form"
	URL      Kind = "url"
	Sampling Kind = "sampling"
	Roots    Kind = "roots"
	Unknown  Kind = "unknown" // a method or mode that this client does not know
)

// Ask is one thing that the server wants of the person.
type Ask struct {
	ID        trace.AskID
	N         int // counts all asks from 1
	Owner     Owner
	Method    string
	Kind      Kind
	Message   string
	Params    []byte
	Request   int    // frame that brought it
	RPC       rpc.ID // of that frame, where it is a request of the server's; "" where the ask came in a result
	Answer    int    // frame that carried the answer, the first of them
	Reply     []byte
	Again     []Given       // what was answered later, on other branches
	SendsWith []trace.AskID // the asks whose answers leave in the same message; empty: at once
	Status    AskStatus
	At        time.Duration
	Answered  time.Duration
	Note      string
}

// RefusedByClient is the note of an ask that the client answered with an error at
// once, without asking anybody.
const RefusedByClient = "refused by the client"

// Given is an answer that another request carried than the first: the question
// was answered another way, or the answer was sent once more.
type Given struct {
	Request int // frame that carried it
	Reply   []byte
	Took    time.Duration // that the person took for it, 0 where that is not known
}

// TookFor returns how long the person took for the answer that a request carried, 0
// where that is not known.
func (a *Ask) TookFor(request int) time.Duration {
	for _, g := range a.Again {
		if g.Request == request {
			return g.Took
		}
	}
	if a.Answer == request {
		return max(0, a.Answered-a.At)
	}
	return 0
}

// CarriedBy returns the answer that a request carried, nil where it carried none.
func (a *Ask) CarriedBy(request int) []byte {
	for _, g := range a.Again {
		if g.Request == request {
			return g.Reply
		}
	}
	if a.Answer == request {
		return a.Reply
	}
	return nil
}

// LogEntry is one notifications/message.
type LogEntry struct {
	Seq, Call int
	At        time.Duration
	Level     string
	Logger    string
	Text      string
}

// Change is a list change or a resource update that the server told of.
type Change struct {
	Seq    int
	At     time.Duration
	Method string
	URI    string
}

// Tamper is a tamper preset that a retry went through before it left.
type Tamper struct {
	Call   int
	Round  int // which the retry began; one that was sent twice began the next one, too
	Preset string
	Change string // what was changed, one sentence
	Basis  []byte // what the verdict hangs on besides the answer
}

// Listening is an acknowledged subscription.
type Listening struct {
	Seq    int
	Filter []byte // raw, as acknowledged
}

// Tail is the newest part of a stream of text.
type Tail struct {
	Bytes   []byte
	Total   int64
	Dropped int64
	starts  []int64 // how much had come when a process was started, rising: the last, and those within Bytes
}

func (t *Tail) start() {
	if n := len(t.starts); n == 0 || t.starts[n-1] != t.Total {
		t.starts = append(t.starts, t.Total)
	}
}

// Parts returns what each process wrote that wrote anything, the oldest first.
func (t *Tail) Parts() (out [][]byte) {
	rest, at := t.Bytes, t.Dropped
	for _, s := range t.starts {
		if n := s - at; n > 0 && n <= int64(len(rest)) {
			out, rest, at = append(out, rest[:n:n]), rest[n:], s
		}
	}
	if len(rest) > 0 {
		out = append(out, rest)
	}
	return out
}

// Latest returns what of it the newest process wrote.
func (t *Tail) Latest() []byte {
	var began int64
	if n := len(t.starts); n > 0 {
		began = t.starts[n-1]
	}
	return t.Bytes[min(max(0, began-t.Dropped), int64(len(t.Bytes))):]
}

const tailKeep = 64 << 10 // what the fold keeps of stderr; the log has the rest

func (t *Tail) add(b []byte, dropped int64) {
	t.Total += int64(len(b)) + dropped
	t.Bytes = append(t.Bytes, b...)
	if len(t.Bytes) > 2*tailKeep {
		t.Bytes = append([]byte(nil), t.Bytes[len(t.Bytes)-tailKeep:]...)
	}
	t.Dropped = t.Total - int64(len(t.Bytes))
	for len(t.starts) > 1 && t.starts[0] <= t.Dropped {
		t.starts = t.starts[1:]
	}
}

// Call returns a call by its number, nil where there is none.
func (s *Session) Call(id int) *Call { return s.calls[id] }

// Ask returns an ask by its id, nil where there is none.
func (s *Session) Ask(id trace.AskID) *Ask { return s.asks[id] }

// Waiting returns the asks that wait for a person, oldest first.
func (s *Session) Waiting() []*Ask {
	var out []*Ask
	for _, a := range s.Asks {
		if a.Status.Waiting() {
			out = append(out, a)
		}
	}
	return out
}

// Round returns a round of the call by its number, nil where there is none.
func (c *Call) Round(n int) *Round {
	if n < 1 || n > len(c.Rounds) {
		return nil
	}
	return c.Rounds[n-1]
}

// LastRound is the newest round, nil before the first.
func (c *Call) LastRound() *Round { return c.Round(len(c.Rounds)) }
