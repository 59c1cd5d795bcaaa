package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/reentry"
)

// reentered is what was found of the re-entry of the call on its screen, and for
// which version of it.
type reentered struct {
	version reentryVersion
	facts   reentry.Facts
	found   []reentry.Finding
	reading bool
}

// reentryVersion changes when there may be something new to find.
type reentryVersion struct {
	call, rounds, notes, asks int
	ended                     bool
}

// rereads looks for what re-entry did where that is on the screen and something
// has happened since the last look.
func (m *Model) rereads() tea.Cmd {
	c := m.openCall()
	if m.place != atCall || c == nil || m.detail != detailReentry || m.reentered.reading {
		return nil
	}
	v := reentryVersion{call: c.ID, rounds: len(c.Rounds), notes: c.Related, ended: c.Status.Final()}
	for _, r := range c.Rounds {
		v.asks += len(r.Asks)
		if r.Turned != 0 {
			v.asks++
		}
	}
	if m.reentered.version == v {
		return nil
	}
	if m.reentered.version.call != c.ID {
		m.reentered = reentered{}
	}
	m.reentered.reading = true
	facts, log := reentry.Gather(m.sess, c), m.opts.Log
	return func() tea.Msg {
		found := reentry.Read(facts, log)
		return doneMsg{aside: true, then: func(m *Model) tea.Cmd {
			m.reentered = reentered{version: v, facts: facts, found: found}
			return nil
		}}
	}
}

// lines are what was found of a call.
func (r *reentered) lines(c *session.Call, t *draw.Theme) []draw.Line {
	if r.version.call != c.ID {
		return []draw.Line{draw.L(t.Faint, "…")}
	}
	return reentry.Lines(r.facts, r.found, t)
}
