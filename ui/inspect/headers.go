package inspect

import (
	"fmt"
	"strings"

	"mcptui/client/lint"
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
			out = append(out, draw.L(t.Bold, text.CleanLine(h.Method+" "+trace.MaskURL(h.URL)+" "+h.Proto)))
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
		for _, hd := range trace.MaskHeaders(h.Headers) {
			style := t.Name
			if strings.HasPrefix(strings.ToLower(hd.Name), "mcp-") {
				style = t.Note
			}
			out = append(out, draw.L(style, text.CleanLine(hd.Name)).With(t.Faint, ": ").With(t.Text, text.CleanLine(hd.Value)))
		}
	}
	return out
}

// Event lays out an event that is no frame.
func Event(e trace.Event, t *draw.Theme) []draw.Line {
	switch {
	case e.HTTP != nil:
		return Exchange([]trace.Event{e}, t)
	case e.Noise != nil:
		return append([]draw.Line{draw.L(t.Warn, "⚠ "+text.CleanLine(e.Noise.Why))}, prose(string(e.Noise.Bytes), t)...)
	case e.Stderr != nil:
		return prose(string(e.Stderr.Bytes), t)
	case e.Phase != nil:
		return []draw.Line{phase(*e.Phase, t)}
	case e.Act != nil:
		a := e.Act
		out := []draw.Line{draw.L(t.Ask, text.CleanLine(string(a.Who)+": "+string(a.Kind))).With(t.Text, text.CleanLine(" "+a.Method+" "+a.Name+" "+a.Note))}
		if a.Value != nil {
			out = append(out, JSON(a.Value, t)...)
		}
		return out
	}
	return nil
}

// Verdicts lays out how the Mcp-* headers of a request fit its body.
func Verdicts(all []lint.Verdict, t *draw.Theme) []draw.Line {
	var out []draw.Line
	for _, v := range all {
		mark, st := "✓ ", t.Good
		switch {
		case !v.Match.OK():
			mark, st = "✖ ", t.Bad
		case v.Match == lint.Unchecked:
			mark, st = "● ", t.Faint
		}
		line := draw.L(st, mark+text.CleanLine(v.Name+" "+string(v.Match)))
		if v.Encoded {
			line = line.With(t.Text, "  says "+text.CleanLine(v.Decoded)+", encoded")
		}
		if !v.Match.OK() && v.Body != "" {
			line = line.With(t.Text, "  the body says "+text.CleanLine(v.Body))
		}
		if v.Note != "" {
			line = line.With(t.Faint, "  "+text.CleanLine(v.Note))
		}
		out = append(out, line)
	}
	if out != nil {
		out = append(out, draw.Line{})
	}
	return out
}
