package ui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// View draws the frame.
func (m *Model) View() tea.View {
	s := m.draw()
	v := s.View()
	v.WindowTitle = "mcptui " + m.serverName()
	return v
}

func (m *Model) draw() *draw.Screen {
	m.screen = m.screen.Renew(m.size.Dx(), m.size.Dy(), m.theme, m.width)
	s := m.screen
	m.zones.Reset()
	m.calls.Over = m.opts.Control == nil && m.ended
	m.calls.InHand = m.inHand()
	m.ladder.InHand = m.calls.InHand
	if m.size.Empty() || s.TooSmall() {
		return s
	}
	top, rest := draw.CutTop(s.Bounds(), 1)
	body, foot := draw.CutBottom(rest, 1)
	m.statusLine(s, top)
	switch {
	case m.unconnected(): // nothing lies behind the list of servers
	case m.place == atCall:
		m.drawCall(s, body)
	case m.place == atArgs:
		m.args[m.arg].panel.Draw(s, body, true)
	case m.place == atAsk:
		if a := m.sess.Ask(m.shown); a != nil {
			m.panel(a).Draw(s, body, true)
		}
	default:
		m.drawHome(s, body)
	}
	m.footer(s, foot)
	if m.overlay != nil {
		m.overlay.draw(m, s, body)
	}
	return s
}

// footer shows the entry that is typed into, or the note, or the keys.
func (m *Model) footer(s *draw.Screen, row draw.Rect) {
	t := s.Theme
	switch {
	case m.switching != nil:
		s.Text(row, t.Warn, " ● switching to "+m.switching.name)
		return
	case m.entry != nil:
		m.entry.line.Draw(s, row, m.entry.label)
		return
	case m.note.text != "":
		st, mark := t.Note, " "
		if m.note.bad {
			st, mark = t.Bad, " ✖ "
		}
		said := mark + text.CleanLine(m.note.text)
		if m.note.file != "" {
			said += " " + fileWords(s.Width, m.note.file, row.Dx()-s.Width.Of(said)-1)
		}
		s.Text(row, st, said)
		return
	}
	x := row.Min.X + 1
	for _, h := range m.hints() {
		hint := draw.L(t.Key, h.Key).With(t.Faint, " "+h.Short)
		w := s.Width.Of(hint.Plain())
		if x+w > row.Max.X {
			return
		}
		cell := row
		cell.Min.X, cell.Max.X = x, x+w
		s.Line(cell, hint)
		x += w + 2
	}
}

// fileWords names a file in some columns, so that it can be found: where it is, and
// of a long name its beginning and its end.
func fileWords(w text.Width, path string, columns int) string {
	const least = 24 // columns of a name that tell more than where it is
	where := ""
	if filepath.Base(path) == path {
		where = ", in the working directory"
	}
	if columns-w.Of(where) < min(least, w.Of(path)) {
		where = ""
	}
	name, room := text.CleanLine(path), columns-w.Of(where)
	if w.Of(name) > room {
		head, _ := w.Cut(name, room/3)
		name = head + w.TruncateLeft(name[len(head):], room-w.Of(head))
	}
	return name + where
}

// hints are the keys that apply, most useful first.
func (m *Model) hints() []keys.Hint {
	if _, isForm := m.overlay.(*requestForm); m.overlay != nil && !isForm {
		if o, ok := m.overlay.(hinted); ok {
			return o.hints()
		}
		return nil
	}
	p, _ := m.typing()
	if f, isForm := m.overlay.(*requestForm); isForm {
		p = f.panel
	}
	var out []keys.Hint
	if phase := m.sess.Conn.Phase; p == nil && m.opts.Control != nil && (phase == trace.PhaseExited || phase == trace.PhaseFailed) {
		out = append(out, keys.Hint{Key: keys.Of(keys.Restart), Short: "connect again"})
	}
	if c := m.theCall(); p == nil && m.scope()&keys.Call != 0 && c != nil && c.Status == trace.Running && m.opts.Control != nil {
		out = append(out, keys.Hint{Key: keys.Of(keys.CancelCall), Short: "give up"}) // what is wanted most of a call that hangs
	}
	if c := m.theCall(); p == nil && m.scope()&keys.Call != 0 && c != nil && c.Status == trace.Limited && m.opts.Control != nil {
		out = append(out, keys.Hint{Key: keys.Of(keys.Extend), Short: "more rounds"})
	}
	for _, h := range keys.Footer(m.scope()) {
		if p == nil && !m.useful(h.Key) {
			continue
		}
		if h.Key == keys.Of(keys.NextAsk) && len(m.sess.Waiting()) == 0 {
			h.Short = "held retry"
		}
		if p != nil {
			if !p.Takes(h.Intent) {
				continue
			}
			if label := p.Label(h.Key); label != "" { // as its button says
				h.Short = strings.ToLower(label)
			}
		}
		out = append(out, h)
	}
	return out
}

// useful reports whether a key of the footer can do here what it says: not in a
// recording, nor with an answer that cannot be given again.
func (m *Model) useful(key string) bool {
	connected := m.opts.Control != nil
	switch key {
	case keys.Of(keys.NextAsk):
		return connected && m.waitsForYou()
	case keys.Of(keys.Rerun), keys.Of(keys.SendOne), keys.Of(keys.Drop):
		return connected
	case keys.Of(keys.Hold):
		return connected && m.retries()
	case keys.Of(keys.Branch):
		c := m.openCall()
		if !connected || !m.retries() || m.place != atCall || c == nil {
			return false
		}
		r := m.round(c)
		return r != nil && (len(r.Asks) > 0 || r.Parent != 0)
	case keys.Of(keys.Tamper):
		c := m.theCall()
		return connected && m.retries() && c != nil && (!c.Status.Final() || m.drafts[c.ID] != nil)
	}
	return true
}

// retries reports whether rounds are requests of their own in this era.
func (m *Model) retries() bool { return m.sess.Conn.Era != trace.Legacy }

// needed are the frames whose bytes the screen shows.
func (m *Model) needed() []int {
	out := m.unjudged()
	if m.place == atHome && m.tab == tabWire {
		m.wire.Sync(m.sess)
		out = append(out, m.wire.Seq())
	}
	if c := m.openCall(); m.place == atCall && c != nil {
		out = append(append(out, m.resultOf(c)), m.wroteLast(c)...)
		if r := m.round(c); r != nil {
			request, response := m.frames(c, r)
			switch m.detail {
			case detailRequest, detailResponse:
				out = append(out, request, response)
			case detailHeaders:
				out = append(append(out, request), m.exchange(request)...)
			}
		}
	}
	return out
}
