package client

import (
	"encoding/json"
	"fmt"
	"time"

	"mcptui/client/control"
	"mcptui/client/trace"
)

// act runs what a person or a script wants on the engine's goroutine.
func (c *Conn) act(f func(now time.Duration) error) error {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return fmt.Errorf("%w: %w", control.ErrNo, ErrClosed)
	}
	return c.do(func() error { return f(c.log.Now()) })
}

// Call begins a call and returns its number at once.
func (c *Conn) Call(r control.Request) (call int, err error) {
	err = c.act(func(now time.Duration) error { call, err = c.flow.Call(now, r); return err })
	return call, err
}

// Cancel gives a call up, in its transport's way.
func (c *Conn) Cancel(call int, reason string) error {
	return c.act(func(now time.Duration) error { return c.flow.Cancel(now, call, reason) })
}

// Rerun begins a call with the arguments of another, and answers its asks as
// they were answered there, as far as they are the same.
func (c *Conn) Rerun(call int) (again int, err error) {
	err = c.act(func(now time.Duration) error { again, err = c.flow.Rerun(now, call); return err })
	return again, err
}

// Answer settles an ask.
func (c *Conn) Answer(id trace.AskID, r control.Reply, who trace.Who) error {
	return c.act(func(now time.Duration) error { return c.flow.Answer(now, id, r, who) })
}

// Later sets an ask aside; nothing is sent.
func (c *Conn) Later(id trace.AskID) error {
	return c.act(func(now time.Duration) error { return c.flow.Later(now, id) })
}

// Hold holds the retries of one call, or of all for 0, or lets them go.
func (c *Conn) Hold(call int, on bool) error {
	return c.act(func(now time.Duration) error { return c.flow.Hold(now, call, on) })
}

// Draft returns the held retry of a call.
func (c *Conn) Draft(call int) (d control.Draft, err error) {
	err = c.act(func(now time.Duration) error { d, err = c.flow.Draft(now, call); return err })
	return d, err
}

// Send lets a held retry go as the draft says, or sends the draft of a branch.
func (c *Conn) Send(d control.Draft) error {
	return c.act(func(now time.Duration) error { return c.flow.Send(now, d) })
}

// Drop throws a held retry away; the call is given up.
func (c *Conn) Drop(call int) error {
	return c.act(func(now time.Duration) error { return c.flow.Drop(now, call) })
}

// Branch gives the request that the answers of a finished round were sent with,
// to be edited and sent.
func (c *Conn) Branch(call, round int) (d control.Draft, err error) {
	err = c.act(func(now time.Duration) error { d, err = c.flow.Branch(now, call, round); return err })
	return d, err
}

// Restart ends the child, or drops the session, and connects anew.
func (c *Conn) Restart() error { return c.act(c.flow.Restart) }

// Reconnect negotiates again, without ending a child that lives.
func (c *Conn) Reconnect() error { return c.act(c.flow.Reconnect) }

// Refresh fetches every list again, past any cache hint.
func (c *Conn) Refresh() error { return c.act(c.flow.Refresh) }

// Set changes how the client behaves from the next request on.
func (c *Conn) Set(s control.Setting) error {
	return c.act(func(now time.Duration) error { return c.flow.Set(now, s) })
}

// Listen opens or changes what the server is asked to tell of.
func (c *Conn) Listen(s control.Subscription) error {
	return c.act(func(now time.Duration) error { return c.flow.Listen(now, s) })
}

// Notify sends a notification, or any request that belongs to no call.
func (c *Conn) Notify(method string, params json.RawMessage) error {
	return c.act(func(now time.Duration) error { return c.flow.Notify(now, method, params) })
}
