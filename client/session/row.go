package session

import (
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Part names which part of an event is set.
type Part string

// Parts of events.
const (
	PartFrame  Part = "frame"
	PartHTTP   Part = "http"
	PartNoise  Part = "noise"
	PartStderr Part = "stderr"
	PartPhase  Part = "phase"
	PartAct    Part = "act"
)

// Row is one event as a line of the wire view.
type Row struct {
	Seq      int
	At       time.Duration
	Part     Part
	Dir      trace.Dir
	Kind     rpc.Kind
	ID       rpc.ID
	Method   string // of a response: that of its request
	Name     string // tool, prompt or URI
	Why      trace.Why
	Call     int
	Round    int
	Pair     int // the response of a request, the request of a response
	Took     time.Duration
	Size     int
	Exchange int
	Status   int    // HTTP status
	Code     int    // JSON-RPC error code
	Text     string // what a row without a method says, not cleaned
	Problem  string // what is wrong with the frame itself
}

func partOf(e trace.Event) Part {
	switch {
	case e.Frame != nil:
		return PartFrame
	case e.HTTP != nil:
		return PartHTTP
	case e.Noise != nil:
		return PartNoise
	case e.Stderr != nil:
		return PartStderr
	case e.Phase != nil:
		return PartPhase
	}
	return PartAct
}
