package flow

import (
	"fmt"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// What a server of the legacy era may ask before it gets an answer. Nobody answers
// a thousand questions; a server that goes on must not fill the memory with them.
const (
	mostAsks     = 1000     // that wait on a connection, and that one round has
	mostAskBytes = 64 << 20 // of their params
)

// codeCrowded refuses what is too much: JSON-RPC leaves this code to implementations.
const codeCrowded = -32000

// crowded reports whether there is no room for a further ask, and refuses it then.
func (f *Flow) crowded(e trace.Event, m rpc.Message, c *call) bool {
	size := len(m.Params)
	for _, a := range f.inbox {
		size += len(a.params)
	}
	full := len(f.inbox) >= mostAsks || len(f.inbox) > 0 && size > f.mostAsk
	if rd := c.openRound(); rd != nil && len(rd.asks) >= mostAsks { // each is answered, but for one
		full = true
	}
	if !full {
		return false
	}
	if f.refusals.more() {
		f.note(m.Method, fmt.Sprintf("the server goes on asking while requests of its own wait for an answer: at most %d, and %d MB, are kept, further ones are refused with error %d (%d so far)",
			mostAsks, f.mostAsk>>20, codeCrowded, f.refusals))
	}
	f.answerNow(e, m, rpc.Encode(m.ID, "", nil, nil, rpc.EncodeError(codeCrowded, fmt.Sprintf("too many requests wait for an answer: at most %d", mostAsks))))
	return true
}

// openRound is the round in which a legacy call asks, nil while it does not.
func (c *call) openRound() *round {
	if c == nil {
		return nil
	}
	if rd := c.lastRound(); rd != nil {
		for _, a := range rd.asks {
			if !a.sent && a.closed == "" {
				return rd
			}
		}
	}
	return nil
}

// tally counts what can go on for ever, and is told of now and then.
type tally int

// more counts, and reports whether it is time to tell: at 1, 10, 100 and so on.
func (t *tally) more() bool {
	*t++
	n := *t
	for n%10 == 0 {
		n /= 10
	}
	return n == 1
}
