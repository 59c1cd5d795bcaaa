package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// acts are what the person wants done, one after the other: commands run side
// by side, and an answer must not overtake what was said before it.
type acts struct {
	queue []func() doneMsg
	busy  bool
}

// doneMsg says what came of an act.
type doneMsg struct {
	err  error
	said string      // for the footer, where it went well
	file string      // a file that was written, for the footer
	call int         // a call that begun
	ask  trace.AskID // the ask that was answered
	then func(*Model) tea.Cmd
	// aside marks news that is not the end of the act that is under way.
	aside bool
}

var errRecording = errors.New("this is a recording: nothing can be sent")

// do queues an act on the connection.
func (m *Model) do(f func(control.Controller) doneMsg) tea.Cmd {
	c := m.opts.Control
	if c == nil {
		m.fail(errRecording)
		return nil
	}
	return m.run(func() doneMsg { return f(c) })
}

// run queues anything that takes time.
func (m *Model) run(f func() doneMsg) tea.Cmd {
	m.acts.queue = append(m.acts.queue, f)
	return m.next()
}

func (m *Model) next() tea.Cmd {
	if m.acts.busy || len(m.acts.queue) == 0 {
		return nil
	}
	f := m.acts.queue[0]
	m.acts.queue, m.acts.busy = m.acts.queue[1:], true
	return func() tea.Msg { return f() }
}

func (m *Model) done(msg doneMsg) tea.Cmd {
	m.acts.busy = m.acts.busy && msg.aside
	switch {
	case msg.err != nil:
		if p := m.panels[msg.ask]; p != nil {
			p.Fail(msg.err) // what was typed stays, and so does the reason
		} else {
			m.fail(msg.err)
		}
	case msg.call != 0:
		m.enterCall(msg.call)
	case msg.file != "":
		m.note = note{text: "saved to", file: msg.file}
	case msg.said != "":
		m.say(msg.said)
	}
	var then tea.Cmd
	if msg.then != nil && msg.err == nil {
		then = msg.then(m)
	}
	return tea.Batch(then, m.next())
}

// begin begins a call and goes to its screen.
func (m *Model) begin(r control.Request) tea.Cmd {
	if m.unreachable() {
		return nil
	}
	return m.do(func(c control.Controller) doneMsg {
		call, err := c.Call(r)
		return doneMsg{err: err, call: call}
	})
}

// giveUp gives a call up; it asks first where something that was typed would go
// with it.
func (m *Model) giveUp(c *session.Call) tea.Cmd {
	then := func(m *Model) tea.Cmd { return m.cancelCall(c.ID) }
	if why := m.begunIn(c); why != "" && !c.Status.Final() {
		ask := &confirm{text: why + " Give the call up all the same?", yes: then}
		ask.focus(sayNo) // a key pressed without reading must not be what loses it
		m.overlay = ask
		return nil
	}
	return then(m)
}

// begunIn says what was typed for a call and has not left, "" for nothing.
func (m *Model) begunIn(c *session.Call) string {
	if d := m.drafts[c.ID]; d != nil && d.shown().Changed() {
		return "A retry was edited."
	}
	var names []string
	for _, a := range m.sess.Asks {
		if p := m.panels[a.ID]; a.Owner.Call == c.ID && p != nil && answerable(a) && p.Changed() {
			names = append(names, askTitle(a))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "The answer to " + m.quoted(names) + " was begun."
}

func (m *Model) cancelCall(id int) tea.Cmd {
	if c := m.sess.Call(id); c == nil || c.Status.Final() {
		m.say("this call has ended")
		return nil
	}
	return m.do(func(c control.Controller) doneMsg {
		return doneMsg{err: c.Cancel(id, "given up by the person"), said: "the call was given up"}
	})
}

func (m *Model) rerun(id int) tea.Cmd {
	return m.do(func(c control.Controller) doneMsg {
		call, err := c.Rerun(id)
		return doneMsg{err: err, call: call, then: func(m *Model) tea.Cmd { m.compared.due = call; return m.rerunEnded() }}
	})
}

func (m *Model) hold(call int, on bool) tea.Cmd {
	said := "retries are held: a sends, X drops"
	if !on {
		said = "retries are not held any more"
	}
	return m.do(func(c control.Controller) doneMsg {
		return doneMsg{err: c.Hold(call, on), said: said}
	})
}
