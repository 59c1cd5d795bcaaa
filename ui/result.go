package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// resultLines lay a result out, with what it says against the schema of its tool
// and what in it can be followed.
func (m *Model) resultLines(c *session.Call, seq int, body []byte, t *draw.Theme) []draw.Line {
	out := inspect.Result(body, t)
	if inspect.Cut(out) {
		out = append(out, draw.L(t.Note, fmt.Sprintf("%s saves the whole response to a file; %d (%s) and then %s show its bytes",
			keys.Of(keys.Save), detailResponse+1, detailNames[detailResponse], keys.Of(keys.Fold))))
	}
	out = append(out, m.againstSchema(c, seq, body, t)...)
	if len(body) <= linksWithin {
		out = append(out, m.undeclared(body, t)...)
		if n := len(links(body)); n > 0 {
			out = append(out, draw.Line{}, draw.L(t.Faint, "Enter reads what the "+plural(n, "link")+" to"))
		}
	}
	return out
}

func plural(n int, thing string) string {
	if n == 1 {
		return thing + " leads"
	}
	return thing + "s lead"
}

// linksWithin is how large a result may be for its links to be looked for each
// time it is drawn anew.
const linksWithin = 1 << 20

// againstSchema says whether structured content fits the schema that its tool
// declares, and where it does not. That was found when it came.
func (m *Model) againstSchema(c *session.Call, seq int, body []byte, t *draw.Theme) []draw.Line {
	it, ok := m.sess.Catalogue.Tools.Item(c.Name)
	if c.Method != "tools/call" || !ok {
		return nil
	}
	if schema := rpc.Member(it.Raw, "outputSchema"); len(schema) == 0 || schema[0] != '{' {
		return nil
	}
	result := rpc.Peek(body).Result
	content := rpc.Member(result, "structuredContent")
	out := []draw.Line{{}}
	for _, f := range m.lint.Findings() {
		if f.Frame == seq && (f.Rule == "structured-invalid" || f.Rule == "structured-missing") {
			out = append(out, draw.L(t.Bad, text.CleanLine("✖ "+f.Message)), draw.L(t.Faint, text.CleanLine("  at "+f.Path)))
		}
	}
	switch {
	case len(out) > 1:
	case result == nil || content == nil:
		return nil
	case len(content) > schemaWithin:
		out = append(out, draw.L(t.Faint, fmt.Sprintf("not held against the output schema of the tool: it is larger than %s", text.Size(schemaWithin))))
	default:
		out = append(out, draw.L(t.Good, "✓ it fits the output schema of the tool"))
	}
	return out
}

// schemaWithin is how large structured content may be to be checked as it comes.
const schemaWithin = 1 << 20

// link is a resource that a result links to.
type link struct{ uri, name string }

// links finds the resources that a result links to, each once.
func links(body []byte) (out []link) {
	seen := map[string]bool{}
	add := func(c []byte) {
		if uri := rpc.Text(c, "uri"); rpc.Text(c, "type") == "resource_link" && uri != "" && !seen[uri] {
			seen[uri] = true
			out = append(out, link{uri, rpc.Text(c, "name")})
		}
	}
	result := rpc.Peek(body).Result
	for _, c := range rpc.Elements(rpc.Member(result, "content")) {
		add(c)
	}
	for _, msg := range rpc.Elements(rpc.Member(result, "messages")) {
		add(rpc.Member(msg, "content"))
	}
	return out
}

// followLinks reads what the result of the open call links to; of several links
// the person chooses one.
func (m *Model) followLinks() tea.Cmd {
	c := m.openCall()
	if c == nil {
		return nil
	}
	seq := m.resultOf(c)
	if seq == 0 {
		return nil
	}
	return m.withBody(seq, func(m *Model, body []byte) tea.Cmd {
		all := links(body)
		switch len(all) {
		case 0:
			m.say("this result links to nothing")
			return nil
		case 1:
			return m.readLink(all[0])
		}
		var rows []palette.Row
		for _, l := range all {
			rows = append(rows, palette.Row{Name: text.CleanLine(l.uri + "  " + l.name)})
		}
		m.overlay = &chooser{list: palette.New("Read", rows), pick: func(m *Model, i int) tea.Cmd { return m.readLink(all[i]) }}
		return nil
	})
}

func (m *Model) readLink(l link) tea.Cmd {
	return m.begin(control.Request{Method: "resources/read", Params: rpc.Object(rpc.Field{Name: "uri", Raw: rpc.Quote(l.uri)})})
}
