package inspect

import (
	"strings"

	"mcptui/client/rpc"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// most is how many lines of JSON are laid out; the bytes show the rest.
const most = 20000

// Message lays a message out as JSON, where its bytes are one key away and the
// whole of it can be saved. What is cut short says so, and how to see the rest.
func Message(raw []byte, t *draw.Theme) []draw.Line {
	out := JSON(raw, t)
	for i, l := range out {
		if n := len(l); n > 0 && strings.HasPrefix(l[n-1].Text, draw.Cut) || n > 1 && strings.HasPrefix(l[n-2].Text, draw.Cut) { // a comma may follow
			out[i] = l.With(t.Warn, " cut here: "+keys.Of(keys.Fold)+" shows the bytes, "+keys.Of(keys.Save)+" saves all")
		}
	}
	return out
}

// JSON lays a message out. What is cut short says so.
func JSON(raw []byte, t *draw.Theme) []draw.Line {
	lines, more := draw.JSON(raw, t, most)
	if more {
		lines = append(lines, draw.L(t.Warn, "cut here: the rest is in the bytes ("+text.Size(int64(len(raw)))+")"))
	}
	return lines
}

// Result lays a call's result out as a person reads it: text as text, the
// structured content as JSON, anything else named; an unknown shape as JSON.
func Result(raw []byte, t *draw.Theme) []draw.Line {
	m := rpc.Peek(raw)
	if m.Error != nil {
		return failure(m.Error, t)
	}
	if m.Result == nil {
		return JSON(raw, t)
	}
	var out []draw.Line
	if string(rpc.Member(m.Result, "isError")) == "true" {
		out = append(out, draw.L(t.Bad, "✖ the tool says that it failed (isError)"))
	}
	known := false
	for _, c := range rpc.Elements(rpc.Member(m.Result, "content")) {
		known = true
		out = append(out, content(c, t)...)
	}
	for _, c := range rpc.Elements(rpc.Member(m.Result, "contents")) {
		known = true
		out = append(out, draw.L(t.Faint, text.CleanLine(rpc.Text(c, "uri")+" "+rpc.Text(c, "mimeType"))))
		out = append(out, resource(c, t)...)
	}
	for _, msg := range rpc.Elements(rpc.Member(m.Result, "messages")) {
		known = true
		out = append(out, draw.L(t.Bold, text.CleanLine(rpc.Text(msg, "role"))))
		out = append(out, content(rpc.Member(msg, "content"), t)...)
	}
	if sc := rpc.Member(m.Result, "structuredContent"); sc != nil {
		known = true
		out = append(out, draw.L(t.Faint, "structured content"))
		out = append(out, JSON(sc, t)...)
	}
	if !known {
		out = append(out, JSON(m.Result, t)...)
	}
	return out
}

func failure(raw []byte, t *draw.Theme) []draw.Line {
	e, _ := rpc.ReadError(raw)
	out := []draw.Line{draw.L(t.Bad, "✖ error "+text.CleanLine(string(rpc.Member(raw, "code")))), {}}
	out = append(out, prose(e.Message, t)...)
	if e.Data != nil {
		out = append(out, draw.Line{}, draw.L(t.Faint, "data"))
		out = append(out, JSON(e.Data, t)...)
	}
	return out
}

// longest is how many bytes of one text are laid out; more is for the raw view.
const longest = 200_000

// words makes lines of a text, as the member of an object holds it. No more of
// it is decoded than is laid out.
func words(object []byte, name string, t *draw.Theme) []draw.Line {
	raw := rpc.Member(object, name)
	s, cut := rpc.Head(raw, longest)
	left := 0
	if cut {
		left = len(raw) - longest
	}
	return lines(s, left, t)
}

// prose makes lines of a text of the server's.
func prose(s string, t *draw.Theme) []draw.Line {
	left := max(0, len(s)-longest)
	return lines(s[:len(s)-left], left, t)
}

// lines lays a text out of which some bytes are left out at its end.
func lines(s string, left int, t *draw.Theme) []draw.Line {
	var out []draw.Line
	start := 0
	s = text.Clean(s)
	for i := range len(s) + 1 {
		if i == len(s) || s[i] == '\n' {
			out = append(out, draw.L(t.Text, s[start:i]))
			start = i + 1
		}
	}
	if left > 0 {
		out = append(out, draw.L(t.Warn, "… cut here: "+text.Size(int64(left))+" more are in the bytes of the message"))
	}
	return out
}

// Cut reports whether a text of a call's result is longer than is laid out.
func Cut(lines []draw.Line) bool {
	for _, l := range lines {
		if len(l) == 1 && strings.HasPrefix(l[0].Text, "… cut here: ") {
			return true
		}
	}
	return false
}

// Content lays out one content block of a message.
func Content(c []byte, t *draw.Theme) []draw.Line { return content(c, t) }

func content(c []byte, t *draw.Theme) []draw.Line {
	if len(c) > 0 && c[0] == '[' {
		var out []draw.Line
		for _, e := range rpc.Elements(c) {
			out = append(out, content(e, t)...)
		}
		return out
	}
	switch kind := rpc.Text(c, "type"); kind {
	case "text":
		return words(c, "text", t)
	case "image", "audio":
		return []draw.Line{draw.L(t.Note, "▸ "+kind+" "+text.CleanLine(rpc.Text(c, "mimeType"))+", "+decodedSize(rpc.Member(c, "data")))}
	case "resource":
		r := rpc.Member(c, "resource")
		return append([]draw.Line{draw.L(t.Note, "▸ resource "+text.CleanLine(rpc.Text(r, "uri")+" "+rpc.Text(r, "mimeType")))}, resource(r, t)...)
	case "resource_link":
		return []draw.Line{draw.L(t.Link, "▸ "+text.CleanLine(rpc.Text(c, "uri"))).With(t.Text, " "+text.CleanLine(rpc.Text(c, "name")))}
	}
	return JSON(c, t)
}

func resource(r []byte, t *draw.Theme) []draw.Line {
	if blob := rpc.Member(r, "blob"); blob != nil {
		return []draw.Line{draw.L(t.Note, "▸ binary, "+decodedSize(blob))}
	}
	return words(r, "text", t)
}

// decodedSize words how many bytes a base64 string stands for.
func decodedSize(raw []byte) string {
	return text.Size(int64(max(0, len(raw)-2) * 3 / 4))
}
