package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// resendActs are the acts that send a request again, or any request at all.
func (m *Model) resendActs(rows []palette.Row, acts []func(*Model) tea.Cmd) ([]palette.Row, []func(*Model) tea.Cmd) {
	add := func(name string, f func(*Model) tea.Cmd) {
		rows, acts = append(rows, palette.Row{Name: name}), append(acts, f)
	}
	if seq := m.sentAt(); seq != 0 {
		name := text.CleanLine(strings.TrimSpace(m.row(seq).Method + " " + m.row(seq).Name))
		add("send again as it was: "+name, func(m *Model) tea.Cmd { return m.resend(seq) })
		add("send again, edited: "+name, func(m *Model) tea.Cmd { return m.editRequest(seq) })
	}
	add("send any request, raw: a method and its params", func(m *Model) tea.Cmd { m.composeRequest(); return nil })
	return rows, acts
}

// sentAt is the request or notification of ours that the selection is about, 0
// for none: itself, or what it answers.
func (m *Model) sentAt() int {
	var seq int
	switch {
	case m.place == atCall:
		c := m.openCall()
		if c == nil || m.round(c) == nil {
			return 0
		}
		if seq = m.round(c).Request; seq == 0 {
			seq = c.Rounds[0].Request // in the legacy era all rounds lie in one
		}
	case m.place == atHome && m.tab == tabWire:
		seq = m.wire.Seq()
	}
	if seq == 0 {
		return 0
	}
	r := m.row(seq)
	if r.Dir == trace.In && r.Pair != 0 {
		seq, r = r.Pair, m.row(r.Pair)
	}
	if r.Part != session.PartFrame || r.Dir != trace.Out || r.Kind != rpc.Request && r.Kind != rpc.Notification {
		return 0
	}
	return seq
}

// outgoing is a request as a person edits it: what is a part of it, and what
// goes beside it.
type outgoing struct {
	method  string
	params  json.RawMessage
	meta    json.RawMessage
	headers []trace.Header
}

// read takes a message apart. The members of _meta stand for themselves: those
// that the client does not name itself are kept, the progress token is not,
// since it belongs to one request.
func (o *outgoing) read(message []byte) {
	msg := rpc.Peek(message)
	o.method, o.params = msg.Method, msg.Params
	if len(o.params) > 0 && o.params[0] == '{' {
		if meta := rpc.Member(o.params, "_meta"); len(meta) > 0 && meta[0] == '{' {
			o.meta = rpc.With(meta, rpc.Field{Name: "progressToken"})
		}
		o.params = rpc.With(o.params, rpc.Field{Name: "_meta"})
	}
}

// document is the request as JSON to be edited.
func (o *outgoing) document() json.RawMessage {
	or := func(raw json.RawMessage) json.RawMessage {
		if raw == nil {
			return json.RawMessage("{}")
		}
		return raw
	}
	return rpc.Object(rpc.Field{Name: "method", Raw: rpc.Quote(o.method)}, rpc.Field{Name: "params", Raw: or(o.params)},
		rpc.Field{Name: "meta", Raw: or(o.meta)}, rpc.Field{Name: "headers", Raw: json.RawMessage("{}")})
}

// parse reads what was edited.
func (o *outgoing) parse(raw json.RawMessage) error {
	*o = outgoing{}
	if o.method, _ = rpc.String(rpc.Member(raw, "method")); o.method == "" {
		return errors.New("there is no method: the document needs a member \"method\", such as \"tools/list\"")
	}
	o.params = rpc.Member(raw, "params")
	if meta := rpc.Member(raw, "meta"); meta != nil && string(meta) != "{}" {
		o.meta = meta
	}
	for name, v := range rpc.Members(rpc.Member(raw, "headers")) {
		value, ok := rpc.String(v)
		if !ok {
			return fmt.Errorf("the header %s is not a string", name)
		}
		o.headers = append(o.headers, trace.Header{Name: name, Value: value})
	}
	return nil
}

// request is the call that sends it. It is sent whatever the client thinks of
// it: that is what it is for.
func (o *outgoing) request() control.Request {
	r := control.Request{Method: o.method, Params: o.params, Meta: o.meta, Headers: o.headers, Force: true}
	if len(o.params) > 0 && o.params[0] == '{' && session.MayAsk(o.method) {
		r.State, r.Inputs = rpc.Member(o.params, "requestState"), rpc.Member(o.params, "inputResponses")
		r.Params = rpc.With(o.params, rpc.Field{Name: "requestState"}, rpc.Field{Name: "inputResponses"})
	}
	return r
}

