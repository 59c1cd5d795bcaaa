package trace

// weight estimates the bytes that an event takes.
func weight(e Event) int64 {
	n := int64(eventCost)
	switch {
	case e.Frame != nil:
		n += int64(len(e.Frame.Bytes) + len(e.Frame.Wire))
	case e.HTTP != nil:
		for _, h := range e.HTTP.Headers {
			n += int64(len(h.Name) + len(h.Value) + 32)
		}
	case e.Noise != nil:
		n += int64(len(e.Noise.Bytes))
	case e.Stderr != nil:
		n += int64(len(e.Stderr.Bytes))
	case e.Act != nil:
		n += int64(len(e.Act.Value))
	}
	return n
}

// ring bounds the bytes of one kind of event.
type ring struct {
	limit, held int64
	order       []held
}

type held struct {
	seq  int
	size int64
}

// add takes an event in and returns the numbers of those that fall out.
func (r *ring) add(seq, size int) (out []int) {
	const entry = 32 // that remembering it costs
	r.order = append(r.order, held{seq, int64(size) + entry})
	r.held += int64(size) + entry
	for r.held > r.limit && len(r.order) > 1 {
		out = append(out, r.order[0].seq)
		r.held -= r.order[0].size
		r.order = r.order[1:]
	}
	return out
}
