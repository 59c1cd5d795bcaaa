// Package ui is the terminal UI: the one Bubble Tea model, which routes. It
// reads the log of a connection, folds it, draws, and tells a controller what
// the person wants; it knows no transport and no protocol. Its parts lie in
// packages of their own, as plain structs that draw into a rectangle and say
// what a key or a click meant.
package ui

import (
	"context"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/ask"
)

// Log is the log of a connection or of a recording.
type Log interface {
	// Next waits for events after a number, and returns all there are.
	Next(ctx context.Context, after int) ([]trace.Event, error)
	// Since is Next without waiting.
	Since(after int) []trace.Event
	// Event returns one event; it may read a file.
	Event(seq int) (trace.Event, bool)
	// Body returns the bytes of a frame; it may read a file.
	Body(seq int) ([]byte, error)
	// Now is the session's time.
	Now() time.Duration
}

// Options are what the UI works on. Only Log is needed, and that only where a
// server is connected.
type Options struct {
	Log     Log
	Control control.Controller // nil for a recording
	Server  string             // what is shown until the server introduces itself
	Words   []string           // what names the server on the command line, for commands that are copied; nil for what the session tells
	Start   time.Time          // wall clock at session time 0; zero for now
	Env     []string           // "NAME=value", for the colours
	Roots   []control.Root     // what is given where a server asks for roots
	Keys    []state.Key        // to verify requestStates for display
	// Principal are the headers of another person, for retries that are
	// tampered with; nil where there are none.
	Principal []trace.Header
	Timeout   time.Duration // of each request, to show the deadline; 0 shows none
	// Settle is how long an ask takes no text once it has come into sight, and how
	// long it, or a question whose answer has effects, must have been in sight
	// without a key before it can be answered: 0 for half a second, below 0 for not
	// at all.
	Settle time.Duration
	// Declares are the client capabilities, until some are on the wire.
	Declares json.RawMessage

	// Open opens a URL in a browser, once the person said so; nil where there is none.
	Open func(url string) error
	// Save writes bytes to a new file named after hint and returns its path; nil where nothing can be saved.
	Save func(hint string, body []byte) (path string, err error)
	// Record writes the events that keep accepts, of all that the log holds, to a
	// new file named after hint, as a recording with secrets masked, and returns
	// its path; nil where nothing can be saved. A nil keep accepts all.
	Record func(hint string, keep func(trace.Event) bool) (path string, err error)
	// Editor returns the command that edits a text file outside; nil where there is none.
	Editor func(text string) (run tea.ExecCommand, read func() (string, error), err error)
	// Sample asks a command of the person's for a model's answer; nil where there is none.
	Sample func(ctx context.Context, params json.RawMessage) (result json.RawMessage, err error)
	// Memory keeps something between runs; nil keeps nothing.
	Memory Memory
	// Here is the URI of the working directory, to be suggested as a root; "" suggests none.
	Here string
	// Switching leads to other servers; nil where there is one only.
	Switching *Switching
	// Suspends is that a shell is there that can bring the program back.
	Suspends bool
	// Unrecorded waits until the session cannot be recorded any more, and says why;
	// nil once all of it was, or ctx ends. Nil where nothing is recorded.
	Unrecorded func(ctx context.Context) error
	// Damage is why a recording could not be read beyond what Log holds; nil where
	// all of it was read.
	Damage error
	// Note is a line for the footer of the first screen.
	Note string
	// Form makes the editor of a value; nil for a form.
	Form func(schema []byte, value json.RawMessage) ask.Editor
}
