package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/lint"
)

// unreadable is what is wrong with the file of a recording, and not with what it
// holds: with the one that is open, or with the one that is written.
func (m *Model) unreadable() []lint.Finding {
	if m.opts.Damage != nil {
		return []lint.Finding{{Rule: "recording-damaged", Severity: lint.Error, Frame: m.sess.Rows.Len(), Message: m.opts.Damage.Error()}}
	}
	if m.unrecorded.why != nil {
		return []lint.Finding{{Rule: "recording-failed", Severity: lint.Error, Frame: m.unrecorded.from,
			Message: "nothing more of this session is recorded: " + m.unrecorded.why.Error()}}
	}
	return nil
}

// unrecorded is why the session is not recorded any more, and from which event on.
type unrecorded struct {
	why  error
	from int
}

// watchRecording says it once the session cannot be recorded any more. All else
// goes on.
func (m *Model) watchRecording() tea.Cmd {
	wait, ctx := m.opts.Unrecorded, m.ctx
	if wait == nil {
		return nil
	}
	return func() tea.Msg {
		why := wait(ctx)
		if why == nil {
			return nil
		}
		return doneMsg{aside: true, then: func(m *Model) tea.Cmd {
			m.unrecorded = unrecorded{why, m.sess.Rows.Len()}
			m.count(m.unreadable()...)
			m.fail(why)
			return nil
		}}
	}
}
