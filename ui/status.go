package ui

import (
	"fmt"
	"slices"
	"strings"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/text"
)

// statusLine says which server, how it speaks, who is waited for, and what
// waits or is wrong. What the server says of itself gives way first: a long name
// hides neither how the connection stands nor what is wrong.
func (m *Model) statusLine(s *draw.Screen, row draw.Rect) {
	t := s.Theme
	right := m.attention(t)
	width := s.Width.Of(right.Plain())
	left, end := draw.CutRight(row, min(width, row.Dx()))
	s.Line(end, right)

	name, version := m.serverName(), text.CleanLine(m.sess.Conn.Server.Version)
	if version != "" {
		version = " " + version
	}
	parts := m.standing(t)
	room := left.Dx() - 1
	for _, p := range parts {
		room -= s.Width.Of(p.Text)
	}
	if room < min(shortName, s.Width.Of(name)) { // closer together is better than less
		for i, p := range parts {
			if rest, ok := strings.CutPrefix(p.Text, "  "); ok {
				parts[i].Text = " " + rest
				room++
			}
		}
	}
	for rank := lastRank; rank > 0; rank-- {
		least := shortName
		if rank <= rankHow {
			least = 0
		}
		if room >= min(least, s.Width.Of(name)) {
			break
		}
		if at := slices.IndexFunc(parts, func(p part) bool { return p.rank == rank }); at >= 0 {
			room += s.Width.Of(parts[at].Text)
			parts = slices.Delete(parts, at, at+1)
		}
	}
	if room < s.Width.Of(name+version) {
		version = ""
	}
	line := draw.L(t.Bold, " "+s.Width.Truncate(name, max(0, room))).With(t.Faint, version)
	for _, p := range parts {
		line = append(line, p.Run)
	}
	s.Line(left, line)
}

// shortName is how many columns of the server's name are worth more than what
// ranks behind how the connection stands.
const shortName = 8

// Ranks of what the status line says: what has the highest gives way first.
const (
	rankEnded = iota // never does
	rankEra
	rankHow
	rankRecording
	rankRevision
	lastRank // of the log
)

// part is one thing that the status line says.
type part struct {
	draw.Run
	rank int
}

// standing says how the connection stands, and how the server speaks.
func (m *Model) standing(t *draw.Theme) []part {
	c := &m.sess.Conn
	var out []part
	say := func(rank int, st draw.Style, s string) { out = append(out, part{draw.Run{Text: s, Style: st}, rank}) }
	switch c.Phase {
	case trace.PhaseReady, "":
	case trace.PhaseFailed, trace.PhaseExited:
		say(rankEnded, t.Bad, " ✖ "+string(c.Phase)+endedWith(c))
	default:
		say(rankEnded, t.Warn, " ● "+string(c.Phase))
	}
	if m.unrecorded.why != nil {
		say(rankEnded, t.Bad, " ✖ not recorded")
	}
	if c.Era != "" {
		say(rankEra, t.Note, "  "+string(c.Era))
		if v := text.CleanLine(c.Version); len(v) <= len("2026-07-28") { // a longer one is none
			say(rankRevision, t.Faint, " "+v)
		}
	}
	if c.Transport != "" {
		say(rankHow, t.Faint, "  "+text.CleanLine(c.Transport))
	}
	if m.opts.Control == nil && !m.unconnected() {
		said := "  recording"
		if m.opts.Damage != nil {
			said += ", damaged"
		}
		say(rankRecording, t.Warn, said)
	}
	if l, ok := m.opts.Log.(interface{ Usage() trace.Usage }); ok {
		if u := l.Usage(); u.Disk > 0 || u.Memory > u.Budget/10*8 {
			said := "  log " + text.Size(u.Memory)
			if u.Disk > 0 {
				said += ", " + text.Size(u.Disk) + " on disk"
			} else {
				said += " of " + text.Size(u.Budget)
			}
			say(lastRank, t.Faint, said)
		}
	}
	return out
}

// endedWith says with what a server ended, as far as it is known: ", code 3".
func endedWith(c *session.Conn) string {
	switch {
	case c.Signal != "":
		return ", " + text.CleanLine(c.Signal)
	case c.Code != nil:
		return fmt.Sprintf(", code %d", *c.Code)
	}
	return ""
}

// attention is the right end of the status line. In a recording nobody works and
// nobody is waited for.
func (m *Model) attention(t *draw.Theme) draw.Line {
	var line draw.Line
	if m.opts.Control == nil {
		return append(line, m.warned(t)...)
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
	return append(line, m.warned(t)...)
}

// warned counts what is wrong, each severity by its sign; what is only worth
// knowing is not counted here.
func (m *Model) warned(t *draw.Theme) draw.Line {
	var line draw.Line
	for _, sev := range []lint.Severity{lint.Error, lint.Warning} {
		if n := m.found[sev]; n > 0 {
			mark, st := inspect.Sign(t, sev)
			line = line.With(st, fmt.Sprintf(" %s %d", mark, n))
		}
	}
	if line != nil {
		line = line.With(t.Faint, " ")
	}
	return line
}
