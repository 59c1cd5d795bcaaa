package ui

import (
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// findingsOf counts what is wrong in a call.
func (m *Model) findingsOf(call int) int {
	c := m.sess.Call(call)
	if c == nil {
		return 0
	}
	n := 0
	for _, seq := range c.Frames {
		if m.sess.Rows[seq-1].Problem != "" {
			n++
		}
	}
	return n
}

func (m *Model) findingCount() int { return m.problems }

// findingLines lays out what is wrong in a call.
func (m *Model) findingLines(c *session.Call, t *draw.Theme) []draw.Line {
	var out []draw.Line
	for _, seq := range c.Frames {
		if p := m.sess.Rows[seq-1].Problem; p != "" {
			out = append(out, draw.L(t.Warn, "⚠ "+text.CleanLine(p)))
		}
	}
	if out == nil {
		return []draw.Line{draw.L(t.Faint, "no findings")}
	}
	return out
}
