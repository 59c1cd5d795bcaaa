package ui

import (
	"encoding/json"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/palette"
)

// capability is one thing that the client can declare.
type capability struct {
	path  []string
	says  string
	below string // declared only together with this one
}

var capabilities = []capability{
	{[]string{"elicitation", "form"}, "servers may ask by a form; without it tools that ask refuse, or do without", ""},
	{[]string{"elicitation", "url"}, "servers may ask to open a page", ""},
	{[]string{"sampling"}, "servers may ask for a model's answer, which a person gives here", ""},
	{[]string{"sampling", "tools"}, "such a question may offer tools, and tool_use may answer it", "sampling"},
	{[]string{"sampling", "context"}, "such a question may ask for the context of servers (includeContext)", "sampling"},
	{[]string{"roots"}, "servers may ask for your roots; each list is shown before it is given for the first time", ""},
}

func (c capability) name() string { return strings.Join(c.path, ".") }

// declares are the capabilities as they are declared from the next request on.
func (m *Model) declares() []byte {
	switch {
	case m.declared != nil:
		return m.declared
	case m.sess.Conn.Declared != nil:
		return m.sess.Conn.Declared
	}
	if m.opts.Declares != nil {
		return m.opts.Declares
	}
	return []byte(`{}`)
}

// editCapabilities opens a switch for each capability.
func (m *Model) editCapabilities() tea.Cmd {
	now := m.declares()
	var fields []rpc.Field
	for _, c := range capabilities {
		on := rpc.Member(now, c.path...) != nil
		if c.name() == "elicitation.form" && string(rpc.Member(now, "elicitation")) == "{}" {
			on = true // empty stands for the form (Elicitation, "Capabilities")
		}
		fields = append(fields, rpc.Field{Name: c.name(), Raw: rpc.Object(
			rpc.Field{Name: "type", Raw: rpc.Quote("boolean")}, rpc.Field{Name: "description", Raw: rpc.Quote(c.says)},
			rpc.Field{Name: "default", Raw: []byte(strconv.FormatBool(on))})})
	}
	modern := m.sess.Conn.Era == trace.Modern
	wanted := rpc.Object(rpc.Field{Name: "type", Raw: rpc.Quote("object")}, rpc.Field{Name: "properties", Raw: rpc.Object(fields...)})
	return m.openSettings("capabilities", &ask.Panel{
		Title: "What this client declares", Edit: m.form(wanted, nil),
		Head: func(t *draw.Theme) []draw.Line {
			when := "Declared with every request: a change holds from the next request on."
			if !modern {
				when = "Declared when a connection begins: a change holds once you connect again."
			}
			return []draw.Line{draw.L(t.Text, when), {}}
		},
	}, func(m *Model, value json.RawMessage) tea.Cmd { return m.declare(withCapabilities(now, value)) })
}

// withCapabilities switches what a person may switch, and leaves the rest of
// what is declared as it is.
func withCapabilities(now []byte, switches []byte) json.RawMessage {
	on := func(name string) bool { return string(rpc.Member(switches, name)) == "true" }
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(now, &tree) != nil || tree == nil {
		tree = map[string]map[string]json.RawMessage{}
	}
	for _, c := range capabilities {
		top := c.path[0]
		if !on(c.name()) || c.below != "" && !on(c.below) {
			if len(c.path) == 1 {
				delete(tree, top)
			} else if delete(tree[top], c.path[1]); top == "elicitation" && len(tree[top]) == 0 {
				delete(tree, top)
			}
			continue
		}
		if tree[top] == nil {
			tree[top] = map[string]json.RawMessage{}
		}
		if len(c.path) > 1 && tree[top][c.path[1]] == nil {
			tree[top][c.path[1]] = json.RawMessage(`{}`)
		}
	}
	raw, err := json.Marshal(tree)
	if err != nil { // what was JSON stays JSON
		return json.RawMessage(now)
	}
	return raw
}

func (m *Model) declare(caps json.RawMessage) tea.Cmd {
	legacy := m.sess.Conn.Era == trace.Legacy
	return m.do(func(c control.Controller) doneMsg {
		return doneMsg{err: c.Set(control.Setting{Capabilities: caps}), said: "declared from the next request on", then: func(m *Model) tea.Cmd {
			m.declared = caps
			if legacy {
				m.overlay = &confirm{text: "The server hears of it when a connection begins. Connect again now?",
					yes: func(m *Model) tea.Cmd { return m.restart() }}
			}
			return nil
		}}
	})
}

// undeclared says how what an error misses (2026-07-28, -32021) can be declared,
// where this client knows it and does not declare it.
func (m *Model) undeclared(body []byte, t *draw.Theme) []draw.Line {
	failure := rpc.Peek(body).Error
	if string(rpc.Member(failure, "code")) != "-32021" {
		return nil
	}
	flags := ""
	for _, c := range capabilities {
		missed := rpc.Member(failure, append([]string{"data", "requiredCapabilities"}, c.path...)...) != nil
		if missed && rpc.Member(m.declares(), c.path...) == nil {
			flags += " --cap " + c.name()
		}
	}
	if flags == "" {
		return nil
	}
	return []draw.Line{{}, draw.L(t.Text, keys.Of(keys.Palette)+" capabilities declares it from here; to begin with it:"+flags)}
}

// fillingActs are the acts on what is filled in and answered that have no key
// of their own: settings, and every ask that waits.
func (m *Model) fillingActs(rows []palette.Row, acts []func(*Model) tea.Cmd) ([]palette.Row, []func(*Model) tea.Cmd) {
	add := func(name string, f func(*Model) tea.Cmd) {
		rows, acts = append(rows, palette.Row{Name: name}), append(acts, f)
	}
	add("capabilities: what this client declares", (*Model).editCapabilities)
	add("roots: what servers are told of", (*Model).editRoots)
	return rows, acts
}
