package flow

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// held is a retry that stands, ready to leave.
type held struct {
	round  *round
	draft  control.Draft
	edited bool // the draft differs from what a conforming client would send
}

func (f *Flow) holding(c *call) bool {
	if c.hold != nil {
		return *c.hold
	}
	return f.holdAll
}

// Hold holds the retries of one call, or of all for 0, or lets them go.
func (f *Flow) Hold(now time.Duration, id int, on bool) error {
	f.now = now
	if f.stage == stageReady && !f.modern() && on {
		return no("this server speaks %s, where an answer leaves at once and no request is sent again: there is no retry to hold", f.version)
	}
	kind := trace.ActRelease
	if on {
		kind = trace.ActHold
	}
	if id == 0 {
		f.holdAll = on
		f.act(trace.Act{Who: trace.Person, Kind: kind})
		for _, c := range f.running() {
			f.letGo(c)
		}
		return nil
	}
	c, err := f.callOf(id)
	if err != nil {
		return err
	}
	c.hold = &on
	f.act(trace.Act{Who: trace.Person, Kind: kind, Call: id})
	f.letGo(c)
	return nil
}

// letGo sends what stands of a call that is no longer held.
func (f *Flow) letGo(c *call) {
	if c.held == nil || f.holding(c) || f.cut() != "" {
		return
	}
	f.release(c.held.round, c.held.draft, c.held)
}

// standBy keeps the retry of a round until it is sent or dropped. Why is what
// keeps it from leaving where the person did not want it held.
func (f *Flow) standBy(rd *round, why string) {
	c := rd.call
	c.held = &held{round: rd, draft: f.draft(rd, f.retry(rd))}
	c.status = trace.Holding
	f.act(trace.Act{Kind: trace.ActHeld, Call: c.id, Round: rd.n, Method: rd.request.method, Value: c.held.draft.Clean, Note: why})
}

// draft writes a request out as it would leave.
func (f *Flow) draft(rd *round, r *request) control.Draft {
	r.id = f.newID()
	f.compose(r)
	return control.Draft{
		Call: rd.call.id, Round: rd.n, Params: r.params, ID: json.RawMessage(r.id),
		Method: r.method, Headers: r.headers, Clean: bytes.Clone(r.params),
	}
}

// Draft returns the held retry of a call.
func (f *Flow) Draft(now time.Duration, id int) (control.Draft, error) {
	f.now = now
	c, err := f.callOf(id)
	if err != nil {
		return control.Draft{}, err
	}
	if c.held == nil {
		return control.Draft{}, no("no retry of call %d is held", id)
	}
	return c.held.draft, nil
}

// Branch gives the request that the answers of a finished round were sent with,
// or would have been, to be edited and sent.
func (f *Flow) Branch(now time.Duration, id, n int) (control.Draft, error) {
	f.now = now
	c, err := f.callOf(id)
	if err != nil {
		return control.Draft{}, err
	}
	if !f.modern() {
		return control.Draft{}, no("this server speaks %s, where all rounds lie inside one request: a round cannot be answered again", f.version)
	}
	i := slices.IndexFunc(c.rounds, func(rd *round) bool { return rd.n == n })
	if i < 0 {
		return control.Draft{}, no("round %d of call %d did not ask for anything", n, id)
	}
	rd := c.rounds[i]
	rd.again = now
	r := f.retry(rd)
	if rd.sent != nil { // what it left with, edits and all, but with an id and _meta of its own
		r.base = rpc.With(rd.sent, rpc.Field{Name: "_meta"})
	}
	return f.draft(rd, r), nil
}

// Send lets a held retry go as the draft says, or sends the draft of a branch.
func (f *Flow) Send(now time.Duration, d control.Draft) error {
	f.now = now
	c, err := f.callOf(d.Call)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(c.rounds, func(rd *round) bool { return rd.n == d.Round })
	why := f.cut()
	switch {
	case i < 0:
		return no("call %d has no round %d that asked", d.Call, d.Round)
	case why != "":
		return no("%s", why)
	case d.Params != nil && !json.Valid(d.Params):
		return no("the params are not JSON")
	case d.ID != nil && !json.Valid(d.ID):
		return no("the id is not JSON")
	}
	rd := c.rounds[i]
	standing := c.held
	if standing != nil && standing.round != rd {
		standing = nil
	}
	f.release(rd, d, standing)
	return nil
}

// release sends a draft: the one that stands, or that of a branch.
func (f *Flow) release(rd *round, d control.Draft, standing *held) {
	c, params := rd.call, oneLine(d.Params)
	edited := f.edited(standing, d, params)
	if standing == nil {
		f.act(trace.Act{Who: trace.Person, Kind: trace.ActBranch, Call: c.id, Round: rd.n, Value: params, Since: rd.again})
	} else {
		c.held = nil
		if edited {
			f.act(trace.Act{Who: trace.Person, Kind: trace.ActEdit, Call: c.id, Round: rd.n, Value: params})
		}
		f.act(trace.Act{Who: trace.Person, Kind: trace.ActSend, Call: c.id, Round: rd.n})
	}
	for _, t := range d.Tampered {
		f.act(trace.Act{Who: trace.Person, Kind: trace.ActTamper, Call: c.id, Round: rd.n, Name: t.Preset, Note: t.Change, Value: t.Basis})
	}
	r := f.retry(rd)
	r.id, r.base, r.params, r.headers, r.fixed, r.cause.Edited = rpc.ID(d.ID), nil, params, d.Headers, true, edited
	if d.Method != "" {
		r.method = d.Method
	}
	if r.id == "" {
		r.id = f.newID()
	}
	f.leave(rd, r)
	if d.Twice {
		twin := *r
		twin.id = f.newID()
		twin.params = withToken(params, r.id, twin.id)
		f.leave(rd, &twin)
	}
}

// withToken gives the progress token that follows the id a new value; any other
// is the person's.
func withToken(params []byte, old, id rpc.ID) []byte {
	meta := rpc.Member(params, "_meta")
	if string(rpc.Member(meta, "progressToken")) != string(old) {
		return params
	}
	meta = rpc.With(meta, rpc.Field{Name: "progressToken", Raw: []byte(id)})
	return rpc.With(params, rpc.Field{Name: "_meta", Raw: meta})
}

// edited reports whether a draft differs from what a conforming client would send.
func (f *Flow) edited(standing *held, d control.Draft, params []byte) bool {
	if !bytes.Equal(params, oneLine(d.Clean)) || d.Twice {
		return true
	}
	if standing == nil {
		return false
	}
	return standing.edited || !bytes.Equal(d.ID, standing.draft.ID) || d.Method != standing.draft.Method ||
		!slices.Equal(d.Headers, standing.draft.Headers)
}

// Drop throws a held retry away; the call is given up.
func (f *Flow) Drop(now time.Duration, id int) error {
	f.now = now
	c, err := f.callOf(id)
	if err != nil {
		return err
	}
	if c.held == nil {
		return no("no retry of call %d is held", id)
	}
	f.act(trace.Act{Who: trace.Person, Kind: trace.ActDrop, Call: c.id, Round: c.held.round.n})
	f.end(c, trace.Cancelled, "the held retry was dropped")
	return nil
}
