package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"mcptui/client/trace"
)

// stuckAfter is how long a write may stand still before the log says so.
const stuckAfter = 3 * time.Second

// mostUntaken is how many messages that wait for no answer may be on their way at
// a time. A server that asks without end and takes no answer must not fill the
// memory with them.
const mostUntaken = 1000

// ErrFull is wrapped by the error of sending one more.
var ErrFull = errors.New("the server does not take what is sent to it")

func full(most int) error {
	return fmt.Errorf("send: %d messages are on their way already: %w", most, ErrFull)
}

// ErrClosed is wrapped by the errors of sending on a connection that has ended.
var ErrClosed = errors.New("the connection is closed")

// queue writes messages to a byte stream, one line each, from a goroutine of
// its own: whoever sends never waits for a reader that does not read.
type queue struct {
	emit Emit
	to   io.Writer
	most int // messages that wait, before only requests are taken

	mu       sync.Mutex
	waiting  []Message
	broken   error
	closed   bool
	progress Progress
	wake     chan struct{}
	idle     chan struct{} // closed while nothing waits or is being written
	done     chan struct{} // closed when the goroutine has ended
}

// Progress tells how far the writing has come: a server that does not read
// its input shows as Written standing still.
type Progress struct {
	Queued  int   // messages that wait behind the current one
	Written int64 // bytes written of the current message
	Size    int64 // length of the current message, 0 for none
	Since   time.Time
}

func newQueue(to io.Writer, emit Emit) *queue {
	q := &queue{emit: emit, to: to, most: mostUntaken, wake: make(chan struct{}, 1), done: make(chan struct{})}
	q.idle = make(chan struct{})
	close(q.idle)
	spawn(emit, q.run)
	return q
}

func (q *queue) send(m Message) error {
	if bytes.ContainsAny(m.Bytes, "\r\n") {
		// A line must stay one line. Outside of strings, which cannot hold
		// them raw, line ends are white space.
		m.Bytes = bytes.ReplaceAll(bytes.ReplaceAll(m.Bytes, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.broken != nil {
		return q.broken
	}
	if q.closed {
		return fmt.Errorf("send: %w", ErrClosed)
	}
	if !m.Request && len(q.waiting) >= q.most {
		return full(q.most)
	}
	if len(q.waiting) == 0 && q.progress.Size == 0 {
		q.idle = make(chan struct{})
	}
	q.waiting = append(q.waiting, m)
	q.progress.Queued = len(q.waiting)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

func (q *queue) run() {
	defer close(q.done)
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			closed := q.closed
			q.mu.Unlock()
			if closed {
				return
			}
			<-q.wake
			continue
		}
		m := q.waiting[0]
		q.waiting[0] = Message{}
		q.waiting = q.waiting[1:]
		q.progress = Progress{Queued: len(q.waiting), Size: int64(len(m.Bytes)) + 1, Since: time.Now()}
		q.mu.Unlock()

		// The event comes first: the answer must not be in the log before it.
		q.emit(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Bytes: m.Bytes, Cause: m.Cause}})
		err := q.write(append(m.Bytes[:len(m.Bytes):len(m.Bytes)], '\n'))

		q.mu.Lock()
		q.progress.Size, q.progress.Written = 0, 0
		var lost []Message
		if err != nil && q.broken == nil {
			q.broken = err
			lost = append([]Message{m}, q.waiting...)
			q.waiting = nil
		}
		if len(q.waiting) == 0 && !isClosed(q.idle) {
			close(q.idle)
		}
		q.mu.Unlock()
		if err != nil {
			note(q.emit, err.Error())
		}
		for _, m := range lost {
			if m.Failed != nil {
				m.Failed(err)
			}
		}
	}
}

func (q *queue) write(data []byte) error {
	total := len(data)
	stuck := time.AfterFunc(stuckAfter, func() {
		p := q.Progress()
		note(q.emit, fmt.Sprintf("the server does not read its input: %d of %d bytes of a message have been taken for %s", p.Written, p.Size, stuckAfter))
	})
	defer stuck.Stop()
	for len(data) > 0 {
		n, err := q.to.Write(data[:min(len(data), readSize)])
		data = data[n:]
		q.mu.Lock()
		q.progress.Written += int64(n)
		q.mu.Unlock()
		if err != nil {
			why := ""
			if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
				why = "the server has closed its input: "
			}
			return fmt.Errorf("send: %sonly %d of %d bytes could be written: %w", why, total-len(data), total, err)
		}
		if len(data) > 0 {
			stuck.Reset(stuckAfter)
		}
	}
	return nil
}

// Progress returns how far the writing has come.
func (q *queue) Progress() Progress {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.progress
}

// close takes no more messages; those that wait are given up.
func (q *queue) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		q.waiting = nil
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// drained waits until nothing waits to be written, or for the given time.
func (q *queue) drained(limit time.Duration) {
	q.mu.Lock()
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(limit):
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
