package ask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// With is what an ask is shown with.
type With struct {
	Server string // which server asks
	Call   string // what for; empty where it belongs to no call
	Form   func(schemaJSON []byte, value json.RawMessage) Editor
	Seen   int // how often the same URL was asked before

	Roots     []control.Root // what would be given
	Suggested bool           // the roots are a suggestion: nobody named them

	Before json.RawMessage // the result that was given to this ask before, to begin with; nil for none

	Sampler bool            // a command can be asked for a model's answer
	Canned  json.RawMessage // the CreateMessageResult that was given last, nil for none
}

// New makes the panel for an ask.
func New(a *session.Ask, w With) *Panel {
	p := &Panel{Title: Title(a, w)}
	switch a.Kind {
	case session.Form:
		p.form(a, w)
	case session.URL:
		p.url(a, w)
	case session.Sampling:
		p.sampling(a, w)
	case session.Roots:
		p.roots(a, w)
	default:
		p.unknown(a, w)
	}
	return p
}

// Title says which server asks, for what.
func Title(a *session.Ask, w With) string {
	kind := map[session.Kind]string{
		session.Form: "asks you", session.URL: "asks you to open a page",
		session.Sampling: "asks for a model's answer", session.Roots: "asks for your roots",
	}[a.Kind]
	if kind == "" {
		kind = "asks: " + text.CleanLine(a.Method)
	}
	t := "◆ " + w.Server + " " + kind
	if a.ID.Key != "" {
		t += " · " + text.CleanLine(a.ID.Key)
	}
	return t
}

// elicitation are the buttons of an elicitation.
func elicitation(send string) []Button {
	return []Button{
		{Send, send, keys.Of(keys.Send)}, {Decline, "Decline", keys.Of(keys.Decline)},
		{Cancel, "Cancel", keys.Of(keys.Cancel)}, {Later, "Later", keys.Of(keys.Later)}, {Abandon, "Give up the call", ""},
	}
}

func rejectable() []Button {
	return []Button{{Send, "Send", keys.Of(keys.Send)}, {Reject, "Reject", ""},
		{Later, "Later", keys.Of(keys.Later)}, {Abandon, "Give up the call", ""}}
}

func lead(t *draw.Theme, a *session.Ask, w With) []draw.Line {
	return append(message(t, a), from(t, a, w))
}

func message(t *draw.Theme, a *session.Ask) []draw.Line {
	if a.Message == "" {
		return nil
	}
	var out []draw.Line
	for _, l := range strings.Split(text.Clean(a.Message), "\n") {
		out = append(out, draw.L(t.Bold, l))
	}
	return out
}

// from says who asks, during what, and what the answer leaves with.
func from(t *draw.Theme, a *session.Ask, w With) draw.Line {
	from := "asked by " + w.Server
	if w.Call != "" {
		from += " during " + w.Call
	}
	if a.Owner.Kind == session.Inferred {
		from += " (inferred: the only open call)"
	}
	if n := len(a.SendsWith); n > 1 {
		from += fmt.Sprintf("; leaves with the other %d of its round", n-1)
	}
	return draw.L(t.Faint, from)
}

func (p *Panel) form(a *session.Ask, w With) {
	wanted := rpc.Member(a.Params, "requestedSchema")
	form := schema.Parse(wanted)
	p.Buttons = elicitation("Send")
	p.Head = func(t *draw.Theme) []draw.Line {
		out := lead(t, a, w)
		if s := form.Secrets(); len(s) > 0 {
			out = append(out, draw.L(t.Warn, fmt.Sprintf("⚠ asks for something secret (%s): the specification forbids that in a form", text.CleanLine(s[0].Word))))
		} else if word := schema.SecretWord(a.Message); word != "" {
			out = append(out, draw.L(t.Warn, fmt.Sprintf("⚠ speaks of something secret (%s): a form must not ask for it", word)))
		}
		for _, f := range form.Findings {
			if f.Level > 0 {
				out = append(out, draw.L(t.Warn, "⚠ "+text.CleanLine(f.String())))
			}
		}
		return append(out, draw.Line{})
	}
	if form.Empty() {
		p.Buttons[0].Label = "Accept"
		return
	}
	p.Edit = w.Form(wanted, rpc.Member(w.Before, "content"))
}

// cannedAnswer stands where no answer was given before.
const cannedAnswer = `{"role":"assistant","content":{"type":"text","text":"This is a canned answer."},"model":"canned","stopReason":"endTurn"}`

