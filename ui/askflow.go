package ui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/ladder"
	"mcptui/ui/text"
)

// panel returns what is typed so far for an ask; it is made once and kept until
// the answer is on the wire.
func (m *Model) panel(a *session.Ask) *ask.Panel {
	if p := m.panels[a.ID]; p != nil {
		return p
	}
	w := m.with(a)
	if c := m.sess.Call(a.Owner.Call); c != nil {
		w.Call = calledName(c)
	}
	p := ask.New(a, w)
	p.Strip = func(t *draw.Theme) draw.Line { return m.strip(t, a) }
	m.panels[a.ID] = p
	return p
}

// strip shows how the asks stand that leave together, or that stood open at the
// same time; it is empty for a single one.
func (m *Model) strip(t *draw.Theme, at *session.Ask) draw.Line {
	together := m.together(at)
	if len(together) < 2 {
		return nil
	}
	kinds := map[string]int{}
	var line draw.Line
	for _, a := range together {
		mark, st := "◆ ", t.Ask
		if !a.Status.Waiting() {
			mark, st = "✓ ", t.Good
		}
		name := mark + ladder.AskName(a)
		if a.ID.Key == "" { // the kind is all that names it
			kind := ladder.AskName(a)
			if kinds[kind]++; kinds[kind] > 1 {
				name += fmt.Sprintf(" %d", kinds[kind])
			}
		}
		if a.ID == at.ID {
			line = line.With(draw.Reverse(st), " "+name+" ")
		} else {
			line = line.With(st, " "+name+" ")
		}
	}
	return line
}

// together are the asks of an ask's round. Where each leaves at once, they are
// those of its call that wait, and those that were answered since it came.
func (m *Model) together(at *session.Ask) []*session.Ask {
	var out []*session.Ask
	if len(at.SendsWith) > 0 {
		for _, id := range at.SendsWith {
			if a := m.sess.Ask(id); a != nil {
				out = append(out, a)
			}
		}
		return out
	}
	for _, a := range m.sess.Asks {
		if a.Owner.Call != at.Owner.Call || len(a.SendsWith) > 0 {
			continue
		}
		if a.Status.Waiting() || a.ID == at.ID || a.Status == session.Sent && a.Answered > at.At {
			out = append(out, a)
		}
	}
	return out
}

// seen counts how often a server asked for the same URL before.
func (m *Model) seen(a *session.Ask) int {
	if a.Kind != session.URL {
		return 0
	}
	n := 0
	for _, b := range m.sess.Asks {
		if b.N < a.N && b.Kind == session.URL && rpc.Text(b.Params, "url") == rpc.Text(a.Params, "url") {
			n++
		}
	}
	return n
}

// forget drops the panels of asks whose answers are on the wire or that nobody
// waits for any more.
func (m *Model) forget() {
	for id := range m.panels {
		if a := m.sess.Ask(id); a == nil || !answerable(a) {
			delete(m.panels, id)
		}
	}
}

// chooseAsk puts an ask of the open call into its screen: the one that was
// chosen as long as it can be answered, else the first that waits. It never
// gives an ask the keyboard that the last one did not leave to it.
func (m *Model) chooseAsk() {
	m.forget()
	a := m.sess.Ask(m.shown)
	if a != nil && a.Owner.Call == m.call {
		switch {
		case a.Status.Waiting(), a.Status == session.Staged && m.picked == a.ID:
			return
		case m.focus == paneNow && (a.Status == session.Withdrawn || a.Status == session.Moot):
			m.takenAway(a)
		}
	}
	for _, wanted := range []session.AskStatus{session.Open, session.Later} {
		for _, b := range m.sess.Asks {
			if b.Owner.Call == m.call && b.Status == wanted {
				m.shown = b.ID
				return
			}
		}
	}
	if a != nil && a.Status != session.Staged {
		m.shown = trace.AskID{}
	}
}

// takenAway deals with an ask that ended under the person's hands: what is still
// typed must not go to the next one, nor be taken for commands.
func (m *Model) takenAway(a *session.Ask) {
	m.focus = paneList
	m.taken = "not asked any more: " + m.whyTaken(a) + ". Esc goes on"
	m.say(m.taken)
}

// whyTaken says why nobody waits for the answer to an ask.
func (m *Model) whyTaken(a *session.Ask) string {
	conn, c := &m.sess.Conn, m.sess.Call(a.Owner.Call)
	switch {
	case a.Note != "":
		return text.CleanLine(a.Note)
	case conn.Phase == trace.PhaseExited && conn.Signal != "":
		return "the server was ended by " + text.CleanLine(conn.Signal)
	case conn.Phase == trace.PhaseExited && conn.Code != nil:
		return fmt.Sprintf("the server exited with code %d", *conn.Code)
	case conn.Phase == trace.PhaseExited, conn.Phase == trace.PhaseFailed:
		return "the connection has ended"
	case conn.Phase != trace.PhaseReady:
		return "the connection is made anew"
	case c != nil && c.Note != "":
		return text.CleanLine(c.Note)
	}
	return "its call has ended"
}

// swallows takes the keys that were meant for an ask that was taken away, until
// one that shows that the person has seen it.
func (m *Model) swallows(k tea.KeyPressMsg) bool {
	if m.taken == "" || m.overlay != nil || m.entry != nil || m.switching != nil || m.unseen() {
		return false
	}
	said := m.taken
	switch k.String() {
	case "esc", "enter":
		m.taken, m.note = "", note{}
		return true
	case "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "tab", "shift+tab", "ctrl+c":
		m.taken = ""
		return false
	}
	m.say(said)
	return true
}

