// Package trace is the one log of everything that happens on a connection, and
// its recording on disk. It holds bytes and causes; what they mean is folded
// out of it elsewhere (package session), so that a live connection, a recording
// opened later and a test all read the same thing.
package trace

import (
	"strconv"
	"sync/atomic"
	"time"

	"mcptui/client/rpc"
)

// Event is one thing that happened. Exactly one of its parts is set. Events are
// never changed once they are in a log.
type Event struct {
	Seq int           // position in the log; the first is 1, 0 means none
	At  time.Duration // since the session began

	Frame  *Frame
	HTTP   *HTTP
	Noise  *Noise
	Stderr *Stderr
	Phase  *Phase
	Act    *Act
}

// Dir is the direction of a frame.
type Dir string

// The two directions.
const (
	Out Dir = "out" // client to server
	In  Dir = "in"  // server to client
)

// Frame is one message as it crossed the wire, whether or not it is JSON-RPC.
type Frame struct {
	Dir      Dir
	Exchange int    // the HTTP exchange that carried it, 0 on a byte stream
	Bytes    []byte // the message itself, without its framing
	Pre      []byte // framing in front of Bytes (an SSE event's other fields); usually nil
	Post     []byte // framing behind Bytes; nil on a byte stream means one newline
	Wire     []byte // the whole of it, only where Bytes is not one stretch of the wire (SSE data over several lines)
	Size     int    // length of the message when it was longer than the frame limit and Bytes holds only its start, else 0
	Cause    Cause  // why it was sent; zero on incoming frames

	parsed atomic.Pointer[rpc.Message] // see Message
}

// Cause says why an outgoing frame was sent. Incoming frames carry none: what
// they belong to follows from their id and their exchange.
type Cause struct {
	Why     Why  `json:"why,omitzero"`
	Call    int  `json:"call,omitzero"`    // the call it belongs to, 0 for none
	Round   int  `json:"round,omitzero"`   // 1 for the first request of a call
	Retries int  `json:"retries,omitzero"` // Seq of the response that this request answers with input, 0 for none
	Answers int  `json:"answers,omitzero"` // Seq of the incoming request that this response answers, 0 for none
	Edited  bool `json:"edited,omitzero"`
}

// Why is the purpose of an outgoing frame.
type Why string

// Purposes of outgoing frames.
const (
	WhyProbe      Why = "probe"      // server/discover
	WhyInitialize Why = "initialize" // initialize and notifications/initialized
	WhyList       Why = "list"       // the lists of the catalogue
	WhyCall       Why = "call"       // the first request of a call
	WhyRetry      Why = "retry"      // a later request of a call, with the answers
	WhyAnswer     Why = "answer"     // a response to the server's own request
	WhyCancel     Why = "cancel"     // notifications/cancelled
	WhyListen     Why = "listen"     // subscriptions/listen, resources/subscribe and their ends
	WhySetting    Why = "setting"    // logging/setLevel, notifications/roots/list_changed
	WhyRaw        Why = "raw"        // typed by the person, outside any call
)

// Header is one HTTP header as written, in the order of the wire where known.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// HTTPStage is the moment of an exchange that an HTTP event tells of.
type HTTPStage string

// Stages of an HTTP exchange, in order; Redirect and Failed can end one early.
const (
	HTTPRequest  HTTPStage = "request"  // request line and headers were sent
	HTTPResponse HTTPStage = "response" // status and headers came
	HTTPRedirect HTTPStage = "redirect" // status and headers of a redirect, followed or not (Note says)
	HTTPEnd      HTTPStage = "end"      // the body ended
	HTTPFailed   HTTPStage = "failed"   // no response, or its body broke off (Note says why)
)

// HTTP is one stage of one HTTP exchange.
type HTTP struct {
	Exchange int       `json:"exchange,omitzero"` // numbers exchanges from 1
	Stage    HTTPStage `json:"stage,omitzero"`
	Method   string    `json:"method,omitzero"`
	URL      string    `json:"url,omitzero"`
	Proto    string    `json:"proto,omitzero"`
	Status   int       `json:"status,omitzero"`
	Headers  []Header  `json:"headers,omitzero"`
	Bytes    int64     `json:"bytes,omitzero"` // body bytes so far, after removing chunking and compression
	Note     string    `json:"note,omitzero"`
	Lost     bool      `json:"lost,omitzero"`    // with end and failed: the request that this exchange carried will get no answer from it
	Expired  bool      `json:"expired,omitzero"` // with response: 404 to a request that named a session; the session is over
}

// Noise is what came where a message was due and is none: a stray line on a
// server's standard output, an SSE comment, an HTML page.
type Noise struct {
	Exchange int
	Bytes    []byte // exact, with the line end
	Size     int    // full length where Bytes was cut, else 0
	Why      string // what was wrong with it, a few words
	Dropped  int    // earlier noise events that the ring gave up to make room
}

// Stderr is what a child wrote to its standard error, in pieces as read.
type Stderr struct {
	Bytes   []byte
	Dropped int64 // bytes lost before these, to keep memory bounded
}

// PhaseName is a state of the connection.
type PhaseName string

