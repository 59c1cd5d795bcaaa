package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcptui/client/rpc"
)

// printText prints a result for a person.
func (a *app) printText(method string, result []byte) error {
	if terminal(a.Out) { // made safe as a whole
		var b strings.Builder
		if err := resultText(&b, method, result); err != nil {
			return err
		}
		return a.print(b.String())
	}
	w := bufio.NewWriterSize(output{a}, pieceSize)
	return errors.Join(resultText(w, method, result), w.Flush())
}

// resultText shows a result to a person: texts as they are, structured content
// indented, everything else named and sized. Texts are written as they are
// decoded: they can be large.
func resultText(to io.Writer, method string, result []byte) error {
	w := &lines{to: to}
	switch method {
	case "tools/call":
		blocks(w, rpc.Member(result, "content"))
		if s := rpc.Member(result, "structuredContent"); s != nil && !onlyCopied(result, s) {
			w.indented(s)
		}
	case "resources/read":
		for _, c := range rpc.Elements(rpc.Member(result, "contents")) {
			contents(w, c)
		}
	case "prompts/get":
		for _, m := range rpc.Elements(rpc.Member(result, "messages")) {
			w.write([]byte(rpc.Text(m, "role") + ": "))
			block(w, rpc.Member(m, "content"))
		}
	case "completion/complete":
		values := rpc.Member(result, "completion", "values")
		for _, v := range rpc.Elements(values) {
			w.text(v)
		}
		if firstByte(values) == '[' {
			return w.err // of none, nothing
		}
	}
	if !w.any {
		w.indented(result)
	}
	return w.err
}

// lines writes what ends in a line end each, until a write fails.
type lines struct {
	to   io.Writer
	any  bool // something was written
	last byte
	err  error
}

func (w *lines) write(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	w.any, w.last = true, b[len(b)-1]
	_, w.err = w.to.Write(b)
}

// end ends the line where it is open.
func (w *lines) end() {
	if w.last != '\n' {
		w.write([]byte{'\n'})
	}
}

func (w *lines) line(s string) {
	w.last = 0
	w.write([]byte(s))
	w.end()
}

// text writes a JSON string, decoded.
func (w *lines) text(raw []byte) {
	w.last = 0
	for piece := range pieces(raw) {
		w.write(piece)
	}
	w.end()
}

func (w *lines) indented(raw []byte) {
	w.last = 0
	if json.Valid(raw) {
		indent(w, raw)
	} else {
		w.write(raw)
	}
	w.end()
}

// onlyCopied reports whether the text content is the structured content again,
// as servers send it for older clients.
func onlyCopied(result, structured []byte) bool {
	want := spaceless()
	want.Write(structured)
	for _, c := range rpc.Elements(rpc.Member(result, "content")) {
		got := spaceless()
		for piece := range pieces(rpc.Member(c, "text")) {
			got.Write(piece)
		}
		if want.sum() == got.sum() {
			return true
		}
	}
	return false
}

func blocks(w *lines, content []byte) {
	for _, c := range rpc.Elements(content) {
		block(w, c)
	}
}

func block(w *lines, c []byte) {
	switch kind := rpc.Text(c, "type"); kind {
	case "text":
		w.text(rpc.Member(c, "text"))
	case "image", "audio":
		w.line(fmt.Sprintf("[%s %s, %s]", kind, rpc.Text(c, "mimeType"), decodedSize(rpc.Member(c, "data"))))
	case "resource_link":
		w.line(fmt.Sprintf("[link %s %s]", rpc.Text(c, "uri"), rpc.Text(c, "name")))
	case "resource":
		contents(w, rpc.Member(c, "resource"))
	default:
		w.line(string(c))
	}
}

func contents(w *lines, c []byte) {
	if text := rpc.Member(c, "text"); text != nil {
		w.text(text)
		return
	}
	w.line(fmt.Sprintf("[%s %s, %s]", rpc.Text(c, "uri"), rpc.Text(c, "mimeType"), decodedSize(rpc.Member(c, "blob"))))
}

// decodedSize says how much a JSON string holds that is base64.
func decodedSize(raw []byte) string {
	from, to := io.Pipe()
	go func() { // ends with the string, or once the decoder has seen enough
		for piece := range pieces(raw) {
			if _, err := to.Write(piece); err != nil {
				break
			}
		}
		_ = to.Close() // never fails
	}()
	n, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, from))
	_ = from.Close() // never fails
	if err != nil {
		return fmt.Sprintf("%d characters that are not base64", max(0, len(raw)-2))
	}
	return fmt.Sprintf("%d bytes", n)
}
