package flow

import (
	"fmt"
	"slices"
	"time"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// listening is what the server shall tell of, and how that stands.
type listening struct {
	want    control.Subscription
	request *request // subscriptions/listen, while its stream is open
	acked   bool
	fails   int
	retry   *timer
	uris    []string // legacy: what resources/subscribe was sent for
}

const ackWait = 10 * time.Second

func empty(s control.Subscription) bool {
	return !s.Tools && !s.Prompts && !s.Resources && len(s.URIs) == 0
}

// Listen opens or changes what the server is asked to tell of; nothing ends it.
func (f *Flow) Listen(now time.Duration, s control.Subscription) error {
	f.now = now
	if f.stage == stageClosed {
		return no("the connection is closed")
	}
	f.listen.want = s
	f.listen.fails = 0
	f.relisten()
	return nil
}

// relisten makes what is asked of the server what is wanted.
func (f *Flow) relisten() {
	if f.stage != stageReady {
		return
	}
	f.drop(f.listen.retry)
	f.listen.retry = nil
	if !f.modern() {
		f.subscribe()
		return
	}
	if r := f.listen.request; r != nil {
		f.listen.request = nil
		f.close(r)
		f.cancelOnWire(r, "the subscription changes")
	}
	if empty(f.listen.want) {
		return
	}
	r := &request{method: "subscriptions/listen", base: listenParams(f.listen.want), cause: trace.Cause{Why: trace.WhyListen}, done: f.listenEnded}
	f.listen.request, f.listen.acked = r, false
	f.send(r)
	f.after(ackWait, nil, func() {
		if f.listen.request == r && !f.listen.acked {
			f.note(r.method, fmt.Sprintf("the server has not acknowledged the subscription (id %s) after %s", r.id, ackWait))
		}
	})
}

func listenParams(s control.Subscription) []byte {
	flag := func(on bool) []byte {
		if on {
			return []byte("true")
		}
		return nil
	}
	var uris []byte
	for i, u := range s.URIs {
		if i > 0 {
			uris = append(uris, ',')
		}
		uris = append(uris, rpc.Quote(u)...)
	}
	if len(s.URIs) > 0 {
		uris = slices.Concat([]byte("["), uris, []byte("]"))
	}
	return rpc.Object(rpc.Field{Name: "notifications", Raw: rpc.Object(
		rpc.Field{Name: "toolsListChanged", Raw: flag(s.Tools)},
		rpc.Field{Name: "promptsListChanged", Raw: flag(s.Prompts)},
		rpc.Field{Name: "resourcesListChanged", Raw: flag(s.Resources)},
		rpc.Field{Name: "resourceSubscriptions", Raw: uris},
	)})
}

func (f *Flow) acknowledged(params []byte) {
	r := f.listen.request
	if r != nil && string(rpc.Member(params, "_meta", metaSubscription)) == string(r.id) {
		f.listen.acked, f.listen.fails = true, 0
	}
}

// listenEnded opens a stream again that broke off or was closed by the server,
// after a pause that grows. An error says that the server does not want it.
func (f *Flow) listenEnded(r *request, o outcome) {
	if f.listen.request != r {
		return
	}
	f.listen.request = nil
	if o.fault != nil {
		f.unwanted(r, fmt.Sprintf("error %d %q", o.fault.Code, clip(o.fault.Message)))
		return
	}
	if o.loss == lossHTTP && o.status >= 400 && o.status < 500 {
		f.unwanted(r, o.why)
		return
	}
	why := "the server ended the subscription"
	if o.loss != lossNone {
		why = "the stream of the subscription ended: " + o.why
	}
	wait := min(time.Second<<f.listen.fails, time.Minute)
	f.listen.fails = min(f.listen.fails+1, 6)
	f.note(r.method, fmt.Sprintf("%s; opened again in %s", why, wait))
	f.listen.retry = f.after(wait, nil, func() {
		f.listen.retry = nil
		f.relisten()
	})
}

// unwanted notes that the server does not want to tell of anything: it is not asked
// again.
func (f *Flow) unwanted(r *request, with string) {
	f.act(trace.Act{Kind: trace.ActNote, Method: r.method, Status: trace.Failed, Note: "the subscription was refused with " + with})
}

// subscribe brings the legacy subscriptions, one request a URI, to what is
// wanted. Changes of lists come in that era without being asked for.
func (f *Flow) subscribe() {
	for _, step := range []struct {
		method   string
		from, to []string
	}{
		{"resources/unsubscribe", f.listen.uris, f.listen.want.URIs},
		{"resources/subscribe", f.listen.want.URIs, f.listen.uris},
	} {
		for _, uri := range step.from {
			if slices.Contains(step.to, uri) {
				continue
			}
			f.send(&request{
				method: step.method, base: rpc.Object(rpc.Field{Name: "uri", Raw: rpc.Quote(uri)}),
				cause: trace.Cause{Why: trace.WhyListen}, timeout: f.cfg.Timeout, done: f.toldOf,
			})
		}
	}
	f.listen.uris = slices.Clone(f.listen.want.URIs)
}

// toldOf notes a request outside calls that failed; its success needs no word.
func (f *Flow) toldOf(r *request, o outcome) {
	switch {
	case o.loss != lossNone:
		f.act(trace.Act{Kind: trace.ActNote, Method: r.method, Status: trace.Failed, Note: o.why})
	case o.fault != nil:
		f.act(trace.Act{Kind: trace.ActNote, Method: r.method, Status: trace.Failed, Note: fmt.Sprintf("error %d: %s", o.fault.Code, clip(o.fault.Message))})
	}
}
