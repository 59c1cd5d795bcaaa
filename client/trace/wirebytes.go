package trace

// WireBytes gives a frame as it crossed the wire, framing included. The frames
// and the noise of one stream, in order, add up to what the stream carried,
// unless one of them was cut (Size).
func WireBytes(f *Frame) []byte {
	if f.Wire != nil {
		return f.Wire
	}
	post := f.Post
	if post == nil && f.Exchange == 0 {
		post = []byte{'\n'}
	}
	out := make([]byte, 0, len(f.Pre)+len(f.Bytes)+len(post))
	return append(append(append(out, f.Pre...), f.Bytes...), post...)
}
