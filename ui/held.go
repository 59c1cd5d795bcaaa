package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/compare"
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
	again  *reanswer // the questions of a branch, until the request itself is wanted
	panel  *ask.Panel
	doc    *ask.Document
	twice  bool
	undo   []undone

	tampered []state.Tampered // the presets that were applied
	sealed   string           // the state that the member "state" of the document is written into, "" where it has none
	secrets  []secretHeader   // what the document shows masked
}

// secretHeader is a header whose value the document does not show. While it
// stands there as it is shown, the value itself is sent.
type secretHeader struct{ name, shown, value string }

// undone is a document as it was before a preset.
type undone struct {
	text     string
	twice    bool
	tampered int
	sealed   string
}

// newDraft puts a draft into a panel.
func newDraft(d control.Draft, branch bool) *heldDraft {
	h := &heldDraft{draft: d, branch: branch}
	h.doc = ask.JSON(nil, h.document(d, nil))
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

// document is what of a draft can be edited. A payload stands beside the params,
// decoded, and goes into their requestState.
func (h *heldDraft) document(d control.Draft, payload json.RawMessage) json.RawMessage {
	fields := []rpc.Field{{Name: "id", Raw: d.ID}}
	if len(d.Headers) > 0 {
		var headers []rpc.Field
		for _, shown := range h.hide(d.Headers) {
			headers = append(headers, rpc.Field{Name: shown.Name, Raw: rpc.Quote(shown.Value)})
		}
		fields = append(fields, rpc.Field{Name: "headers", Raw: rpc.Object(headers...)})
	}
	if payload != nil { // first: it is what is edited next
		fields = append([]rpc.Field{{Name: "state", Raw: payload}}, fields...)
	}
	return rpc.Object(append(fields, rpc.Field{Name: "params", Raw: d.Params})...)
}

// hide masks the headers that carry secrets, and keeps their values. What only
// stands for the token of another is shown: it is there to be replaced.
func (h *heldDraft) hide(headers []trace.Header) []trace.Header {
	out := trace.MaskHeaders(headers)
	for i, was := range headers {
		switch {
		case strings.Contains(was.Value, state.Stranger):
			out[i].Value = was.Value
		case out[i].Value != was.Value:
			h.secrets = append(h.secrets, secretHeader{was.Name, out[i].Value, was.Value})
		}
	}
	return out
}

// real is the value of a header that is shown.
func (h *heldDraft) real(name, shown string) string {
	for _, s := range slices.Backward(h.secrets) {
		if s.name == name && s.shown == shown {
			return s.value
		}
	}
	return shown
}

// edited is the draft with what was typed.
func (h *heldDraft) edited(raw json.RawMessage) (control.Draft, error) {
	d := h.draft
	d.ID, d.Params, d.Headers = rpc.Member(raw, "id"), rpc.Member(raw, "params"), nil
	d.Twice, d.Tampered = h.twice, tamper.Log(h.tampered)
	if d.Params == nil {
		return d, errors.New("there are no params: the document needs a member \"params\"")
	}
	if payload := rpc.Member(raw, "state"); payload != nil && h.sealed != "" {
		token, err := state.Edit(h.sealed, compact(payload))
		if err != nil {
			return d, err
		}
		d.Params = state.Put(d.Params, token)
	}
	for name, v := range rpc.Members(rpc.Member(raw, "headers")) {
		value, ok := rpc.String(v)
		if !ok {
			return d, fmt.Errorf("the header %s is not a string", name)
		}
		d.Headers = append(d.Headers, trace.Header{Name: name, Value: h.real(name, value)})
	}
	return d, nil
}

// compact writes JSON without the blanks that an editor puts in.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw // the document it comes from is JSON
	}
	return b.Bytes()
}

