// Package tamper brings sessions and drafts to the tamper presets of package
// state, and what came of a tampered retry to their verdicts. It holds no preset
// of its own and sends nothing.
package tamper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
)

// With is what a retry is tampered with.
type With struct {
	Session   *session.Session
	Call      *session.Call
	Draft     control.Draft
	Keys      []state.Key
	Principal []trace.Header // headers of another principal; nil where they are not known
	Now       time.Time      // by which states expire
}

// Apply does to a draft what a preset says, and returns what leaves in its place.
func Apply(p state.Preset, w With) (control.Draft, state.Tampered, error) {
	t, err := p.Apply(Material(w))
	if err != nil {
		return w.Draft, t, err
	}
	d := w.Draft
	d.ID, d.Params, d.Twice, d.Headers = t.ID, t.Params, t.Twice, nil
	for _, h := range t.Headers {
		d.Headers = append(d.Headers, trace.Header{Name: h.Name, Value: h.Value})
	}
	return d, t, nil
}

// Material is what presets work on: the draft as it stands, and all that the
// session knows of other rounds, calls and tools.
func Material(w With) state.Material {
	d := w.Draft
	m := state.Material{
		Clean:     state.Retry{Method: d.Method, ID: d.ID, Params: d.Params, Headers: headers(d.Headers), Twice: d.Twice},
		Headers:   len(d.Headers) > 0,
		Principal: headers(w.Principal),
		Keys:      w.Keys,
		Now:       w.Now,
	}
	var known []string // keys that were asked up to here
	for r := w.Call.Round(d.Round); r != nil; r = w.Call.Round(r.Parent) {
		for _, id := range r.Asks {
			known = append(known, id.Key)
			if a := w.Session.Ask(id); a != nil && r.N == d.Round {
				m.Asked = append(m.Asked, state.Asked{Key: id.Key, Method: a.Method, Params: a.Params})
			} else {
				m.Before = append(m.Before, id.Key)
			}
		}
	}
	m.Early = early(w, known)
	var step []state.Foreign
	for _, c := range w.Session.Calls {
		for _, r := range c.Rounds {
			if r.ID != "" {
				m.UsedIDs = append(m.UsedIDs, json.RawMessage(r.ID))
			}
			if r.StateOut != nil {
				known := foreign(w.Call, c, r)
				if r.N == d.Round { // given at the same step, it tells most
					step = append(step, known...)
					continue
				}
				m.Foreign = append(m.Foreign, known...)
			}
		}
	}
	m.Foreign = append(m.Foreign, step...)
	if r := w.Call.Round(d.Round); r != nil && r.ID != "" {
		m.UsedIDs = append(m.UsedIDs, json.RawMessage(r.ID)) // that of the request which is sent again tells most
	}
	return m
}

func headers(in []trace.Header) []state.Header {
	var out []state.Header
	for _, h := range in {
		out = append(out, state.Header{Name: h.Name, Value: h.Value})
	}
	return out
}

// early are the answers that such calls were given to asks which come later, in
// the order in which those came.
func early(w With, known []string) (out []state.Early) {
	for _, a := range w.Session.Asks {
		c := w.Session.Call(a.Owner.Call)
		if c == nil || a.ID.Key == "" || a.Reply == nil || !kin(w.Call, c) || slices.Contains(known, a.ID.Key) {
			continue
		}
		e := state.Early{Key: a.ID.Key, Answer: a.Reply}
		if i := slices.IndexFunc(out, func(o state.Early) bool { return o.Key == e.Key }); i >= 0 {
			out[i] = e
			continue
		}
		out = append(out, e)
	}
	return out
}

// kin reports whether two calls are of the same tool.
func kin(a, b *session.Call) bool { return a.Method == b.Method && a.Name == b.Name }

// foreign says what the state of a round is to a call.
func foreign(own, c *session.Call, r *session.Round) []state.Foreign {
	f := state.Foreign{
		From: state.FromTool, Token: string(r.StateOut.Raw),
		Where: fmt.Sprintf("round %d of call %d (%s)", r.N, c.ID, c.Name),
		Same:  kin(own, c) && bytes.Equal(rpc.Member(own.Params, "arguments"), rpc.Member(c.Params, "arguments")),
	}
	switch {
	case c == own:
		f.From, f.Where = state.FromRound, fmt.Sprintf("round %d", r.N)
	case kin(own, c):
		f.From = state.FromCall
		if c.Status.Final() {
			again := f
			again.From = state.FromFinished
			return []state.Foreign{f, again}
		}
	}
	return []state.Foreign{f}
}

// Log is what the log keeps of the presets that a draft went through.
func Log(tampered []state.Tampered) []control.Tampering {
	var out []control.Tampering
	for _, t := range tampered {
		out = append(out, control.Tampering{Preset: t.Preset.ID, Change: t.Change, Basis: t.Basis()})
	}
	return out
}

// Outcome is what came of the request of a round. Message is left to the caller:
// it is the frame Round.Response.
func Outcome(s *session.Session, c *session.Call, r *session.Round) state.Outcome {
	if r.Response != 0 || !c.Status.Final() || r.Request == 0 {
		return state.Outcome{}
	}
	if c.Note == "" && slices.ContainsFunc(c.Rounds, func(other *session.Round) bool { return other != r && other.Response > r.Request }) {
		return state.Outcome{} // the answer to a twin came first and ended the call; this one is on its way
	}
	o := state.Outcome{Lost: c.Note}
	if o.Lost == "" {
		o.Lost = "the call ended without an answer"
	}
	exchange := s.Rows.Row(r.Request).Exchange
	for _, seq := range c.Frames {
		if row := s.Rows.Row(seq); exchange != 0 && row.Part == session.PartHTTP && row.Exchange == exchange && row.Status != 0 {
			o.Status = row.Status
		}
	}
	return o
}
