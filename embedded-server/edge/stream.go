package edge

import (
	"sync"
	"time"
)

// stream holds the messages of one handshake-era HTTP stream until a response
// has carried them, and some time longer, so that a client that lost its
// connection can resume (2025-11-25 basic/transports, Resumability).
type stream struct {
	id          string
	takesEvents bool    // false: the client takes JSON only
	elsewhere   *stream // where requests go in that case

	mu       sync.Mutex
	events   []event
	size     int // bytes of the events
	serial   int // of the newest event; 0 is the priming one
	read     int // serial of the newest event that was handed out
	attached bool
	done     bool
	wake     chan struct{}
}

// event is one message on a stream.
type event struct {
	n         int
	frame     []byte
	last      bool
	of        *message      // the request that it answers
	interrupt bool          // not a message: the response shall end here
	after     time.Duration // and the client come back then
}

// keptEvents and keptBytes bound what a stream remembers beyond what has not
// been sent yet.
const (
	keptEvents = 1024
	keptBytes  = 1 << 20
)

func newStream(id string) *stream {
	return &stream{id: id, takesEvents: true, wake: make(chan struct{}, 1)}
}

func (st *stream) eventID(n int) string { return st.id + "-" + itoa(n) }

// wants says what the client takes, before anything is sent.
func (st *stream) wants(events bool, elsewhere *stream) {
	st.takesEvents, st.elsewhere = events, elsewhere
}

// send and finish make a stream the outlet of a call.
func (st *stream) send(frame []byte) {
	if !st.takesEvents {
		if isRequestFrame(frame) {
			st.elsewhere.send(frame)
		}
		return
	}
	st.put(event{frame: frame})
}

func (st *stream) finish(m *message, frame []byte) {
	if frame == nil {
		st.close()
		return
	}
	st.put(event{frame: frame, last: true, of: m})
}

// interrupt ends the HTTP response, not the call.
func (st *stream) interrupt(after time.Duration) { st.put(event{interrupt: true, after: after}) }

func (st *stream) put(ev event) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.done || ev.interrupt && !st.attached {
		return
	}
	st.serial++
	ev.n = st.serial
	st.events = append(st.events, ev)
	st.size += len(ev.frame)
	st.trim()
	st.done = ev.last
	st.signal()
}

// trim forgets the oldest events above the bounds: those that were sent, or
// all where nobody is reading.
func (st *stream) trim() {
	drop := 0
	for drop < len(st.events) && (len(st.events)-drop > keptEvents || st.size > keptBytes) {
		oldest := st.events[drop]
		if oldest.n > st.read && (st.attached || drop == len(st.events)-1) {
			break
		}
		st.size -= len(oldest.frame)
		drop++
	}
	if drop > 0 {
		st.events = append([]event(nil), st.events[drop:]...)
	}
}

func (st *stream) close() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.done = true
	st.signal()
}

func (st *stream) isDone() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.done
}

func (st *stream) signal() {
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

// attach takes the stream for one HTTP response; after ≥ 0 goes back to the
// event with that number, but never ahead of what there is: the events to come
// would be lost. False: it is taken.
func (st *stream) attach(after int) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.attached {
		return false
	}
	st.attached = true
	if after >= 0 {
		st.read = min(after, st.serial)
	}
	return true
}

func (st *stream) detach() {
	st.mu.Lock()
	st.attached = false
	st.mu.Unlock()
}

// unread gives an event back that next has handed out.
func (st *stream) unread(ev event) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.read = ev.n - 1
	if ev.interrupt {
		st.events = append([]event{ev}, st.events...)
	}
}

// next waits for the next event; false: there is none any more, or gone is
// closed.
func (st *stream) next(gone <-chan struct{}) (event, bool) {
	for {
		st.mu.Lock()
		for i, ev := range st.events {
			if ev.n > st.read {
				st.read = ev.n
				if ev.interrupt { // once only: a client that resumes must get past it
					st.events = append(st.events[:i:i], st.events[i+1:]...)
				}
				if ev.last {
					st.trim()
				}
				st.mu.Unlock()
				return ev, true
			}
		}
		done := st.done
		st.mu.Unlock()
		if done {
			return event{}, false
		}
		select {
		case <-st.wake:
		case <-gone:
			return event{}, false
		}
	}
}

// isRequestFrame: a frame of the server that wants an answer. Frames are our
// own, and their id stands first.
func isRequestFrame(frame []byte) bool {
	o, _ := readObject(frame)
	return o.has("id")
}