// send sends it: a notification by itself, anything else as a call of its own.
func (o *outgoing) send(m *Model) tea.Cmd {
	if !strings.HasPrefix(o.method, "notifications/") {
		return m.begin(o.request())
	}
	method, params := o.method, o.params
	if o.meta != nil {
		params = rpc.With(orObject(params), rpc.Field{Name: "_meta", Raw: o.meta})
	}
	return m.do(func(k control.Controller) doneMsg {
		return doneMsg{err: k.Notify(method, params), said: method + " was sent"}
	})
}

func orObject(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("{}")
	}
	return raw
}

// withRequest reads a request and does something with it.
func (m *Model) withRequest(seq int, f func(m *Model, o *outgoing) tea.Cmd) tea.Cmd {
	return m.withBody(seq, func(m *Model, body []byte) tea.Cmd {
		var o outgoing
		o.read(body)
		return f(m, &o)
	})
}

// resend sends a request again as it was, with an id of its own.
func (m *Model) resend(seq int) tea.Cmd {
	return m.withRequest(seq, func(m *Model, o *outgoing) tea.Cmd {
		return m.sureOf(seq, func(m *Model) tea.Cmd { return o.send(m) })
	})
}

// sureOf asks before the effects of a call happen again.
func (m *Model) sureOf(seq int, then func(*Model) tea.Cmd) tea.Cmd {
	var c *session.Call
	if seq != 0 {
		c = m.sess.Call(m.row(seq).Call)
	}
	if c == nil {
		return then(m)
	}
	return m.askOnce("Send "+calledName(c)+" again? It has its real effects again.", c, func() tea.Cmd { return then(m) })
}

// editRequest opens a request to be edited and sent.
func (m *Model) editRequest(seq int) tea.Cmd {
	return m.withRequest(seq, func(m *Model, o *outgoing) tea.Cmd {
		m.overlay = newRequestForm(fmt.Sprintf("%s again, edited", text.CleanLine(o.method)), seq, o)
		return nil
	})
}

// composeRequest opens an empty request. What was typed before and not sent is
// still there.
func (m *Model) composeRequest() {
	if m.composed == nil {
		m.composed = newRequestForm("Any request", 0, &outgoing{method: "tools/list"})
	}
	m.composed.sent = false
	m.overlay = m.composed
}

// requestForm is a request that is edited, on top of the screen.
type requestForm struct {
	seq   int // the request that it began as, 0 for none
	panel *ask.Panel
	sent  bool
}

// unsent reports whether a request was edited and would be lost.
func (m *Model) unsent() bool {
	f, ok := m.overlay.(*requestForm)
	return ok && !f.sent && f.panel.Changed() || m.composed != nil && !m.composed.sent && m.composed.panel.Changed()
}

func newRequestForm(title string, seq int, o *outgoing) *requestForm {
	return &requestForm{seq: seq, panel: &ask.Panel{
		Title: title, Edit: ask.JSON(nil, o.document()),
		Head: func(t *draw.Theme) []draw.Line {
			return []draw.Line{draw.L(t.Text, "It is sent whatever it says, with a new id. The members of meta go over the client's own in _meta; headers replace those of the same name, over HTTP only."), {}}
		},
		Buttons: []ask.Button{
			{Act: ask.Send, Label: "Send", Key: keys.Of(keys.Send)}, {Act: ask.Later, Label: "Back", Key: keys.Of(keys.Later)},
		},
	}}
}

func (f *requestForm) draw(_ *Model, s *draw.Screen, area draw.Rect) {
	s.Clear(area)
	f.panel.Draw(s, area, true)
}

func (f *requestForm) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	if i := keys.Lookup(keys.Form, k); i != keys.None {
		return f.act(m, f.panel.Do(i))
	}
	return f.act(m, f.panel.Key(k))
}

func (f *requestForm) act(m *Model, act ask.Act) tea.Cmd {
	switch act {
	case ask.Later:
		m.overlay = nil
	case ask.Send:
		raw, ok := f.panel.Value()
		if !ok {
			return nil
		}
		var o outgoing
		if err := o.parse(raw); err != nil {
			f.panel.Fail(err)
			return nil
		}
		if m.unreachable() {
			return nil
		}
		m.overlay = nil
		return m.sureOf(f.seq, func(m *Model) tea.Cmd { f.sent = true; return o.send(m) })
	}
	return f.panel.Cmd()
}

func (f *requestForm) click(m *Model, x, y int) tea.Cmd { return f.act(m, f.panel.Click(x, y)) }
func (f *requestForm) wheel(n int)                      { f.panel.Wheel(0, 0, n) }
func (f *requestForm) paste(_ *Model, s string)         { f.panel.Paste(s) }
