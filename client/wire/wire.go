// Package wire moves bytes between mcptui and a server: over a child's standard
// streams, over HTTP in each of its three generations, and through a pipe inside
// the process. It knows framing, headers, streams and processes, and nothing of
// calls or asks: package flow decides what to send, and what an answer means.
package wire

import (
	"context"

	"mcptui/client/trace"
)

// Emit puts an event into the log and returns its number. Transports emit every
// frame, exchange, stray byte and phase themselves, at the moment it happens,
// so that nothing can cross the wire unseen. Emit never blocks on a reader of
// the log.
type Emit func(trace.Event) int

// Message is one message to send.
type Message struct {
	Bytes   []byte
	Cause   trace.Cause
	Headers []trace.Header // HTTP: what this message needs beside the transport's own
	Request bool           // an answer is due: HTTP keeps its response open
	ID      string         // the raw JSON id of a request, by which Abort finds it

	// Failed is told, from another goroutine, when a byte stream did not take a
	// message although its server lives: Send has queued it long before. Nil tells
	// nobody. HTTP has an event for it.
	Failed func(error)
}

// Transport carries messages to one server. Its methods may be called from one
// goroutine at a time; none waits for the server, but Start and Close.
type Transport interface {
	// Start opens the connection: starts the child, or checks the URL.
	Start(ctx context.Context) error
	// Send queues one message. An error means that it cannot have left; what
	// fails later is an event: an HTTP event that says Lost, or Phase exited.
	// Messages leave in the order of Send. The event of the frame comes from
	// another goroutine when the message leaves, and before any answer to it;
	// over HTTP it comes for a message that could not be sent, too, so that
	// the loss has something to refer to.
	Send(m Message) error
	// Abort ends the wait for a request in the transport's own way where it has
	// one (HTTP closes the response stream) and reports whether it has.
	Abort(id string) bool
	// Settled tells the transport what negotiation found: HTTP adapts its
	// headers, and opens the standalone stream of the legacy era.
	Settled(era trace.Era, version string)
	// Close ends the connection in order, with its stages as events, and
	// returns when nothing of it is left.
	Close(ctx context.Context) error
}

var (
	_ Transport = (*Child)(nil)
	_ Transport = (*Pipe)(nil)
	_ Transport = (*Streamable)(nil)
	_ Transport = (*EventStream)(nil)
)