// answerSchema asks for the parts of a CreateMessageResult that a person types.
const answerSchema = `{"type":"object","properties":{
"text":{"type":"string","title":"Answer","description":"what the model says, over as many lines as it takes","maxLength":100000},
"model":{"type":"string","title":"Model","description":"the name that the server is told","default":"a person"},
"stopReason":{"type":"string","title":"Stop reason","enum":["endTurn","stopSequence","maxTokens"],"default":"endTurn"}},
"required":["text","model"]}`

func (p *Panel) sampling(a *session.Ask, w With) {
	more := []Button{{Whole, "Whole result", ""}, {Canned, "Canned", ""}}
	if w.Sampler {
		more = append(more, Button{Sampler, "Sampler", ""})
	}
	p.Buttons = slices.Insert(rejectable(), 1, more...)
	if p.canned = w.Canned; p.canned == nil {
		p.canned = json.RawMessage(cannedAnswer)
	}
	p.Head = func(t *draw.Theme) []draw.Line {
		return append(append(lead(t, a, w), conversation(t, a)...), draw.Line{})
	}
	p.Edit, p.reads = w.Form([]byte(answerSchema), nil), true
	p.wrap = func(raw json.RawMessage) json.RawMessage {
		text := rpc.Member(raw, "text")
		if text == nil {
			text = []byte(`""`)
		}
		return rpc.Object(rpc.Field{Name: "role", Raw: []byte(`"assistant"`)},
			rpc.Field{Name: "content", Raw: rpc.Object(rpc.Field{Name: "type", Raw: []byte(`"text"`)}, rpc.Field{Name: "text", Raw: text})},
			rpc.Field{Name: "model", Raw: rpc.Member(raw, "model")},
			rpc.Field{Name: "stopReason", Raw: rpc.Member(raw, "stopReason")})
	}
	p.whole = func(result json.RawMessage) Editor { return JSON(nil, result) }
	if w.Before != nil {
		p.Review(w.Before)
	}
}

// RootsSchema asks for a list of roots (ListRootsResult).
const RootsSchema = `{"type":"object","properties":{"roots":{"type":"array","title":"Roots","items":{"type":"object","properties":{
"uri":{"type":"string","title":"URI","format":"uri","default":"file:///"},"name":{"type":"string","title":"Name"}},"required":["uri"]}}},"required":["roots"]}`

func (p *Panel) roots(a *session.Ask, w With) {
	p.Buttons = rejectable()
	p.Buttons[0].Label = "Give"
	p.Head = func(t *draw.Theme) []draw.Line {
		out := append(lead(t, a, w), draw.L(t.Text, "These roots would be given:"))
		if w.Suggested {
			out = append(out, draw.L(t.Note, "the working directory is a suggestion"))
		}
		return append(out, draw.Line{})
	}
	list := w.Roots
	if list == nil {
		list = []control.Root{}
	}
	raw, err := json.Marshal(map[string]any{"roots": list})
	if err != nil { // strings always encode
		raw = []byte(`{"roots":[]}`)
	}
	if w.Before != nil {
		raw = w.Before
	}
	p.Edit = w.Form([]byte(RootsSchema), raw)
}

func (p *Panel) unknown(a *session.Ask, w With) {
	p.Buttons = rejectable()
	if a.Method == "elicitation/create" {
		p.Buttons = elicitation("Send")
	}
	p.Head = func(t *draw.Theme) []draw.Line {
		out := append(lead(t, a, w), draw.L(t.Warn, "⚠ this client does not know what is asked; the answer is sent as it is typed"))
		return append(append(out, inspect.JSON(a.Params, t)...), draw.Line{})
	}
	p.Edit = JSON(nil, json.RawMessage(`{}`))
	if w.Before != nil {
		p.Edit = JSON(nil, w.Before)
	}
}

// Reply makes the answer to an ask out of an act. Value is what the panel holds.
func Reply(a *session.Ask, act Act, value json.RawMessage) control.Reply {
	switch act {
	case Decline:
		return control.Reply{Result: json.RawMessage(`{"action":"decline"}`)}
	case Cancel:
		return control.Reply{Result: json.RawMessage(`{"action":"cancel"}`)}
	case Reject:
		return control.Reply{Error: &control.Error{Code: -1, Message: "rejected by the user"}}
	}
	switch a.Kind {
	case session.Form:
		if value == nil {
			value = json.RawMessage(`{}`)
		}
		return control.Reply{Result: rpc.Object(rpc.Field{Name: "action", Raw: []byte(`"accept"`)}, rpc.Field{Name: "content", Raw: value})}
	case session.URL:
		return control.Reply{Result: json.RawMessage(`{"action":"accept"}`)}
	}
	return control.Reply{Result: value}
}
