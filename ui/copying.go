package ui

import (
	"bytes"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/answer"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/copyas"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// clip copies text to the clipboard.
func (m *Model) clip(what string, body []byte) tea.Cmd {
	if len(body) == 0 {
		m.say("nothing to copy here")
		return nil
	}
	m.say(what + " is in the clipboard (" + text.Size(int64(len(body))) + ")")
	return tea.SetClipboard(string(body))
}

// subject is the message that copy and save are about.
func (m *Model) subject() (what string, seq int) {
	if m.place == atCall {
		c := m.openCall()
		if c == nil {
			return "", 0
		}
		r := m.round(c)
		if r == nil {
			return "", 0
		}
		request, response := m.frames(c, r)
		if m.detail == detailResponse || m.focus == paneNow {
			return "the response", response
		}
		return "the request", request
	}
	if m.tab == tabWire {
		return "the message", m.wire.Seq()
	}
	return "", 0
}

// copyForm is one form in which something can be copied. Make is handed the
// bytes of the message, and runs where it may wait.
type copyForm struct {
	name string
	make func(body []byte) ([]byte, error)
}

func plainly(f func(body []byte) []byte) func([]byte) ([]byte, error) {
	return func(body []byte) ([]byte, error) { return f(body), nil }
}

// copy offers the forms in which what is selected can be copied.
func (m *Model) copy() tea.Cmd {
	if m.place == atHome && m.tab == tabCatalogue {
		_, it, _, _ := m.catalogue.Selected(m.sess)
		return m.clip("the entry", it.Raw)
	}
	what, seq := m.subject()
	if seq == 0 {
		m.say("there is no message here")
		return nil
	}
	forms := m.copyForms(what, seq)
	var rows []palette.Row
	for _, f := range forms {
		rows = append(rows, palette.Row{Name: f.name})
	}
	m.overlay = &chooser{list: palette.New("Copy", rows), pick: func(m *Model, i int) tea.Cmd {
		log := m.opts.Log
		return m.run(func() doneMsg {
			body, err := log.Body(seq)
			if err != nil {
				return doneMsg{err: err}
			}
			text, err := forms[i].make(body)
			return doneMsg{err: err, then: func(m *Model) tea.Cmd { return m.clip(forms[i].name, text) }}
		})
	}}
	return nil
}

// copyForms are the forms of one message: as JSON; where it is a request of ours
// as commands; where a call is open what belongs to it.
func (m *Model) copyForms(what string, seq int) []copyForm {
	forms := []copyForm{
		{what + ", as it crossed the wire", plainly(func(b []byte) []byte { return b })},
		{what + ", indented", plainly(copyas.Pretty)},
	}
	row := m.row(seq)
	c := m.sess.Call(row.Call)
	if row.Dir == trace.Out && row.Kind == rpc.Request {
		forms = append(forms, m.asCommand(row.Method, row.Name))
		if stages := m.exchange(seq); len(stages) > 0 {
			log := m.opts.Log
			for _, secrets := range []bool{false, true} {
				name := "as a curl command, without what is secret"
				if secrets {
					name = "as a curl command, with its secrets"
				}
				forms = append(forms, copyForm{name, func(b []byte) ([]byte, error) { return asCurl(log, stages, b, secrets) }})
			}
		}
	}
	if m.place != atCall || c == nil {
		return forms
	}
	if r := m.round(c); r != nil && r.StateOut != nil {
		forms = append(forms, copyForm{"the requestState that came", plainly(func([]byte) []byte { return r.StateOut.Raw })})
	}
	if file := m.asAnswers(c); file != nil {
		forms = append(forms, copyForm{"the answers of the call, as a file for --answers", file})
	}
	return forms
}

// asCurl writes the request of an exchange, of which the stages are given, as a
// command of a shell.
func asCurl(log Log, stages []int, body []byte, secrets bool) ([]byte, error) {
	for _, seq := range stages {
		if e, ok := log.Event(seq); ok && e.HTTP != nil && e.HTTP.Stage == trace.HTTPRequest {
			return []byte(copyas.Curl(e.HTTP, body, secrets)), nil
		}
	}
	return nil, errors.New("the request line and headers of this message are not in the log")
}

// asCommand writes a request as a command of this program.
func (m *Model) asCommand(method, name string) copyForm {
	var schema []byte
	if it, ok := m.sess.Catalogue.Tools.Item(name); ok && method == "tools/call" {
		schema = rpc.Member(it.Raw, "inputSchema")
	}
	server := m.serverWords()
	return copyForm{"as a mcptui command", plainly(func(body []byte) []byte {
		return []byte(copyas.Command(method, rpc.Peek(body).Params, schema, server))
	})}
}

// serverWords name the server on the command line. What the session tells of a
// command is its words without their quotes.
func (m *Model) serverWords() []string {
	switch conn := &m.sess.Conn; {
	case m.opts.Words != nil:
		return m.opts.Words
	case conn.Transport == "http", conn.Transport == "http+sse":
		return []string{conn.Target}
	case conn.Transport == "stdio":
		return append([]string{"--"}, strings.Fields(conn.Target)...)
	}
	return nil
}

// asAnswers writes what was answered in a call as a file of answers, nil where
// nothing was.
func (m *Model) asAnswers(c *session.Call) func([]byte) ([]byte, error) {
	var journal answer.Journal
	for _, r := range c.Rounds {
		for _, id := range r.Asks {
			a := m.sess.Ask(id)
			if a == nil || a.Status != session.Sent || a.Reply == nil {
				continue
			}
			if err := journal.Add(answer.Ask{Key: a.ID.Key, Method: a.Method, Params: a.Params}, a.Reply); err != nil {
				return func([]byte) ([]byte, error) { return nil, err }
			}
		}
	}
	if journal.Empty() {
		return nil
	}
	return func([]byte) ([]byte, error) {
		var b bytes.Buffer
		_, err := journal.WriteTo(&b)
		return b.Bytes(), err
	}
}

// withBody does something with the bytes of a frame, once they are there.
func (m *Model) withBody(seq int, f func(*Model, []byte) tea.Cmd) tea.Cmd {
	if seq == 0 {
		m.say("there is no message here")
		return nil
	}
	var body []byte
	return m.run(func() doneMsg {
		b, err := m.opts.Log.Body(seq)
		body = b
		return doneMsg{err: err, then: func(m *Model) tea.Cmd { return f(m, body) }}
	})
}
