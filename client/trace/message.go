package trace

import "mcptui/client/rpc"

// Message parses the frame once, however many ask.
func (f *Frame) Message() rpc.Message {
	f.once.Do(func() { f.msg = rpc.Parse(f.Bytes) })
	return f.msg
}
