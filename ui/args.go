package ui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/ui/ask"
	"mcptui/ui/catalogue"
	"mcptui/ui/draw"
	"mcptui/ui/form"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// argsForm is what is typed so far to call one entry of the catalogue.
type argsForm struct {
	kind     catalogue.Kind
	item     session.Item
	rejected string
	wanted   []byte // the schema
	panel    *ask.Panel
	sent     bool
	done     func(*Model, json.RawMessage) tea.Cmd // what sending means; nil for a call
}

// openEntry calls what is selected in the catalogue, or opens the form of what
// it wants to know. To edit opens a form also where nothing has to be known, but
// arguments may be given.
func (m *Model) openEntry(edit bool) tea.Cmd {
	kind, it, rejected, ok := m.catalogue.Selected(m.sess)
	if !ok {
		return nil
	}
	if m.opts.Control == nil {
		m.fail(errRecording)
		return nil
	}
	wanted := wants(kind, it)
	if edit && wanted == nil {
		if wanted = takes(kind, it); wanted == nil {
			m.say("it takes no arguments; " + keys.Of(keys.Open) + " calls it")
			return nil
		}
	}
	if wanted == nil && rejected == "" {
		r, err := request(kind, it, nil, false)
		if err != nil {
			m.fail(err)
			return nil
		}
		return m.begin(r)
	}
	key := entryOf(kind, it)
	if m.args[key] == nil || (m.args[key].wanted == nil) != (wanted == nil) || m.args[key].sent && !m.args[key].panel.Changed() {
		m.args[key] = m.newArgs(kind, it, rejected, wanted)
	}
	m.args[key].sent = false
	m.place, m.arg = atArgs, key
	return nil
}

// wants returns the schema of what an entry wants to know, nil for nothing.
func wants(kind catalogue.Kind, it session.Item) []byte {
	switch kind {
	case catalogue.Tool:
		raw := rpc.Member(it.Raw, "inputSchema")
		if raw == nil {
			return nil
		}
		f := schema.Parse(raw)
		switch {
		case !f.Empty():
			return raw
		case speaksOfMembers(raw, f):
			return withARow(raw, f)
		}
	case catalogue.Prompt:
		return promptSchema(rpc.Member(it.Raw, "arguments"))
	case catalogue.Template:
		wanted, _ := form.Template(it.URI)
		return wanted
	}
	return nil
}

// speaksOfMembers reports whether a schema that names no member says what members
// there may be, or how many: then somebody means them to be given. One that only does
// not forbid them is how most servers declare a tool without arguments.
func speaksOfMembers(raw []byte, f *schema.Form) bool {
	for _, keyword := range []string{"patternProperties", "propertyNames", "minProperties", "dependentRequired", "dependentSchemas"} {
		if rpc.Member(raw, keyword) != nil {
			return true
		}
	}
	extra := f.Root.Extra()
	return extra != nil && (extra.Kind != schema.JSON || extra.Description != "")
}

// takes returns a schema to give arguments by that a tool does not ask for; nil
// where it allows none.
func takes(kind catalogue.Kind, it session.Item) []byte {
	if wanted := wants(kind, it); wanted != nil || kind != catalogue.Tool {
		return wanted
	}
	raw := rpc.Member(it.Raw, "inputSchema")
	f := schema.Parse(raw)
	if f.Root.Extra() == nil {
		return nil
	}
	return withARow(raw, f)
}

// withARow is a schema whose form has a row for members that it does not name: what
// is said of them has one.
func withARow(raw []byte, f *schema.Form) []byte {
	extra := f.Root.Extra()
	if extra == nil || extra.Kind != schema.JSON || extra.Description != "" {
		return raw
	}
	if len(raw) == 0 || raw[0] != '{' { // nothing, or true
		raw = []byte(`{"type":"object"}`)
	}
	any := rpc.Object(rpc.Field{Name: "description", Raw: rpc.Quote("the schema names no argument, and allows any")})
	return rpc.With(raw, rpc.Field{Name: "additionalProperties", Raw: any})
}

