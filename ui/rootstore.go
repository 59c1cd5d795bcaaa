package ui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// roots returns the list that the server would be given: the one that it was
// given before, else the one of the command line, else the working directory as
// a suggestion.
func (m *Model) roots() (list []control.Root, suggested bool) {
	if m.given != nil {
		return rootsIn(m.given), false
	}
	if len(m.opts.Roots) > 0 {
		return m.opts.Roots, false
	}
	if m.opts.Memory != nil {
		if kept, ok := m.opts.Memory.Roots(); ok {
			return kept, false
		}
	}
	if m.opts.Here != "" {
		return []control.Root{{URI: m.opts.Here}}, true
	}
	return nil, false
}

func rootsIn(result []byte) []control.Root {
	list := []control.Root{}
	for _, r := range rpc.Elements(rpc.Member(result, "roots")) {
		list = append(list, control.Root{URI: rpc.Text(r, "uri"), Name: rpc.Text(r, "name")})
	}
	return list
}

// gave notes the list that the person gave, for the next time. The ask that it
// answers, if any, is not answered once more.
func (m *Model) gave(to trace.AskID, result json.RawMessage) tea.Cmd {
	if m.answered == nil {
		m.answered = map[trace.AskID]bool{}
	}
	m.given, m.answered[to] = result, true
	memory := m.opts.Memory
	if memory == nil {
		return nil
	}
	list := rootsIn(result)
	return m.run(func() doneMsg { return doneMsg{err: memory.KeepRoots(list)} })
}

// giveRoots answers a server that asks for its roots again with the list that
// the person gave it, once a person has seen the list in this run.
func (m *Model) giveRoots() tea.Cmd {
	if m.given == nil || m.opts.Control == nil {
		return nil
	}
	var cmds []tea.Cmd
	for _, a := range m.sess.Waiting() {
		if a.Kind != session.Roots || a.Status != session.Open || m.answered[a.ID] || m.panels[a.ID] != nil && m.panels[a.ID].Changed() {
			continue
		}
		m.answered[a.ID] = true
		id, reply := a.ID, control.Reply{Result: m.given}
		cmds = append(cmds, m.do(func(c control.Controller) doneMsg {
			return doneMsg{err: c.Answer(id, reply, trace.Client), ask: id, said: "the roots were given again"}
		}))
	}
	return tea.Batch(cmds...)
}

// editRoots opens the list of roots, to be changed before a server asks or after.
func (m *Model) editRoots() tea.Cmd {
	list, suggested := m.roots()
	if list == nil {
		list = []control.Root{}
	}
	raw, err := json.Marshal(map[string]any{"roots": list})
	if err != nil { // strings always encode
		return nil
	}
	return m.openSettings("roots", &ask.Panel{
		Title: "Roots of " + m.serverName(), Edit: m.form([]byte(ask.RootsSchema), raw),
		Head: func(t *draw.Theme) []draw.Line {
			out := []draw.Line{draw.L(t.Text, "What this server is given when it asks for roots. A server that is told of changes asks again.")}
			if suggested {
				out = append(out, draw.L(t.Note, "The working directory is a suggestion."))
			}
			return append(out, draw.Line{})
		},
	}, func(m *Model, value json.RawMessage) tea.Cmd {
		list := rootsIn(value)
		keep := m.gave(trace.AskID{}, value)
		return tea.Batch(keep, m.do(func(c control.Controller) doneMsg {
			return doneMsg{err: c.Set(control.Setting{Roots: &list}), said: fmt.Sprintf("%d roots are set", len(list))}
		}))
	})
}

// openSettings opens a form that sends no call.
func (m *Model) openSettings(name string, p *ask.Panel, done func(*Model, json.RawMessage) tea.Cmd) tea.Cmd {
	p.Buttons = []ask.Button{{Act: ask.Send, Label: "Set", Key: keys.Of(keys.Send)}, {Act: ask.Later, Label: "Back", Key: keys.Of(keys.Later)}}
	f := &argsForm{panel: p}
	f.done = func(m *Model, value json.RawMessage) tea.Cmd {
		delete(m.args, name)
		m.up()
		return done(m, value)
	}
	m.args[name] = f
	m.place, m.arg = atArgs, name
	return nil
}
