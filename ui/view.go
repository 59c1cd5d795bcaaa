package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/trace"
	"mcptui/ui/ask"
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

// statusLine says which server, how it speaks, who is waited for, and what
// waits or is wrong. The right end never gives way.
func (m *Model) statusLine(s *draw.Screen, row draw.Rect) {
	t := s.Theme
	right := m.attention(t)
	width := s.Width.Of(right.Plain())
	left, end := draw.CutRight(row, min(width, row.Dx()))
	s.Line(end, right)

	c := &m.sess.Conn
	line := draw.L(t.Bold, " "+m.serverName())
	if c.Server.Version != "" {
		line = line.With(t.Faint, " "+text.CleanLine(c.Server.Version))
	}
	switch c.Phase {
	case trace.PhaseReady, "":
	case trace.PhaseFailed, trace.PhaseExited:
		line = line.With(t.Bad, " ✖ "+string(c.Phase))
	default:
		line = line.With(t.Warn, " ● "+string(c.Phase))
	}
	if c.Era != "" {
		line = line.With(t.Note, "  "+string(c.Era)).With(t.Faint, " "+text.CleanLine(c.Version))
	}
	if c.Transport != "" {
		line = line.With(t.Faint, "  "+text.CleanLine(c.Transport))
	}
	if m.opts.Control == nil && !m.unconnected() {
		line = line.With(t.Warn, "  recording")
	}
	if l, ok := m.opts.Log.(interface{ Usage() trace.Usage }); ok {
		if u := l.Usage(); u.Disk > 0 || u.Memory > u.Budget/10*8 {
			said := "  log " + text.Size(u.Memory)
			if u.Disk > 0 {
				said += ", " + text.Size(u.Disk) + " on disk"
			} else {
				said += " of " + text.Size(u.Budget)
			}
			line = line.With(t.Faint, said)
		}
	}
	s.Line(left, line)
}

// attention is the right end of the status line. In a recording nobody works and
// nobody is waited for.
func (m *Model) attention(t *draw.Theme) draw.Line {
	var line draw.Line
	if m.opts.Control == nil {
		return line.With(t.Warn, m.warned())
	}
	running := 0
	for _, c := range m.sess.Calls {
		if c.Status == trace.Running {
			running++
		}
	}
	if n := len(m.heldCalls()); n > 0 {
		line = line.With(t.Ask, fmt.Sprintf(" %d held ", n))
	} else if m.sess.Conn.HoldAll {
		line = line.With(t.Ask, " held ")
	}
	if running > 0 {
		line = line.With(t.Note, " ● server works ")
	}
	if n := len(m.sess.Waiting()); n > 0 {
		line = line.With(t.Ask, fmt.Sprintf(" you ◆ %d ", n))
	}
	return line.With(t.Warn, m.warned())
}

// warned counts what is wrong, "" for nothing.
func (m *Model) warned() string {
	if m.grave == 0 {
		return ""
	}
	return fmt.Sprintf(" ⚠ %d ", m.grave)
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
		s.Text(row, st, mark+text.CleanLine(m.note.text))
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
	for _, h := range keys.Footer(m.scope()) {
		if p == nil && !m.useful(h.Key) {
			continue
		}
		if h.Key == keys.Of(keys.NextAsk) && len(m.sess.Waiting()) == 0 {
			h.Short = "held retry"
		}
		if p != nil {
			if _, isJSON := p.Edit.(*ask.Document); (isJSON || p.Edit == nil) && h.Key == keys.Of(keys.State) {
				continue // it is for the fields of a form
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
		out = append(out, m.resultOf(c))
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
