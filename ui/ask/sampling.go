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
		out = append(out, inspect.Content(rpc.Member(m, "content"), t)...)
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
