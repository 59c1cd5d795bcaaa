package flow

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Event takes what a transport put into the log.
func (f *Flow) Event(now time.Duration, e trace.Event) {
	f.now = now
	if f.stage == stageClosed {
		return
	}
	switch {
	case e.Frame != nil && e.Frame.Dir == trace.Out:
		f.left(e.Frame)
	case e.Frame != nil:
		f.frame(e)
	case e.HTTP != nil:
		f.httpEvent(e.HTTP)
	case e.Noise != nil:
		f.strayed(e.Noise.Bytes)
		if x := f.exchanges[e.Noise.Exchange]; x != nil {
			x.noise, _, _ = strings.Cut(orElse(e.Noise.Why, "not JSON"), ", status ") // which is told anyway
			x.said = excerpt(e.Noise.Bytes)
		}
	case e.Phase != nil && (e.Phase.Name == trace.PhaseExited || e.Phase.Name == trace.PhaseFailed):
		f.exited(e.Phase)
	}
}

// left notes which exchange carries a request.
func (f *Flow) left(frame *trace.Frame) {
	if frame.Exchange == 0 || f.exchanges[frame.Exchange] != nil {
		return
	}
	m := frame.Message()
	if m.Kind != rpc.Request {
		return
	}
	for _, r := range f.open {
		if r.id == m.ID && r.exchange == 0 {
			r.exchange = frame.Exchange
			f.exchanges[frame.Exchange] = &exchange{}
			return
		}
	}
}

func (f *Flow) frame(e trace.Event) {
	m := e.Frame.Message()
	if m.Kind == rpc.Batch {
		for _, one := range rpc.Elements(e.Frame.Bytes) {
			f.batched++
			f.message(e, rpc.Parse(one))
		}
		f.batched = 0
		return
	}
	f.message(e, m)
}

func (f *Flow) message(e trace.Event, m rpc.Message) {
	switch m.Kind {
	case rpc.Result, rpc.Failure:
		f.response(e, m)
	case rpc.Request:
		f.asked(e, m)
	case rpc.Notification:
		f.told(m)
	default:
		f.garbage(e, m)
	}
}

// response finds the request that is answered, and hands the answer on.
func (f *Flow) response(e trace.Event, m rpc.Message) {
	r := f.byID(m.ID, e.Frame.Exchange)
	if r != nil && f.astray(r, e.Frame.Exchange) {
		f.note("", fmt.Sprintf("an answer to %s (id %s) came on the stream of another request, and does not count", r.method, r.id))
		return
	}
	if r == nil {
		if r = f.meant(e, m); r == nil {
			return // late, or unexpected: the log has it
		}
		if m.ID != "" && m.ID != "null" || m.Kind == rpc.Result {
			// Only an error may come without an id (JSON-RPC 2.0, 5).
			f.close(r)
			f.settle(r, outcome{seq: e.Seq, loss: lossGarbage, why: fmt.Sprintf("the answer has %s, the request had %s", idOf(m), r.id)})
			return
		}
	}
	x := f.exchanges[r.exchange]
	if x != nil && (x.status == 429 || x.status == 503) {
		f.close(r)
		if f.putOff(r, x) {
			return
		}
	}
	f.close(r)
	o := outcome{seq: e.Seq, result: m.Result}
	if x != nil {
		o.status = x.status
		if x.status == http.StatusUnauthorized || x.status == http.StatusForbidden {
			o.wants = f.authorization(x)
		}
	}
	if m.Kind == rpc.Failure {
		body, ok := rpc.ReadError(m.Error)
		if !ok && body.Message == "" {
			body.Message, _ = rpc.String(m.Error)
		}
		o.result, o.fault = nil, &body
		if x != nil && x.expired && body.Code != codeMethodNotFound && f.renewSession(r) {
			return
		}
		if m.ID == "" || m.ID == "null" {
			o.why = "the error has no id; " + r.method + " (id " + string(r.id) + ") is what it can belong to"
		}
	}
	f.settle(r, o)
}

