package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/keys"
)

// limitMet is the limit of rounds that a call met: it ended with the round that
// asked beyond it.
func limitMet(c *session.Call) int {
	n := 0
	for r := c.LastRound(); r != nil; r = c.Round(r.Parent) {
		if len(r.Asks) > 0 || r.Refused > 0 || r.StateOut != nil {
			n++
		}
	}
	return max(1, n-1)
}

// moreRoundsWords say how a call that met the limit of rounds can go on.
func (m *Model) moreRoundsWords(c *session.Call) string {
	n := limitMet(c)
	if m.retries() {
		return fmt.Sprintf("%s permits %d more rounds, and goes on from the last one: what it asked is asked again", keys.Of(keys.Extend), n)
	}
	return fmt.Sprintf("%s permits %d rounds from now on; its request was given up: %s runs it again", keys.Of(keys.Extend), 2*n, keys.Of(keys.Rerun))
}

// moreRounds permits as many rounds again as the call had. In the modern era it
// goes on from its last round; the one request of a legacy call is given up.
func (m *Model) moreRounds(c *session.Call) tea.Cmd {
	limit, last := 2*limitMet(c), c.LastRound()
	if last == nil {
		return nil
	}
	goesOn := m.retries()
	return m.do(func(k control.Controller) doneMsg {
		msg := doneMsg{err: k.Set(control.Setting{Rounds: &limit}), said: fmt.Sprintf("%d rounds are permitted from now on", limit)}
		if !goesOn {
			msg.said += "; " + keys.Of(keys.Rerun) + " runs the call again"
			return msg
		}
		msg.then = func(m *Model) tea.Cmd {
			if m.sess.Conn.Era != trace.Modern || m.drafts[c.ID] != nil {
				return nil // it was reconnected, or is gone on with
			}
			m.enterCall(c.ID)
			return m.branchAt(c, last.N)
		}
		return msg
	})
}
