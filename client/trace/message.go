package trace

import "mcptui/client/rpc"

// Message describes the frame. It is parsed once, however many ask, until
// Forget.
func (f *Frame) Message() rpc.Message {
	if m := f.parsed.Load(); m != nil {
		return *m
	}
	m := rpc.Parse(f.Bytes)
	f.parsed.Store(&m)
	return m
}

// Forget drops what Message keeps: as many bytes as a small frame has. Whoever
// has folded an event calls it; who asks again later parses again.
func (f *Frame) Forget() { f.parsed.Store(nil) }

// Parsed reports whether Message has something at hand.
func (f *Frame) Parsed() bool { return f.parsed.Load() != nil }
