package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// scope says which keys apply where the person is.
func (m *Model) scope() keys.Scope {
	if m.overlay != nil {
		if _, ok := m.overlay.(*requestForm); ok {
			return keys.Form
		}
		return keys.Overlay
	}
	if p, isAsk := m.typing(); p != nil {
		if isAsk {
			return keys.Form | keys.Ask
		}
		return keys.Form
	}
	s := keys.Browse | keys.Tabs
	if m.opts.Control != nil {
		s |= keys.Live
	}
	if m.place == atCall {
		s |= keys.Call | keys.Panes | keys.Document
		if m.focus == paneList {
			s |= keys.List
		} else {
			s |= keys.Search
		}
		if c := m.openCall(); c != nil && c.Status == trace.Holding {
			s |= keys.Held
		}
		return s
	}
	s |= keys.List
	switch m.tab {
	case tabCalls:
		if c := m.sess.Call(m.calls.Selected(m.sess)); c != nil {
			s |= keys.Call
			if c.Status == trace.Holding {
				s |= keys.Held
			}
		}
	case tabCatalogue:
		s |= keys.Catalogue | keys.Panes | keys.Search
	case tabWire:
		s |= keys.Panes | keys.Search
	case tabServer:
		s |= keys.Search
	}
	return s
}

// typing returns the panel that has the keyboard, and whether it answers an
// elicitation.
func (m *Model) typing() (p *ask.Panel, elicits bool) {
	switch m.place {
	case atArgs:
		if f := m.args[m.arg]; f != nil {
			return f.panel, false
		}
	case atCall, atAsk:
		if m.focus != paneNow {
			return nil, false
		}
		if d := m.drafts[m.call]; m.place == atCall && d != nil {
			return d.shown(), d.again != nil && d.again.asks[d.again.at].Method == "elicitation/create"
		}
		if a := m.sess.Ask(m.shown); a != nil && answerable(a) && m.opts.Control != nil {
			return m.panel(a), a.Method == "elicitation/create"
		}
	}
	return nil, false
}

func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if keys.Lookup(m.scope(), k) == keys.Suspend {
		return m.suspend()
	}
	if m.unseen() {
		if i := keys.Lookup(keys.Browse, k); i == keys.Quit || i == keys.Back {
			return m.quitUnseen()
		}
		return nil // what cannot be seen is not acted on
	}
	if m.switching != nil { // what is typed now was meant for neither server
		if keys.Lookup(keys.Overlay, k) == keys.Quit {
			return m.end()
		}
		return nil
	}
	if m.entry != nil && m.overlay == nil {
		return m.entryKey(k)
	}
	if m.overlay != nil {
		if keys.Lookup(keys.Overlay, k) == keys.Quit {
			return m.quit()
		}
		if d, ok := m.overlay.(decider); ok && d.decides(k) && m.tooEarly(keys.Name(k.String())) {
			return nil
		}
		return m.overlay.key(m, k)
	}
	intent := keys.Lookup(m.scope(), k)
	switch intent {
	case keys.Quit:
		return m.quit()
	case keys.Redraw:
		return tea.ClearScreen
	case keys.Help:
		p, _ := m.typing()
		m.overlay = newHelp(m.scope(), p)
		return nil
	}
	if p, _ := m.typing(); p != nil {
		if intent != keys.None {
			return m.panelAct(p, p.Do(intent))
		}
		return m.panelAct(p, p.Key(k))
	}
	return m.browse(intent, k)
}

// browse does what a key means outside of forms.
func (m *Model) browse(i keys.Intent, k tea.KeyPressMsg) tea.Cmd {
	if i == keys.None && m.opts.Control == nil { // of a key that needs a server it is said why it does nothing
		i = keys.Lookup(m.scope()|keys.Live, k)
	}
	switch i {
	case keys.None:
		return nil
	case keys.Palette:
		m.overlay = newPalette(m)
	case keys.NextAsk:
		m.nextWaiting()
	case keys.Back:
		if m.place == atHome {
			return m.quit()
		}
		m.up()
	case keys.Escape:
		m.escape()
	case keys.Restart:
		return m.restart()
	case keys.Servers:
		if m.opts.Control == nil {
			m.fail(errRecording)
			return nil
		}
		return m.switchServer()
	case keys.Hold:
		return m.toggleHold()
	case keys.ZoomIn:
		m.zoom = true
	case keys.ZoomOut:
		m.zoom = false
	case keys.TabNumber:
		m.goTab(int(k.Code - '1'))
	case keys.NextTab:
		m.goTab(m.tabAt() + 1)
	case keys.PrevTab:
		m.goTab(m.tabAt() - 1)
	case keys.NextPane:
		m.movePane(1)
	case keys.PrevPane:
		m.movePane(-1)
	case keys.Filter:
		m.startEntry()
	case keys.Copy:
		return m.copy()
	case keys.Save:
		return m.save()
	case keys.Record:
		return m.record()
	case keys.Mark, keys.Compare:
		return m.markOrCompare(i)
	case keys.Rerun, keys.CancelCall, keys.Extend, keys.SendOne, keys.Drop, keys.Branch, keys.Tamper, keys.SendAll:
		return m.onCall(i)
	default:
		if m.place == atCall {
			return m.callDo(i)
		}
		return m.homeDo(i)
	}
	return nil
}

