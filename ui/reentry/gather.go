// Package reentry says what a handler did again. A call that asks runs its
// handler once a round, each time from the top: what stands above an ask is
// done again, and an ask has to be found again by its key. All of that is read
// from the log of the connection: what was written in several rounds, the time
// that went by before each ask, asks that drifted from run to run, states that
// did not change or only grew. Nothing is sent, and nothing is known of the
// handler but what crossed the wire.
//
// Gathering is quick and belongs to the goroutine that folds; [Read] reads
// bodies, which may lie in a file, and belongs in a command.
package reentry

import (
	"bytes"
	"time"

	"mcptui/client/session"
	"mcptui/client/trace"
)

// Facts are what the session knows of one call. They share nothing with the
// session that changes.
type Facts struct {
	rounds []round
	modern bool
	before *run // the last earlier run with the same arguments
}

type round struct {
	n, parent int
	server    time.Duration
	turned    bool // the server gave control back
	asks      []ask
	in, out   []byte // states as their raw JSON strings
	answered  bool   // it carries answers
	notes     []int  // events
	more      int    // notes beyond those that are read
}

type ask struct {
	key, method, message string
	params, reply        []byte
}

// run is another run of the same call.
type run struct {
	call   int
	rounds []round
}

// notesRead is how many notes of a round are read.
const notesRead = session.NotesFirst

// Gather takes the facts of a call out of the session.
func Gather(s *session.Session, c *session.Call) Facts {
	f := Facts{modern: s.Conn.Era != trace.Legacy}
	for _, r := range c.Rounds {
		f.rounds = append(f.rounds, gather(s, c, r))
	}
	if other := earlier(s, c); other != nil {
		f.before = &run{call: other.ID}
		for _, r := range other.Rounds {
			f.before.rounds = append(f.before.rounds, gather(s, other, r))
		}
	}
	return f
}

// earlier finds the call that this one runs again: the one that it names, else
// the last one with the same arguments that asked something.
func earlier(s *session.Session, c *session.Call) *session.Call {
	if other := s.Call(c.Again); other != nil {
		return other
	}
	var found *session.Call
	for _, o := range s.Calls {
		if o.ID >= c.ID {
			break
		}
		if o.Method == c.Method && o.Name == c.Name && bytes.Equal(o.Params, c.Params) && len(o.Rounds) > 0 && len(o.Rounds[0].Asks) > 0 {
			found = o
		}
	}
	return found
}

func gather(s *session.Session, c *session.Call, r *session.Round) round {
	out := round{n: r.N, parent: r.Parent, answered: r.Parent != 0, notes: r.Notes}
	if n := len(r.Notes); n > notesRead {
		out.notes, out.more = r.Notes[:notesRead], n-notesRead+r.NotesCut
	}
	out.notes = append([]int(nil), out.notes...)
	if r.Turned != 0 {
		out.server, out.turned = r.Turned-r.Begun, true
	}
	if r.StateIn != nil {
		out.in = r.StateIn.Raw
	}
	if r.StateOut != nil {
		out.out = r.StateOut.Raw
	}
	for _, id := range r.Asks {
		if a := s.Ask(id); a != nil {
			out.asks = append(out.asks, ask{key: a.ID.Key, method: a.Method, message: a.Message, params: a.Params, reply: a.Reply})
		}
	}
	return out
}

// Log reads what the session does not keep.
type Log interface {
	// Event returns an event; ok is false where there is none.
	Event(seq int) (e trace.Event, ok bool)
}
