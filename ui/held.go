package ui

import (
	"encoding/json"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
	"mcptui/ui/tamper"
	"mcptui/ui/text"
)

// heldDraft is a retry that stands, or the request of a branch, as JSON that
// can be edited before it leaves.
type heldDraft struct {
	draft  control.Draft
	branch bool
	panel  *ask.Panel
	doc    *ask.Document
	undo   []string
	preset *tamper.Preset
}

// newDraft puts a draft into a panel.
func newDraft(d control.Draft, branch bool) *heldDraft {
	h := &heldDraft{draft: d, branch: branch, doc: ask.JSON(nil, document(d))}
	title := fmt.Sprintf("◆ held: the retry of round %d", d.Round)
	if branch {
		title = fmt.Sprintf("◆ branch: round %d answered again", d.Round)
	}
	drop := ask.Button{Act: ask.Drop, Label: "Drop", Key: ""}
	if branch {
		drop.Label = "Forget"
	}
	h.panel = &ask.Panel{Title: title, Edit: h.doc, Buttons: []ask.Button{
		{Act: ask.Send, Label: "Send", Key: keys.Of(keys.Send)}, {Act: ask.Unchanged, Label: "Send unchanged"},
		{Act: ask.Tamper, Label: "Tamper"}, {Act: ask.Twice, Label: "Send twice"}, {Act: ask.Undo, Label: "Undo"}, drop,
		{Act: ask.Later, Label: "Back", Key: keys.Of(keys.Later)},
	}}
	h.panel.Head = h.differs
	return h
}

// document is what of a draft can be edited.
func document(d control.Draft) json.RawMessage {
	fields := []rpc.Field{{Name: "id", Raw: d.ID}}
	if len(d.Headers) > 0 {
		var headers []rpc.Field
		for _, h := range d.Headers {
			headers = append(headers, rpc.Field{Name: h.Name, Raw: rpc.Quote(h.Value)})
		}
		fields = append(fields, rpc.Field{Name: "headers", Raw: rpc.Object(headers...)})
	}
	return rpc.Object(append(fields, rpc.Field{Name: "params", Raw: d.Params})...)
}

// edited is the draft with what was typed.
func (h *heldDraft) edited(raw json.RawMessage) (control.Draft, error) {
	d := h.draft
	d.ID, d.Params, d.Headers = rpc.Member(raw, "id"), rpc.Member(raw, "params"), nil
	if d.Params == nil {
		return d, errors.New("there are no params: the document needs a member \"params\"")
	}
	for name, v := range rpc.Members(rpc.Member(raw, "headers")) {
		value, ok := rpc.String(v)
		if !ok {
			return d, fmt.Errorf("the header %s is not a string", name)
		}
		d.Headers = append(d.Headers, trace.Header{Name: name, Value: value})
	}
	return d, nil
}

// differs says how the retry differs from what a conforming client would send.
func (h *heldDraft) differs(t *draw.Theme) []draw.Line {
	raw, _, err := h.doc.Value()
	if err != nil {
		return []draw.Line{draw.L(t.Bad, "✖ "+text.CleanLine(err.Error()))}
	}
	changes := state.Diff(&state.Decoded{Payload: h.draft.Clean}, &state.Decoded{Payload: rpc.Member(raw, "params")})
	if len(changes) == 0 && string(rpc.Member(raw, "id")) == string(h.draft.ID) {
		return []draw.Line{draw.L(t.Good, "as a conforming client would send it"), {}}
	}
	out := []draw.Line{draw.L(t.Warn, "against what a conforming client would send")}
	for _, c := range changes {
		out = append(out, draw.L(t.Warn, text.CleanLine("  "+string(c.Op)+" "+c.Path)))
	}
	if h.preset != nil {
		out = append(out, draw.L(t.Note, text.CleanLine(h.preset.Name+": the specification "+h.preset.Says+" ("+tamper.Section+")")))
	}
	return append(out, draw.Line{})
}

func (h *heldDraft) draw(s *draw.Screen, area draw.Rect, focus bool) {
	h.panel.Version = h.doc.Text()
	h.panel.Draw(s, area, focus)
}

// set replaces the document; Undo brings the one before back.
func (h *heldDraft) set(d control.Draft) {
	h.undo = append(h.undo, h.doc.Text())
	h.doc.SetText(editor.Pretty(document(d)))
}

