package flow

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// saidBytes is how much of a body that is no message is quoted.
const saidBytes = 200

// excerpt is the beginning of a body as text on one line, the tags of a page left
// out: what an error page or a gateway says is often all that explains it.
func excerpt(body []byte) string {
	const looked = 16 << 10 // a page may begin with much that is not for people
	body = body[:min(len(body), looked)]
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		body = untagged(body)
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "�")), " ")
	if len(text) <= saidBytes {
		return text
	}
	end := saidBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// untagged leaves out tags, and what stands in styles and scripts.
func untagged(page []byte) (text []byte) {
	for len(page) > 0 {
		start := bytes.IndexByte(page, '<')
		if start < 0 {
			return append(text, page...)
		}
		text = append(append(text, page[:start]...), ' ')
		page = page[start:]
		until := ">"
		for _, name := range []string{"style", "script"} {
			if len(page) > len(name) && bytes.EqualFold(page[1:1+len(name)], []byte(name)) {
				until = "</" + name + ">"
			}
		}
		end := bytes.Index(bytes.ToLower(page), []byte(until))
		if end < 0 {
			return text
		}
		page = page[end+len(until):]
	}
	return text
}

// quoted says what the body of an exchange says, "" where it had none.
func (x *exchange) quoted() string {
	if x.said == "" {
		return ""
	}
	return "; it says " + strconv.Quote(x.said)
}
