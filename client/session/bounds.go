package session

import (
	"slices"

	"mcptui/client/rpc"
)

// A server can send for as long as it likes. What the fold keeps of it is
// bounded here; the log still has every event.
const (
	keepLogs    = 2000
	keepChanges = 1000
	keepSteps   = 1000
	keepDone    = 4096 // requests that are settled, to know a second answer by its id
	keepAsks    = 1000 // asks that are settled and belong to no call
	keepRefused = 20   // asks of a round that the client refused by itself
	keepEnded   = 1024 // HTTP exchanges that have ended, for what comes late

	NotesFirst = 2000 // the first notes of a round that are kept
	notesLast  = 2000 // and the newest
)

// newest keeps between most and twice as many of the newest elements: its cost
// is spread over those that are added.
func newest[T any](list []T, most int) []T {
	if len(list) < 2*most {
		return list
	}
	return append(make([]T, 0, 2*most), list[len(list)-most:]...)
}

// queue is the order in which things may be forgotten.
type queue[T any] struct {
	most int
	list []T
}

// push adds an element and returns those that are to be forgotten.
func (q *queue[T]) push(v T) (old []T) {
	q.list = append(q.list, v)
	if len(q.list) < 2*q.most {
		return nil
	}
	old = q.list[:len(q.list)-q.most]
	q.list = append(make([]T, 0, 2*q.most), q.list[len(q.list)-q.most:]...)
	return old
}

// settled marks a request as answered or withdrawn. Requests whose ids were used
// again meanwhile stay.
func (s *Session) settled(all map[rpc.ID]*pending, id rpc.ID, p *pending, done *queue[rpc.ID]) {
	p.done = true
	for _, old := range done.push(id) {
		if q := all[old]; q != nil && q.done {
			delete(all, old)
		}
	}
}

// Told is how many notes of one kind came in a round: "log", "progress", "frame"
// for other notifications, "stderr", "noise".
type Told struct {
	Kind  string
	Count int
}

func (r *Round) note(seq int, kind string) {
	at := -1
	for i := range r.Told {
		if r.Told[i].Kind == kind {
			at = i
		}
	}
	if at < 0 {
		r.Told, at = append(r.Told, Told{Kind: kind}), len(r.Told)
	}
	r.Told[at].Count++
	r.Notes = append(r.Notes, seq)
	if cut := len(r.Notes) - NotesFirst - notesLast; cut >= notesLast {
		r.Notes = append(r.Notes[:NotesFirst], r.Notes[NotesFirst+cut:]...)
		r.NotesCut += cut
	}
}

// forgetAsks drops the oldest asks that nothing refers to any more: settled ones
// that belong to no call.
func (s *Session) forgetAsks() {
	if len(s.Asks) < 2*keepAsks {
		return
	}
	loose := 0
	for _, a := range s.Asks {
		if a.loose() {
			loose++
		}
	}
	if loose < keepAsks {
		return
	}
	kept := make([]*Ask, 0, len(s.Asks))
	for _, a := range s.Asks {
		if a.loose() && loose > keepAsks/2 {
			loose--
			delete(s.asks, a.ID)
			continue
		}
		kept = append(kept, a)
	}
	s.Asks = kept
}

// loose reports whether an ask is settled and belongs to no call.
func (a *Ask) loose() bool {
	return a.Owner.Kind == OfConnection && !a.Status.Waiting() && a.Status != Staged
}

// dropAsk forgets one that the client refused by itself, beyond the first of a
// round: a server can send them for as long as the call is open.
func (s *Session) dropAsk(c *Call, r *Round, a *Ask) {
	delete(s.asks, a.ID)
	s.Asks = without(s.Asks, a)
	r.Asks = without(r.Asks, a.ID)
	c.Frames = without(c.Frames, a.Request)
	s.Rows.disown(a.Request)
}

// without takes an element out that is among the newest.
func without[T comparable](list []T, one T) []T {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == one {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}