// Phases of a connection, in their usual order.
const (
	PhaseStarting     PhaseName = "starting"     // the child is being started, the URL dialled
	PhaseProbing      PhaseName = "probing"      // finding out the era; Reason says the step
	PhaseReady        PhaseName = "ready"        // Era and Version are settled
	PhaseReconnecting PhaseName = "reconnecting" // lost, and being got back
	PhaseClosing      PhaseName = "closing"      // Reason names the stage: stdin closed, TERM sent, KILL sent
	PhaseExited       PhaseName = "exited"       // the child ended, or the connection is given up
	PhaseFailed       PhaseName = "failed"       // never became ready; Reason says why and what to try
)

// Era is one of the protocol's two ways of opening a connection.
type Era string

// The eras.
const (
	Modern Era = "modern" // every request carries its own envelope; 2026-07-28
	Legacy Era = "legacy" // the initialize handshake; up to 2025-11-25
)

// Phase is a change of the connection's state.
type Phase struct {
	Name      PhaseName `json:"name,omitzero"`
	Reason    string    `json:"reason,omitzero"`
	Transport string    `json:"transport,omitzero"` // "stdio", "http", "http+sse" or "in-process"
	Target    string    `json:"target,omitzero"`    // what was dialled or started, secrets masked
	Era       Era       `json:"era,omitzero"`
	Version   string    `json:"version,omitzero"`
	PID       int       `json:"pid,omitzero"`
	Code      *int      `json:"code,omitzero"` // exit code of a child
	Signal    string    `json:"signal,omitzero"`
	Stack     string    `json:"stack,omitzero"` // with PhaseFailed by a fault of mcptui's own: where it happened
}

// AskID names an ask: the frame that brought it and, for the asks of a modern
// round, its key there. The key of a legacy ask is empty: one request, one ask.
type AskID struct {
	Frame int    `json:"frame,omitzero"`
	Key   string `json:"key,omitzero"`
}

// String gives the id as "12" or "12:when".
func (a AskID) String() string {
	if a.Key == "" {
		return strconv.Itoa(a.Frame)
	}
	return strconv.Itoa(a.Frame) + ":" + a.Key
}

// Who acted.
type Who string

// Actors.
const (
	Person Who = "person"
	Script Who = "script" // an answers file, a sampler command, --on-ask
	Client Who = "client" // mcptui itself, by a rule: a limit, a deadline, a violation
)

// ActKind is what was done.
type ActKind string

// Acts.
const (
	ActCall    ActKind = "call"    // a call was begun: Call, Method, Name, Value (its params)
	ActAnswer  ActKind = "answer"  // an ask was answered, not necessarily sent yet: Ask, Value
	ActLater   ActKind = "later"   // an ask was set aside
	ActReject  ActKind = "reject"  // sampling or roots refused
	ActHold    ActKind = "hold"    // retries are held (Call, or 0 for all)
	ActRelease ActKind = "release" // retries are no longer held
	ActHeld    ActKind = "held"    // a retry stands, ready: Value is what a conforming client would send
	ActEdit    ActKind = "edit"    // a held retry was changed: Value
	ActTamper  ActKind = "tamper"  // what leaves next went through a tamper preset: Name (the preset), Note (what it changed), Value (what its verdict hangs on)
	ActSend    ActKind = "send"    // a held retry was let go
	ActDrop    ActKind = "drop"    // a held retry was thrown away
	ActWait    ActKind = "wait"    // a retry waits: Note says for what, Until says how long
	ActBranch  ActKind = "branch"  // a finished round is answered again: Call, Round, Since
	ActEnd     ActKind = "end"     // a call ended without a response of its own: Status, Note
	ActConsent ActKind = "consent" // a URL was opened or copied
	ActSet     ActKind = "set"     // a setting changed: Name, Value
	ActNote    ActKind = "note"    // worth telling, changes nothing: Note
)

// Act is something that the person, a script or mcptui itself did.
type Act struct {
	Who    Who
	Kind   ActKind
	Call   int
	Round  int
	Ask    AskID
	Method string
	Name   string
	Value  []byte        // JSON as it stands, where the act has one
	Status Status        // with ActEnd; with an ActNote, Failed where what it is about is given up for good
	Until  time.Duration // with ActWait: session time when the wait ends, 0 for a person's time
	Note   string
	Again  int           // with ActCall: the call that this one runs again, 0 for none
	Since  time.Duration // with ActBranch: session time when its questions were asked once more, 0 where nobody noted it
}

// Status is how a call stands.
type Status string

// Statuses of a call. All but the first three are final.
const (
	Running   Status = "running"   // the server has control
	Asking    Status = "asking"    // the person has control
	Holding   Status = "holding"   // a retry is held
	Done      Status = "done"      // a complete result came
	ToolError Status = "toolerror" // a complete result with isError
	Failed    Status = "failed"    // a JSON-RPC error came
	Violated  Status = "violated"  // the answer broke the protocol; the call stopped
	Cancelled Status = "cancelled" // by the person
	TimedOut  Status = "timedout"
	Limited   Status = "limited" // still asking after the permitted number of rounds
	Lost      Status = "lost"    // the server or its stream ended before the answer
)

// Final reports whether a call in this status has ended.
func (s Status) Final() bool {
	switch s {
	case Running, Asking, Holding, "":
		return false
	}
	return true
}
