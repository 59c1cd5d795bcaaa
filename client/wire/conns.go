package wire

import (
	"context"
	"net"
	"sync"
)

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// conns are the connections of one transport. The library closes those that nothing
// is under way on: one of HTTP/2 whose last stream is still being taken down stays for
// as long as an idle one may.
type conns struct {
	mu     sync.Mutex
	open   map[*ownConn]struct{}
	closed bool
}

// ownConn is a connection that is forgotten once it is closed.
type ownConn struct {
	net.Conn
	of *conns
}

// own makes the connections of a dialer ours.
func (c *conns) own(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		mine := &ownConn{conn, c}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.closed { // while it was dialled
			_ = conn.Close()
			return nil, ErrClosed
		}
		if c.open == nil {
			c.open = map[*ownConn]struct{}{}
		}
		c.open[mine] = struct{}{}
		return mine, nil
	}
}

func (o *ownConn) Close() error {
	o.of.mu.Lock()
	delete(o.of.open, o)
	o.of.mu.Unlock()
	return o.Conn.Close()
}

// close closes all that is open, and whatever is still being dialled.
func (c *conns) close() {
	c.mu.Lock()
	c.closed = true
	open := c.open
	c.open = nil
	c.mu.Unlock()
	for conn := range open {
		_ = conn.Conn.Close() // nobody waits for what it would say
	}
}
