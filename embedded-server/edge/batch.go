package edge

import (
	"bytes"
	"encoding/json"
	"sync"
)

// maxBatch bounds a batch: a message of two bytes can earn an error of a
// hundred.
const maxBatch = 1000

// refuseBatch: batches are answered in a session of revision 2025-03-26, the
// only one that has them.
func refuseBatch(l *legacy, all []json.RawMessage) *rpcError {
	switch {
	case l == nil || l.version != batchVersion:
		return failf(codeInvalidRequest, "batches exist in revision %s only: send one message at a time", batchVersion)
	case len(all) == 0:
		return failf(codeInvalidRequest, "the batch is empty")
	case len(all) > maxBatch:
		return failf(codeInvalidRequest, "the batch has %d messages, at most %d are taken at once", len(all), maxBatch)
	}
	return nil
}

// collector gathers the responses of one batch and hands them on together.
type collector struct {
	outlet              // for what is sent meanwhile
	done   func([]byte) // gets the array, or nil where nothing is to be answered

	wanted int // how many messages get a response

	mu     sync.Mutex
	open   int
	frames [][]byte
}

func (c *collector) finish(_ *message, frame []byte) {
	c.mu.Lock()
	if frame != nil {
		c.frames = append(c.frames, frame)
	}
	c.open--
	last := c.open == 0
	frames := c.frames
	c.mu.Unlock()
	switch {
	case !last:
	case len(frames) == 0:
		c.done(nil)
	default:
		c.done(append(append([]byte{'['}, bytes.Join(frames, []byte{','})...), ']'))
	}
}

func (c *collector) add() { c.mu.Lock(); c.open++; c.mu.Unlock() }

// run passes the messages of a batch on, in their order. each gives a request
// its transport's extras.
func (c *collector) run(l *legacy, all []json.RawMessage, call func(*message, outlet) *rpcError) {
	c.add()
	seen := map[string]bool{}
	for _, raw := range all {
		m, err := parse(raw)
		switch {
		case err != nil:
		case m.isModern():
			err = failf(codeInvalidRequest, "revision %s has no batches", modernVersion)
		case m.isResponse():
			l.answer(m)
			continue
		case m.isNotification():
			l.notify(m)
			continue
		case m.method == "initialize":
			err = failf(codeInvalidRequest, "initialize must not be part of a batch")
		default:
			c.wanted++
			c.add()
			if seen[string(m.id)] {
				err = errInUse(m.id)
			} else {
				seen[string(m.id)] = true
				err = call(m, c)
			}
			if err == nil {
				continue
			}
			c.finish(m, err.encode(m.id))
			continue
		}
		c.wanted++
		c.add()
		c.finish(m, err.encode(m.answerID()))
	}
	c.finish(nil, nil)
}

func (c *stdio) receiveBatch(all []json.RawMessage) {
	c.mu.Lock()
	l := c.legacy
	c.mu.Unlock()
	if err := refuseBatch(l, all); err != nil {
		c.refuse(nil, err)
		return
	}
	g := &collector{outlet: c, done: func(f []byte) {
		if f != nil {
			c.write(nil, f)
		}
	}}
	g.run(l, all, func(m *message, out outlet) *rpcError { return c.legacyCall(l, m, out) })
}
