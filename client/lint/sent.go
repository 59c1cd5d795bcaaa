package lint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

func (l *Linter) sent(v *view) {
	switch v.m.Kind {
	case rpc.Request:
		v.req = l.newRequest(v)
		v.era = v.req.era
		l.envelope(v)
		l.run(v, onRequest)
		l.takeRequest(v)
	case rpc.Notification:
		l.envelope(v)
		l.run(v, onNotify)
		l.takeNotification(v)
	case rpc.Result, rpc.Failure:
		v.req = l.in[v.m.ID]
		l.envelope(v)
		l.run(v, onAnswer)
		if v.req != nil {
			v.req.answered = v.e.Seq
		}
	default:
		l.envelope(v)
	}
	if v.x != nil && v.x.verb == "" {
		v.x.verb = "POST"
	}
	if v.x != nil && v.prefix == "" {
		v.x.req, v.x.frame, v.x.sent = v.req, v.e, true
		l.pair(v.x)
	}
}

// newRequest reads what the rules need out of a request.
func (l *Linter) newRequest(v *view) *request {
	p, cause := v.m.Params, v.e.Frame.Cause
	meta := rpc.Member(p, "_meta")
	r := &request{
		seq: v.e.Seq, id: v.m.ID, method: v.m.Method, call: cause.Call, edited: cause.Edited,
		exchange: v.e.Frame.Exchange, version: rpc.Text(meta, metaVersion),
		token: string(rpc.Member(meta, "progressToken")), logLevel: rpc.Text(meta, metaLogLevel),
		cursor: bytes.Clone(rpc.Member(p, "cursor")), state: stateKey(rpc.Member(p, "requestState")),
		answers: bytes.Clone(rpc.Member(p, "inputResponses")),
	}
	if r.name = rpc.Text(p, "name"); r.name == "" {
		r.name = rpc.Text(p, "uri")
	}
	r.era = l.eraOf(r, meta)
	if r.era == trace.Modern {
		r.caps = bytes.Clone(rpc.Member(meta, metaCapabilities))
	} else {
		r.caps, r.version = l.declared, l.version
	}
	if r.method == "subscriptions/listen" {
		r.filter = bytes.Clone(rpc.Member(p, "notifications"))
		if r.filter == nil {
			r.filter = []byte("{}")
		}
	}
	r.retries = l.interimOf(r, cause)
	return r
}

// eraOf tells which era a request is of: by its own envelope first.
func (l *Linter) eraOf(r *request, meta []byte) trace.Era {
	switch {
	case r.method == "initialize":
		return trace.Legacy
	case r.version != "", r.method == "server/discover", rpc.Member(meta, metaCapabilities) != nil:
		return trace.Modern
	case l.era != "":
		return l.era
	}
	return trace.Modern
}

// stateKey stands for a raw requestState: itself while it is short, else a hash,
// so that states of megabytes are not kept.
func stateKey(raw []byte) string {
	if len(raw) <= 128 {
		return string(raw)
	}
	sum := sha256.Sum256(raw)
	return strconv.Itoa(len(raw)) + ":" + hex.EncodeToString(sum[:])
}

// interimOf finds the result that a request answers: by its cause, by its
// state, or as the only one that fits.
func (l *Linter) interimOf(r *request, cause trace.Cause) *interim {
	if r.state == "" && r.answers == nil {
		return nil
	}
	var fit []*interim
	for i := len(l.interims) - 1; i >= 0; i-- {
		it := l.interims[i]
		if cause.Retries != 0 {
			if it.seq == cause.Retries {
				return it
			}
			continue
		}
		if it.req.method != r.method || it.req.name != r.name {
			continue
		}
		if it.state != "" && it.state == r.state {
			return it
		}
		if !it.retried {
			fit = append(fit, it)
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	if r.state == "" || len(fit) > 1 || cause.Retries != 0 {
		return nil
	}
	// A state that nobody gave, for a call whose asks were answered before: the
	// newest of them is what it was made from.
	for i := len(l.interims) - 1; i >= 0; i-- {
		if it := l.interims[i]; it.req.method == r.method && it.req.name == r.name && it.state != "" && it.answeredBy(r.answers) {
			return it
		}
	}
	return nil
}

// answeredBy reports whether any of the answers is one to this.
func (it *interim) answeredBy(answers []byte) bool {
	if len(it.asks) == 0 {
		return true
	}
	for key := range rpc.Members(answers) {
		if _, ok := it.asks[key]; ok {
			return true
		}
	}
	return false
}

func (l *Linter) takeRequest(v *view) {
	r := v.req
	if old := l.out[r.id]; old == nil || old.answered != 0 {
		l.open++
	}
	l.out[r.id] = r
	if r.era == trace.Modern && l.era == "" {
		l.era, l.version = trace.Modern, r.version
	}
	if r.retries != nil {
		r.retries.retried = true
	}
	if r.token != "" {
		l.tokens[r.token] = &progress{req: r}
	}
	switch r.method {
	case "initialize":
		l.opened, l.ready, l.session = r.seq, false, ""
		l.declared = bytes.Clone(rpc.Member(v.m.Params, "capabilities"))
		if l.declared == nil {
			l.declared = []byte("{}")
		}
	case "subscriptions/listen":
		l.listens[r.id] = &listen{req: r}
	}
}

func (l *Linter) takeNotification(v *view) {
	switch v.m.Method {
	case "notifications/initialized":
		l.ready = true
	case "notifications/cancelled":
		if r := l.out[rpc.ID(rpc.Member(v.m.Params, "requestId"))]; r != nil {
			r.cancelled = true
		}
	}
}
