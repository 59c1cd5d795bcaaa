package flow

import (
	"slices"

	"mcptui/client/trace"
)

// What is kept of the past, for running calls again, branching them, and saying
// why an act comes too late. A long session must not grow by it: the log has
// all of it, and goes to disk.
const (
	keptBytes = 64 << 20 // of calls that have ended
	callCost  = 1 << 10  // what a call takes beside its bytes, roughly
	keptAsks  = 1000     // that are settled and belong to no call
)

// begun puts a call among those that have not ended.
func (f *Flow) begun(c *call) {
	if c.weight > 0 { // a branch opens it again
		f.past = slices.DeleteFunc(f.past, func(p *call) bool { return p == c })
		f.pastBytes -= c.weight
		c.weight = 0
	}
	if !slices.Contains(f.active, c) {
		f.active = append(f.active, c)
	}
}

// retire puts a call among those that have ended, and forgets the oldest of them
// where they weigh too much.
func (f *Flow) retire(c *call) {
	f.active = slices.DeleteFunc(f.active, func(a *call) bool { return a == c })
	if c.weight > 0 {
		return
	}
	c.weight = c.bytes()
	f.past = append(f.past, c)
	f.pastBytes += c.weight
	for f.pastBytes > f.mostPast && len(f.past) > 1 {
		old := f.past[0]
		f.past[0], f.past = nil, f.past[1:]
		f.pastBytes -= old.weight
		delete(f.calls, old.id)
		for _, rd := range old.rounds {
			for _, a := range rd.asks {
				delete(f.asks, a.id)
			}
		}
	}
}

// bytes is roughly what a call takes in memory.
func (c *call) bytes() int {
	n := callCost + len(c.req.Params) + len(c.req.Meta) + len(c.req.State) + len(c.req.Inputs)
	for _, rd := range c.rounds {
		n += callCost + len(rd.state) + len(rd.sent)
		if rd.request != nil {
			n += len(rd.request.params) + len(rd.request.base)
		}
		for _, a := range rd.asks {
			n += callCost + len(a.params) + len(a.reply)
		}
	}
	return n
}

// settled notes that nothing can be done to an ask any more. One that belongs to
// a call is kept as long as that.
func (f *Flow) settled(a *ask) {
	if a.call != nil {
		return
	}
	f.pastAsks = append(f.pastAsks, a.id)
	if len(f.pastAsks) > keptAsks {
		delete(f.asks, f.pastAsks[0])
		f.pastAsks[0], f.pastAsks = trace.AskID{}, f.pastAsks[1:]
	}
}
