package client_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tcpProxy stands between client and server, knows nothing of HTTP, and keeps
// every byte of either direction.
type tcpProxy struct {
	addr string

	mu      sync.Mutex
	conns   []*proxied
	copying sync.WaitGroup
	stop    func() // returns when nothing crosses any more; the client has closed before
}

// proxied is one connection through the proxy.
type proxied struct{ up, down lockedBuffer }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.b.Bytes())
}

func newTCPProxy(t *testing.T, to string) *tcpProxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &tcpProxy{addr: l.Addr().String()}
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				continue
			}
			conn := &proxied{}
			p.mu.Lock()
			p.conns = append(p.conns, conn)
			p.mu.Unlock()
			copying := func(dst, src net.Conn, kept io.Writer) {
				p.copying.Go(func() {
					// What is kept before it is passed on cannot come out of step.
					_, _ = io.Copy(dst, io.TeeReader(src, kept))
					dst.Close()
					src.Close()
				})
			}
			copying(server, client, &conn.up)
			copying(client, server, &conn.down)
		}
	}()
	p.stop = func() { l.Close(); <-accepting; p.copying.Wait() }
	t.Cleanup(p.stop)
	return p
}

// rawMessage is a request or a response as it crossed the wire, chunking and
// compression taken off.
type rawMessage struct {
	line    string
	headers []string // "name: value", sorted, names in lower case
	body    string
	whole   bool // false where the connection ended within the body
}

// messages takes one direction of a connection apart. responses have bodies up to
// the end of the connection where nothing says how long they are.
func messages(t *testing.T, raw []byte, responses bool) (out []rawMessage) {
	in := bufio.NewReader(bytes.NewReader(raw))
	for {
		m := rawMessage{whole: true}
		length, chunked, encoding := -1, false, ""
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				require.Empty(t, line, "a head that was cut off")
				return out
			}
			line = strings.TrimRight(line, "\r\n")
			if line == "" {
				break
			}
			if m.line == "" {
				m.line = line
				continue
			}
			name, value, _ := strings.Cut(line, ":")
			name, value = strings.ToLower(name), strings.TrimSpace(value)
			m.headers = append(m.headers, name+": "+value)
			switch name {
			case "content-length":
				n, err := strconv.Atoi(value)
				require.NoError(t, err)
				length = n
			case "transfer-encoding":
				chunked = value == "chunked"
			case "content-encoding":
				encoding = value
			}
		}
		var body []byte
		var err error
		status, _, _ := strings.Cut(strings.TrimPrefix(m.line, "HTTP/1.1 "), " ")
		switch {
		case responses && strings.HasPrefix(status, "1"):
			continue
		case responses && (status == "204" || status == "304"):
		case chunked:
			body, err = io.ReadAll(httputil.NewChunkedReader(in))
			for err == nil { // trailers, and the line that ends them
				var line string
				if line, err = in.ReadString('\n'); line == "\r\n" {
					break
				}
			}
			m.whole = err == nil
		case length >= 0:
			body, err = io.ReadAll(io.LimitReader(in, int64(length)))
			m.whole = err == nil && len(body) == length
		case responses:
			body, err = io.ReadAll(in)
			require.NoError(t, err)
		}
		m.body = plain(t, encoding, body)
		m.headers = sortedLines(m.headers)
		out = append(out, m)
	}
}

func plain(t *testing.T, encoding string, body []byte) string {
	var from io.Reader = bytes.NewReader(body)
	switch encoding {
	case "gzip":
		zip, err := gzip.NewReader(from)
		require.NoError(t, err)
		from = zip
	case "deflate":
		from = flate.NewReader(from)
	}
	data, err := io.ReadAll(from)
	require.NoError(t, err)
	return string(data)
}
