package trace

import (
	"context"
	"sync"
	"time"
)

// Log is the append-only list of events. Many may read it, each at its own pace;
// whoever appends never waits for a reader.
type Log struct {
	mu     sync.Mutex
	events []Event
	wake   chan struct{} // closed and replaced when events come while someone waits
	wait   bool
	closed bool
	start  time.Time
	now    func() time.Time
}

// NewLog returns an empty log whose clock starts now.
func NewLog(now func() time.Time) *Log {
	return &Log{wake: make(chan struct{}), start: now(), now: now}
}

// Append adds an event, giving it its number and time, and returns the number.
func (l *Log) Append(e Event) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Seq, e.At = len(l.events)+1, l.now().Sub(l.start)
	l.events = append(l.events, e)
	if l.wait {
		l.wait = false
		close(l.wake)
		l.wake = make(chan struct{})
	}
	return e.Seq
}

// Next waits until the log holds events after number after, and returns all of
// them. It ends with the context's error, or with io.EOF semantics of ErrClosed
// once the log is closed and read to its end.
func (l *Log) Next(ctx context.Context, after int) ([]Event, error) {
	for {
		l.mu.Lock()
		if n := len(l.events); n > after {
			events := l.events[after:n:n]
			l.mu.Unlock()
			return events, nil
		}
		if l.closed {
			l.mu.Unlock()
			return nil, ErrClosed
		}
		l.wait = true
		wake := l.wake
		l.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Since is Next without waiting.
func (l *Log) Since(after int) []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after >= len(l.events) {
		return nil
	}
	return l.events[after:len(l.events):len(l.events)]
}

// Body returns the bytes of a frame, from disk where they no longer lie in
// memory. It returns nil for an event that is no frame.
func (l *Log) Body(seq int) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq < 1 || seq > len(l.events) || l.events[seq-1].Frame == nil {
		return nil, nil
	}
	return l.events[seq-1].Frame.Bytes, nil
}

// Now is the session's time.
func (l *Log) Now() time.Duration { return l.now().Sub(l.start) }

// Close ends the log: readers get what is left, then ErrClosed.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.wake)
		l.wake = make(chan struct{})
	}
}
