package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"mcptui/client/rpc"
)

// checkedNoise bounds the bytes that are checked for being JSON only to word
// the reason why they are no message.
const checkedNoise = 1 << 20

// noiseReason says why bytes that came where a message was due are none, or ""
// where they are one, or were clearly meant to be: a broken message belongs with
// the messages, because someone waits for it.
func noiseReason(raw []byte) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		return "blank line"
	}
	switch text[0] {
	case '{':
		if isMessage(text) {
			return ""
		}
	case '[':
		for _, element := range rpc.Elements(text) {
			if isMessage(element) {
				return ""
			}
			break
		}
	case '<':
		if looksHTML(text) {
			return "an HTML page"
		}
	}
	if len(text) <= checkedNoise && json.Valid(text) {
		return "JSON, but no JSON-RPC message"
	}
	return "not JSON"
}

func isMessage(text []byte) bool {
	start := text[:min(len(text), 256)]
	if len(text) > checkedNoise && bytes.Contains(start, []byte(`"jsonrpc"`)) {
		return true // too long to be read for this alone
	}
	m := rpc.Peek(text)
	if m.Version != "" {
		return m.ID != "" || m.Method != "" || m.Result != nil || m.Error != nil
	}
	switch m.Kind {
	case rpc.Result, rpc.Failure:
		if m.ID != "" {
			return true
		}
	case rpc.Request, rpc.Notification:
		if m.Method == "ping" || m.Method == "initialize" || strings.Contains(m.Method, "/") {
			return true
		}
	}
	return bytes.Contains(start, []byte("jsonrpc")) && !json.Valid(text[:min(len(text), checkedNoise)])
}

func looksHTML(text []byte) bool {
	start := strings.ToLower(string(text[:min(len(text), 256)]))
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") ||
		strings.HasPrefix(start, "<head") || strings.HasPrefix(start, "<pre") || strings.Contains(start, "<html")
}
