package ui

import (
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
)

// filling is what the UI knows beside the session to fill in forms and answers.
type filling struct {
	completions []*completion
	sent        map[string][]json.RawMessage // by entry of the catalogue, newest first
	given       []byte                       // the ListRootsResult that the person gave last in this run
	declared    []byte                       // the capabilities that were set last in this run
	answered    map[trace.AskID]bool         // by giving the roots again
	extended    map[int]int                  // how often a call's deadline was put off
}

// with is what an ask is shown with.
func (m *Model) with(a *session.Ask) ask.With {
	w := ask.With{Server: m.serverName(), Form: m.form, Seen: m.seen(a), Sampler: m.opts.Sample != nil}
	if a.Kind == session.Roots {
		w.Roots, w.Suggested = m.roots()
	}
	if a.Kind == session.Sampling {
		w.Canned = m.canned(a)
	}
	return w
}

// followed does what the log calls for by itself.
func (m *Model) followed() tea.Cmd { return tea.Batch(m.completed(), m.giveRoots()) }

// canned is the answer that was given to a model's question last, nil where
// there was none.
func (m *Model) canned(a *session.Ask) json.RawMessage {
	for i := len(m.sess.Asks) - 1; i >= 0; i-- {
		b := m.sess.Asks[i]
		if b.N < a.N && b.Kind == session.Sampling && rpc.Member(b.Reply, "content") != nil {
			return b.Reply
		}
	}
	return nil
}

// sample runs the person's command for a model's answer, and puts what it
// prints into the panel; nothing is sent.
func (m *Model) sample(a *session.Ask, p *ask.Panel) tea.Cmd {
	if m.opts.Sample == nil {
		return nil
	}
	params, id := json.RawMessage(a.Params), a.ID
	p.Working("the sampler works …")
	ctx := m.ctx
	return func() tea.Msg { // beside the acts: it may take minutes
		result, err := m.opts.Sample(ctx, params)
		if err != nil {
			return doneMsg{err: err, ask: id, aside: true}
		}
		return doneMsg{ask: id, aside: true, then: func(m *Model) tea.Cmd {
			if m.panels[id] == p {
				p.Review(result)
			}
			return nil
		}}
	}
}

// deadline is how long the server may still take; ok is false where no request
// is open or none has a deadline. The time in which it waited for a person does
// not count.
func (m *Model) deadline(c *session.Call) (left time.Duration, ok bool) {
	r := c.LastRound()
	if m.opts.Timeout <= 0 || r == nil || c.Status != trace.Running || m.maybeOurs(c) != nil {
		return 0, false
	}
	left = m.opts.Timeout*time.Duration(1+m.extended[c.ID]) - (m.now() - r.Begun)
	for _, a := range m.sess.Asks {
		if a.Owner.Call == 0 && a.At >= r.Begun && a.Answered > a.At {
			left += a.Answered - a.At
		}
	}
	for r.Request == 0 && r.Parent != 0 { // the request of an earlier round is still open
		if r = c.Round(r.Parent); r == nil {
			break
		}
		left -= max(0, r.Turned-r.Begun)
	}
	return left, true
}

// maybeOurs returns an ask that waits and may belong to a call: where several
// calls are open, a request of the server's own does not tell for which it is.
func (m *Model) maybeOurs(c *session.Call) *session.Ask {
	for _, a := range m.sess.Waiting() {
		if a.Owner.Call == 0 && a.At >= c.Begun && !c.Status.Final() {
			return a
		}
	}
	return nil
}

// extend puts the deadline of a call off by its timeout, or gives one that met the
// limit of rounds as many again.
func (m *Model) extend(c *session.Call) tea.Cmd {
	if c.Status == trace.Limited {
		return m.moreRounds(c)
	}
	if _, ok := m.deadline(c); !ok {
		m.say("no deadline runs for this call")
		return nil
	}
	id := c.ID
	return m.do(func(k control.Controller) doneMsg {
		return doneMsg{err: k.Set(control.Setting{Extend: id}), said: "it has its timeout once more", then: func(m *Model) tea.Cmd {
			if m.extended == nil {
				m.extended = map[int]int{}
			}
			m.extended[id]++
			return nil
		}}
	})
}