// nextAsk goes to the next ask that waits for an answer, in its own call's
// screen.
func (m *Model) nextAsk() {
	waiting := m.sess.Waiting()
	if len(waiting) == 0 {
		m.say("nothing is asked")
		return
	}
	next := waiting[0]
	for i, a := range waiting {
		if a.ID == m.shown && (m.place == atCall || m.place == atAsk) && i+1 < len(waiting) {
			next = waiting[i+1]
		}
	}
	m.place, m.call, m.shown, m.focus, m.zoom = atCall, next.Owner.Call, next.ID, paneNow, false
	if m.sess.Call(m.call) == nil {
		m.place = atAsk // it belongs to no call
	}
	m.ladder.Follow()
}

// panelAct does what the person chose in the panel that has the keyboard.
func (m *Model) panelAct(p *ask.Panel, act ask.Act) tea.Cmd {
	cmd := m.panelDo(p, act)
	m.swallowed(p)
	return cmd
}

func (m *Model) panelDo(p *ask.Panel, act ask.Act) tea.Cmd {
	if act == ask.None {
		return p.Cmd()
	}
	if m.place == atArgs {
		return m.argsAct(act)
	}
	if d := m.drafts[m.call]; m.place == atCall && d != nil {
		return m.draftAct(d, act)
	}
	a := m.sess.Ask(m.shown)
	if a == nil {
		return nil
	}
	return m.answer(a, m.panel(a), act)
}

// inHand is the ask that has the keyboard. That it was set aside before is what the
// log says of then; looking at it again decides nothing, and so is no act of the log.
func (m *Model) inHand() trace.AskID {
	p, _ := m.typing()
	if p == nil || p != m.panels[m.shown] {
		return trace.AskID{}
	}
	return m.shown
}

func (m *Model) answer(a *session.Ask, p *ask.Panel, act ask.Act) tea.Cmd {
	id := a.ID
	m.picked = trace.AskID{}
	m.ladder.Follow()
	switch act {
	case ask.Later:
		m.focus = paneList
		if m.place == atAsk {
			m.up()
		}
		const said = "set aside: ! comes back to it"
		if a.Status != session.Open {
			if a.Status == session.Later {
				m.say(said) // as before
			}
			return nil
		}
		return m.do(func(c control.Controller) doneMsg { return doneMsg{err: c.Later(id), ask: id, said: said} })
	case ask.Abandon:
		m.focus = paneList
		if a.Owner.Call == 0 {
			m.say("this ask belongs to no call")
			return nil
		}
		return m.cancelCall(a.Owner.Call)
	case ask.OpenURL, ask.CopyURL:
		return m.openURL(a, act)
	case ask.Sampler:
		return m.sample(a, p)
	}
	var value json.RawMessage
	if act == ask.Send {
		v, ok := p.Value()
		if !ok {
			return nil
		}
		value = v
	}
	reply := ask.Reply(a, act, value)
	if a.Kind == session.Roots && act == ask.Send {
		return tea.Batch(m.settleAsk(id, reply), m.gave(id, value))
	}
	return m.settleAsk(id, reply)
}

func (m *Model) settleAsk(id trace.AskID, reply control.Reply) tea.Cmd {
	return m.do(func(c control.Controller) doneMsg {
		err := c.Answer(id, reply, trace.Person)
		return doneMsg{err: err, ask: id, then: func(m *Model) tea.Cmd { m.unsentAnswer(id); return nil }}
	})
}

// unsentAnswer says why an answer that was taken has not left, where there is
// no connection that it could leave by.
func (m *Model) unsentAnswer(id trace.AskID) {
	a := m.sess.Ask(id)
	if a == nil || a.Status == session.Sent || a.Owner.Call == 0 {
		return
	}
	for _, other := range a.SendsWith {
		if b := m.sess.Ask(other); other != id && b != nil && b.Status.Waiting() {
			return // it is not due yet
		}
	}
	switch m.sess.Conn.Phase {
	case trace.PhaseExited, trace.PhaseFailed:
		m.say("not sent: there is no connection. Esc, then R reconnects, then a sends it")
	case trace.PhaseStarting, trace.PhaseReconnecting, trace.PhaseProbing:
		m.say("it leaves as soon as the connection is ready")
	}
}

func (m *Model) openURL(a *session.Ask, act ask.Act) tea.Cmd {
	url := rpc.Text(a.Params, "url")
	if why := ask.Inspect(url).Refused; why != "" {
		m.say("not opened: " + text.CleanLine(why))
		return nil
	}
	if act == ask.CopyURL || m.opts.Open == nil {
		m.say("the URL is in the clipboard")
		return tea.SetClipboard(url)
	}
	return m.run(func() doneMsg { return doneMsg{err: m.opts.Open(url), said: "opened in the browser"} })
}

// serverName is what the server is called on the screen.
func (m *Model) serverName() string {
	s := m.sess.Conn.Server
	switch {
	case s.Name != "":
		return text.CleanLine(s.Name)
	case m.opts.Server != "":
		return text.CleanLine(m.opts.Server)
	case m.sess.Conn.Target != "":
		return text.CleanLine(m.sess.Conn.Target)
	}
	return "the server"
}

func calledName(c *session.Call) string { return ladder.Name(c) }
