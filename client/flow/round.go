package flow

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// round is a stretch that ended with the server wanting something (2026-07-28,
// "Multi Round-Trip Requests").
type round struct {
	n        int
	call     *call
	request  *request      // the one that was answered with it
	response int           // the frame of that answer
	state    []byte        // requestState as its raw JSON, nil where absent
	wants    bool          // the answer had inputRequests, empty or not
	visits   bool          // it was an error that names URLs to visit first
	asks     []*ask        // in the order of the answer
	depth    int           // rounds that asked, up to here
	idle     int           // rounds in a row that only gave a state, up to here
	sent     []byte        // the params that its answers left with, nil before
	again    time.Duration // when it was last asked for, to be answered once more; 0 for never
}

// result takes a result of a call: the end, or a round that asks.
func (f *Flow) result(c *call, r *request, o outcome) {
	read := mrtr.Read(r.method, f.modern(), o.result, rpc.Member(r.params, "_meta", mrtr.Capabilities))
	switch {
	case read.Asking:
		f.roundAsks(c, r, o.seq, read)
	case read.Fault != "":
		f.end(c, trace.Violated, read.Fault)
	default:
		status := trace.Done
		if string(rpc.Member(o.result, "isError")) == "true" {
			status = trace.ToolError
		}
		if f.batched > 0 { // a batch is no response that anybody could tell apart
			f.end(c, status, "the answer came in a batch")
			return
		}
		c.status = status
		f.finish(c)
	}
}

func (f *Flow) roundAsks(c *call, r *request, seq int, read mrtr.Round) {
	rd := &round{n: r.cause.Round, call: c, request: r, response: seq, state: bytes.Clone(read.State), wants: read.Wants}
	if r.from != nil {
		rd.depth, rd.idle = r.from.depth, r.from.idle
	}
	f.addRound(rd, read.Asks)
	if read.Fault != "" {
		f.end(c, trace.Violated, read.Fault)
		return
	}
	if len(rd.asks) == 0 {
		f.stateOnly(rd)
		return
	}
	f.ask(rd)
}

// urlsFirst asks for the visits that an error demands; when all are agreed to,
// the request is sent again as it was.
func (f *Flow) urlsFirst(c *call, r *request, o outcome) bool {
	if o.fault.Code != mrtr.URLRequired || f.modern() || mrtr.Undeclared(f.cfg.Capabilities, "elicitation/create", []byte(`{"mode":"url"}`)) != "" {
		return false
	}
	asks := mrtr.Required(o.fault.Data)
	if len(asks) == 0 {
		return false
	}
	rd := &round{n: r.cause.Round, call: c, request: r, response: o.seq, visits: true}
	if r.from != nil {
		rd.depth = r.from.depth
	}
	f.addRound(rd, asks)
	f.ask(rd)
	return true
}

func (f *Flow) addRound(rd *round, asks []mrtr.Ask) {
	rd.call.rounds = append(rd.call.rounds, rd)
	for _, a := range asks {
		one := &ask{id: trace.AskID{Frame: rd.response, Key: a.Key}, call: rd.call, round: rd, method: a.Method, params: bytes.Clone(a.Params), came: f.now}
		rd.asks = append(rd.asks, one)
		f.asks[one.id] = one
	}
}

// ask gives the person control of a round, within the limit of rounds that ask.
func (f *Flow) ask(rd *round) {
	c := rd.call
	rd.depth, rd.idle = rd.depth+1, 0
	if rd.depth > f.cfg.Rounds {
		f.end(c, trace.Limited, fmt.Sprintf("still input_required after %s", roundsOf(f.cfg.Rounds)))
		return
	}
	c.status = trace.Asking
	for _, a := range rd.asks {
		f.answerByRule(a)
	}
}

// stateOnly sends a round again that gives a state and asks nothing, after a
// pause that grows.
func (f *Flow) stateOnly(rd *round) {
	rd.idle++
	if rd.idle > f.cfg.Rounds {
		f.end(rd.call, trace.Limited, fmt.Sprintf("still input_required after %s that only gave a requestState", roundsOf(f.cfg.Rounds)))
		return
	}
	wait := min(100*time.Millisecond<<(rd.idle-1), 2*time.Second)
	f.act(trace.Act{Kind: trace.ActWait, Call: rd.call.id, Round: rd.n, Until: f.now + wait,
		Note: "the round gives a requestState and asks nothing: sent again after " + wait.String()})
	f.after(wait, rd.call, func() { f.roundAnswered(rd) }).retries = rd
}

// roundAnswered sends the retry of a round that has all its answers, or holds it.
func (f *Flow) roundAnswered(rd *round) {
	c := rd.call
	if i := slices.IndexFunc(rd.asks, func(a *ask) bool { return rpc.Text(a.reply, "action") != "accept" }); rd.visits && i >= 0 {
		f.end(c, trace.Failed, "the person did not agree to visit "+rpc.Text(rd.asks[i].params, "url")+", which the server demands first")
		return
	}
	// Answered anew before the connection allowed the retry to leave.
	c.waiting = slices.DeleteFunc(c.waiting, func(r *request) bool { return r.from == rd })
	if why := f.cut(); why != "" || f.holding(c) {
		f.standBy(rd, why)
		return
	}
	f.leave(rd, f.retry(rd))
}

// retry builds the request that a conforming client answers a round with: the
// same params, this round's answers, its state as it came or none.
func (f *Flow) retry(rd *round) *request {
	var responses []byte
	if rd.wants {
		var fields []rpc.Field
		for _, a := range rd.asks {
			fields = append(fields, rpc.Field{Name: a.id.Key, Raw: a.reply})
		}
		responses = rpc.Object(fields...)
	}
	base := rpc.With(rd.request.params,
		rpc.Field{Name: "_meta"}, // given anew
		rpc.Field{Name: "inputResponses", Raw: responses},
		rpc.Field{Name: "requestState", Raw: rd.state})
	base = rpc.With(base, rpc.Field{Name: "_meta"})
	return &request{
		method: rd.request.method, base: base, meta: rd.call.req.Meta, own: rd.call.req.Headers, call: rd.call, from: rd,
		cause: trace.Cause{Why: trace.WhyRetry, Call: rd.call.id, Retries: rd.response},
	}
}

// leave sends the answers of a round.
func (f *Flow) leave(rd *round, r *request) {
	if rd.call.status.Final() { // a branch opens the call again
		rd.call.status = trace.Running
		f.begun(rd.call)
	}
	f.submit(r)
	rd.sent = r.params
	if rd.sent == nil {
		rd.sent = r.base // it waits for the connection
	}
}

// roundsOf words a number of rounds.
func roundsOf(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}
