package trace

import (
	"context"
	"sort"
	"sync"
	"time"
)

// Limits of a log unless options say otherwise.
const (
	defaultMemory = 256 << 20
	blockEvents   = 256     // events that go to disk together
	blockBytes    = 1 << 20 // or as soon as they weigh this much
	batchEvents   = 4096    // that one Next returns at most
	batchBytes    = 32 << 20
	eventCost     = 336 // bytes that an event takes beside its bodies, roughly
	share         = 3   // one part in so many of the memory that is allowed goes to events: as much again is what the collector has not freed yet, and what is folded needs room
)

// Log is the append-only list of events. Many may read it, each at its own pace;
// whoever appends never waits for a reader. Its memory is bounded: the oldest
// events lie in a file that has no name any more, and are read back from it by
// whoever still asks for them. Of stderr and of noise only the latest bytes are
// kept; the events stay, and say how much was dropped.
type Log struct {
	mu     sync.Mutex
	blocks []*block // at least one; the last one grows
	count  int
	wake   chan struct{} // closed and replaced when events come while someone waits
	wait   bool
	closed bool
	start  time.Time
	now    func() time.Time
	frozen time.Duration // of a log that is replayed
	replay bool

	budget int64
	memory int64 // bytes of the events in memory, roughly
	paged  int   // blocks on disk: always the first ones
	spill  spill
	stderr ring
	noise  ring
}

// block is a run of events that lies in memory, or on disk.
type block struct {
	first  int // Seq of the first
	events []Event
	memory int64
	paged  bool  // its events are on disk
	count  int   // how many, once they are
	table  int64 // where in the file the places of its events stand
}

// Option changes the limits of a log.
type Option func(*Log)

// Memory bounds the memory that a program with the log in it may take, in bytes:
// the log itself keeps a part of it in events, and the older ones on disk.
func Memory(bytes int64) Option {
	return func(l *Log) {
		if bytes > 0 {
			l.budget = bytes
		}
	}
}

// SpillDir says where the file for older events is made; the system's folder
// for temporary files unless set.
func SpillDir(dir string) Option { return func(l *Log) { l.spill.dir = dir } }

// NewLog returns an empty log whose clock starts now.
func NewLog(now func() time.Time, options ...Option) *Log {
	l := &Log{wake: make(chan struct{}), start: now(), now: now, budget: defaultMemory, blocks: []*block{{first: 1}}}
	for _, o := range options {
		o(l)
	}
	l.stderr.limit = min(l.budget/16, 8<<20)
	l.budget /= share
	l.noise.limit = l.stderr.limit
	return l
}

// Replay returns a closed log that holds the events of a recording, with its
// clock standing at the last of them.
func Replay(events []Event, options ...Option) *Log {
	l := NewLog(time.Now, options...)
	l.replay = true
	for _, e := range events {
		l.add(e)
		l.frozen = e.At
	}
	l.closed = true
	return l
}

// Append adds an event, giving it its number and time, and returns the number.
func (l *Log) Append(e Event) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Seq, e.At = l.count+1, l.now().Sub(l.start)
	l.add(e)
	if l.wait {
		l.wait = false
		close(l.wake)
		l.wake = make(chan struct{})
	}
	return e.Seq
}

// add stores an event. Locked by the caller.
func (l *Log) add(e Event) {
	l.count++
	e.Seq = l.count
	last := l.blocks[len(l.blocks)-1]
	if len(last.events) >= blockEvents || last.memory >= blockBytes {
		last = &block{first: l.count}
		l.blocks = append(l.blocks, last)
	}
	cost := weight(e)
	last.events = append(last.events, e)
	last.memory += cost
	l.memory += cost
	switch {
	case e.Stderr != nil:
		l.drop(l.stderr.add(e.Seq, len(e.Stderr.Bytes)))
	case e.Noise != nil:
		l.drop(l.noise.add(e.Seq, len(e.Noise.Bytes)))
	}
	for l.memory > l.budget && l.paged < len(l.blocks) {
		if l.paged == len(l.blocks)-1 {
			if last.memory < blockBytes {
				break // what is left is small
			}
			l.blocks = append(l.blocks, &block{first: l.count + 1})
		}
		if !l.page(l.blocks[l.paged]) {
			break
		}
		l.paged++
	}
}

// drop takes the bytes of events that fell out of their ring.
func (l *Log) drop(seqs []int) {
	for _, seq := range seqs {
		b := l.block(seq)
		if b.paged {
			continue
		}
		e := &b.events[seq-b.first]
		before := weight(*e)
		switch {
		case e.Stderr != nil:
			e.Stderr = &Stderr{Dropped: e.Stderr.Dropped + int64(len(e.Stderr.Bytes))}
		case e.Noise != nil:
			size := max(e.Noise.Size, len(e.Noise.Bytes))
			e.Noise = &Noise{Exchange: e.Noise.Exchange, Why: e.Noise.Why, Size: size, Dropped: e.Noise.Dropped + 1}
		}
		freed := before - weight(*e)
		b.memory -= freed
		l.memory -= freed
	}
}

