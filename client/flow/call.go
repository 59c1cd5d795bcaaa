package flow

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcptui/client/control"
	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// call is one call with all its requests. It can have several open at a time: a
// retry that was sent twice, or branches.
type call struct {
	id      int
	req     control.Request
	name    string
	timeout time.Duration
	status  trace.Status
	sent    int      // requests so far, which number its rounds
	asked   int      // legacy: rounds that asked
	rounds  []*round // those that a response ended which was no result
	hold    *bool    // nil follows the connection's
	held    *held
	waiting []*request // what is to be sent when the connection allows
	again   int        // the call that this one runs again, 0 for none
	replay  []given    // its answers
	weight  int        // bytes that it takes since it has ended, roughly
}

// no is an act that cannot be done as things stand.
func no(format string, args ...any) error {
	return fmt.Errorf("%w: %s", control.ErrNo, fmt.Sprintf(format, args...))
}

func (f *Flow) callOf(id int) (*call, error) {
	if c := f.calls[id]; c != nil {
		return c, nil
	}
	if id > 0 && id <= f.lastCall {
		return nil, no("call %d ended too long ago: what it takes to go on with it is no longer kept; its request is in the log", id)
	}
	return nil, no("there is no call %d", id)
}

// running returns the calls that have not ended, oldest first.
func (f *Flow) running() []*call {
	out := slices.Clone(f.active)
	slices.SortFunc(out, func(a, b *call) int { return a.id - b.id })
	return out
}

// Call begins a call. It is sent at once, or as soon as the connection is ready.
func (f *Flow) Call(now time.Duration, req control.Request) (int, error) {
	f.now = now
	c, err := f.newCall(req)
	if err != nil {
		return 0, err
	}
	f.begin(c)
	return c.id, nil
}

func (f *Flow) newCall(req control.Request) (*call, error) {
	switch {
	case req.Method == "":
		return nil, no("a call needs a method")
	case f.stage == stageDown || f.stage == stageClosed:
		return nil, no("there is no connection; restart or reconnect first")
	}
	for _, part := range []struct {
		name string
		raw  json.RawMessage
	}{{"params", req.Params}, {"meta", req.Meta}, {"state", req.State}, {"inputs", req.Inputs}} {
		if part.raw != nil && !json.Valid(part.raw) {
			return nil, no("the %s of %s are not JSON", part.name, req.Method)
		}
	}
	if (req.State != nil || req.Inputs != nil) && f.stage == stageReady && !f.modern() {
		return nil, no("a round cannot be resumed in the legacy era: its rounds lie inside one request")
	}
	name := rpc.Text(req.Params, "name")
	if name == "" {
		name = rpc.Text(req.Params, "uri")
	}
	if req.Method == "tools/call" && !req.Force {
		if why := f.rejected(name); why != "" {
			return nil, no("%s", why)
		}
	}
	if req.Who == "" {
		req.Who = trace.Person
	}
	c := &call{req: req, name: name, status: trace.Running, timeout: req.Timeout}
	if c.timeout <= 0 {
		c.timeout = f.cfg.Timeout
	}
	f.lastCall++
	c.id = f.lastCall
	f.calls[c.id] = c
	f.begun(c)
	return c, nil
}

func (f *Flow) begin(c *call) {
	f.act(trace.Act{Who: c.req.Who, Kind: trace.ActCall, Call: c.id, Method: c.req.Method, Name: c.name, Value: c.req.Params, Again: c.again})
	base := []byte(oneLine(c.req.Params))
	if c.req.Inputs != nil {
		base = rpc.With(base, rpc.Field{Name: "inputResponses", Raw: c.req.Inputs})
	}
	if c.req.State != nil {
		base = rpc.With(base, rpc.Field{Name: "requestState", Raw: c.req.State})
	}
	f.submit(&request{
		method: c.req.Method, base: base, meta: oneLine(c.req.Meta), own: c.req.Headers, call: c,
		cause: trace.Cause{Why: trace.WhyCall, Call: c.id},
	})
}

// submit sends a request of a call, or keeps it until it can be sent.
func (f *Flow) submit(r *request) {
	c := r.call
	r.timeout = c.timeout
	r.done = f.answered
	if why := f.holdsUp(r); why != "" {
		c.waiting = append(c.waiting, r)
		if !slices.Contains(f.queue, c) {
			f.queue = append(f.queue, c)
		}
		if why != r.waits {
			r.waits = why
			f.act(trace.Act{Kind: trace.ActWait, Call: c.id, Round: c.sent, Note: why})
		}
		return
	}
	if r.from != nil {
		for _, a := range r.from.asks {
			a.sent = true
		}
	}
	c.sent++
	r.cause.Round = c.sent
	c.status = trace.Running
	f.send(r)
}

// holdsUp says what a request has to wait for, "" for nothing.
func (f *Flow) holdsUp(r *request) string {
	if f.stage != stageReady {
		return "the connection is not ready yet"
	}
	if f.leveling != nil && !r.call.req.Force {
		return "the server is told the level of its logs first"
	}
	return f.unmirrored(r)
}

