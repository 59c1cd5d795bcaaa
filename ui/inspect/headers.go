package inspect

import (
	"fmt"
	"strings"

	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// Exchange lays out the stages of one HTTP exchange with their headers.
func Exchange(events []trace.Event, t *draw.Theme) []draw.Line {
	if len(events) == 0 {
		return []draw.Line{draw.L(t.Faint, "no headers: this transport has none")}
	}
	var out []draw.Line
	for _, e := range events {
		h := e.HTTP
		if len(out) > 0 {
			out = append(out, draw.Line{})
		}
		switch h.Stage {
		case trace.HTTPRequest:
			out = append(out, draw.L(t.Bold, text.CleanLine(h.Method+" "+h.URL+" "+h.Proto)))
		case trace.HTTPResponse, trace.HTTPRedirect:
			style := t.Good
			if h.Status >= 400 {
				style = t.Bad
			} else if h.Status >= 300 {
				style = t.Warn
			}
			out = append(out, draw.L(style, text.CleanLine(fmt.Sprintf("%d %s %s", h.Status, h.Proto, h.Note))))
		default:
			out = append(out, draw.L(t.Faint, text.CleanLine(fmt.Sprintf("%s, %s %s", h.Stage, text.Size(h.Bytes), h.Note))))
		}
		for _, hd := range h.Headers {
			style := t.Name
			if strings.HasPrefix(strings.ToLower(hd.Name), "mcp-") {
				style = t.Note
			}
			out = append(out, draw.L(style, text.CleanLine(hd.Name)).With(t.Faint, ": ").With(t.Text, text.CleanLine(hd.Value)))
		}
	}
	return out
}
