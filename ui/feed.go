package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/wire"
)

// batch is how far apart batches of events are at least: 30 a second.
const batch = time.Second / 30

// feedMsg brings what has come.
type feedMsg struct {
	events []trace.Event
	err    error
}

// feed waits for events after a number: the one command that does. It pauses
// first, so that a flood comes in batches and not one by one.
func feed(ctx context.Context, log Log, after int, pause time.Duration) tea.Cmd {
	return func() tea.Msg {
		if pause > 0 {
			t := time.NewTimer(pause)
			select {
			case <-t.C:
			case <-ctx.Done():
				t.Stop()
				return feedMsg{err: ctx.Err()}
			}
		}
		events, err := log.Next(ctx, after)
		return feedMsg{events, err}
	}
}

func (m *Model) fed(msg feedMsg) tea.Cmd {
	for _, e := range msg.events {
		m.fold(e)
	}
	if msg.err != nil {
		m.ended = true
		return nil
	}
	m.noticed()
	return feed(m.ctx, m.opts.Log, m.sess.Rows.Len(), batch)
}

// tickMsg lets clocks on the screen go on.
type tickMsg struct{}

func tick() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

// bodyMsg brings the bytes of a frame, or an event that is none.
type bodyMsg struct {
	seq   int
	event trace.Event
	body  []byte
	err   error
}

// bodies keeps what was fetched last. Bodies can be large: few are kept.
type bodies struct {
	have  map[int]bodyMsg
	order []int
	asked map[int]bool
}

const (
	keepBodies = 32
	keepBytes  = 96 << 20
)

func (b *bodies) get(seq int) (bodyMsg, bool) {
	m, ok := b.have[seq]
	return m, ok
}

func (b *bodies) put(m bodyMsg) {
	if b.have == nil {
		b.have = map[int]bodyMsg{}
	}
	delete(b.asked, m.seq)
	b.have[m.seq] = m
	b.order = append(b.order, m.seq)
	total := 0
	for i := len(b.order) - 1; i >= 0; i-- {
		seq := b.order[i]
		total += len(b.have[seq].body)
		if len(b.order)-i > keepBodies || total > keepBytes && i < len(b.order)-1 {
			delete(b.have, seq)
			b.order = append(b.order[:i], b.order[i+1:]...)
		}
	}
}

// fetch asks for the bodies that the screen needs and does not have.
func (m *Model) fetch(seqs ...int) tea.Cmd {
	var cmds []tea.Cmd
	for _, seq := range seqs {
		if _, ok := m.bodies.have[seq]; ok || seq == 0 || m.bodies.asked[seq] {
			continue
		}
		if m.bodies.asked == nil {
			m.bodies.asked = map[int]bool{}
		}
		m.bodies.asked[seq] = true
		row := m.row(seq)
		frame := row.Part == session.PartFrame
		cmds = append(cmds, func() tea.Msg {
			msg := bodyMsg{seq: seq}
			if frame {
				msg.body, msg.err = m.opts.Log.Body(seq)
			} else {
				msg.event, _ = m.opts.Log.Event(seq)
			}
			return msg
		})
	}
	return tea.Batch(cmds...)
}

// row is the row of an event, as far as it is known: of one that the session has
// given up what the wire read back from the log.
func (m *Model) row(seq int) session.Row {
	row := m.sess.Rows.Row(seq)
	if row.Gone {
		if read, ok := m.wire.Read(seq); ok {
			return read
		}
	}
	return row
}

// noteLine is an event as a line of a document.
func (m *Model) noteLine(s *draw.Screen, seq int) draw.Line {
	r := m.row(seq)
	return wire.Line(s, &r, 100)
}
