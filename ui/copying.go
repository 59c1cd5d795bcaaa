package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
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
	type form struct {
		name string
		make func(body []byte) []byte
	}
	forms := []form{
		{what + ", as it crossed the wire", func(b []byte) []byte { return b }},
		{what + ", indented", indented},
	}
	row := m.sess.Rows[seq-1]
	if row.Dir == trace.Out && row.Kind == rpc.Request {
		if c := m.sess.Call(row.Call); c != nil && c.Method == "tools/call" {
			forms = append(forms, form{"as a mcptui command", func([]byte) []byte { return m.asCommand(c) }})
		}
		if stages := m.exchange(seq); len(stages) > 0 {
			log := m.opts.Log
			forms = append(forms, form{"as a curl command, without what is secret", func(b []byte) []byte { return asCurl(log, stages, b) }})
		}
	}
	if c := m.openCall(); m.place == atCall && c != nil {
		if r := m.round(c); r != nil && r.StateOut != nil {
			forms = append(forms, form{"the requestState that came", func([]byte) []byte { return r.StateOut.Raw }})
		}
	}
	var rows []palette.Row
	for _, f := range forms {
		rows = append(rows, palette.Row{Name: f.name})
	}
	m.overlay = &chooser{list: palette.New("Copy", rows), pick: func(m *Model, i int) tea.Cmd {
		log := m.opts.Log
		return m.run(func() doneMsg {
			body, err := log.Body(seq)
			text := forms[i].make(body)
			return doneMsg{err: err, then: func(m *Model) tea.Cmd { return m.clip(forms[i].name, text) }}
		})
	}}
	return nil
}

func indented(body []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return body
	}
	return b.Bytes()
}

// asCurl writes the request of an exchange, of which the stages are given, as a
// command of a shell.
func asCurl(log Log, stages []int, body []byte) []byte {
	h := &trace.HTTP{Method: "POST"}
	for _, seq := range stages {
		if e, ok := log.Event(seq); ok && e.HTTP != nil && e.HTTP.Stage == trace.HTTPRequest {
			h = e.HTTP
			break
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "curl -X %s %s", quote(h.Method), quote(trace.MaskURL(h.URL)))
	for _, hd := range h.Headers {
		value := hd.Value
		switch strings.ToLower(hd.Name) {
		case "content-length", "host", "connection", "accept-encoding":
			continue
		case "authorization":
			value = "Bearer $TOKEN"
			fmt.Fprintf(&b, " \\\n  -H \"%s: %s\"", hd.Name, value)
			continue
		case "cookie":
			continue
		}
		fmt.Fprintf(&b, " \\\n  -H %s", quote(hd.Name+": "+value))
	}
	fmt.Fprintf(&b, " \\\n  --data-raw %s", quote(string(body)))
	return []byte(b.String())
}

// asCommand writes a call as a command of this program.
func (m *Model) asCommand(c *session.Call) []byte {
	b := "mcptui call " + quote(c.Name)
	if args := rpc.Member(c.Params, "arguments"); args != nil && string(args) != "{}" {
		b += " --args " + quote(string(args))
	}
	switch conn := &m.sess.Conn; conn.Transport {
	case "http", "http+sse":
		b += " " + quote(conn.Target)
	case "stdio":
		b += " -- " + conn.Target
	}
	return []byte(b)
}

// quote writes a word for a shell.
func quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (m *Model) save() tea.Cmd {
	what, seq := m.subject()
	if m.opts.Save == nil {
		m.say("nothing can be saved here")
		return nil
	}
	hint := strings.TrimPrefix(what, "the ") + fmt.Sprintf("-%d.json", seq)
	return m.withBody(seq, func(m *Model, body []byte) tea.Cmd {
		return m.run(func() doneMsg {
			path, err := m.opts.Save(hint, body)
			return doneMsg{err: err, said: "saved to " + path}
		})
	})
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