// cut says why a retry cannot leave, "" where it can or soon can. It does not
// wait for a connection that nobody has asked for yet: what was answered to a
// server that had died must not reach the next one without the person.
func (f *Flow) cut() string {
	if f.stage == stageDown || f.stage == stageClosed {
		return "there is no connection; restart or reconnect first"
	}
	return ""
}

// flush sends what waited.
func (f *Flow) flush() {
	queue := f.queue
	f.queue = nil
	for _, c := range queue {
		waiting := c.waiting
		c.waiting = nil
		for _, r := range waiting {
			if c.status.Final() {
				break
			}
			if !f.modern() && f.stage == stageReady && (c.req.State != nil || c.req.Inputs != nil) {
				f.end(c, trace.Failed, "a round cannot be resumed in the legacy era: its rounds lie inside one request")
				break
			}
			if r.method == "tools/call" && !c.req.Force && !r.fixed {
				if why := f.rejected(rpc.Text(r.base, "name")); why != "" {
					f.end(c, trace.Failed, why)
					break
				}
			}
			f.submit(r)
		}
	}
}

// answered takes the answer to a request of a call.
func (f *Flow) answered(r *request, o outcome) {
	c := r.call
	if c.status.Final() {
		return // a second answer to a retry that was sent twice
	}
	switch {
	case o.loss != lossNone:
		f.lose(c, r, o)
	case o.fault != nil:
		f.refused(c, r, o)
	default:
		f.result(c, r, o)
	}
}

func (f *Flow) lose(c *call, r *request, o outcome) {
	what := r.method
	if c.name != "" {
		what += " " + c.name
	}
	what += " (id " + string(r.id) + "): "
	switch o.loss {
	case lossTimeout:
		f.end(c, trace.TimedOut, o.why)
	case lossGarbage:
		f.end(c, trace.Violated, what+o.why)
	case lossHTTP, lossUnsent:
		f.end(c, trace.Failed, what+o.why)
	default:
		f.end(c, trace.Lost, what+o.why+"; whether it was carried out is not known")
	}
}

// refused ends a call by the error that answered it.
func (f *Flow) refused(c *call, r *request, o outcome) {
	if f.urlsFirst(c, r, o) {
		return
	}
	said := fmt.Sprintf("error %d: %s", o.fault.Code, o.fault.Message)
	switch {
	case o.wants != "":
		f.end(c, trace.Failed, fmt.Sprintf("HTTP %d, %s: %s", o.status, said, o.wants))
	case o.why != "":
		f.end(c, trace.Failed, o.why+": "+said)
	case mrtr.Provisional(o.fault.Code, o.status):
		f.end(c, trace.Failed, said)
	default:
		c.status = trace.Failed
		f.finish(c)
	}
	if o.fault.Code == codeHeaderMismatch && r.method == "tools/call" && f.stage == stageReady {
		f.note(r.method, "the server found the headers and the body different (-32020): the list of tools is fetched again; run the call again after that")
		f.list("tools/list")
	}
}

// end ends a call without, or beside, a response of its own.
func (f *Flow) end(c *call, status trace.Status, note string) {
	c.status = status
	f.act(trace.Act{Kind: trace.ActEnd, Call: c.id, Status: status, Note: note})
	f.finish(c)
}

// finish drops what a call that has ended no longer needs.
func (f *Flow) finish(c *call) {
	c.held, c.waiting = nil, nil
	f.dropTimers(c)
	for _, r := range slices.Clone(f.open) {
		if r.call == c {
			f.close(r)
		}
	}
	for _, a := range f.inbox {
		if a.call == c {
			a.closed = "its call has ended"
		}
	}
	f.inbox = slices.DeleteFunc(f.inbox, func(a *ask) bool { return a.call == c })
	for _, rd := range c.rounds {
		for _, a := range rd.asks {
			if !a.sent && a.closed == "" {
				a.closed = "its call has ended"
			}
		}
	}
	f.repause()
	f.retire(c)
}

// Cancel gives a call up, in its transport's way.
func (f *Flow) Cancel(now time.Duration, id int, reason string) error {
	f.now = now
	c, err := f.callOf(id)
	if err != nil {
		return err
	}
	if c.status.Final() {
		return no("call %d has ended", id)
	}
	f.giveUp(c, trace.Cancelled, orElse(reason, "cancelled"))
	return nil
}

// giveUp ends a call and tells the server so.
func (f *Flow) giveUp(c *call, status trace.Status, why string) {
	for _, r := range slices.Clone(f.open) {
		if r.call == c {
			f.close(r)
			f.cancelOnWire(r, why)
		}
	}
	f.end(c, status, why)
}

// Rerun begins a call with the arguments of another, and answers its asks as
// they were answered there, as far as they are the same.
func (f *Flow) Rerun(now time.Duration, id int) (int, error) {
	f.now = now
	old, err := f.callOf(id)
	if err != nil {
		return 0, err
	}
	c, err := f.newCall(old.req)
	if err != nil {
		return 0, err
	}
	c.again, c.replay = id, old.given()
	f.begin(c)
	return c.id, nil
}
