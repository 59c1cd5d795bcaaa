// Package compare says how two things that crossed the wire differ: two calls
// with all their rounds, two rounds, two entries of a list. It gathers the two
// sides out of the session, reads their bodies from the log, lists the
// differences, and draws them as a list with the value before and after. It
// sends nothing and knows no keys but those of lists.
//
// Gathering is quick and belongs to the goroutine that folds; [Diff] reads
// bodies, which may lie in a file, and belongs in a command.
package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mcptui/client/session"
	"mcptui/client/trace"
)

// Place names what is compared: a round of a call, or with Round 0 the call as
// a whole.
type Place struct{ Call, Round int }

// Whole reports whether the place is a call as a whole.
func (p Place) Whole() bool { return p.Round == 0 }

// String words the place: "call 3", "round 2 of call 3".
func (p Place) String() string {
	if p.Whole() {
		return fmt.Sprintf("call %d", p.Call)
	}
	return fmt.Sprintf("round %d of call %d", p.Round, p.Call)
}

// Side is one of the two that are compared: what the session knows of it, and
// which events hold the rest. It shares nothing with the session that changes.
type Side struct {
	Place  Place
	call   callFacts
	rounds []roundFacts
}

// callFacts are those of a call as a whole.
type callFacts struct {
	method, name, who, status, note string
	count                           int // of rounds, on all branches
	total                           time.Duration
	ids                             []string // of its requests
}

// withoutIDs is why a call ended, without the ids of its requests: they differ
// from run to run.
func (c *callFacts) withoutIDs() string {
	note := c.note
	for _, id := range c.ids {
		note = strings.ReplaceAll(note, "(id "+id+")", "(id)")
	}
	return note
}

// roundFacts are those of one round.
type roundFacts struct {
	n                 int
	request, response int // frames, 0 for none
	http              []int
	asks              []askFacts
	answered          []string // keys that the round before asked
	in, out           []byte   // states as their raw JSON strings
	strange           bool     // the state that came in is not the one that the round before gave
	server, person    time.Duration
}

type askFacts struct {
	key, method, message, status string
	params, reply                []byte
}

// Gather takes one side out of the session; ok is false where there is no such
// call or round.
func Gather(s *session.Session, p Place) (side Side, ok bool) {
	c := s.Call(p.Call)
	if c == nil || !p.Whole() && c.Round(p.Round) == nil {
		return Side{}, false
	}
	side = Side{Place: p, call: callFacts{
		method: c.Method, name: c.Name, who: string(c.Who), status: string(c.Status), note: c.Note, count: len(c.Rounds),
	}}
	for _, r := range c.Rounds {
		if r.ID != "" {
			side.call.ids = append(side.call.ids, string(r.ID))
		}
	}
	if c.Ended != 0 {
		side.call.total = c.Lasted(c.Ended)
	}
	if !p.Whole() {
		side.rounds = []roundFacts{gatherRound(s, c, c.Round(p.Round))}
		return side, true
	}
	for _, r := range line(c) {
		if n := len(side.rounds); n > 0 {
			side.rounds[n-1].answeredBy(s, c.Round(r.Parent), r)
		}
		side.rounds = append(side.rounds, gatherRound(s, c, r))
	}
	return side, true
}

// line returns the rounds that lead to the newest one. A call is a tree where
// a round was answered twice.
func line(c *session.Call) []*session.Round {
	var out []*session.Round
	for r := c.LastRound(); r != nil; r = c.Round(r.Parent) {
		out = append(out, r)
		if r.Parent >= r.N { // of a recording that is broken
			break
		}
	}
	slices.Reverse(out)
	return out
}

func gatherRound(s *session.Session, c *session.Call, r *session.Round) roundFacts {
	f := roundFacts{n: r.N, request: r.Request, response: r.Response}
	if f.request != 0 {
		f.http = exchange(s, f.request)
	}
	if r.StateIn != nil {
		f.in = r.StateIn.Raw
		parent := c.Round(r.Parent)
		f.strange = parent == nil || parent.StateOut == nil || string(parent.StateOut.Raw) != string(f.in)
	}
	if parent := c.Round(r.Parent); parent != nil {
		for _, id := range parent.Asks {
			f.answered = append(f.answered, id.Key)
		}
	}
	if r.StateOut != nil {
		f.out = r.StateOut.Raw
	}
	if r.Turned != 0 {
		f.server = r.Turned - r.Begun
	}
	for _, id := range r.Asks {
		a := s.Ask(id)
		if a == nil {
			continue
		}
		f.asks = append(f.asks, askFacts{
			key: a.ID.Key, method: a.Method, message: a.Message, status: string(a.Status), params: a.Params, reply: a.Reply,
		})
		if a.Answered > r.Turned {
			f.person = max(f.person, a.Answered-r.Turned)
		}
	}
	return f
}

// answeredBy puts in the answers with which a branch goes on, where a round was
// answered more than once, and how long the person took for them.
func (f *roundFacts) answeredBy(s *session.Session, of, next *session.Round) {
	again := false
	for i, at := 0, 0; of != nil && i < len(of.Asks); i++ {
		a := s.Ask(of.Asks[i])
		if a == nil {
			continue
		}
		if reply := a.CarriedBy(next.Request); reply != nil && next.Request != a.Answer {
			if !again {
				f.person, again = 0, true
			}
			f.asks[at].reply, f.person = reply, max(f.person, a.TookFor(next.Request))
		}
		at++
	}
}

// exchange returns the HTTP events of the exchange that carried a frame.
func exchange(s *session.Session, seq int) []int {
	n := s.Rows.Row(seq).Exchange
	if n == 0 {
		return nil
	}
	const before, behind, most = 200, 20_000, 8 // how far away they are looked for
	var out []int
	for i := max(0, seq-before); i < min(s.Rows.Len(), seq+behind) && len(out) < most; i++ {
		if r := s.Rows.Row(i + 1); r.Part == session.PartHTTP && r.Exchange == n {
			out = append(out, r.Seq)
		}
	}
	return out
}

// Log reads what the session does not keep.
type Log interface {
	// Body returns the bytes of a frame.
	Body(seq int) ([]byte, error)
	// Event returns an event; ok is false where there is none.
	Event(seq int) (e trace.Event, ok bool)
}
