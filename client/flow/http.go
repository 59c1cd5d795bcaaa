package flow

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mcptui/client/header"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// exchange is what is known of one HTTP exchange that carries a request.
type exchange struct {
	status  int
	headers []trace.Header
	expired bool   // the session that the request named is over
	noise   string // why the body is no message
	said    string // and its beginning
	note    string // what the transport says of a redirect
	ended   bool
}

func (x *exchange) header(name string) string {
	for _, h := range x.headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// headers gives what a request must carry in its HTTP headers beside what the
// transport adds by itself; own replaces.
func (f *Flow) headers(method string, params []byte, own []trace.Header) []trace.Header {
	if !f.overHTTP() {
		return nil
	}
	var out []trace.Header
	if f.modern() {
		if v, ok := rpc.String(rpc.Member(params, "_meta", metaVersion)); ok {
			out = append(out, trace.Header{Name: "MCP-Protocol-Version", Value: v})
		} else {
			out = append(out, trace.Header{Name: "MCP-Protocol-Version", Value: f.version})
		}
		fields := header.Standard(method, params)
		if method == "tools/call" {
			if t := f.tools.of[rpc.Text(params, "name")]; t != nil && t.fault == "" {
				fields = append(fields, header.Values(t.params, rpc.Member(params, "arguments"))...)
			}
		}
		for _, h := range fields {
			out = append(out, trace.Header{Name: h.Name, Value: h.Value})
		}
	}
	return replaceHeaders(out, own)
}

func replaceHeaders(headers, own []trace.Header) []trace.Header {
	for _, o := range own {
		found := false
		for i := range headers {
			if strings.EqualFold(headers[i].Name, o.Name) {
				headers[i], found = o, true
			}
		}
		if !found {
			headers = append(headers, o)
		}
	}
	return headers
}

func (f *Flow) httpEvent(h *trace.HTTP) {
	x := f.exchanges[h.Exchange]
	if x == nil {
		return // a stream of the transport's own, or one that is over
	}
	switch h.Stage {
	case trace.HTTPResponse, trace.HTTPRedirect:
		x.status, x.headers, x.expired = h.Status, h.Headers, h.Expired
		if h.Stage == trace.HTTPRedirect {
			x.note = h.Note
		}
	case trace.HTTPEnd, trace.HTTPFailed:
		if h.Status != 0 {
			x.status = h.Status
		}
		x.ended = true
		r := f.byExchange(h.Exchange)
		if r == nil {
			delete(f.exchanges, h.Exchange)
			return
		}
		if !h.Lost {
			return // the answer may still come: on another stream, or on this one resumed
		}
		delete(f.exchanges, h.Exchange)
		f.close(r)
		f.unanswered(r, x, h)
	}
}

// unanswered deals with an exchange that ended without an answer to its request.
func (f *Flow) unanswered(r *request, x *exchange, h *trace.HTTP) {
	o := outcome{status: x.status, loss: lossHTTP}
	switch {
	case f.putOff(r, x):
		return
	case x.expired && f.renewSession(r):
		return
	case x.status == 0:
		o.loss, o.why = lossBroken, orElse(h.Note, "no response")
	case x.status == http.StatusUnauthorized, x.status == http.StatusForbidden:
		o.why = fmt.Sprintf("HTTP %d %s: %s", x.status, http.StatusText(x.status), f.authorization(x)) + x.quoted()
	case x.status == http.StatusAccepted:
		o.why = "HTTP 202: the server took the request and sent no answer to it"
	case x.status >= 200 && x.status < 300:
		o.loss, o.why = lossBroken, orElse(h.Note, "the response ended without an answer")
		if h.Stage == trace.HTTPEnd && x.noise != "" {
			o.loss, o.why = lossGarbage, "what came is no message ("+x.noise+"): is this an MCP endpoint?"+x.quoted()
		}
	default:
		o.why = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", x.status, http.StatusText(x.status)))
		switch {
		case x.status < 400 && x.note != "":
			o.why += ": " + x.note
		case x.noise != "":
			o.why += " (" + x.noise + ")" + x.quoted()
		}
	}
	f.settle(r, o)
}

// authorization tells what a 401 or 403 wants, and what to try.
func (f *Flow) authorization(x *exchange) string {
	try := "give it with --header 'Authorization: Bearer …'"
	if f.cfg.Authorized {
		try = "the Authorization header that was given was refused: is it right, and still valid?"
	}
	if www := x.header("WWW-Authenticate"); www != "" {
		return "the server wants authorization (WWW-Authenticate: " + www + "); " + try
	}
	return "the server wants authorization and does not say which (no WWW-Authenticate); " + try
}

const maxWaits = 2 // how often a request is put off by 429 or 503

// putOff sends a request again after the time that the server names: a 429 or
// 503 with Retry-After means that it was not processed.
func (f *Flow) putOff(r *request, x *exchange) bool {
	if x.status != http.StatusTooManyRequests && x.status != http.StatusServiceUnavailable {
		return false
	}
	wait, ok := retryAfter(x)
	if !ok || r.putOffs >= maxWaits || wait > r.timeout && r.timeout > 0 {
		return false
	}
	r.putOffs++
	why := fmt.Sprintf("HTTP %d: sent again after %s, as Retry-After says (%d of %d)", x.status, wait, r.putOffs, maxWaits)
	f.waits(r, why, f.now+wait)
	f.after(wait, r.call, func() { f.sendAgain(r) }).sends = r
	return true
}

// waits tells that a request is sent again, and when.
func (f *Flow) waits(r *request, why string, until time.Duration) {
	act := trace.Act{Kind: trace.ActWait, Round: r.cause.Round, Method: r.method, Note: why, Until: until}
	if r.call != nil {
		act.Call = r.call.id
	}
	f.act(act)
}

// retryAfter reads the header in both of its forms; a date is compared with the
// server's own.
func retryAfter(x *exchange) (time.Duration, bool) {
	value := strings.TrimSpace(x.header("Retry-After"))
	if value == "" {
		return 0, false
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < 1<<30 {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(value)
	from, err2 := http.ParseTime(x.header("Date"))
	if err != nil || err2 != nil {
		return 0, false
	}
	return max(at.Sub(from), 0), true
}

// renewSession begins a session anew that the server has forgotten, and sends
// the request again in it: it was not processed.
func (f *Flow) renewSession(r *request) bool {
	if f.stage == stageInitializing && f.neg.renewal && !r.renewed && r.method != "initialize" {
		r.renewed = true
		f.resend = append(f.resend, r)
		return true
	}
	if f.stage != stageReady || f.era != trace.Legacy || f.cfg.Transport != HTTP || r.renewed {
		return false
	}
	r.renewed = true
	f.phase(trace.PhaseReconnecting, "session expired (HTTP 404): a new one is begun, and the request sent again")
	f.neg.renewal = true
	f.resend = append(f.resend, r)
	f.initialize(f.version, "the session expired")
	return true
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
