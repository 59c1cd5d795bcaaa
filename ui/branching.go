package ui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// reanswer are the questions of a finished round, asked once more: their answers
// go into the request of a branch.
type reanswer struct {
	asks    []*session.Ask
	panels  []*ask.Panel
	replies map[string]json.RawMessage // given so far, by key
	at      int
}

// newReanswer asks the questions of a round once more, with what was answered
// then; nil where there is none.
func (m *Model) newReanswer(c *session.Call, r *session.Round) *reanswer {
	ra := &reanswer{replies: map[string]json.RawMessage{}}
	for _, id := range r.Asks {
		a := m.sess.Ask(id)
		if a == nil || id.Key == "" {
			continue
		}
		w := m.with(a)
		w.Call, w.Before, w.Sampler = calledName(c), a.Reply, false
		p := ask.New(a, w)
		ra.asks, ra.panels = append(ra.asks, a), append(ra.panels, p)
	}
	for i := range ra.panels {
		ra.asBranch(i, r)
	}
	if len(ra.asks) == 0 {
		return nil
	}
	return ra
}

// asBranch says on a question's panel that it is asked once more, and what can
// be done then.
func (ra *reanswer) asBranch(i int, r *session.Round) {
	p := ra.panels[i]
	p.Title = fmt.Sprintf("◆ branch: round %d answered again", r.N)
	if n := len(ra.asks); n > 1 {
		p.Title += fmt.Sprintf(", %d of %d", i+1, n)
	}
	head := p.Head
	p.Head = func(t *draw.Theme) []draw.Line {
		return append([]draw.Line{draw.L(t.Faint, "from the state that the round had; "+answeredThen(ra.asks[i]))}, head(t)...)
	}
	buttons := p.Buttons[:0:0]
	for _, b := range p.Buttons {
		switch b.Act {
		case ask.Later, ask.Abandon, ask.Reject, ask.Sampler:
			continue
		case ask.Send:
			if i+1 < len(ra.asks) {
				b.Label = "Next"
			}
		}
		buttons = append(buttons, b)
	}
	p.Buttons = append(buttons, ask.Button{Act: ask.Request, Label: "The request"}, ask.Button{Act: ask.Tamper, Label: "Tamper"},
		ask.Button{Act: ask.Drop, Label: "Forget"}, ask.Button{Act: ask.Later, Label: "Back", Key: keys.Of(keys.Later)})
}

// answeredThen says what became of an ask.
func answeredThen(a *session.Ask) string {
	switch action := rpc.Text(a.Reply, "action"); {
	case a.Reply == nil:
		return "it was not answered then"
	case action != "" && action != "accept":
		return "the answer was " + text.CleanLine(action)
	}
	return "what was answered then stands below"
}

func (ra *reanswer) panel() *ask.Panel { return ra.panels[ra.at] }

// shown is the panel of a draft that is on the screen.
func (h *heldDraft) shown() *ask.Panel {
	if h.again != nil {
		return h.again.panel()
	}
	return h.panel
}

// asRequest shows the request of a branch in place of its questions, with what
// was answered so far.
func (h *heldDraft) asRequest() {
	for i, a := range h.again.asks {
		if p := h.again.panels[i]; h.again.replies[a.ID.Key] == nil && p.Edit != nil && p.Changed() {
			if raw, _, err := p.Edit.Value(); err == nil {
				h.again.replies[a.ID.Key] = ask.Reply(a, ask.Send, p.Wrap(raw)).Result
			}
		}
	}
	h.takeReplies()
	h.again = nil
	h.doc.SetText(editor.Pretty(h.document(h.draft, nil)))
}

// takeReplies puts the answers into the request. It is what a conforming client
// sends that gives these answers.
func (h *heldDraft) takeReplies() {
	answers := rpc.Member(h.draft.Params, "inputResponses")
	if len(answers) == 0 {
		answers = []byte("{}")
	}
	for _, a := range h.again.asks {
		if raw := h.again.replies[a.ID.Key]; raw != nil {
			answers = rpc.With(answers, rpc.Field{Name: a.ID.Key, Raw: raw})
		}
	}
	for _, params := range []*json.RawMessage{&h.draft.Params, &h.draft.Clean} {
		*params = rpc.With(*params, rpc.Field{Name: "inputResponses", Raw: answers})
	}
}

// reanswerAct does what was chosen on a question that is asked once more.
func (m *Model) reanswerAct(h *heldDraft, act ask.Act) tea.Cmd {
	ra := h.again
	a := ra.asks[ra.at]
	var value json.RawMessage
	switch act {
	case ask.Later:
		m.focus = paneList
		return nil
	case ask.Drop:
		delete(m.drafts, h.draft.Call)
		return nil
	case ask.Request, ask.Tamper:
		h.asRequest()
		if act == ask.Tamper {
			m.offerTampers(h)
		}
		return nil
	case ask.OpenURL, ask.CopyURL:
		return m.openURL(a, act)
	case ask.Send:
		v, ok := ra.panel().Value()
		if !ok {
			return nil
		}
		value = v
	}
	ra.replies[a.ID.Key] = ask.Reply(a, act, value).Result
	if ra.at+1 < len(ra.asks) {
		ra.at++
		return nil
	}
	h.takeReplies()
	return m.sendDraft(h, h.draft)
}
