package wire

import (
	"context"
	"sync"
	"time"
)

const (
	turnWait    = time.Second     // for the message before to leave, once it is its turn
	barrierWait = 5 * time.Second // for the server to take notifications/initialized
)

// order lets messages leave in the order in which they were sent, although each
// has an HTTP exchange of its own. It is a courtesy with a time limit: one that
// cannot get through does not hold up the others for long. A barrier is a
// message that the server must have taken before the next one may leave.
type order struct {
	last    *ticket
	barrier chan struct{}
}

// ticket is a message's place in the order.
type ticket struct {
	before  *ticket // nil for the first, and once it has left
	barrier <-chan struct{}
	turn    chan struct{} // closed when it may leave
	left    chan struct{}
	once    sync.Once
	taken   chan struct{} // of a barrier, else nil
}

// ticket draws the next place. Calls must not run at the same time.
func (o *order) ticket(barrier bool) *ticket {
	t := &ticket{before: o.last, barrier: o.barrier, turn: make(chan struct{}), left: make(chan struct{})}
	o.last = t
	if barrier {
		t.taken = make(chan struct{})
		o.barrier = t.taken
	}
	return t
}

// wait waits until it is the message's turn.
func (t *ticket) wait(ctx context.Context) {
	defer close(t.turn)
	if t.before != nil {
		select {
		case <-t.before.turn:
			wait(ctx, t.before.left, turnWait)
		case <-ctx.Done():
		}
		t.before = nil // the chain must not keep every message alive
	}
	if t.barrier != nil {
		wait(ctx, t.barrier, barrierWait)
	}
}

// leave tells that the message is on its way, or will never be.
func (t *ticket) leave() {
	if t != nil {
		t.once.Do(func() { close(t.left) })
	}
}

// arrive tells that the server took the message, or never will.
func (t *ticket) arrive() {
	t.leave()
	if t.taken != nil {
		close(t.taken)
	}
}

func wait(ctx context.Context, c <-chan struct{}, limit time.Duration) {
	if isClosed(c) {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c:
	case <-timer.C:
	case <-ctx.Done():
	}
}