// differs says how the retry differs from what a conforming client would send,
// and what the specification asks of a server that gets it.
func (h *heldDraft) differs(t *draw.Theme) []draw.Line {
	raw, _, err := h.doc.Value()
	var d control.Draft
	if err == nil {
		d, err = h.edited(raw)
	}
	if err != nil {
		return []draw.Line{draw.L(t.Bad, "✖ "+text.CleanLine(err.Error()))}
	}
	var out []draw.Line
	for _, c := range h.changes(d) {
		out = append(out, draw.L(t.Warn, text.CleanLine("  "+c)))
	}
	if len(out) == 0 {
		out = []draw.Line{draw.L(t.Good, "as a conforming client would send it")}
	} else {
		out = append([]draw.Line{draw.L(t.Warn, "against what a conforming client would send")}, out...)
	}
	if h.sealed != "" {
		out = append(out, draw.L(t.Faint, "\"state\" is the payload: edit it there, it goes into requestState"))
	}
	for _, p := range h.tampered {
		out = append(out, draw.L(t.Note, text.CleanLine(p.Preset.Title+": "+p.Change)),
			draw.L(t.Note, text.CleanLine(asked(p.Preset)+" ("+p.Preset.Section+")")))
	}
	return append(out, draw.Line{})
}

// changes lists what in a draft a conforming client would not send.
func (h *heldDraft) changes(d control.Draft) []string {
	var out []string
	for _, c := range state.Diff(&state.Decoded{Payload: h.draft.Clean}, &state.Decoded{Payload: d.Params}) {
		out = append(out, string(c.Op)+" "+c.Path)
	}
	if string(d.ID) != string(h.draft.ID) {
		out = append(out, "change the id")
	}
	for _, o := range h.draft.Headers {
		if !slices.Contains(d.Headers, o) {
			out = append(out, "change the header "+o.Name)
		}
	}
	for _, o := range d.Headers {
		if !slices.ContainsFunc(h.draft.Headers, func(was trace.Header) bool { return was.Name == o.Name }) {
			out = append(out, "add the header "+o.Name)
		}
	}
	if h.twice {
		out = append(out, "send it twice")
	}
	return out
}

func (h *heldDraft) draw(s *draw.Screen, area draw.Rect, focus bool) {
	h.panel.Version = [2]any{h.doc.Text(), len(h.tampered)}
	h.shown().Draw(s, area, focus)
}

// take replaces the document by what a preset made of it; Undo brings the one
// before back.
func (h *heldDraft) take(d control.Draft, t state.Tampered) {
	h.undo = append(h.undo, undone{h.doc.Text(), h.twice, len(h.tampered), h.sealed})
	h.tampered, h.twice, h.sealed = append(h.tampered, t), d.Twice, ""
	var payload json.RawMessage
	if t.Preset.ID == "state-edit" {
		token := string(rpc.Member(d.Params, "requestState"))
		if p, err := state.Editable(token); err == nil {
			payload, h.sealed = p, token
		}
	}
	h.doc.SetText(editor.Pretty(h.document(d, payload)))
}

func (h *heldDraft) back() {
	if n := len(h.undo); n > 0 {
		u := h.undo[n-1]
		h.doc.SetText(u.text)
		h.undo, h.tampered, h.twice, h.sealed = h.undo[:n-1], h.tampered[:u.tampered], u.twice, u.sealed
	}
}

// wantDraft asks for the retry of the open call where one is held and not here.
func (m *Model) wantDraft() tea.Cmd {
	c := m.openCall()
	if m.place != atCall || c == nil || c.Status != trace.Holding || m.opts.Control == nil || m.drafts[c.ID] != nil || m.drafting[c.ID] {
		return nil
	}
	return m.getDraft(c.ID, func(*heldDraft) {})
}