// promptSchema writes the arguments of a prompt, which are all text, as a
// schema.
func promptSchema(arguments []byte) []byte {
	var props, required []byte
	for _, a := range rpc.Elements(arguments) {
		name := rpc.Quote(rpc.Text(a, "name"))
		prop := rpc.Object(rpc.Field{Name: "type", Raw: []byte(`"string"`)},
			rpc.Field{Name: "title", Raw: rpc.Member(a, "title")},
			rpc.Field{Name: "description", Raw: rpc.Member(a, "description")})
		props = append(append(append(append(props, ','), name...), ':'), prop...)
		if string(rpc.Member(a, "required")) == "true" {
			required = append(append(required, ','), name...)
		}
	}
	if props == nil {
		return nil
	}
	props[0] = '{'
	if required == nil {
		required = []byte("[")
	}
	required[0] = '['
	return fmt.Appendf(nil, `{"type":"object","properties":%s},"required":%s]}`, props, required)
}

func (m *Model) newArgs(kind catalogue.Kind, it session.Item, rejected string, wanted []byte) *argsForm {
	f := &argsForm{kind: kind, item: it, rejected: rejected, wanted: wanted}
	p := &ask.Panel{Title: text.CleanLine(it.Key())}
	p.Head = func(t *draw.Theme) []draw.Line {
		var out []draw.Line
		if rejected != "" {
			out = append(out, draw.L(t.Bad, "✖ not to be used: "+text.CleanLine(rejected)+". Call it all the same?"))
		}
		for _, l := range splitLines(text.Clean(it.Description)) {
			out = append(out, draw.L(t.Text, l))
		}
		for _, fd := range schema.Parse(wanted).Findings {
			out = append(out, draw.L(t.Warn, "⚠ "+text.CleanLine(fd.String())))
		}
		return append(out, draw.Line{})
	}
	p.Buttons = []ask.Button{{Act: ask.Send, Label: "Call", Key: keys.Of(keys.Send)}, {Act: ask.Later, Label: "Back", Key: keys.Of(keys.Later)}}
	if wanted != nil {
		p.Edit = m.argsEditor(kind, it, wanted)
	}
	f.panel = p
	return f
}

// request is the call of an entry with what was typed.
func request(kind catalogue.Kind, it session.Item, value json.RawMessage, force bool) (control.Request, error) {
	r := control.Request{Method: kind.Method(), Force: force}
	switch kind {
	case catalogue.Tool, catalogue.Prompt:
		if value == nil && kind == catalogue.Tool {
			value = json.RawMessage(`{}`)
		}
		r.Params = rpc.Object(rpc.Field{Name: "name", Raw: rpc.Quote(it.Name)}, rpc.Field{Name: "arguments", Raw: value})
	case catalogue.Resource:
		r.Params = rpc.Object(rpc.Field{Name: "uri", Raw: rpc.Quote(it.URI)})
	case catalogue.Template:
		_, expand := form.Template(it.URI)
		uri, err := expand(value)
		if err != nil {
			return r, err
		}
		r.Params = rpc.Object(rpc.Field{Name: "uri", Raw: rpc.Quote(uri)})
	}
	return r, nil
}

func (m *Model) argsAct(act ask.Act) tea.Cmd {
	f := m.args[m.arg]
	switch act {
	case ask.Later:
		m.up()
	case ask.Send:
		value, ok := f.panel.Value()
		if !ok {
			return nil
		}
		if f.done != nil {
			return f.done(m, value)
		}
		r, err := request(f.kind, f.item, value, f.rejected != "")
		if err != nil {
			f.panel.Fail(err)
			return nil
		}
		if m.unreachable() {
			return nil
		}
		f.sent = true
		return tea.Batch(m.begin(r), m.remember(f.kind, m.arg, f.wanted, value))
	}
	return nil
}
