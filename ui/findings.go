package ui

import (
	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/findings"
)

// fold takes an event into everything that is made of events.
func (m *Model) fold(e trace.Event) {
	m.sess.Apply(e)
	m.listed(e)
	m.connectedAnew(e)
	m.count(m.lint.Apply(e)...)
	if e.Frame != nil {
		e.Frame.Forget()
	}
}

// count takes findings into what the status line counts.
func (m *Model) count(found ...lint.Finding) {
	for _, f := range found {
		m.found[f.Severity]++
	}
}

// findingsOf are what is wrong in a call: what tampering showed, too.
func (m *Model) findingsOf(call int) []lint.Finding {
	out := m.lint.Of(call)
	for _, f := range m.broken() {
		if f.Call == call {
			out = append(out, f)
		}
	}
	return out
}

// findingLines lays out what is wrong in a call, the round at hand first.
func (m *Model) findingLines(c *session.Call, t *draw.Theme) []draw.Line {
	out := m.damageLines(c, t)
	for _, f := range m.lint.Of(c.ID) {
		out = append(out, findings.Says(f, t)...)
		out = append(out, draw.Line{})
	}
	if out == nil {
		return []draw.Line{draw.L(t.Good, "✓ nothing found in this call")}
	}
	return out
}
