package ui

import (
	"mcptui/client/lint"
)

// unreadable is what is wrong with the recording that is open: not with what it
// holds, but with its file.
func (m *Model) unreadable() []lint.Finding {
	if m.opts.Damage == nil {
		return nil
	}
	return []lint.Finding{{Rule: "recording-damaged", Severity: lint.Error, Frame: m.sess.Rows.Len(), Message: m.opts.Damage.Error()}}
}
