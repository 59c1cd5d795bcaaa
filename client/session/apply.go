package session

import (
	"bytes"
	"slices"
	"time"

	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Apply folds one event in. Events must come in the order of their numbers.
func (s *Session) Apply(e trace.Event) {
	row := RowOf(e)
	switch {
	case e.Frame != nil:
		s.frame(e, &row)
	case e.HTTP != nil:
		s.http(e, &row)
	case e.Noise != nil:
		s.Conn.Dropped += int64(e.Noise.Dropped)
		s.note(e.Seq, s.carried[e.Noise.Exchange], string(PartNoise))
	case e.Stderr != nil:
		s.Conn.Dropped += e.Stderr.Dropped
		s.Stderr.add(e.Stderr.Bytes, e.Stderr.Dropped)
		s.note(e.Seq, 0, string(PartStderr))
	case e.Phase != nil:
		s.phase(e)
	case e.Act != nil:
		s.act(e)
	}
	s.Rows.add(row)
}

func (s *Session) phase(e trace.Event) {
	p, c := e.Phase, &s.Conn
	// What the messages before its end tell of a server may stand behind that end in
	// the log. A connection that has ended begins again only with its start.
	if c.Phase != trace.PhaseExited || p.Name != trace.PhaseProbing && p.Name != trace.PhaseReady {
		c.Phase, c.Reason = p.Name, p.Reason
	}
	c.Steps = newest(append(c.Steps, Step{At: e.At, Phase: *p}), keepSteps)
	if p.Transport != "" {
		c.Transport = p.Transport
	}
	if p.Target != "" {
		c.Target = p.Target
	}
	if p.Era != "" {
		c.Era, c.Version = p.Era, p.Version
	}
	if p.PID != 0 {
		c.PID = p.PID
	}
	switch p.Name {
	case trace.PhaseStarting:
		c.Code, c.Signal, c.Era, c.Version = nil, "", "", ""
		clear(s.out) // a new peer knows nothing of old ids
		clear(s.in)
		s.Stderr.start()
	case trace.PhaseExited, trace.PhaseFailed:
		c.Code, c.Signal = p.Code, p.Signal
		for _, a := range s.Asks {
			if a.Owner.Kind == OfConnection && a.Status.Waiting() {
				a.Status = Moot
			}
		}
	}
}

func (s *Session) http(e trace.Event, row *Row) {
	h := e.HTTP
	row.Call = s.carried[h.Exchange]
	switch h.Stage {
	case trace.HTTPResponse:
		s.statuses[h.Exchange] = h.Status
	case trace.HTTPEnd, trace.HTTPFailed:
		for _, old := range s.exchanges.push(h.Exchange) {
			delete(s.statuses, old)
			delete(s.carried, old)
		}
	}
	if c := s.calls[row.Call]; c != nil {
		c.Frames = append(c.Frames, e.Seq)
	}
}

// note puts what has no id of its own beside the call that it came during: the
// call of its exchange, or the only one that is open.
func (s *Session) note(seq, call int, kind string) {
	c := s.calls[call]
	if c == nil {
		c = s.onlyOpen()
	}
	if c == nil {
		return
	}
	c.Related++
	if r := c.LastRound(); r != nil {
		r.note(seq, kind)
	}
}

// onlyOpen is the one call that the server works on, nil where there are none
// or several: a wrong link is worse than none.
func (s *Session) onlyOpen() *Call {
	var found *Call
	for i := len(s.Calls) - 1; i >= 0; i-- {
		if c := s.Calls[i]; !c.Status.Final() && len(c.Rounds) > 0 {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func (s *Session) frame(e trace.Event, row *Row) {
	m := e.Frame.Message()
	if e.Frame.Dir == trace.Out {
		s.sent(e, m, row)
	} else {
		s.Conn.LastIn = e.At
		s.came(e, m, row)
	}
	if c := s.calls[row.Call]; c != nil && (m.Kind != rpc.Notification || e.Frame.Dir == trace.Out) {
		c.Frames = append(c.Frames, e.Seq)
	}
}

func (s *Session) sent(e trace.Event, m rpc.Message, row *Row) {
	f := e.Frame
	switch m.Kind {
	case rpc.Request:
		p := &pending{seq: e.Seq, at: e.At, method: m.Method, name: row.Name, cause: f.Cause, exchange: f.Exchange}
		p.declared = bytes.Clone(rpc.Member(m.Params, "_meta", mrtr.Capabilities))
		if s.Catalogue.List(m.Method) != nil {
			p.params = bytes.Clone(m.Params)
		}
		s.out[m.ID] = p
		if caps := rpc.Member(m.Params, "_meta", "io.modelcontextprotocol/clientCapabilities"); caps != nil {
			s.Conn.Declared = bytes.Clone(caps)
		}
		switch m.Method {
		case "initialize":
			s.Conn.Declared = bytes.Clone(rpc.Member(m.Params, "capabilities"))
		case "subscriptions/listen":
			s.listens[m.ID] = true
		}
		if c := s.calls[f.Cause.Call]; c != nil {
			s.roundBegins(c, e, m)
		}
	case rpc.Result, rpc.Failure:
		s.answered(e, m, row)
	}
}

// roundBegins records a request that hands control to the server.
func (s *Session) roundBegins(c *Call, e trace.Event, m rpc.Message) {
	f := e.Frame
	if f.Exchange != 0 {
		s.carried[f.Exchange] = c.ID
	}
	if t := rpc.Member(m.Params, "_meta", "progressToken"); t != nil {
		s.tokens[string(t)] = c.ID
	}
	r := &Round{N: len(c.Rounds) + 1, Request: e.Seq, ID: m.ID, Begun: e.At, Edited: f.Cause.Edited}
	if st := rpc.Member(m.Params, "requestState"); st != nil {
		r.StateIn = &State{Raw: bytes.Clone(st)}
	}
	for _, old := range c.Rounds {
		if f.Cause.Retries != 0 && old.Response == f.Cause.Retries {
			r.Parent = old.N
			s.leave(c, old, e, m)
		}
	}
	c.Rounds = append(c.Rounds, r)
	c.Wait, c.Held, c.Clean = nil, nil, nil
	switch c.Status {
	case trace.Cancelled, trace.TimedOut, trace.Lost: // given up while it stood in a queue: it still leaves
	default:
		c.reopen(e.At)
	}
	c.branched = 0
}

// leave marks the asks of a round whose answers this request carries. Of a round
// that is answered once more they stay as they were.
func (s *Session) leave(c *Call, old *Round, e trace.Event, m rpc.Message) {
	given := rpc.Member(m.Params, "inputResponses")
	branch := slices.ContainsFunc(c.Rounds, func(r *Round) bool { return r.Parent == old.N })
	for _, id := range old.Asks {
		a := s.asks[id]
		reply := rpc.Member(given, id.Key)
		if old.visits { // agreeing is all, nothing of it is sent
			reply = a.Reply
		}
		switch {
		case branch:
			if reply != nil {
				given := Given{Request: e.Seq, Reply: bytes.Clone(reply)}
				if c.branched != 0 {
					given.Took = max(0, e.At-c.branched)
				}
				a.Again = append(a.Again, given)
			}
			continue
		case reply == nil:
			if a.Status != Sent {
				a.Status, a.Note = Moot, "the retry left it out"
			}
			continue
		}
		a.Reply, a.Answer, a.Status, a.Answered = bytes.Clone(reply), e.Seq, Sent, e.At
	}
}

// answered records our response to one of the server's own requests.
func (s *Session) answered(e trace.Event, m rpc.Message, row *Row) {
	p := s.in[m.ID]
	if p == nil {
		return
	}
	s.settled(s.in, m.ID, p, &s.inDone)
	row.Pair, row.Method, row.Name, row.Took = p.seq, p.method, p.name, e.At-p.at
	s.Rows.pair(p.seq, e.Seq)
	a := s.asks[p.ask]
	if a == nil {
		return
	}
	reply := m.Result
	if reply == nil {
		reply = m.Error
	}
	a.Reply, a.Answer, a.Status, a.Answered = bytes.Clone(reply), e.Seq, Sent, e.At
	row.Call, row.Round = a.Owner.Call, a.Owner.Round
	refused := m.Kind == rpc.Failure && a.Note == "" // nobody was asked
	if refused {
		a.Note = RefusedByClient
	}
	switch c := s.calls[a.Owner.Call]; {
	case c == nil || c.Status.Final():
	case refused:
		s.refused(c, a, row)
	default:
		s.turnToServer(c, e.At)
	}
}

// refused goes on with a round, an ask of which got an error at once: that gives
// the server nothing that would make it another one.
func (s *Session) refused(c *Call, a *Ask, row *Row) {
	r := c.LastRound()
	if a.Owner.Round != r.N {
		return
	}
	if r.Refused++; r.Refused > keepRefused {
		s.dropAsk(c, r, a)
		row.Call, row.Round = 0, 0
	}
	if !s.asking(r) {
		r.Turned, c.Status = 0, trace.Running
	}
}

func (s *Session) asking(r *Round) bool {
	for _, id := range r.Asks {
		if s.asks[id].Status.Waiting() {
			return true
		}
	}
	return false
}

// turnToServer begins a legacy call's next round once nothing of the last one
// is open any more.
func (s *Session) turnToServer(c *Call, at time.Duration) {
	r := c.LastRound()
	if r == nil || s.asking(r) {
		return
	}
	c.Rounds = append(c.Rounds, &Round{N: r.N + 1, Parent: r.N, ID: r.ID, Begun: at})
	c.Status = trace.Running
}

func nameOf(m rpc.Message) string {
	if n := rpc.Text(m.Params, "name"); n != "" {
		return n
	}
	return rpc.Text(m.Params, "uri")
}
