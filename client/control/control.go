// Package control is what a person or a script can do to a connection. It is a
// leaf: the UI and the headless commands call it, package client implements it.
// No method waits for the server; what comes of an act is read from the log.
package control

import (
	"encoding/json"
	"errors"
	"time"

	"mcptui/client/trace"
)

// Request begins a call.
type Request struct {
	Method  string          // tools/call, prompts/get, resources/read, or any other
	Params  json.RawMessage // an object without _meta, inputResponses and requestState; nil for none
	Meta    json.RawMessage // members merged over the client's own _meta; nil for none
	Headers []trace.Header  // HTTP only: replace what would be sent
	Timeout time.Duration   // for each request, the person's time not counted; 0 for the connection's
	Force   bool            // send what the client would refuse (a rejected tool)
	State   json.RawMessage // begin from this requestState, as its raw JSON string (--resume)
	Inputs  json.RawMessage // and with these inputResponses
	Who     trace.Who       // who asks for it; empty means the person
}

// Reply answers an ask. Exactly one of its members is set.
type Reply struct {
	Result json.RawMessage // ElicitResult, CreateMessageResult or ListRootsResult, exactly as it will be sent
	Error  *Error          // a JSON-RPC error instead; where the era has no place for one, the call is given up
}

// Error is the JSON-RPC error of a refusal.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Draft is a retry that is held, or the request of a branch, as it would leave.
type Draft struct {
	Call    int
	Round   int             // the round whose answers it carries
	Params  json.RawMessage // everything below "params", _meta included
	ID      json.RawMessage // the id it would leave with
	Method  string
	Headers []trace.Header
	Clean   json.RawMessage // the params that a conforming client would send, for comparison
	Twice   bool            // send two at once, with ids of their own

	Tampered []Tampering // what was done to it on purpose, for the log
}

// Tampering is one tamper preset that a draft went through (package state), as
// the log keeps it.
type Tampering struct {
	Preset string          // its id
	Change string          // what was changed, one sentence
	Basis  json.RawMessage // what its verdict hangs on besides the answer
}

// ErrNo is wrapped by the errors of acts that cannot be done as things stand:
// an ask that is answered already, a hold in the era that has none. The text
// says why.
var ErrNo = errors.New("cannot be done")

// Caller begins and ends calls.
type Caller interface {
	// Call begins a call and returns its number at once.
	Call(Request) (call int, err error)
	// Cancel gives a call up, in its transport's way.
	Cancel(call int, reason string) error
	// Rerun begins a call with the arguments of another and answers its asks
	// as they were answered there, as far as keys and schemas fit.
	Rerun(call int) (again int, err error)
}

// Answerer answers asks.
type Answerer interface {
	// Answer settles an ask. Asks of a modern round can be answered again until
	// the last of them is; a legacy answer leaves at once.
	Answer(trace.AskID, Reply, trace.Who) error
	// Later sets an ask aside; nothing is sent.
	Later(trace.AskID) error
}

// Holder works on retries before they leave.
type Holder interface {
	// Hold holds the retries of one call, or of all for 0, or lets them go.
	Hold(call int, on bool) error
	// Draft returns the held retry of a call.
	Draft(call int) (Draft, error)
	// Send lets a held retry go, as the draft says.
	Send(Draft) error
	// Drop throws a held retry away; the call is given up.
	Drop(call int) error
	// Branch answers a finished round again: it returns the request that the
	// answers of that round were sent with, to be edited and sent.
	Branch(call, round int) (Draft, error)
}

// Connector works on the connection itself.
type Connector interface {
	Restart() error   // ends the child, or drops the session, and connects anew
	Reconnect() error // connects again without ending a child that lives
	Refresh() error   // fetches every list again, past any cache hint
	Set(Setting) error
	// Listen opens or changes what the server is asked to tell of.
	Listen(Subscription) error
	// Notify sends a notification, or any request that belongs to no call.
	Notify(method string, params json.RawMessage) error
}

// Controller is everything.
type Controller interface {
	Caller
	Answerer
	Holder
	Connector
}

// Setting changes how the client behaves from the next request on. Nil members
// stay as they are.
type Setting struct {
	Capabilities json.RawMessage // the client capabilities object to declare
	LogLevel     *string         // "" asks for no logs
	Roots        *[]Root
	Rounds       *int           // limit of rounds that ask
	Timeout      *time.Duration // of each request
	Extend       int            // extends the deadline of this call by its timeout once
}

// Root is a directory or other URI that the server may be told of.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Subscription is what the server shall tell of.
type Subscription struct {
	Tools, Prompts, Resources bool
	URIs                      []string
}
