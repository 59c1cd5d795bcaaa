package rpc

import "bytes"

// Peek describes a message as Parse does, but checks nothing: no JSON syntax, no
// Problems. Of bytes that are broken it tells what stands before the break. It
// is for those who only need to know where a message belongs.
func Peek(raw []byte) Message {
	body := bytes.TrimSpace(bytes.TrimPrefix(raw, bom))
	var m Message
	switch {
	case len(body) == 0:
		m.Kind = NotJSON
		return m
	case body[0] == '[':
		m.Kind = Batch
		return m
	case body[0] != '{':
		m.Kind = NotJSON
		return m
	}
	m.members(body)
	m.classify()
	m.Problems = nil
	return m
}

// IsResponse reports whether the message is a response, and so carries the id
// of one of the receiver's own requests.
func (m Message) IsResponse() bool { return m.Kind == Result || m.Kind == Failure }
