package ask

import (
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/text"
)

// conversation lays a sampling request out: what the model would be told.
func conversation(t *draw.Theme, a *session.Ask) []draw.Line {
	var out []draw.Line
	if system := rpc.Text(a.Params, "systemPrompt"); system != "" {
		out = append(out, draw.L(t.Faint, "system"))
		out = append(out, lines(t.Text, system)...)
	}
	for _, m := range rpc.Elements(rpc.Member(a.Params, "messages")) {
		out = append(out, draw.L(t.Bold, text.CleanLine(rpc.Text(m, "role"))))
		out = append(out, content(rpc.Member(m, "content"), t)...)
	}
	var limits []string
	for _, name := range []string{"maxTokens", "temperature", "stopSequences", "includeContext", "toolChoice"} {
		if raw := rpc.Member(a.Params, name); raw != nil {
			limits = append(limits, name+" "+text.CleanLine(string(raw)))
		}
	}
	if len(limits) > 0 {
		out = append(out, draw.L(t.Faint, strings.Join(limits, " · ")))
	}
	for _, name := range []string{"modelPreferences", "tools"} {
		if raw := rpc.Member(a.Params, name); raw != nil {
			out = append(out, draw.L(t.Faint, name))
			out = append(out, inspect.JSON(raw, t)...)
		}
	}
	return out
}

func lines(st draw.Style, s string) []draw.Line {
	var out []draw.Line
	for _, l := range strings.Split(text.Clean(s), "\n") {
		out = append(out, draw.L(st, l))
	}
	return out
}

// content lays one message's content out: the kinds of tool results, and the
// two of a conversation with tools (Sampling, "Sampling with Tools").
func content(c []byte, t *draw.Theme) []draw.Line {
	if len(c) > 0 && c[0] == '[' {
		var out []draw.Line
		for _, e := range rpc.Elements(c) {
			out = append(out, content(e, t)...)
		}
		return out
	}
	switch rpc.Text(c, "type") {
	case "tool_use":
		out := []draw.Line{draw.L(t.Note, "▸ uses the tool "+text.CleanLine(rpc.Text(c, "name"))).With(t.Faint, " "+text.CleanLine(rpc.Text(c, "id")))}
		return append(out, inspect.JSON(rpc.Member(c, "input"), t)...)
	case "tool_result":
		head := draw.L(t.Note, "▸ the tool's result").With(t.Faint, " "+text.CleanLine(rpc.Text(c, "toolUseId")))
		if string(rpc.Member(c, "isError")) == "true" {
			head = head.With(t.Bad, " ✖ failed")
		}
		out := append([]draw.Line{head}, content(rpc.Member(c, "content"), t)...)
		if s := rpc.Member(c, "structuredContent"); s != nil {
			out = append(out, inspect.JSON(s, t)...)
		}
		return out
	}
	return inspect.Content(c, t)
}
