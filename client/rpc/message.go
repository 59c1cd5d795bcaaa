// Package rpc reads and writes JSON-RPC messages as data. It is lenient: whatever
// came is described, never refused, and every part is a piece of the very bytes
// that came. It does no IO.
package rpc

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Kind is what a message is, as far as its members tell.
type Kind string

// Kinds of messages.
const (
	Request      Kind = "request"
	Notification Kind = "notification"
	Result       Kind = "result"
	Failure      Kind = "error"
	Batch        Kind = "batch"   // an array; see Elements
	Invalid      Kind = "invalid" // JSON, but none of the above
	NotJSON      Kind = "notjson"
)

// ID is the raw JSON of an id, "" where the member is absent. Two ids are the
// same only if their JSON is: 1, "1" and 1.0 are three ids.
type ID string

// NumberID is the id that this client uses.
func NumberID(n int) ID { return ID(strconv.Itoa(n)) }

// Message is a view of one message. Its slices share the memory of the bytes
// that were parsed: copy what has to outlive them.
type Message struct {
	Kind     Kind
	Version  string // raw JSON of "jsonrpc", "" where the member is absent
	ID       ID
	Method   string
	Params   []byte
	Result   []byte
	Error    []byte
	Problems []Problem
}

// Problem is something wrong with the envelope of a message.
type Problem struct {
	Rule   string // a short name, the same for the same fault
	Text   string // one sentence
	Offset int    // byte where it was noticed
}

// ErrorBody is the error member of a response.
type ErrorBody struct {
	Code    int
	Message string
	Data    []byte
}

// bom is the byte order mark that some writers put in front of UTF-8.
var bom = []byte("\xef\xbb\xbf")

// Parse describes one message. It never fails; see Kind and Problems.
func Parse(raw []byte) Message {
	var m Message
	body, marked := bytes.CutPrefix(raw, bom)
	if marked {
		m.problem("bom", "the message begins with a byte order mark", 0)
	}
	m.checkJSON(body)
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		m.Kind = NotJSON
		return m
	}
	switch {
	case body[0] == '[' && m.Kind != NotJSON:
		m.Kind = Batch
		m.problem("batch", "the message is a batch (an array)", 0)
		return m
	case body[0] != '{':
		if m.Kind != NotJSON {
			m.Kind = Invalid
			m.problem("not-object", "the message is JSON, but not an object", 0)
		}
		return m
	}
	broken := m.Kind == NotJSON
	m.members(body)
	if broken {
		m.Kind = NotJSON // what could be read of it stays, as a hint
		return m
	}
	m.classify()
	return m
}

// Answer describes the response to the request with the given id in a frame: the
// frame itself or, where it is a batch, the message of the batch that has the id.
func Answer(raw []byte, id ID) Message {
	m := Parse(raw)
	if m.Kind != Batch {
		return m
	}
	for _, one := range Elements(raw) {
		if a := Parse(one); a.ID == id && a.IsResponse() {
			return a
		}
	}
	return m
}

// checkJSON marks bytes that are not JSON, and says where.
func (m *Message) checkJSON(body []byte) {
	if valid(body) {
		return
	}
	m.Kind = NotJSON
	var v json.RawMessage
	err := json.Unmarshal(body, &v)
	offset := 0
	if se, ok := err.(*json.SyntaxError); ok {
		offset = int(se.Offset)
	}
	text := "the bytes are not JSON"
	if err != nil {
		text += ": " + err.Error()
	}
	m.problem("json", text, offset)
}

// version is the one version of JSON-RPC, as it is written.
const version = `"2.0"`

func (m *Message) members(body []byte) {
	seen := map[string]bool{}
	for k, v := range Members(body) {
		if seen[k] {
			m.problem("duplicate-member", "member "+strconv.Quote(k)+" occurs twice; the last one counts", 0)
		}
		seen[k] = true
		switch k {
		case "jsonrpc":
			if m.Version = version; string(v) != version {
				m.Version = string(v)
			}
		case "id":
			m.ID = ID(v)
		case "method":
			if s, ok := String(v); ok {
				m.Method = s
			} else {
				m.problem("method-type", "\"method\" is not a string", 0)
			}
		case "params":
			m.Params = v
		case "result":
			m.Result = v
		case "error":
			m.Error = v
		}
	}
	if m.Version != version {
		m.problem("jsonrpc", "\"jsonrpc\" is not \"2.0\"", 0)
	}
}

func (m *Message) classify() {
	switch {
	case m.Method != "" && m.ID != "":
		m.Kind = Request
	case m.Method != "":
		m.Kind = Notification
	case m.Result != nil && m.Error != nil:
		m.Kind = Failure
		m.problem("both", "the response has a result and an error", 0)
	case m.Result != nil:
		m.Kind = Result
	case m.Error != nil:
		m.Kind = Failure
	default:
		m.Kind = Invalid
		m.problem("neither", "the message has no method, no result and no error", 0)
	}
	if m.ID != "" {
		switch c := m.ID[0]; {
		case c == '"', c == '-', c >= '0' && c <= '9':
			if c != '"' && bytes.ContainsAny([]byte(m.ID), ".eE") {
				m.problem("id-fraction", "the id is a number that is not written as an integer", 0)
			}
		case m.ID == "null" && m.Kind == Failure:
		default:
			m.problem("id-type", "the id is neither a string nor an integer", 0)
		}
	} else if m.Kind == Result || m.Kind == Failure {
		m.problem("id-missing", "the response has no id", 0)
	}
}

func (m *Message) problem(rule, text string, offset int) {
	m.Problems = append(m.Problems, Problem{Rule: rule, Text: text, Offset: offset})
}

// ReadError describes the error member of a response; ok is false where it is
// not an object with an integer code and a string message.
func ReadError(raw []byte) (e ErrorBody, ok bool) {
	var code, text bool
	for k, v := range Members(raw) {
		switch k {
		case "code":
			n, err := strconv.Atoi(string(v))
			e.Code, code = n, err == nil
		case "message":
			e.Message, text = String(v)
		case "data":
			e.Data = v
		}
	}
	return e, code && text
}
