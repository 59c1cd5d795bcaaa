package inspect

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// States decodes requestStates, each once. What it finds is for display only.
type States struct {
	Keys  []state.Key
	cache map[string]*state.Decoded
}

// keep bounds the cache: a call that asks for ever brings a state each time.
const keep = 256

// Of decodes a state, nil where there is none.
func (st *States) Of(s *session.State) *state.Decoded {
	if s == nil {
		return nil
	}
	if d, ok := st.cache[string(s.Raw)]; ok {
		return d
	}
	if st.cache == nil || len(st.cache) >= keep {
		st.cache = map[string]*state.Decoded{}
	}
	d := state.Decode(string(s.Raw), st.Keys...)
	st.cache[string(s.Raw)] = d
	return d
}

// State lays out what the server wanted to remember in a round: what came, what
// changed since the round before, and what was sent.
func (st *States) State(sess *session.Session, c *session.Call, r *session.Round, now time.Time, t *draw.Theme) []draw.Line {
	if r.StateIn == nil && r.StateOut == nil {
		return []draw.Line{draw.L(t.Faint, st.none(sess, c, r))}
	}
	var out []draw.Line
	in, got := st.Of(r.StateIn), st.Of(r.StateOut)
	if got != nil {
		out = append(out, st.head("out", got, in, now, t)...)
		if in != nil {
			out = append(out, draw.L(t.Bold, fmt.Sprintf("changed since round %d", r.Parent)))
			out = append(out, changes(in, got, now, t)...)
		}
		out = append(out, warnings(got, now, t)...)
		out = append(out, payload(got, t)...)
	}
	if in != nil {
		if len(out) > 0 {
			out = append(out, draw.Line{})
		}
		out = append(out, st.echo(c, r, t))
		if got == nil {
			out = append(out, st.head("in", in, nil, now, t)...)
			out = append(out, warnings(in, now, t)...)
			out = append(out, payload(in, t)...)
		}
	}
	return out
}

// none says why a round has no state.
func (st *States) none(sess *session.Session, c *session.Call, r *session.Round) string {
	switch {
	case sess.Conn.Era == trace.Legacy:
		return "no requestState in this era"
	case r.Turned == 0:
		return "the server has not answered yet"
	case len(r.Asks) > 0:
		return "the server asks without a requestState"
	case len(c.Rounds) == 1:
		return "no requestState: the call ended in one round"
	}
	return "no requestState in this round"
}

// head names the format, the size, the expiry, and what the state is tied to.
func (st *States) head(label string, d, before *state.Decoded, now time.Time, t *draw.Theme) []draw.Line {
	line := draw.L(t.Bold, fmt.Sprintf("%-4s ", label)).With(t.Note, text.CleanLine(d.Chain()))
	size := ", " + text.Size(int64(d.Size()))
	if before != nil {
		if g := d.Size() - before.Size(); g != 0 {
			size += fmt.Sprintf(" (%+d)", g)
		}
	}
	line = line.With(t.Faint, size)
	if at, ok := d.Expires(); ok {
		left, style := at.Sub(now), t.Good
		switch {
		case left <= 0:
			style = t.Bad
		case left < time.Minute:
			style = t.Warn
		}
		word := ", expires "
		if left <= 0 {
			word = ", expired "
		}
		line = line.With(style, word+text.Left(left))
	}
	out := []draw.Line{line}
	for _, l := range d.Layers {
		if l.Detail != "" {
			out = append(out, draw.L(t.Faint, "     "+text.CleanLine(string(l.Format)+": "+l.Detail)))
		}
	}
	style := t.Faint
	if d.Signature.Status == state.Wrong {
		style = t.Bad
	} else if d.Signature.Status == state.Verified {
		style = t.Good
	}
	out = append(out, draw.L(style, "     signature "+text.CleanLine(d.Signature.String())))
	if len(d.Answers) > 0 {
		var names []string
		for _, a := range d.Answers {
			name := a.Key
			if name == "" {
				name = a.Path
			}
			names = append(names, name+" ("+a.Kind+")")
		}
		out = append(out, draw.L(t.Text, "     carries "+text.CleanLine(strings.Join(names, ", "))))
	}
	if len(d.Bindings) > 0 {
		var names []string
		for _, b := range d.Bindings {
			names = append(names, string(b.To)+" by "+b.Path)
		}
		out = append(out, draw.L(t.Text, "     bound to "+text.CleanLine(strings.Join(names, ", "))))
	}
	return out
}

// changes lists what differs between two states, times as times.
func changes(before, after *state.Decoded, now time.Time, t *draw.Theme) []draw.Line {
	c := state.Compare(before, after)
	switch {
	case c.Same:
		return []draw.Line{draw.L(t.Warn, "  nothing: the same bytes")}
	case !c.Readable:
		return []draw.Line{draw.L(t.Faint, fmt.Sprintf("  %+d bytes; the same %d characters in front, %d behind", c.Growth(), c.Prefix, c.Suffix))}
	case len(c.Changes) == 0:
		return []draw.Line{draw.L(t.Faint, "  nothing in the payload")}
	}
	var out []draw.Line
	if c.FormatBefore != "" {
		out = append(out, draw.L(t.Warn, text.CleanLine("  format "+c.FormatBefore+" became "+c.FormatAfter)))
	}
	for _, ch := range c.Changes {
		line := change(ch, t)
		if by, ok := moved(before, after, ch.Path); ok {
			line = line.With(t.Faint, "  "+by)
		}
		out = append(out, line)
	}
	return out
}