// getDraft fetches the held retry of a call, and hands it on where it still
// stands.
func (m *Model) getDraft(id int, use func(*heldDraft)) tea.Cmd {
	m.drafting[id] = true
	return m.do(func(k control.Controller) doneMsg {
		d, err := k.Draft(id)
		return doneMsg{then: func(m *Model) tea.Cmd {
			delete(m.drafting, id)
			switch {
			case errors.Is(err, control.ErrNo): // it has just left
				return nil
			case err != nil:
				m.fail(err)
				return nil
			case m.drafts[id] == nil:
				m.drafts[id] = newDraft(d, false)
			}
			use(m.drafts[id])
			return nil
		}}
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
	if h.again != nil {
		return m.reanswerAct(h, act)
	}
	switch act {
	case ask.Later:
		m.focus = paneList
	case ask.Tamper:
		m.offerTampers(h)
	case ask.Undo:
		h.back()
	case ask.Drop:
		delete(m.drafts, h.draft.Call)
		if !h.branch {
			return m.do(func(k control.Controller) doneMsg { return doneMsg{err: k.Drop(h.draft.Call), said: "dropped"} })
		}
	case ask.Unchanged:
		d := h.draft
		d.Params = d.Clean
		return m.sendDraft(h, d)
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
		if act == ask.Twice && !h.twice {
			d.Twice, d.Tampered = true, tamper.Log(append(slices.Clone(h.tampered), sentTwice(d)))
		}
		return m.sendDraft(h, d)
	}
	return nil
}

// sentTwice is the preset that the button Send twice stands for.
func sentTwice(d control.Draft) state.Tampered {
	p, _ := state.PresetByID("twice")
	t, err := p.Apply(state.Material{Clean: state.Retry{Params: d.Params}})
	if err != nil { // it needs nothing
		panic(err)
	}
	return t
}

func (m *Model) sendDraft(h *heldDraft, d control.Draft) tea.Cmd {
	if m.unreachable() {
		return nil
	}
	call := d.Call
	send := func() tea.Cmd {
		if c := m.sess.Call(call); h.branch && c != nil {
			m.compared.branch = compare.Place{Call: call, Round: len(c.Rounds) + 1}
		}
		return m.do(func(k control.Controller) doneMsg {
			err := k.Send(d)
			return doneMsg{err: err, said: "sent", then: func(m *Model) tea.Cmd {
				delete(m.drafts, call)
				m.ladder.Follow()
				return nil
			}}
		})
	}
	if c := m.sess.Call(call); h.branch && c != nil && slices.ContainsFunc(c.Rounds, func(r *session.Round) bool { return r.Parent == d.Round }) {
		return m.askOnce("Answer round "+fmt.Sprint(d.Round)+" of "+calledName(c)+" again? It has its real effects again.", c, send)
	}
	return send()
}

// branch opens the request that the answers of the selected round were sent with.
func (m *Model) branch(c *session.Call) tea.Cmd {
	if m.place != atCall {
		m.say("a branch answers one round another way: " + keys.Of(keys.Open) + " opens the call, select the round there")
		return nil
	}
	r := m.round(c)
	if r == nil {
		return nil
	}
	n := r.N
	if len(r.Asks) == 0 && r.Parent != 0 {
		n = r.Parent
	}
	return m.branchAt(c, n)
}

// branchAt asks the questions of a round once more.
func (m *Model) branchAt(c *session.Call, n int) tea.Cmd {
	id := c.ID
	var d control.Draft
	return m.do(func(k control.Controller) (msg doneMsg) {
		d, msg.err = k.Branch(id, n)
		msg.then = func(m *Model) tea.Cmd {
			h := newDraft(d, true)
			if r := c.Round(d.Round); r != nil {
				h.again = m.newReanswer(c, r)
			}
			m.drafts[id] = h
			m.focus = paneNow
			return nil
		}
		return msg
	})
}

// startTamper offers the presets where a retry stands, and holds the retries of
// the call where none does. What it changes is on the call's screen: that comes
// first.
func (m *Model) startTamper(c *session.Call) tea.Cmd {
	if m.place != atCall {
		m.enterCall(c.ID)
	}
	if h := m.drafts[c.ID]; h != nil {
		if h.again != nil {
			h.asRequest()
		}
		m.offerTampers(h)
		return nil
	}
	if c.Status == trace.Holding {
		return m.getDraft(c.ID, m.offerTampers)
	}
	if !m.retries() {
		m.say("this server speaks " + m.sess.Conn.Version + ", where all rounds of a call lie in one request: there is no retry to tamper with")
		return nil
	}
	if c.Status.Final() {
		m.say("this call has ended: b answers a round again, and that can be tampered with")
		return nil
	}
	return m.hold(c.ID, true)
}
