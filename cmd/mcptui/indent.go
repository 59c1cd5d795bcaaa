package main

import (
	"bytes"
	"strings"
)

// indent writes JSON with a line for each member and element, as json.Indent does,
// but as it goes: what is large is not there twice. It must be valid.
func indent(w *lines, raw []byte) {
	depth := 0
	for i := 0; i < len(raw); {
		c := raw[i]
		switch c {
		case ' ', '\t', '\n', '\r':
			i++
			continue
		case '"':
			end := stringEnd(raw, i)
			w.write(raw[i:end])
			i = end
			continue
		case '{', '[':
			w.write(raw[i : i+1])
			next := i + 1
			for next < len(raw) && bytes.IndexByte([]byte(" \t\n\r"), raw[next]) >= 0 {
				next++
			}
			if next < len(raw) && raw[next] == c+2 { // nothing inside: ']' and '}' come two after
				w.write(raw[next : next+1])
				i = next + 1
				continue
			}
			depth++
			newline(w, depth)
		case '}', ']':
			depth--
			newline(w, depth)
			w.write(raw[i : i+1])
		case ',':
			w.write(raw[i : i+1])
			newline(w, depth)
		case ':':
			w.write([]byte(": "))
		default:
			w.write(raw[i : i+1])
		}
		i++
	}
}

func newline(w *lines, depth int) { w.write([]byte("\n" + strings.Repeat("  ", depth))) }

// stringEnd is the index behind the JSON string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// indented is indent for what is small.
func indented(raw []byte) string {
	var b strings.Builder
	w := &lines{to: &b}
	w.indented(raw)
	return strings.TrimSuffix(b.String(), "\n")
}