// astray reports whether an answer came where its request's cannot come: on
// 2026-07-28 a response travels on the stream of its own request (Streamable HTTP,
// "Receiving Messages").
func (f *Flow) astray(r *request, exchange int) bool {
	return f.transport == HTTP && f.era == trace.Modern && exchange != 0 && r.exchange != exchange
}

// Error codes (2026-07-28, "Error Codes").
const (
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// meant finds the request that a response belongs to although its id does not
// say so: by the exchange that carries it; by an id that differs only in how it
// is written; and, for one without an id, the only one that is open.
func (f *Flow) meant(e trace.Event, m rpc.Message) *request {
	if r := f.byExchange(e.Frame.Exchange); r != nil {
		return r
	}
	if m.ID == "" || m.ID == "null" {
		if m.Kind != rpc.Failure {
			return nil
		}
		var only *request
		for _, r := range f.open {
			if r.method == "subscriptions/listen" {
				continue
			}
			if only != nil {
				return nil
			}
			only = r
		}
		return only
	}
	for _, r := range f.open {
		if sameValue(m.ID, r.id) {
			return r
		}
	}
	return nil
}

// sameValue reports whether two ids differ only in how they are written, as 7,
// 7.0 and "7" do.
func sameValue(a, b rpc.ID) bool {
	plain := func(id rpc.ID) (float64, bool) {
		n, err := strconv.ParseFloat(strings.Trim(string(id), `"`), 64)
		return n, err == nil
	}
	x, ok := plain(a)
	y, ok2 := plain(b)
	return ok && ok2 && x == y
}

// garbage is a message that is none of JSON-RPC's: it ends the request that it
// most likely answers.
func (f *Flow) garbage(e trace.Event, m rpc.Message) {
	var r *request
	if m.ID != "" {
		r = f.byID(m.ID, e.Frame.Exchange)
	}
	if r == nil {
		r = f.byExchange(e.Frame.Exchange)
	}
	if r == nil {
		f.strayed(e.Frame.Bytes) // whose answer it was to be cannot be told: a timeout mentions it
		return
	}
	why := "what came is no message"
	if len(m.Problems) > 0 {
		why = m.Problems[0].Text
	}
	f.close(r)
	f.settle(r, outcome{seq: e.Seq, loss: lossGarbage, why: why})
}

// told takes a notification of the server's.
func (f *Flow) told(m rpc.Message) {
	switch m.Method {
	case "notifications/tools/list_changed":
		f.changed("tools/list")
	case "notifications/prompts/list_changed":
		f.changed("prompts/list")
	case "notifications/resources/list_changed":
		f.changed("resources/list")
		f.changed("resources/templates/list")
	case "notifications/cancelled":
		f.withdrawn(rpc.ID(rpc.Member(m.Params, "requestId")))
	case "notifications/subscriptions/acknowledged":
		f.acknowledged(m.Params)
	}
}

// exited deals with the end of the server or of its connection.
func (f *Flow) exited(p *trace.Phase) {
	if f.stage == stageOpening {
		f.gone = p // it comes of the new transport: Opened is on its way
		return
	}
	how := "the server ended"
	switch {
	case p.Signal != "":
		how = "the server was ended by " + p.Signal
	case p.Code != nil:
		how = fmt.Sprintf("the server exited with code %d", *p.Code)
	case p.Reason != "":
		how = p.Reason
	}
	before := f.stage
	lost := f.open
	f.open, f.inbox = nil, f.inbox[:0:0]
	switch before {
	case stageProbing, stageInitializing:
		f.diedEarly(how)
	case stageReady:
		f.stage = stageDown
		f.do(Failed{Exited, how})
	}
	for _, a := range f.asks {
		if a.legacy && !a.sent && a.closed == "" {
			a.closed = how
			f.settled(a)
		}
	}
	for _, r := range lost {
		if r.call != nil {
			f.settle(r, outcome{loss: lossExit, why: how + " before it answered"})
		}
	}
}

// idOf says which id a message has.
func idOf(m rpc.Message) string {
	if m.ID == "" {
		return "no id"
	}
	return "the id " + clip(string(m.ID))
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func jsonEqual(a, b []byte) bool { return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) }
