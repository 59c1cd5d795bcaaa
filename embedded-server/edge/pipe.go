package edge

import (
	"context"
	"io"
	"sync"
)

// pipeBuffer is how many bytes each direction of a pipe holds before its
// writer waits, as an operating system's pipe does.
const pipeBuffer = 1 << 20

// Pipe opens a connection inside the process. It carries what stdio carries:
// JSON-RPC messages, one a line. The server's side ends when ctx does or the
// pipe is closed; reads then give [io.EOF].
func (e *Edge) Pipe(ctx context.Context) io.ReadWriteCloser {
	in, out := newHalf(), newHalf()
	ctx, cancel := context.WithCancel(ctx)
	p := &pipe{read: out, write: in, cancel: cancel}
	stop := context.AfterFunc(ctx, in.close) // wakes the reader of a pipe whose context ends
	closing := context.AfterFunc(e.life, in.close)
	e.spawn("serving a pipe", func() {
		defer cancel()
		defer stop()
		defer closing()
		defer out.close()
		defer in.close()
		if err := e.ServeStdio(ctx, in, out); err != nil && ctx.Err() == nil {
			e.opt.Logger.Warn("a pipe ended", "err", err)
		}
	})
	return p
}

type pipe struct {
	read, write *half
	cancel      context.CancelFunc
}

func (p *pipe) Read(b []byte) (int, error)  { return p.read.Read(b) }
func (p *pipe) Write(b []byte) (int, error) { return p.write.Write(b) }

// Close ends both directions. What the server has written and nobody has read
// is lost.
func (p *pipe) Close() error {
	p.write.close()
	p.read.abandon()
	return nil
}

// half is one direction of a pipe.
type half struct {
	mu     sync.Mutex
	change *sync.Cond
	buf    []byte
	closed bool // no more bytes come
	gone   bool // nobody reads any more
}

func newHalf() *half {
	h := &half{}
	h.change = sync.NewCond(&h.mu)
	return h
}

func (h *half) Read(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.buf) == 0 && !h.closed && !h.gone {
		h.change.Wait()
	}
	if len(h.buf) == 0 || h.gone {
		return 0, io.EOF
	}
	n := copy(b, h.buf)
	if h.buf = h.buf[n:]; len(h.buf) == 0 {
		h.buf = nil
	}
	h.change.Broadcast()
	return n, nil
}

func (h *half) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	written := 0
	for len(b) > 0 {
		for len(h.buf) >= pipeBuffer && !h.closed && !h.gone {
			h.change.Wait()
		}
		if h.closed || h.gone {
			return written, io.ErrClosedPipe
		}
		n := min(len(b), pipeBuffer-len(h.buf))
		h.buf, b, written = append(h.buf, b[:n]...), b[n:], written+n
		h.change.Broadcast()
	}
	return written, nil
}

func (h *half) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.change.Broadcast()
}

func (h *half) abandon() {
	h.mu.Lock()
	h.gone = true
	h.mu.Unlock()
	h.change.Broadcast()
}
