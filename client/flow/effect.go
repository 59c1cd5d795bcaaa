package flow

import (
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// Effect is one thing that the owner of a Flow has to do. Effects are done in
// the order in which they come out.
type Effect interface{ effect() }

// Send sends a message.
type Send struct{ wire.Message }

// Append puts an act or a phase into the log.
type Append struct{ Event trace.Event }

// Abort ends the wait for a request in the transport's own way.
type Abort struct{ ID rpc.ID }

// How says in which way a transport is opened.
type How int

// Ways of opening.
const (
	OpenFirst How = iota // for the first time
	OpenAgain            // close what there is, then open the same anew
	OpenSSE              // the same URL by the HTTP+SSE transport of 2024-11-05
)

// Open opens the transport; its outcome comes back through Flow.Opened.
type Open struct{ How How }

// Settle tells the transport what negotiation found; zero values mean that it
// begins again, with nothing of a session left.
type Settle struct {
	Era     trace.Era
	Version string
}

// Ready tells that calls can be made now.
type Ready struct{}

// Failed tells that the connection did not come about, or is lost.
type Failed struct {
	Kind   FailKind
	Reason string
}

// FailKind sorts the reasons for which a connection fails.
type FailKind string

// Reasons.
const (
	Unreachable  FailKind = "unreachable"  // could not be started or reached, or died before it was ready
	NotMCP       FailKind = "protocol"     // what answers does not speak the protocol, or no version in common
	Unauthorized FailKind = "unauthorized" // 401 or 403
	Timeout      FailKind = "timeout"
	Exited       FailKind = "exited" // was ready, and ended
)

func (Send) effect()   {}
func (Append) effect() {}
func (Abort) effect()  {}
func (Open) effect()   {}
func (Settle) effect() {}
func (Ready) effect()  {}
func (Failed) effect() {}