// wantDraft asks for the retry of the open call where one is held.
func (m *Model) wantDraft() tea.Cmd {
	c := m.openCall()
	if m.place != atCall || c == nil || c.Status != trace.Holding || m.drafts[c.ID] != nil || m.opts.Control == nil {
		return nil
	}
	id := c.ID
	var d control.Draft
	return m.do(func(k control.Controller) (msg doneMsg) {
		d, msg.err = k.Draft(id)
		if errors.Is(msg.err, control.ErrNo) {
			return doneMsg{} // it has just left
		}
		msg.then = func(m *Model) tea.Cmd {
			if m.drafts[id] == nil {
				m.drafts[id] = newDraft(d, false)
			}
			return nil
		}
		return msg
	})
}

// forgetDrafts drops the panels of retries that do not stand any more.
func (m *Model) forgetDrafts() {
	for id, d := range m.drafts {
		if c := m.sess.Call(id); !d.branch && (c == nil || c.Status != trace.Holding) {
			delete(m.drafts, id)
		}
	}
}

// sendHeld sends the held retry of a call as it was edited.
func (m *Model) sendHeld(id int) tea.Cmd {
	if d := m.drafts[id]; d != nil {
		return m.draftAct(d, ask.Send)
	}
	return m.do(func(k control.Controller) doneMsg {
		d, err := k.Draft(id)
		if err == nil {
			err = k.Send(d)
		}
		return doneMsg{err: err, said: "sent"}
	})
}

func (m *Model) draftAct(h *heldDraft, act ask.Act) tea.Cmd {
	switch act {
	case ask.Later:
		m.focus = paneList
	case ask.Tamper:
		m.offerTampers(h)
	case ask.Undo:
		if n := len(h.undo); n > 0 {
			h.doc.SetText(h.undo[n-1])
			h.undo, h.preset = h.undo[:n-1], nil
		}
	case ask.Drop:
		delete(m.drafts, h.draft.Call)
		if !h.branch {
			return m.do(func(k control.Controller) doneMsg { return doneMsg{err: k.Drop(h.draft.Call), said: "dropped"} })
		}
	case ask.Unchanged:
		d := h.draft
		d.Params = d.Clean
		return m.sendDraft(h, d, nil)
	case ask.Send, ask.Twice:
		raw, ok := h.panel.Value()
		if !ok {
			return nil
		}
		d, err := h.edited(raw)
		if err != nil {
			h.panel.Fail(err)
			return nil
		}
		d.Twice = act == ask.Twice || h.draft.Twice
		preset := h.preset
		if act == ask.Twice {
			preset = &twice
		}
		return m.sendDraft(h, d, preset)
	}
	return nil
}

var twice = tamper.Named("twice at once")

func (m *Model) sendDraft(h *heldDraft, d control.Draft, preset *tamper.Preset) tea.Cmd {
	call := d.Call
	send := func() tea.Cmd {
		return m.do(func(k control.Controller) doneMsg {
			err := k.Send(d)
			return doneMsg{err: err, said: "sent", then: func(m *Model) tea.Cmd {
				delete(m.drafts, call)
				m.ladder.Follow()
				return nil
			}}
		})
	}
	if preset != nil {
		if c := m.sess.Call(call); c != nil {
			m.damaged = append(m.damaged, damage{call: call, round: len(c.Rounds) + 1, preset: *preset})
		}
	}
	if c := m.sess.Call(call); h.branch && c != nil {
		return m.askOnce("Answer round "+fmt.Sprint(d.Round)+" of "+calledName(c)+" again? It has its real effects again.", c, send)
	}
	return send()
}

// branch opens the request that the answers of the selected round were sent with.
func (m *Model) branch(c *session.Call) tea.Cmd {
	r := m.round(c)
	if m.place != atCall || r == nil {
		return nil
	}
	n := r.N
	if len(r.Asks) == 0 && r.Parent != 0 {
		n = r.Parent
	}
	id := c.ID
	var d control.Draft
	return m.do(func(k control.Controller) (msg doneMsg) {
		d, msg.err = k.Branch(id, n)
		msg.then = func(m *Model) tea.Cmd {
			m.drafts[id] = newDraft(d, true)
			m.focus = paneNow
			return nil
		}
		return msg
	})
}

// startTamper offers the presets where a retry stands, and holds the retries of
// the call where none does.
func (m *Model) startTamper(c *session.Call) tea.Cmd {
	if h := m.drafts[c.ID]; h != nil {
		m.offerTampers(h)
		return nil
	}
	if c.Status.Final() {
		m.say("this call has ended: b answers a round again, and that can be tampered with")
		return nil
	}
	return m.hold(c.ID, true)
}
