package ui

import (
	"context"
	"slices"
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

// there are the events that a log holds already, or the first few thousand: of a
// long recording the rest is fed while its beginning can be looked at.
func there(log Log) []trace.Event {
	now, stop := context.WithCancel(context.Background())
	stop() // nothing is waited for
	events, _ := log.Next(now, 0)
	return events
}

// What is folded before the screen is drawn and a key is looked at: a few
// milliseconds of work.
const (
	sliceEvents = 512
	sliceBytes  = 1 << 20
)

// slice cuts events where enough of them are folded in one go.
func slice(events []trace.Event) (now, rest []trace.Event) {
	bytes := 0
	for i, e := range events {
		if i == sliceEvents || bytes > sliceBytes {
			return events[:i], events[i:]
		}
		if e.Frame != nil {
			bytes += len(e.Frame.Bytes)
		}
	}
	return events, nil
}

func (m *Model) fed(msg feedMsg) tea.Cmd {
	now, rest := slice(msg.events)
	for _, e := range now {
		m.fold(e)
	}
	if rest != nil {
		m.noticed()
		return func() tea.Msg { return feedMsg{rest, msg.err} }
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
	cmds := m.readRows()
	for _, seq := range seqs {
		if _, ok := m.bodies.have[seq]; ok || seq == 0 || m.bodies.asked[seq] {
			continue
		}
		if m.bodies.asked == nil {
			m.bodies.asked = map[int]bool{}
		}
		m.bodies.asked[seq] = true
		frame, log := m.row(seq).Part == session.PartFrame, m.opts.Log
		cmds = append(cmds, func() tea.Msg {
			msg := bodyMsg{seq: seq}
			if frame {
				msg.body, msg.err = log.Body(seq)
			} else if msg.event, _ = log.Event(seq); msg.event.Frame != nil {
				msg.body = msg.event.Frame.Bytes // of a row that is not read back yet
			}
			return msg
		})
	}
	return tea.Batch(cmds...)
}

// readRows asks the log for what the wire needs of it: what a filter looks for
// in bytes, and rows that the session has given up.
func (m *Model) readRows() (cmds []tea.Cmd) {
	log := m.opts.Log
	switch c := m.openCall(); {
	case m.place == atHome && m.tab == tabWire:
		m.wire.Look(m.sess)
	case m.place == atCall && m.detail == detailLog && c != nil && m.sess.Rows.Whole() > 1:
		if r := m.round(c); r != nil {
			first, last := shownOf(r)
			for _, seq := range append(slices.Clip(first), last...) {
				m.row(seq)
			}
		}
	}
	if job := m.wire.Job(); job != nil {
		cmds = append(cmds, func() tea.Msg {
			found := job.Run(log)
			return doneMsg{aside: true, then: func(m *Model) tea.Cmd { m.wire.Take(found, m.sess); return nil }}
		})
	}
	if seqs := m.wire.Missing(); len(seqs) > 0 {
		cmds = append(cmds, func() tea.Msg {
			var rows []session.Row
			for _, seq := range seqs {
				if e, ok := log.Event(seq); ok {
					rows = append(rows, session.RowOf(e))
				}
			}
			return doneMsg{aside: true, then: func(m *Model) tea.Cmd { m.wire.Supply(rows); return nil }}
		})
	}
	return cmds
}

// row is the row of an event, as far as it is known: of one that the session has
// given up what the wire read back from the log.
func (m *Model) row(seq int) session.Row {
	row := m.sess.Rows.Row(seq)
	if row.Gone {
		if read, ok := m.wire.Read(seq); ok {
			return read
		}
		m.wire.Miss(seq)
	}
	return row
}

// noteLine is an event as a line of a document.
func (m *Model) noteLine(s *draw.Screen, seq int) draw.Line {
	r := m.row(seq)
	return wire.Line(s, &r, 100)
}
