package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// record saves the session as a recording; where a call is at hand, the person
// chooses between that alone and all.
func (m *Model) record() tea.Cmd {
	if m.opts.Record == nil {
		m.say("nothing can be saved here")
		return nil
	}
	c := m.theCall()
	if c == nil {
		return m.saveWhole(nil)
	}
	name := text.CleanLine(fmt.Sprintf("call %d %s", c.ID, c.Name))
	m.overlay = &chooser{
		list: palette.New("Save as a recording", []palette.Row{{Name: name + ", alone"}, {Name: "the whole session"}}),
		pick: func(m *Model, i int) tea.Cmd {
			if i == 0 {
				return m.recordAs(m.fileName(fmt.Sprintf("-call-%d", c.ID)), ofCall(m.sess, c))
			}
			return m.saveWhole(nil)
		},
	}
	return nil
}

// fileName is what a recording is to be called: after the server, what of its session
// it holds, and the time of day at the session's end so far.
func (m *Model) fileName(part string) string {
	server := []rune(m.serverName())
	return string(server[:min(len(server), 40)]) + part + m.wall().Format("-20060102-150405") + ".jsonl"
}

// saveWhole saves the whole session, and then does what else is to be done with
// the path of the file.
func (m *Model) saveWhole(then func(*Model, string) tea.Cmd) tea.Cmd {
	record, hint, events := m.opts.Record, m.fileName(""), m.sess.Rows.Len()
	return m.run(func() doneMsg {
		path, err := record(hint, nil)
		return doneMsg{err: err, file: path, then: func(m *Model) tea.Cmd {
			m.saved = events
			if then == nil {
				return nil
			}
			return then(m, path)
		}}
	})
}

func (m *Model) recordAs(hint string, keep func(trace.Event) bool) tea.Cmd {
	record := m.opts.Record
	return m.run(func() doneMsg {
		path, err := record(hint, keep)
		return doneMsg{err: err, file: path}
	})
}

// ofCall accepts what a call consists of, and how the connection began and
// ended: without that no era would be known.
func ofCall(s *session.Session, c *session.Call) func(trace.Event) bool {
	frames, exchanges := map[int]bool{}, map[int]bool{}
	add := func(seq int) {
		frames[seq] = true
		if x := s.Rows.Row(seq).Exchange; x != 0 {
			exchanges[x] = true
		}
	}
	for _, seq := range c.Frames {
		add(seq)
	}
	for _, seq := range c.Late {
		add(seq)
	}
	for _, r := range c.Rounds {
		for _, seq := range r.Notes {
			frames[seq] = true
		}
	}
	return func(e trace.Event) bool {
		switch {
		case e.Phase != nil:
			return true
		case e.Act != nil:
			return e.Act.Call == c.ID || frames[e.Seq]
		case e.HTTP != nil:
			return exchanges[e.HTTP.Exchange]
		case e.Noise != nil && e.Noise.Exchange != 0:
			return exchanges[e.Noise.Exchange]
		case e.Frame != nil && e.Frame.Exchange != 0:
			return exchanges[e.Frame.Exchange]
		}
		return frames[e.Seq]
	}
}
