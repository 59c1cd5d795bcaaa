package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"mcptui/client/rpc"
)

// resultText shows a result to a person: texts as they are, structured content
// indented, everything else named and sized.
func resultText(method string, result []byte) string {
	var b strings.Builder
	switch method {
	case "tools/call":
		blocks(&b, rpc.Member(result, "content"))
		if s := rpc.Member(result, "structuredContent"); s != nil && !onlyCopied(result, s) {
			b.WriteString(indent(s) + "\n")
		}
	case "resources/read":
		for _, c := range rpc.Elements(rpc.Member(result, "contents")) {
			contents(&b, c)
		}
	case "prompts/get":
		for _, m := range rpc.Elements(rpc.Member(result, "messages")) {
			fmt.Fprintf(&b, "%s: ", rpc.Text(m, "role"))
			block(&b, rpc.Member(m, "content"))
		}
	case "completion/complete":
		for _, v := range rpc.Elements(rpc.Member(result, "completion", "values")) {
			s, _ := rpc.String(v)
			b.WriteString(s + "\n")
		}
	}
	if b.Len() == 0 {
		b.WriteString(indent(result) + "\n")
	}
	return b.String()
}

// onlyCopied reports whether the text content is the structured content again,
// as servers send it for older clients.
func onlyCopied(result, structured []byte) bool {
	var a, b bytes.Buffer
	if json.Compact(&a, structured) != nil {
		return false
	}
	for _, c := range rpc.Elements(rpc.Member(result, "content")) {
		b.Reset()
		if json.Compact(&b, []byte(rpc.Text(c, "text"))) == nil && bytes.Equal(a.Bytes(), b.Bytes()) {
			return true
		}
	}
	return false
}

func blocks(b *strings.Builder, content []byte) {
	for _, c := range rpc.Elements(content) {
		block(b, c)
	}
}

func block(b *strings.Builder, c []byte) {
	switch kind := rpc.Text(c, "type"); kind {
	case "text":
		line(b, rpc.Text(c, "text"))
	case "image", "audio":
		line(b, fmt.Sprintf("[%s %s, %s]", kind, rpc.Text(c, "mimeType"), decodedSize(rpc.Text(c, "data"))))
	case "resource_link":
		line(b, fmt.Sprintf("[link %s %s]", rpc.Text(c, "uri"), rpc.Text(c, "name")))
	case "resource":
		contents(b, rpc.Member(c, "resource"))
	default:
		line(b, string(c))
	}
}

func contents(b *strings.Builder, c []byte) {
	if text := rpc.Member(c, "text"); text != nil {
		s, _ := rpc.String(text)
		line(b, s)
		return
	}
	line(b, fmt.Sprintf("[%s %s, %s]", rpc.Text(c, "uri"), rpc.Text(c, "mimeType"), decodedSize(rpc.Text(c, "blob"))))
}

func line(b *strings.Builder, s string) {
	b.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
}

func decodedSize(data string) string {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return fmt.Sprintf("%d characters that are not base64", len(data))
	}
	return fmt.Sprintf("%d bytes", len(raw))
}

func indent(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
