package session

import (
	"bytes"

	"mcptui/client/trace"
)

func (s *Session) act(e trace.Event) {
	a := e.Act
	c := s.calls[a.Call]
	switch a.Kind {
	case trace.ActCall:
		c = &Call{ID: a.Call, Who: a.Who, Method: a.Method, Name: a.Name,
			Params: bytes.Clone(a.Value), Again: a.Again, Status: trace.Running, Begun: e.At, Hold: s.Conn.HoldAll}
		s.Calls = append(s.Calls, c)
		s.calls[a.Call] = c
	case trace.ActHold, trace.ActRelease:
		s.hold(c, a.Kind == trace.ActHold)
	case trace.ActAnswer, trace.ActLater, trace.ActReject:
		s.askAct(e)
	case trace.ActNote: // what is told of a list without naming an entry is why it could not be had
		if l := s.Catalogue.List(a.Method); l != nil && a.Name == "" {
			l.Loaded, l.Next, l.Error = true, "", firstOf(l.Error, a.Note)
		}
	}
	if c == nil {
		return
	}
	switch a.Kind {
	case trace.ActHeld:
		c.Held, c.Clean, c.Status, c.Wait = bytes.Clone(a.Value), bytes.Clone(a.Value), trace.Holding, nil
	case trace.ActEdit:
		c.Held = bytes.Clone(a.Value)
	case trace.ActSend:
		c.Held, c.Clean = nil, nil
	case trace.ActBranch:
		c.branched = a.Since
		back := a.Since
		if back == 0 {
			back = e.At
		}
		c.reopen(back)
		c.Note = ""
	case trace.ActTamper:
		s.Tampers = append(s.Tampers, Tamper{Call: c.ID, Round: len(c.Rounds) + 1, Preset: a.Name, Change: a.Note, Basis: bytes.Clone(a.Value)})
	case trace.ActWait:
		c.Wait = &Wait{Note: a.Note, Until: a.Until}
	case trace.ActEnd:
		c.Note = a.Note
		s.end(c, a.Status, e)
	}
}

// hold holds the retries of one call, or of all that were not told themselves.
func (s *Session) hold(c *Call, on bool) {
	if c != nil {
		c.Hold, c.told = on, true
		return
	}
	s.Conn.HoldAll = on
	for _, c := range s.Calls {
		if !c.told {
			c.Hold = on
		}
	}
}

func (s *Session) askAct(e trace.Event) {
	ask := s.asks[e.Act.Ask]
	if ask == nil || ask.Status == Sent {
		return
	}
	switch e.Act.Kind {
	case trace.ActAnswer:
		ask.Status, ask.Reply, ask.Answered = Staged, bytes.Clone(e.Act.Value), e.At
	case trace.ActLater:
		ask.Status = Later
	case trace.ActReject:
		ask.Note = firstOf(e.Act.Note, "rejected")
	}
}

// end closes a call, and with it what it still asks.
func (s *Session) end(c *Call, status trace.Status, e trace.Event) {
	c.Status, c.Ended, c.Wait, c.Held = status, e.At, nil, nil
	if r := c.LastRound(); r != nil && r.Turned == 0 {
		r.Turned = e.At
	}
	for _, r := range c.Rounds {
		for _, id := range r.Asks {
			if a := s.asks[id]; a.Status != Sent && a.Status != Withdrawn {
				a.Status = Moot
			}
		}
	}
}
