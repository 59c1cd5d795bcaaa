package edge

import "encoding/json"

// Exchange is one request and the response that is about to be sent for it.
type Exchange struct {
	// Modern tells the era of the request.
	Modern bool
	// Method and Params are the request's own.
	Method string
	Params json.RawMessage
	// ID is the request's id as the client wrote it.
	ID json.RawMessage
	// Response is the whole JSON-RPC response, without any framing.
	Response []byte
}

// Damage is what [Options.Mangle] wants written in place of a response, in the
// order of its fields.
type Damage struct {
	// Before goes out as it is, outside any frame.
	Before []byte
	// Frames go out one after another, framed as the transport frames
	// messages: lines, or server-sent events. A JSON body has no frames, so
	// there they follow each other.
	Frames [][]byte
	// Partial goes out as the beginning of a frame that never ends.
	Partial []byte
	// Cut ends the connection: the HTTP response is aborted, the stdio stream
	// or the pipe is closed.
	Cut bool
}

// damage asks the hook; nil: send the response as it is.
func (e *Edge) damage(modern bool, m *message, response []byte) *Damage {
	if e.opt.Mangle == nil {
		return nil
	}
	return e.opt.Mangle(Exchange{Modern: modern, Method: m.method, Params: m.params.encode(), ID: m.id, Response: response})
}
