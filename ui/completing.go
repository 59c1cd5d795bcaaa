package ui

import (
	"encoding/json"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/catalogue"
	"mcptui/ui/form"
)

// completion is a question to the server for what a text may go on with. What
// comes of it is read from the log.
type completion struct {
	form        *form.Form
	name, value string
	after       int // rows of the log before it was asked
	request     int // the frame that asks, 0 until it is in the log
	read        bool
}

// argsEditor makes the editor of what an entry wants to know, with all that
// helps to fill it in.
func (m *Model) argsEditor(kind catalogue.Kind, it session.Item, wanted []byte) ask.Editor {
	if m.opts.Form != nil {
		return m.opts.Form(wanted, nil)
	}
	o := form.Options{Recent: m.recent(entryOf(kind, it))}
	if kind == catalogue.Template {
		_, expand := form.Template(it.URI)
		o.Preview = func(value []byte) string {
			uri, err := expand(value)
			if err != nil {
				return err.Error()
			}
			return uri
		}
	}
	ref := completes(kind, it)
	if ref == nil || rpc.Member(m.sess.Conn.Capabilities, "completions") == nil {
		return m.part(wanted, nil, o)
	}
	var p *form.Part
	o.Complete = func(name, value string, draft *schema.Draft) tea.Cmd {
		return m.complete(p.Form, ref, name, value, draft)
	}
	p = m.part(wanted, nil, o)
	return p
}

// entryOf names an entry of the catalogue among all.
func entryOf(kind catalogue.Kind, it session.Item) string { return kind.Method() + " " + it.Key() }

// completes returns what a server knows an entry by when it is asked for
// completions; tools have none (Completion, "Reference Types").
func completes(kind catalogue.Kind, it session.Item) []byte {
	switch kind {
	case catalogue.Prompt:
		return rpc.Object(rpc.Field{Name: "type", Raw: rpc.Quote("ref/prompt")}, rpc.Field{Name: "name", Raw: rpc.Quote(it.Name)})
	case catalogue.Template:
		return rpc.Object(rpc.Field{Name: "type", Raw: rpc.Quote("ref/resource")}, rpc.Field{Name: "uri", Raw: rpc.Quote(it.URI)})
	}
	return nil
}

// complete asks the server. The other texts go with it: what completes a city
// may depend on the country.
func (m *Model) complete(f *form.Form, ref []byte, name, value string, draft *schema.Draft) tea.Cmd {
	var others []rpc.Field
	for _, c := range draft.Root.Children() {
		if c.Name != name && c.Field.Kind == schema.String && c.State() == schema.Set {
			others = append(others, rpc.Field{Name: c.Name, Raw: rpc.Quote(c.Text())})
		}
	}
	params := []rpc.Field{{Name: "ref", Raw: ref}, {Name: "argument", Raw: rpc.Object(
		rpc.Field{Name: "name", Raw: rpc.Quote(name)}, rpc.Field{Name: "value", Raw: rpc.Quote(value)})}}
	if others != nil {
		params = append(params, rpc.Field{Name: "context", Raw: rpc.Object(rpc.Field{Name: "arguments", Raw: rpc.Object(others...)})})
	}
	m.completions = append(m.completions, &completion{form: f, name: name, value: value, after: m.sess.Rows.Len()})
	asked := m.completions[len(m.completions)-1]
	return m.do(func(c control.Controller) doneMsg {
		err := c.Notify("completion/complete", rpc.Object(params...))
		if err == nil {
			return doneMsg{}
		}
		return doneMsg{then: func(m *Model) tea.Cmd { m.settle(asked, nil, err); return nil }}
	})
}

// completed looks for what came of the questions, and reads it.
func (m *Model) completed() tea.Cmd {
	var cmds []tea.Cmd
	taken := map[int]bool{}
	for _, q := range m.completions {
		taken[q.request] = true
	}
	for _, q := range m.completions {
		for i := q.after; q.request == 0 && i < m.sess.Rows.Len(); i++ {
			r := m.sess.Rows.Row(i + 1)
			if r.Method == "completion/complete" && r.Dir == trace.Out && r.Call == 0 && !taken[r.Seq] {
				q.request, taken[r.Seq] = r.Seq, true
			}
			q.after = i + 1
		}
		if q.request == 0 || q.read {
			continue
		}
		if answer := m.row(q.request).Pair; answer != 0 {
			q.read = true
			cmds = append(cmds, m.withBody(answer, func(m *Model, body []byte) tea.Cmd {
				values, err := completionsIn(body)
				m.settle(q, values, err)
				return nil
			}))
		}
	}
	return tea.Batch(cmds...)
}

// settle tells the form what came of a question.
func (m *Model) settle(q *completion, values []string, err error) {
	for i := range m.completions {
		if m.completions[i] == q {
			m.completions = append(m.completions[:i], m.completions[i+1:]...)
			break
		}
	}
	q.form.SetCompletions(q.name, q.value, values, err)
}

// completionsIn reads the answer of a server.
func completionsIn(body []byte) ([]string, error) {
	if e := rpc.Member(body, "error"); e != nil {
		return nil, fmt.Errorf("error %s: %s", rpc.Member(e, "code"), rpc.Text(e, "message"))
	}
	raw := rpc.Member(body, "result", "completion", "values")
	if raw == nil {
		return nil, errors.New("the answer holds no values")
	}
	var values []string
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, fmt.Errorf("the values cannot be read: %w", err)
	}
	return values, nil
}
