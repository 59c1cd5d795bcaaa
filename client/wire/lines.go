package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync/atomic"
	"time"

	"mcptui/client/trace"
)

const (
	defaultMaxFrame = 256 << 20
	keptOfHuge      = 64 << 10 // of a frame above the limit
	maxNoise        = 1 << 20  // of one stray line
	readSize        = 64 << 10
)

// headOf is how many bytes are kept of a frame that is longer than max.
func headOf(max int) int { return min(keptOfHuge, max) }

// lineReader cuts a byte stream into lines and emits each as a frame or as
// noise. Everything that it reads ends up in exactly one event, so the events
// of a stream add up to the stream.
type lineReader struct {
	emit Emit
	max  int // longest frame, in bytes

	line []byte // what has come of the line that is not complete yet
	size int    // its length, more than len(line) once it is too long to keep

	waiting *time.Timer  // runs while a line is incomplete
	partial atomic.Int64 // what has come of it, for the timer
}

// unendedAfter is how long a line may stay without its end until the log says
// so: a server that forgets the newline behind its messages looks dead else.
const unendedAfter = 2 * time.Second

// run reads until the stream ends, and returns why it ended: nil for its end.
func (r *lineReader) run(in io.Reader) error {
	chunk := make([]byte, readSize)
	for {
		n, err := in.Read(chunk)
		r.feed(chunk[:n])
		r.watch(err != nil)
		if err != nil {
			r.flush(nil)
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// watch starts the timer when a line has begun, and stops it when it has ended.
func (r *lineReader) watch(over bool) {
	r.partial.Store(int64(r.size))
	switch {
	case r.waiting != nil && (over || r.size == 0):
		r.waiting.Stop()
		r.waiting = nil
	case r.waiting == nil && r.size > 0 && !over:
		r.waiting = time.AfterFunc(unendedAfter, func() {
			if n := r.partial.Load(); n > 0 {
				note(r.emit, fmt.Sprintf("%d bytes have come on standard output without a line end for %s: a message must end with a newline", n, unendedAfter))
			}
		})
	}
}

func (r *lineReader) feed(data []byte) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			r.keep(data)
			return
		}
		r.keep(data[:end])
		data = data[end+1:]
		r.flush([]byte{'\n'})
	}
}

// keep adds to the line, or only counts once the line is too long.
func (r *lineReader) keep(data []byte) {
	r.size += len(data)
	if r.size > r.max {
		head := headOf(r.max)
		if len(r.line) < head {
			r.line = append(r.line, data[:min(len(data), head-len(r.line))]...)
		}
		if cap(r.line) > head {
			r.line = bytes.Clone(r.line[:min(len(r.line), head)])
		}
		return
	}
	if need := len(r.line) + len(data); need > cap(r.line) {
		r.line = grow(r.line, need)
	}
	r.line = append(r.line, data...)
}

// grow makes room for need bytes, by powers of two: what a large message costs in
// all does not depend on how its first bytes happened to come.
func grow(b []byte, need int) []byte {
	const smallest = 256
	grown := make([]byte, len(b), 1<<bits.Len(uint(max(need, smallest)-1)))
	copy(grown, b)
	return grown
}

// flush emits the line that is complete, with what ended it: nil at the end of
// the stream.
func (r *lineReader) flush(end []byte) {
	line, size := r.line, r.size
	if size == 0 && end == nil {
		return
	}
	r.line, r.size = nil, 0
	if r.waiting != nil {
		r.waiting.Stop()
		r.waiting = nil
	}
	if cap(line) > len(line)+len(line)/2 {
		line = bytes.Clone(line) // the log keeps it: waste no memory on it
	}
	cut := 0
	if size > r.max {
		cut = size
	}
	if why := noiseReason(line); why != "" {
		noise := &trace.Noise{Bytes: append(line, end...), Why: why}
		if cut > 0 || len(noise.Bytes) > maxNoise {
			noise.Size = size + len(end)
			noise.Bytes = bytes.Clone(line[:min(len(line), keptOfHuge)])
		}
		if end == nil && why != "blank line" {
			noise.Why += ", and the stream ended within the line"
		}
		r.emit(trace.Event{Noise: noise})
		return
	}
	frame := &trace.Frame{Dir: trace.In, Bytes: line, Size: cut}
	switch {
	case end == nil:
		frame.Post = []byte{}
	case cut == 0 && len(line) > 0 && line[len(line)-1] == '\r':
		frame.Bytes, frame.Post = line[:len(line)-1], []byte("\r\n")
	}
	r.emit(trace.Event{Frame: frame})
}