// page moves a block to disk and reports whether it could.
func (l *Log) page(b *block) bool {
	table, err := l.spill.write(b.events)
	if err != nil {
		return false
	}
	l.memory -= b.memory
	b.count = len(b.events)
	b.paged, b.table, b.events, b.memory = true, table, nil, 0
	return true
}

func (l *Log) block(seq int) *block {
	i := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].first > seq })
	return l.blocks[i-1]
}

// entry is where the place of an event on disk stands; 0 for one in memory.
type entry int64

// entry of the event at a position in the block. Nothing stands at the start of
// the file but an event.
func (b *block) entry(i int) entry { return entry(b.table + int64(i)*placeBytes) }

// find returns one event, or where on disk its place stands. Locked by the caller.
func (l *Log) find(seq int) (Event, entry) {
	b := l.block(seq)
	if !b.paged {
		return b.events[seq-b.first], 0
	}
	return Event{}, b.entry(seq - b.first)
}

// read gets an event back from disk. It is not called with the lock: whoever
// appends must not wait for a disk. One that cannot be read is given without
// its part, so that numbers stay in step.
func (l *Log) read(seq int, at entry) (Event, error) {
	e, err := l.spill.read(int64(at))
	if err != nil {
		e = Event{Seq: seq, Act: &Act{Who: Client, Kind: ActNote, Note: "this event could not be read back from disk: " + err.Error()}}
	}
	return e, err
}

// Next waits until the log holds events after number after, and returns those
// that have come, or the first few thousand where they are many. It ends with
// the context's error, or with ErrClosed once the log is closed and read to its
// end.
func (l *Log) Next(ctx context.Context, after int) ([]Event, error) {
	for {
		if events := l.since(after, batchEvents); len(events) > 0 {
			return events, nil
		}
		l.mu.Lock()
		if l.count > after {
			l.mu.Unlock()
			continue
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

// Since returns all events after number after, without waiting. Of a long
// session that is much: whoever can should read by Next or Event.
func (l *Log) Since(after int) []Event { return l.since(after, 0) }

// since collects events, at most so many where limit is not 0.
func (l *Log) since(after, limit int) []Event {
	after = max(after, 0)
	var out []Event
	for read := int64(0); ; {
		at, onDisk, more := l.run(after, limit, &out)
		if !more {
			return out
		}
		for i := range onDisk {
			after++
			e, _ := l.read(after, at+entry(i*placeBytes)) // the event says what went wrong
			out = append(out, e)
			if read += weight(e); limit > 0 && (read > batchBytes || len(out) >= limit) {
				return out
			}
		}
		if onDisk == 0 {
			after = out[len(out)-1].Seq
		}
	}
}

// run appends the events of the block that follows number after, or returns how
// many lie on disk and where the place of the first stands. more is false where
// there are none, or enough.
func (l *Log) run(after, limit int, out *[]Event) (at entry, onDisk int, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after >= l.count || limit > 0 && len(*out) >= limit {
		return 0, 0, false
	}
	b := l.block(after + 1)
	skip := after + 1 - b.first
	if b.paged {
		return b.entry(skip), b.count - skip, true
	}
	n := len(b.events) - skip
	if limit > 0 {
		n = min(n, limit-len(*out))
	}
	if *out == nil && l.count-after > n {
		room := l.count - after
		if limit > 0 {
			room = min(room, limit)
		}
		*out = make([]Event, 0, room)
	}
	*out = append(*out, b.events[skip:skip+n]...)
	return 0, 0, true
}

// Event returns one event; ok is false where there is none of that number.
func (l *Log) Event(seq int) (e Event, ok bool) {
	e, ok, _ = l.get(seq)
	return e, ok
}

func (l *Log) get(seq int) (e Event, ok bool, err error) {
	l.mu.Lock()
	if seq < 1 || seq > l.count {
		l.mu.Unlock()
		return Event{}, false, nil
	}
	e, at := l.find(seq)
	l.mu.Unlock()
	if at != 0 {
		e, err = l.read(seq, at)
	}
	return e, true, err
}

// Len is the number of events, and so the number of the last.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// Body returns the bytes of a frame, from disk where they no longer lie in
// memory. It returns nil for an event that is no frame.
func (l *Log) Body(seq int) ([]byte, error) {
	e, _, err := l.get(seq)
	if err != nil || e.Frame == nil {
		return nil, err
	}
	return e.Frame.Bytes, nil
}

// Usage tells what a log takes.
type Usage struct {
	Memory, Budget int64 // bytes of the events in memory, and how many there may be
	Disk           int64 // bytes in the spill file
	Err            error // why nothing more can go to disk; memory grows then
}

// Usage returns what the log takes now.
func (l *Log) Usage() Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Usage{Memory: l.memory, Budget: l.budget, Disk: l.spill.size, Err: l.spill.err}
}

// Start is the wall clock at session time 0.
func (l *Log) Start() time.Time { return l.start }

// Now is the session's time; of a replayed log, that of its last event.
func (l *Log) Now() time.Duration {
	if l.replay {
		return l.frozen
	}
	return l.now().Sub(l.start)
}

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

// Free closes the log and gives back its file. Older events cannot be read
// after it.
func (l *Log) Free() error {
	l.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spill.close()
}
