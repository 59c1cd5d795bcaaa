package ui

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// restart ends the server and begins it again, or connects again to one that is
// far.
func (m *Model) restart() tea.Cmd {
	return m.connectAnew("Restart", func(c control.Controller) error { return c.Restart() })
}

// reconnect is restart that lets a child live.
func (m *Model) reconnect() tea.Cmd {
	return m.connectAnew("Connect again", func(c control.Controller) error { return c.Reconnect() })
}

// connectAnew asks first where a call that is open would be lost. Act is what the
// person wants to do, as a sentence begins with it.
func (m *Model) connectAnew(act string, how func(control.Controller) error) tea.Cmd {
	again := func(m *Model) tea.Cmd {
		before := m.settled
		return m.do(func(c control.Controller) doneMsg {
			return doneMsg{err: how(c), then: func(m *Model) tea.Cmd {
				if m.settled == before { // else it is done already
					m.note = note{text: "connecting anew", anew: true}
				}
				return nil
			}}
		})
	}
	lost := m.lostAnew()
	if m.opts.Control == nil || len(lost) == 0 {
		return again(m)
	}
	c := lost[0]
	why := fmt.Sprintf("Call %d %s is open and would be lost.", c.ID, calledName(c))
	if n := len(lost) - 1; n > 0 {
		why = fmt.Sprintf("Call %d %s and %s are open and would be lost.", c.ID, calledName(c), text.Count(n, "other"))
	}
	m.overlay = &confirm{text: why + " " + act + " all the same?", yes: again}
	return nil
}

// lostAnew are the calls that end with the connection: those of which a request
// is open. A modern round that waits for the person has none.
func (m *Model) lostAnew() (lost []*session.Call) {
	if m.sess.Conn.Phase != trace.PhaseReady {
		return nil // there is no connection that they could lie open on
	}
	for _, c := range m.sess.Calls {
		if c.Status == trace.Running && c.Wait == nil || !c.Status.Final() && m.sess.Conn.Era == trace.Legacy {
			lost = append(lost, c)
		}
	}
	return lost
}

// connectedAnew takes "connecting anew" away once it is done, or has failed: the
// status line and the findings say how.
func (m *Model) connectedAnew(e trace.Event) {
	if e.Phase == nil {
		return
	}
	switch e.Phase.Name {
	case trace.PhaseExited: // the old server's end is a step on the way
		steps := m.sess.Conn.Steps
		if n := len(steps); n < 2 || steps[n-2].Name != trace.PhaseStarting && steps[n-2].Name != trace.PhaseProbing {
			return
		}
	case trace.PhaseReady, trace.PhaseFailed:
	default:
		return
	}
	m.settled = e.Seq
	if m.note.anew {
		m.note = note{}
	}
}

// unreachable reports whether nothing can be sent because the connection has ended,
// and says what to press then.
func (m *Model) unreachable() bool {
	switch m.sess.Conn.Phase {
	case trace.PhaseExited, trace.PhaseFailed:
	default:
		return false
	}
	if m.opts.Control == nil {
		return false
	}
	restart := keys.Of(keys.Restart) + " connects again"
	if p, _ := m.typing(); p != nil || m.overlay != nil { // there a letter types
		m.fail(errors.New("there is no connection: what was typed stays. " + keys.Of(keys.Later) + ", then " + restart))
	} else {
		m.fail(errors.New("not sent: there is no connection. " + restart))
	}
	return true
}