// moved words by how much a point in time at a path moved.
func moved(before, after *state.Decoded, path string) (string, bool) {
	for _, b := range before.Times {
		for _, a := range after.Times {
			if a.Path != path || b.Path != path || a.Kind != b.Kind {
				continue
			}
			if d := a.At.Sub(b.At); d < 0 {
				return string(a.Kind) + " " + text.Duration(-d) + " earlier", true
			}
			return string(a.Kind) + " " + text.Duration(a.At.Sub(b.At)) + " later", true
		}
	}
	return "", false
}

func change(ch state.Change, t *draw.Theme) draw.Line {
	path := text.CleanLine(ch.Path)
	if path == "" {
		path = "(the whole)"
	}
	switch ch.Op {
	case state.Added:
		return draw.L(t.Added, "  + "+path+"  "+short(ch.After))
	case state.Removed:
		return draw.L(t.Removed, "  - "+path+"  "+short(ch.Before))
	}
	return draw.L(t.Warn, "  ~ "+path+"  ").With(t.Removed, short(ch.Before)).With(t.Faint, " ─▶ ").With(t.Added, short(ch.After))
}

// short is a value on one line.
func short(raw []byte) string {
	const most = 600
	if len(raw) > most {
		return text.CleanLine(string(raw[:most])) + "…"
	}
	return text.CleanLine(string(raw))
}

func warnings(d *state.Decoded, now time.Time, t *draw.Theme) []draw.Line {
	var out []draw.Line
	for _, w := range d.Warnings(now) {
		mark, style := Sign(t, gravity(w.Kind))
		line := mark + " " + w.Text
		if w.Path != "" {
			line += " (" + w.Path + ")"
		}
		out = append(out, draw.L(style, text.CleanLine(line)))
	}
	return out
}

func payload(d *state.Decoded, t *draw.Theme) []draw.Line {
	var out []draw.Line
	switch {
	case d.Payload != nil:
		out = append(out, draw.L(t.Bold, "payload"))
		out = append(out, JSON(d.Payload, t)...)
	case d.Readable():
		out = append(out, draw.L(t.Bold, "content"))
		out = append(out, prose(string(d.Inner), t)...)
	}
	for _, n := range d.Nested {
		if n.Payload != nil {
			out = append(out, draw.L(t.Bold, "inside "+text.CleanLine(n.Path)))
			out = append(out, JSON(n.Payload, t)...)
		}
	}
	return append(out, draw.L(t.Bold, "as sent"), draw.L(t.Faint, text.CleanLine(d.Raw)))
}

// echo says whether a round carried the state that it was given.
func (st *States) echo(c *session.Call, r *session.Round, t *draw.Theme) draw.Line {
	parent := c.Round(r.Parent)
	switch {
	case parent == nil || parent.StateOut == nil:
		return draw.L(t.Warn, "in   a state that no round of this call gave")
	case bytes.Equal(parent.StateOut.Raw, r.StateIn.Raw):
		return draw.L(t.Good, fmt.Sprintf("in   ✓ byte for byte what round %d gave", parent.N))
	}
	return draw.L(t.Warn, fmt.Sprintf("in   ⚠ not what round %d gave: it was edited", parent.N))
}

// Diff lays out what differs between a round and the one whose answers it
// carries: the state, and what is asked.
func (st *States) Diff(sess *session.Session, c *session.Call, r *session.Round, now time.Time, t *draw.Theme) []draw.Line {
	parent := c.Round(r.Parent)
	if parent == nil {
		return []draw.Line{draw.L(t.Faint, "the first round: nothing to compare with")}
	}
	out := []draw.Line{draw.L(t.Bold, fmt.Sprintf("round %d against round %d", r.N, parent.N))}
	before, after := st.Of(parent.StateOut), st.Of(r.StateOut)
	switch {
	case before != nil && after != nil:
		out = append(out, draw.L(t.Faint, "requestState"))
		out = append(out, changes(before, after, now, t)...)
	case before != nil:
		out = append(out, draw.L(t.Removed, "- requestState"))
	case after != nil:
		out = append(out, draw.L(t.Added, "+ requestState"))
	}
	out = append(out, draw.L(t.Faint, "answers that it carries"))
	for _, id := range parent.Asks {
		if a := sess.Ask(id); a != nil {
			if reply := answerIn(a, r); reply != nil {
				out = append(out, draw.L(t.Added, "  + "+text.CleanLine(a.ID.Key+" "+string(a.Method))+"  "+short(reply)))
			}
		}
	}
	out = append(out, draw.L(t.Faint, "server's time"))
	out = append(out, draw.L(t.Text, fmt.Sprintf("  %s ─▶ %s", took(parent), took(r))))
	out = append(out, draw.L(t.Faint, "asks"))
	for _, id := range parent.Asks {
		if a := sess.Ask(id); a != nil {
			out = append(out, draw.L(t.Removed, "  - "+askLine(a)))
		}
	}
	for _, id := range r.Asks {
		if a := sess.Ask(id); a != nil {
			out = append(out, draw.L(t.Added, "  + "+askLine(a)))
		}
	}
	return out
}

// answerIn is the answer to an ask with which a round began.
func answerIn(a *session.Ask, r *session.Round) []byte {
	if r.Request == 0 { // inside the open request, where each is answered once
		return a.Reply
	}
	return a.CarriedBy(r.Request)
}

func askLine(a *session.Ask) string {
	return text.CleanLine(strings.TrimSpace(a.ID.Key + " " + string(a.Kind) + "  " + a.Message))
}

func took(r *session.Round) string {
	if r.Turned == 0 {
		return "…"
	}
	return text.Duration(r.Turned - r.Begun)
}
