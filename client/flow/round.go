package flow

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// round is a stretch that ended with the server wanting something (2026-07-28,
// "Multi Round-Trip Requests").
type round struct {
	n        int
	call     *call
	request  *request // the one that was answered with it
	response int      // the frame of that answer
	state    []byte   // requestState as its raw JSON, nil where absent
	wants    bool     // the answer had inputRequests, empty or not
	asks     []*ask   // in the order of the answer
	depth    int      // rounds that asked, up to here
	idle     int      // rounds in a row that only gave a state, up to here
	sent     []byte   // the params that its answers left with, nil before
}

// mayAsk reports whether a method's result may be an ask.
func mayAsk(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// forbidden says what is wrong with a result of this type in answer to method.
func forbidden(method, kind string) string {
	switch {
	case kind == "input_required":
		return "input_required is not allowed on " + method + " (only tools/call, prompts/get, resources/read)"
	case kind == "task":
		return "the server answered " + method + " with a task (the tasks extension), which this client did not declare and does not follow"
	}
	return fmt.Sprintf("the resultType %s in answer to %s is not known", clip(kind), method)
}

// result takes a result of a call: the end, or a round that asks.
func (f *Flow) result(c *call, r *request, o outcome) {
	kind := resultType(o.result)
	switch {
	case !isObject(o.result):
		f.end(c, trace.Violated, "the result is not an object: "+clip(string(o.result)))
	case kind == "" || kind == "complete", kind != "input_required" && !f.modern(): // older versions know no resultType
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
	case kind != "input_required":
		f.end(c, trace.Violated, forbidden(r.method, kind))
	case !f.modern():
		f.end(c, trace.Violated, "input_required does not exist at version "+f.version)
	case !mayAsk(r.method):
		f.end(c, trace.Violated, forbidden(r.method, kind))
	default:
		f.roundAsks(c, r, o)
	}
}

func (f *Flow) roundAsks(c *call, r *request, o outcome) {
	rd := &round{n: r.cause.Round, call: c, request: r, response: o.seq, depth: 0, idle: 0}
	if r.from != nil {
		rd.depth, rd.idle = r.from.depth, r.from.idle
	}
	c.rounds = append(c.rounds, rd)
	why := f.readRound(rd, o.result)
	for _, a := range rd.asks {
		f.asks[a.id] = a
	}
	if why != "" {
		f.end(c, trace.Violated, why)
		return
	}
	if len(rd.asks) == 0 {
		f.stateOnly(rd)
		return
	}
	rd.depth, rd.idle = rd.depth+1, 0
	if rd.depth > f.cfg.Rounds {
		f.end(c, trace.Limited, fmt.Sprintf("still input_required after %d rounds", f.cfg.Rounds))
		return
	}
	c.status = trace.Asking
	for _, a := range rd.asks {
		f.answerByRule(a)
	}
}

// readRound reads what an input_required result asks for; why says which rule of
// the protocol it breaks.
func (f *Flow) readRound(rd *round, result []byte) (why string) {
	var fault string
	for name, value := range rpc.Members(result) {
		switch name {
		case "requestState":
			rd.state = bytes.Clone(value)
			if _, ok := rpc.String(value); !ok {
				fault = "requestState is not a string: " + clip(string(value))
			}
		case "inputRequests":
			rd.wants = true
			if !isObject(value) {
				fault = "inputRequests is not an object: " + clip(string(value))
				continue
			}
			rd.asks = nil
			for key, raw := range rpc.Members(value) {
				a := &ask{id: trace.AskID{Frame: rd.response, Key: key}, call: rd.call, round: rd, raw: bytes.Clone(raw), came: f.now}
				a.method, a.params = rpc.Text(a.raw, "method"), rpc.Member(a.raw, "params")
				if i := slices.IndexFunc(rd.asks, func(b *ask) bool { return b.id == a.id }); i >= 0 {
					rd.asks[i] = a // the last one counts, as for every member
					continue
				}
				rd.asks = append(rd.asks, a)
			}
		}
	}
	switch {
	case fault != "":
		return fault
	case rd.state == nil && !rd.wants:
		return "input_required with neither inputRequests nor requestState"
	case rd.state == nil && len(rd.asks) == 0:
		return "input_required with empty inputRequests and no requestState: there is nothing to answer"
	}
	declared := rpc.Member(rd.request.params, "_meta", metaCapabilities)
	for _, a := range rd.asks {
		if why := badAsk(a.raw, a.method, a.params); why != "" {
			return fmt.Sprintf("the ask %q cannot be answered: %s", a.id.Key, why)
		}
		if missing := undeclared(declared, a.method, a.params); missing != "" {
			return fmt.Sprintf("the ask %q is of a kind that the request did not declare (%s)", a.id.Key, missing)
		}
	}
	return ""
}

// stateOnly sends a round again that gives a state and asks nothing, after a
// pause that grows.
func (f *Flow) stateOnly(rd *round) {
	rd.idle++
	if rd.idle > f.cfg.Rounds {
		f.end(rd.call, trace.Limited, fmt.Sprintf("still input_required after %d rounds that only gave a requestState", f.cfg.Rounds))
		return
	}
	wait := min(100*time.Millisecond<<(rd.idle-1), 2*time.Second)
	f.act(trace.Act{Kind: trace.ActWait, Call: rd.call.id, Round: rd.n, Until: f.now + wait,
		Note: "the round gives a requestState and asks nothing: sent again after " + wait.String()})
	f.after(wait, rd.call, func() { f.roundAnswered(rd) })
}

// roundAnswered sends the retry of a round that has all its answers, or holds it.
func (f *Flow) roundAnswered(rd *round) {
	c := rd.call
	// Answered anew before the connection allowed the retry to leave.
	c.waiting = slices.DeleteFunc(c.waiting, func(r *request) bool { return r.from == rd })
	if f.holding(c) {
		f.standBy(rd)
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
	}
	f.submit(r)
	rd.sent = r.params
	if rd.sent == nil {
		rd.sent = r.base // it waits for the connection
	}
}

// badAsk says why an ask has not the shape that the protocol gives it, "" where
// it has. What a form cannot show, but a person can answer as JSON, passes.
func badAsk(raw []byte, method string, params []byte) string {
	switch {
	case raw != nil && !isObject(raw):
		return "it is not an object: " + clip(string(raw))
	case method == "":
		return "it names no method"
	case method != "elicitation/create" && method != "sampling/createMessage" && method != "roots/list":
		return "its method " + clip(method) + " is not one that a server may ask with"
	case params != nil && !isObject(params):
		return "its params are not an object"
	}
	is := func(name string, kinds ...byte) bool {
		v := rpc.Member(params, name)
		return len(v) > 0 && slices.Contains(kinds, v[0])
	}
	switch method {
	case "roots/list":
		return ""
	case "sampling/createMessage":
		if !is("messages", '[') {
			return "sampling without an array of messages"
		}
		return ""
	}
	switch mode := string(rpc.Member(params, "mode")); {
	case params == nil:
		return "elicitation without params"
	case mode != "" && mode != `"form"` && mode != `"url"`:
		return "the elicitation mode " + clip(mode) + " is not known"
	case !is("message", '"'):
		return "elicitation without a message"
	case mode == `"url"` && !is("url", '"'):
		return "elicitation in url mode without a url"
	case mode != `"url"` && !is("requestedSchema", '{'):
		return "the requestedSchema is not an object"
	}
	return ""
}

// undeclared names the capability that an ask needs and the client did not
// declare, "" where it did. An elicitation capability that names no mode stands
// for form mode.
func undeclared(declared []byte, method string, params []byte) string {
	has := func(path ...string) bool {
		v := rpc.Member(declared, path...)
		return v != nil && string(v) != "null" && string(v) != "false"
	}
	switch method {
	case "elicitation/create":
		if string(rpc.Member(params, "mode")) == `"url"` {
			if !has("elicitation", "url") {
				return "elicitation.url"
			}
		} else if !has("elicitation") || !has("elicitation", "form") && has("elicitation", "url") {
			return "elicitation.form"
		}
	case "sampling/createMessage":
		switch {
		case !has("sampling"):
			return "sampling"
		case (rpc.Member(params, "tools") != nil || rpc.Member(params, "toolChoice") != nil) && !has("sampling", "tools"):
			return "sampling.tools"
		}
	case "roots/list":
		if !has("roots") {
			return "roots"
		}
	}
	return ""
}
