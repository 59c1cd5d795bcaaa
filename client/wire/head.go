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

// headConn is a connection without TLS that keeps the heads of the responses it
// reads, as they came: the library puts names into its own case and order, leaves
// some headers out, and adds one that no server sent.
type headConn struct {
	net.Conn

	mu    sync.Mutex
	next  *head  // of the response that is due, nil for none
	after func() // is called once, after the next write
}

// head is the beginning of one response, up to the blank line. It belongs to its
// request: before that has looked at it, the connection may serve another.
type head struct {
	mu    sync.Mutex
	raw   []byte
	whole bool
}

// keepHeads makes a dialer's connections keep heads.
func keepHeads(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &headConn{Conn: conn}, nil
	}
}

// expect returns the head of the response to the request that the connection was
// given to. It is still to come.
func (c *headConn) expect() *head {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = &head{}
	return c.next
}

// afterWrite has f called once the next write is over.
func (c *headConn) afterWrite(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.after = f
}

func (c *headConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.mu.Lock()
	after := c.after
	c.after = nil
	c.mu.Unlock()
	if after != nil {
		after()
	}
	return n, err
}

func (c *headConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil && c.next.keep(p[:n]) {
		c.next = nil
	}
	return n, err
}

// keep adds to the head, and reports whether nothing more belongs to it.
func (h *head) keep(data []byte) (over bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := max(len(h.raw)-3, 0) // its end may lie across two reads
	h.raw = append(h.raw, data...)
	for {
		end, width := headEnd(h.raw[seen:])
		if end < 0 {
			return len(h.raw) > maxHead
		}
		if !interim(h.raw) {
			h.raw, h.whole = bytes.Clone(h.raw[:seen+end]), true
			return true
		}
		h.raw, seen = h.raw[seen+end+width:], 0
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

// headers returns the lines of the head, nil where it was not seen whole.
func (h *head) headers() (out []trace.Header) {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.whole {
		return nil
	}
	lines := strings.Split(string(h.raw), "\n")
	for _, line := range lines[1:] {
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
func responseHeaders(resp *http.Response, seen *head) []trace.Header {
	if headers := seen.headers(); headers != nil {
		return headers
	}
	return libraryHeaders(resp)
}