// escape goes one level up: zoom, filter, search, then the screen above.
func (m *Model) escape() {
	switch {
	case m.zoom:
		m.zoom = false
	case m.place == atCall:
		m.up()
	case m.tab == tabCatalogue && m.catalogue.Filter != "":
		m.catalogue.SetFilter("", m.sess)
	case m.tab == tabWire && m.wire.Filter() != "":
		_ = m.wire.SetFilter("", m.sess) // an empty filter can be read
	case m.focus != paneList:
		m.focus = paneList
	case m.tab != tabCalls && len(m.sess.Calls) > 0:
		m.tab = tabCalls
	}
}

// up leaves the call's screen or the form of arguments; what was typed stays.
func (m *Model) up() {
	if m.place == atCall {
		m.tab = tabCalls
	}
	m.place, m.focus, m.zoom = atHome, paneList, false
}

// tabAt and goTab work on the tabs of the screen: those of the home, or those
// of the call's detail.
func (m *Model) tabAt() int {
	if m.place == atCall {
		return int(m.detail)
	}
	return int(m.tab)
}

func (m *Model) goTab(i int) {
	if m.place == atCall {
		m.chosen = true
		n := int(details)
		if i >= 0 && i <= n {
			m.detail = detailTab((i + n) % n)
		} else if i < 0 {
			m.detail = details - 1
		}
		if m.focus == paneNow || m.frame.detail.Empty() {
			m.focus = paneDetail
		}
		return
	}
	n := int(tabs)
	if i > n {
		return
	}
	m.tab, m.focus = tab((i+n)%n), paneList
}

func (m *Model) movePane(step int) {
	order := []pane{paneList, paneDetail}
	switch {
	case m.place == atCall && m.formNow(): // in a form the same key goes to the next field: it comes last
		order = []pane{paneList, paneDetail, paneNow}
	case m.place == atCall:
		order = []pane{paneList, paneNow, paneDetail}
	case m.tab != tabCatalogue && m.tab != tabWire:
		return
	}
	n := len(order)
	m.focus = order[(max(0, slices.Index(order, m.focus))+step+n)%n]
}

// formNow reports whether the pane beside the ladder is a form, which takes the
// keyboard once it has the focus.
func (m *Model) formNow() bool {
	if m.drafts[m.call] != nil {
		return true
	}
	a := m.sess.Ask(m.shown)
	return a != nil && answerable(a) && m.opts.Control != nil
}

// theCall is the call that is open or selected, nil where there is none.
func (m *Model) theCall() *session.Call {
	if m.place == atCall {
		return m.openCall()
	}
	return m.sess.Call(m.calls.Selected(m.sess))
}

// onCall does what applies to the call that is open or selected.
func (m *Model) onCall(i keys.Intent) tea.Cmd {
	c := m.theCall()
	if c == nil {
		return nil
	}
	id := c.ID
	if m.opts.Control == nil { // said at once, not after questions
		m.fail(errRecording)
		return nil
	}
	switch i {
	case keys.CancelCall:
		return m.giveUp(c)
	case keys.Extend:
		return m.extend(c)
	case keys.Rerun:
		return m.askOnce("run "+calledName(c)+" again? It has its real effects again.", c, func() tea.Cmd { return m.rerun(id) })
	case keys.SendOne:
		return m.sendHeld(id)
	case keys.SendAll:
		return m.sendAll()
	case keys.Drop:
		return m.do(func(k control.Controller) doneMsg { return doneMsg{err: k.Drop(id), said: "dropped"} })
	}
	if i == keys.Branch {
		return m.branch(c)
	}
	return m.startTamper(c)
}

func (m *Model) sendAll() tea.Cmd {
	held := m.heldCalls()
	return m.do(func(k control.Controller) doneMsg {
		for _, id := range held {
			d, err := k.Draft(id)
			if err == nil {
				err = k.Send(d)
			}
			if err != nil {
				return doneMsg{err: err}
			}
		}
		return doneMsg{said: "sent"}
	})
}

// heldCalls are the calls whose retry stands.
func (m *Model) heldCalls() (held []int) {
	for _, c := range m.sess.Calls {
		if c.Status == trace.Holding {
			held = append(held, c.ID)
		}
	}
	return held
}

// waitsForYou reports whether an ask or a held retry waits.
func (m *Model) waitsForYou() bool { return len(m.sess.Waiting()) > 0 || len(m.heldCalls()) > 0 }

// nextWaiting goes to the next ask, or where nothing is asked to the next retry
// that is held.
func (m *Model) nextWaiting() {
	held := m.heldCalls()
	if len(held) == 0 || len(m.sess.Waiting()) > 0 {
		m.nextAsk()
		return
	}
	next := 0
	if m.place == atCall {
		next = (slices.Index(held, m.call) + 1) % len(held)
	}
	m.enterCall(held[next])
}

func (m *Model) toggleHold() tea.Cmd {
	if c := m.openCall(); m.place == atCall && c != nil && !c.Status.Final() {
		return m.hold(c.ID, !c.Hold)
	}
	return m.hold(0, !m.sess.Conn.HoldAll)
}

// unseen reports whether the window is too small to show anything.
func (m *Model) unseen() bool {
	return !m.size.Empty() && (m.size.Dx() < draw.MinColumns || m.size.Dy() < draw.MinRows)
}

// answerable reports whether an ask can still be answered, or answered anew.
func answerable(a *session.Ask) bool {
	return a.Status.Waiting() || a.Status == session.Staged
}
