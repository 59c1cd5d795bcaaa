package lint

import (
	"bytes"
	"strings"

	"mcptui/client/state"
)

// stateRules are about requestState as anyone can read it.
func stateRules() []rule {
	return []rule{
		{id: "state-secret", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkStateSecret},
		{id: "state-unsigned", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnsigned, once: true},
		{id: "state-no-expiry", severity: Info, against: Server, when: onResult, modern: mrtrServer, check: checkStateExpiry, once: true},
		{id: "state-unbound", severity: Info, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnbound, once: true},
		{id: "state-unsafe", severity: Error, against: Server, when: onResult, modern: mrtrServer, check: checkStateUnsafe},
		{id: "state-changed-accepted", severity: Warning, against: Server, when: onResult, modern: mrtrServer, check: checkChangedAccepted},
	}
}

const maxStateLook = 1 << 20

// state decodes the requestState of a result; nil where it has none.
func (v *view) state() *state.Decoded {
	raw := v.result("requestState")
	if len(raw) == 0 || raw[0] != '"' || len(raw) > maxStateLook {
		return nil
	}
	if v.parsed.state == nil {
		v.parsed.state = state.Decode(string(raw))
	}
	return v.parsed.state
}

func checkStateSecret(v *view) {
	if d := v.state(); d != nil {
		for _, s := range d.Secrets {
			v.report("/result/requestState", "requestState holds %s that the client can read%s", s.Kind, in(s.Path))
		}
	}
}

func in(path string) string {
	if path == "" {
		return ""
	}
	return ", at " + path
}

func checkStateUnsigned(v *view) {
	d := v.state()
	if d != nil && d.Readable() && d.Signature.Status == state.Unsigned {
		v.report("/result/requestState", "requestState of %s is %s and unsigned: a client can change it unnoticed; the server must protect it if it acts on it", v.subject(), d.Chain())
	}
}

// subject names what was called.
func (v *view) subject() string {
	if v.req == nil {
		return "an unknown request"
	}
	return strings.TrimSpace(v.req.method + " " + v.req.name)
}

func checkStateExpiry(v *view) {
	d := v.state()
	if d == nil || d.Unreadable() || d.Reference() || d.Size() == 0 || d.Signature.Status == state.Unsigned {
		return
	}
	if _, ok := d.Expires(); !ok {
		v.report("/result/requestState", "requestState names no time at which it lapses")
	}
}

func checkStateUnbound(v *view) {
	d := v.state()
	if d == nil || d.Unreadable() || d.Reference() || d.Size() == 0 || d.Signature.Status == state.Unsigned || len(d.Bound(state.ToContext)) > 0 {
		return
	}
	if len(d.Bound(state.ToRequest)) == 0 {
		v.report("/result/requestState", "nothing in requestState binds it to the call that it was made for")
	}
	if len(d.Bound(state.ToPrincipal))+len(d.Bound(state.ToSession)) == 0 {
		v.report("/result/requestState", "nothing in requestState binds it to a principal")
	}
}

func checkStateUnsafe(v *view) {
	if d := v.state(); d != nil {
		for _, f := range []state.Format{state.Pickle, state.JavaObject, state.PHPValue} {
			if d.Has(f) {
				v.report("/result/requestState", "requestState is a %s: loading one that a client has changed can run code", f)
			}
		}
	}
}

// checkChangedAccepted notices that a state which the server did not make was
// served. Whether that is a fault depends on what the server uses it for.
func checkChangedAccepted(v *view) {
	if v.req == nil || v.req.retries == nil || v.req.state == "" || v.req.retries.state == "" {
		return
	}
	if v.req.state != v.req.retries.state && !bytes.Contains(v.m.Result, []byte(`"isError":true`)) {
		v.report("/result", "the retry carried a requestState that the server had not given, and was served")
	}
}
