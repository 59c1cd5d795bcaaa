package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Watch folds the log and waits until cond holds of the folded session, and
// still holds once the client has dealt with everything that had come by then:
// a response that breaks the protocol is in the log a moment before the act that
// says so. It is for scripts and tests; a program that shows the session folds
// the log itself. cond must not keep the session, and is called again after it
// held first. The error is that of ctx, or
// trace.ErrClosed once the log has ended without it.
func (c *Conn) Watch(ctx context.Context, cond func(*session.Session) bool) error {
	for {
		holds, seen := c.fold(cond)
		if holds {
			c.Sync()
			if holds, seen = c.fold(cond); holds {
				return nil
			}
		}
		if _, err := c.log.Next(ctx, seen); err != nil {
			return err
		}
	}
}

func (c *Conn) fold(cond func(*session.Session) bool) (holds bool, seen int) {
	c.foldMu.Lock()
	defer c.foldMu.Unlock()
	if c.folded == nil {
		c.folded = session.New()
	}
	for _, e := range c.log.Since(c.seen) {
		c.folded.Apply(e)
		if e.Frame != nil {
			e.Frame.Forget()
		}
		c.seen = e.Seq
	}
	return cond(c.folded), c.seen
}

// Sync returns when the client has dealt with everything that is in the log by
// now, and what it made of it is in the log too.
func (c *Conn) Sync() {
	_ = c.do(func() error { return nil }) // a closed connection has nothing left to deal with
}

// Outcome is how a call ended.
type Outcome struct {
	Status trace.Status
	Note   string          // why, where no response says
	Result json.RawMessage // as the server sent it, nil where it sent none
	Error  *rpc.ErrorBody
}

// Wait waits for the end of a call. While the call asks, somebody else has to
// answer.
func (c *Conn) Wait(ctx context.Context, call int) (Outcome, error) {
	var o Outcome
	response, id := 0, rpc.ID("")
	err := c.Watch(ctx, func(s *session.Session) bool {
		found := s.Call(call)
		if found == nil || !found.Status.Final() {
			return false
		}
		o.Status, o.Note = found.Status, found.Note
		if r := found.LastRound(); r != nil {
			response, id = r.Response, r.ID
		}
		return true
	})
	if err != nil || response == 0 {
		return o, err
	}
	body, err := c.log.Body(response)
	if err != nil {
		return o, fmt.Errorf("read the response of call %d: %w", call, err)
	}
	m := rpc.Answer(body, id)
	o.Result = bytes.Clone(m.Result)
	if m.Kind == rpc.Failure {
		e, _ := rpc.ReadError(m.Error)
		e.Data = bytes.Clone(e.Data)
		o.Error = &e
	}
	return o, nil
}
