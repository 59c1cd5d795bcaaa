package flow

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Restart ends the child, or drops the session, and connects anew.
func (f *Flow) Restart(now time.Duration) error {
	f.now = now
	return f.again("restarted", true)
}

// Reconnect negotiates again, without ending a child that lives.
func (f *Flow) Reconnect(now time.Duration) error {
	f.now = now
	return f.again("reconnected", f.stage != stageReady || f.overHTTP())
}

func (f *Flow) again(how string, open bool) error {
	if f.stage == stageClosed {
		return no("the connection is closed")
	}
	if f.stage == stageOpening {
		return no("the connection is being opened")
	}
	f.leveling = nil
	lost := f.open
	f.open, f.inbox = nil, nil
	for _, r := range lost {
		if r.call != nil {
			f.settle(r, outcome{loss: lossExit, why: "the connection was " + how + " before it answered"})
		}
	}
	f.standStill("the connection was " + how + " before it was sent")
	for _, a := range f.asks {
		if a.legacy && !a.sent && a.closed == "" {
			a.closed = "the connection was " + how
			f.settled(a)
		}
	}
	for _, l := range f.lists {
		f.drop(l.stale)
		*l = list{method: l.method}
	}
	f.tools.listed = nil
	clear(f.tools.sought)
	f.drop(f.listen.retry)
	f.listen.request, f.listen.uris, f.listen.retry = nil, nil, nil
	f.exchanges = map[int]*exchange{}
	f.drop(f.neg.notice)
	f.neg = negotiation{}
	f.cfg.Transport = f.transport
	f.phase(trace.PhaseReconnecting, how)
	if open {
		f.stage = stageOpening
		f.openAs(OpenAgain)
		return nil
	}
	if f.era == trace.Legacy { // this process speaks it, and may take another probe ill
		f.initialize(f.version, how)
		return nil
	}
	f.do(Settle{})
	f.negotiate()
	return nil
}

// standStill stops whatever would leave by itself sooner or later: what was meant
// for one server must not reach the next one without the person. A retry stands,
// to be sent or dropped; a call of which nothing was carried out ends, to be run
// again.
func (f *Flow) standStill(why string) {
	var pending []*request
	var rounds []*round
	for _, c := range f.queue {
		pending = append(pending, c.waiting...)
		c.waiting = nil
	}
	pending = append(pending, f.resend...)
	f.queue, f.resend = nil, nil
	for _, t := range slices.Clone(f.timers) {
		switch {
		case t.sends != nil:
			pending = append(pending, t.sends)
		case t.retries != nil:
			rounds = append(rounds, t.retries)
		default:
			continue
		}
		f.drop(t)
	}
	for _, rd := range rounds {
		f.standBy(rd, why)
	}
	for _, r := range pending {
		switch {
		case r.call == nil || r.call.status.Final():
		case r.from != nil:
			f.standAgain(r, why)
		default:
			f.end(r.call, trace.Failed, r.method+": "+why+"; run the call again")
		}
	}
}

// standAgain keeps a retry that was on its way, with what the person had changed
// of it.
func (f *Flow) standAgain(r *request, why string) {
	rd, c := r.from, r.call
	switch {
	case c.held != nil && c.held.round == rd: // it was to be sent twice
		c.held.draft.Twice, c.held.edited = true, true
		return
	case c.held != nil:
		f.note(r.method, fmt.Sprintf("the answers of round %d of call %d were not sent: %s; branch the round to send them", rd.n, c.id, why))
		return
	}
	f.standBy(rd, why)
	if !r.fixed {
		return
	}
	d := &c.held.draft
	d.Params, d.Method, d.Headers = withToken(r.params, r.id, rpc.ID(d.ID)), r.method, r.headers
	if r.sent == 0 { // its id is free, and may be the person's
		d.Params, d.ID = r.params, json.RawMessage(r.id)
	}
	if r.cause.Edited {
		c.held.edited = true
		f.act(trace.Act{Who: trace.Person, Kind: trace.ActEdit, Call: c.id, Round: rd.n, Value: d.Params})
	}
}
