package wire

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"sync"

	"mcptui/client/trace"
)

// headConn is a connection without TLS that keeps the head of the response it
// reads, as it came: the library puts names into its own case and order, leaves
// some headers out, and adds one that no server sent.
type headConn struct {
	net.Conn

	mu    sync.Mutex
	armed bool
	head  []byte
}

// keepHeads makes a dialer's connections keep heads.
func keepHeads(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &headConn{Conn: conn}, nil
	}
}

// arm begins to keep: the connection was given to a new request.
func (c *headConn) arm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed, c.head = true, nil
}

func (c *headConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.armed {
		c.keep(p[:n])
	}
	return n, err
}

// keep adds to the head until it is whole.
func (c *headConn) keep(data []byte) {
	seen := max(len(c.head)-3, 0) // its end may lie across two reads
	c.head = append(c.head, data...)
	for {
		end, width := headEnd(c.head[seen:])
		if end < 0 {
			if len(c.head) > maxHead {
				c.armed, c.head = false, nil
			}
			return
		}
		if !interim(c.head) {
			c.head, c.armed = bytes.Clone(c.head[:seen+end]), false
			return
		}
		c.head, seen = c.head[seen+end+width:], 0
	}
}

// maxHead is what the library takes at most, too.
const maxHead = 1 << 20

// headEnd finds the blank line that ends a head.
func headEnd(b []byte) (at, width int) {
	for i := range b {
		switch {
		case b[i] != '\n':
		case bytes.HasPrefix(b[i+1:], []byte("\r\n")):
			return i, 3
		case bytes.HasPrefix(b[i+1:], []byte("\n")):
			return i, 2
		}
	}
	return -1, 0
}

// interim reports whether a head is that of a 1xx response, which another
// response follows.
func interim(head []byte) bool {
	_, rest, _ := bytes.Cut(head, []byte(" "))
	return len(rest) > 0 && rest[0] == '1' && !bytes.HasPrefix(rest, []byte("101"))
}

// headers returns the lines of the head that was kept, nil where there is none.
func (c *headConn) headers() (out []trace.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.armed {
		return nil
	}
	lines := strings.Split(string(c.head), "\n")
	for _, line := range lines[min(1, len(lines)):] {
		line = strings.TrimSuffix(line, "\r")
		if n := len(out); n > 0 && strings.TrimLeft(line, " \t") != line { // an old way to go on with a value
			out[n-1].Value = strings.TrimSpace(out[n-1].Value + " " + strings.TrimSpace(line))
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok {
			out = append(out, trace.Header{Name: name, Value: strings.Trim(value, " \t")})
		}
	}
	return out
}

// responseHeaders lists what came: as it was on the wire where that was seen,
// else what the library made of it, with what it takes out of the map.
func responseHeaders(resp *http.Response, conn net.Conn) []trace.Header {
	if kept, ok := conn.(*headConn); ok {
		if headers := kept.headers(); headers != nil {
			return headers
		}
	}
	return libraryHeaders(resp)
}
