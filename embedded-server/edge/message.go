package edge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// message is one JSON-RPC message, parsed far enough to be routed.
type message struct {
	raw     json.RawMessage
	members object
	id      json.RawMessage // as written; nil where there is none, or none that is allowed
	hasID   bool
	method  string
	params  object
	meta    object
}

// parse reads one message. A message that is broken comes back as far as it
// could be read, with the error that it earns.
func parse(b []byte) (*message, *rpcError) {
	if !utf8.Valid(b) {
		return nil, failf(codeParse, "parse error: the message is not valid UTF-8")
	}
	if !json.Valid(b) {
		return nil, failf(codeParse, "parse error: the message is not valid JSON")
	}
	m := &message{raw: b}
	var ok bool
	if m.members, ok = readObject(b); !ok {
		return nil, failf(codeInvalidRequest, "a message must be one JSON object")
	}
	if raw := m.members.get("id"); raw != nil {
		m.hasID = true
		if validID(raw) {
			m.id = raw
		}
	}
	m.method, _ = text(m.members.get("method"))
	m.params, _ = readObject(m.members.get("params"))
	m.params = m.params.unique()
	m.meta, _ = readObject(m.params.get("_meta"))
	m.meta = m.meta.unique()
	if v, _ := text(m.members.get("jsonrpc")); v != "2.0" {
		return m, failf(codeInvalidRequest, `"jsonrpc" must be "2.0"`)
	}
	if m.method == "" {
		if !m.isResponse() {
			return m, failf(codeInvalidRequest, `a request must have a "method"`)
		}
		return m, nil
	}
	if m.hasID && m.id == nil {
		return m, failf(codeInvalidRequest, "a request id must be a string or an integer")
	}
	return m, nil
}

// validID allows what the schema's RequestId allows: a string or an integer,
// of any size, since it is only ever echoed.
func validID(raw json.RawMessage) bool {
	if _, ok := text(raw); ok {
		return true
	}
	digits := bytes.TrimPrefix(raw, []byte("-"))
	return len(digits) > 0 && !bytes.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
}

// isResponse: the message answers a request of ours.
func (m *message) isResponse() bool {
	return m.method == "" && (m.members.has("result") || m.members.has("error"))
}

// isNotification: the message wants no answer.
func (m *message) isNotification() bool { return m.method != "" && !m.hasID }

// claim is the revision that params._meta names, and whether it names one.
func (m *message) claim() (version string, claimed bool) {
	raw := m.meta.get(mcp.MetaKeyProtocolVersion)
	version, _ = text(raw)
	return version, raw != nil
}

// isModern: the message carries the per-request envelope. A revision of the
// handshake era in _meta does not make a modern message.
func (m *message) isModern() bool {
	v, claimed := m.claim()
	return claimed && !slices.Contains(legacyVersions, v)
}

// answerID is the id that an error about this message may carry: a message
// without a method may itself be an answer, and must not be answered by id.
func (m *message) answerID() json.RawMessage {
	if m == nil || m.method == "" {
		return nil
	}
	return m.id
}

// nameField is the member of params that Mcp-Name mirrors, or "".
func nameField(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	}
	return ""
}

// asks: the method may be answered by an input-required result
// (basic/patterns/mrtr).
func asks(method string) bool { return nameField(method) != "" }

// batch splits a JSON array of messages; false where the bytes are no array.
func batch(b []byte) ([]json.RawMessage, bool) {
	if t := bytes.TrimLeft(b, " \t\r\n"); len(t) == 0 || t[0] != '[' {
		return nil, false
	}
	var all []json.RawMessage
	err := json.Unmarshal(b, &all)
	return all, err == nil
}

// removedRequests exist in the handshake era only.
var removedRequests = []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}

// removedNotification: a client no longer sends these (2026-07-28 changelog).
func removedNotification(method string) bool {
	return method == "notifications/initialized" || method == "notifications/roots/list_changed"
}

func isNotificationMethod(method string) bool { return strings.HasPrefix(method, "notifications/") }
