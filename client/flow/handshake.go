package flow

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// initialize begins the handshake of the legacy era.
func (f *Flow) initialize(version, why string) {
	if f.cfg.Version != "" && !IsModern(f.cfg.Version) {
		version = f.cfg.Version
	}
	if version == "" {
		version = legacyVersions[0]
	}
	f.stage, f.era, f.version = stageInitializing, trace.Legacy, version
	f.neg.next = version
	f.phase(trace.PhaseProbing, "initialize at "+version+": "+why)
	f.do(Settle{})
	r := &request{method: "initialize", cause: trace.Cause{Why: trace.WhyInitialize}, timeout: f.cfg.Timeout, done: f.initialized}
	r.params = rpc.Object(
		rpc.Field{Name: "protocolVersion", Raw: rpc.Quote(version)},
		rpc.Field{Name: "capabilities", Raw: f.legacyCapabilities()},
		rpc.Field{Name: "clientInfo", Raw: f.cfg.Info},
	)
	f.neg.init = r
	f.slow("initialize", r.timeout)
	f.send(r)
}

// legacyCapabilities are the declared ones, with what only this era has: the
// client tells when its roots change.
func (f *Flow) legacyCapabilities() []byte {
	roots := rpc.Member(f.cfg.Capabilities, "roots")
	if roots == nil {
		return f.cfg.Capabilities
	}
	return rpc.With(f.cfg.Capabilities, rpc.Field{Name: "roots", Raw: rpc.With(roots, rpc.Field{Name: "listChanged", Raw: []byte("true")})})
}

func (f *Flow) initialized(r *request, o outcome) {
	if r != f.neg.init {
		return
	}
	f.neg.init = nil
	f.drop(f.neg.notice)
	if d := f.neg.discover; d != nil {
		f.close(d) // an answer to the probe decides nothing any more
	}
	switch {
	case o.loss != lossNone:
		f.uninitialized(o)
		return
	case o.fault != nil:
		f.initializeRefused(o)
		return
	}
	version, ok := rpc.String(rpc.Member(o.result, "protocolVersion"))
	switch {
	case !ok:
		f.fail(NotMCP, "the result of initialize names no protocolVersion; is this an MCP server?")
	case !slices.Contains(legacyVersions, version):
		f.fail(NotMCP, fmt.Sprintf("initialize was answered with version %s, this client speaks %s", clip(version), join(legacyVersions)))
	case f.cfg.Version != "" && version != f.cfg.Version:
		f.fail(NotMCP, fmt.Sprintf("initialize was answered with version %s, and %s was asked for; try --protocol-version %s, or none", version, f.cfg.Version, version))
	default:
		f.ready(trace.Legacy, version, rpc.Member(o.result, "capabilities"), "initialize was answered with "+version)
	}
}

func (f *Flow) initializeRefused(o outcome) {
	said := fmt.Sprintf("error %d %q", o.fault.Code, clip(o.fault.Message))
	f.step("initialize was answered by " + said)
	switch {
	case o.fault.Code == codeUnsupportedVersion && rpc.Member(o.fault.Data, "supported") != nil:
		f.follow(o, func(version string) { f.discover(version, "-32022 lists it in answer to initialize") })
	case o.wants != "":
		f.fail(Unauthorized, fmt.Sprintf("HTTP %d on initialize, %s: %s", o.status, said, o.wants))
	case o.status == http.StatusNotFound || o.status == http.StatusMethodNotAllowed:
		f.trySSE(said)
	default:
		f.fail(NotMCP, "initialize was answered by "+said)
	}
}

func (f *Flow) uninitialized(o outcome) {
	f.step(o.told("initialize"))
	switch {
	case f.unauthorized(o):
	case o.loss == lossTimeout:
		f.fail(Timeout, o.why)
	case o.status == http.StatusBadRequest, o.status == http.StatusNotFound, o.status == http.StatusMethodNotAllowed:
		f.trySSE(o.why)
	case o.loss == lossBroken && o.status == 0:
		f.fail(Unreachable, "the server cannot be reached (initialize): "+o.why)
	default:
		f.fail(NotMCP, o.told("initialize"))
	}
}

// trySSE opens the transport of 2024-11-05 (2025-11-25, Transports, "Backwards
// Compatibility").
func (f *Flow) trySSE(why string) {
	if f.cfg.Transport != HTTP {
		f.fail(NotMCP, "initialize: "+why)
		return
	}
	f.phase(trace.PhaseProbing, "POST of initialize was answered by "+why+": trying the HTTP+SSE transport of 2024-11-05 with GET")
	f.cfg.Transport = SSE
	f.neg.why = "over HTTP+SSE"
	f.stage = stageOpening
	f.openAs(OpenSSE)
}

// openFailed reports a transport that did not open.
func (f *Flow) openFailed(err error) {
	kind := Unreachable
	var late interface{ Timeout() bool }
	switch {
	case f.cfg.Transport != SSE:
	case errors.As(err, &late) && late.Timeout():
		kind = Timeout
	default: // something answered before
		kind = NotMCP
	}
	f.fail(kind, err.Error())
}

// diedEarly starts a server again, once, that ended on the probe: strict legacy
// servers do.
func (f *Flow) diedEarly(how string) {
	f.drop(f.neg.notice)
	f.neg.init = nil
	if f.stage == stageProbing && !f.neg.respawned && f.cfg.Era == "" && f.cfg.Version == "" {
		f.neg.respawned = true
		f.step("server/discover: " + how)
		f.neg.why = how + " on server/discover and was started again"
		f.phase(trace.PhaseProbing, how+" on server/discover: starting it again for initialize")
		f.stage = stageOpening
		f.openAs(OpenAgain)
		return
	}
	f.fail(Unreachable, how+" before the connection was ready")
}

// fail gives the connection up before it was ready.
func (f *Flow) fail(kind FailKind, reason string) {
	f.drop(f.neg.notice)
	f.stage = stageDown
	if f.neg.discover != nil {
		f.close(f.neg.discover)
	}
	if f.neg.init != nil {
		f.close(f.neg.init)
		f.neg.init = nil
	}
	if steps := f.neg.steps; len(steps) > 1 {
		steps = slices.DeleteFunc(slices.Clone(steps), func(s string) bool { return strings.Contains(reason, s) })
		if len(steps) > 0 {
			reason += " (before that: " + strings.Join(steps, "; ") + ")"
		}
	}
	f.phase(trace.PhaseFailed, reason)
	f.do(Failed{kind, reason})
	f.resend = nil
	for _, c := range f.running() {
		f.end(c, trace.Lost, "the connection failed: "+reason)
	}
	f.queue = nil
}

// ready settles era and version, and lets everything go that waited for it.
func (f *Flow) ready(era trace.Era, version string, capabilities []byte, why string) {
	f.stage, f.era, f.version = stageReady, era, version
	f.caps = append([]byte(nil), capabilities...)
	f.do(Settle{Era: era, Version: version})
	f.do(Append{trace.Event{Phase: &trace.Phase{
		Name: trace.PhaseReady, Reason: why, Transport: f.cfg.Transport, Era: era, Version: version,
	}}})
	if era == trace.Legacy {
		f.notify("notifications/initialized", nil, trace.Cause{Why: trace.WhyInitialize})
		f.setLevel()
	}
	renewal := f.neg.renewal
	f.neg = negotiation{reasked: f.neg.reasked}
	f.do(Ready{})
	resend := f.resend
	f.resend = nil
	for _, r := range resend {
		if l := f.lists[r.method]; l != nil && !l.whole && !f.mirrors() && !f.wanted(r.method, "tools") {
			l.running = false // only headers needed it, and this era has none
			continue
		}
		f.sendAgain(r)
	}
	if !renewal {
		f.listAll()
	}
	f.relisten()
	f.flush()
}

// switchVersion follows a -32022 that comes after the connection was ready, once:
// some servers list a version that they then refuse. The request was not
// processed, so it is sent again in what was agreed on.
func (f *Flow) switchVersion(r *request, o outcome) bool {
	if o.fault == nil || o.fault.Code != codeUnsupportedVersion || !f.modern() && f.stage == stageReady ||
		r.switched || r == f.neg.discover || r.method == "initialize" || r.fixed {
		return false
	}
	if f.stage == stageInitializing { // others found out before
		r.switched = true
		f.resend = append(f.resend, r)
		return true
	}
	listed := texts(rpc.Member(o.fault.Data, "supported"))
	if f.stage != stageReady || f.neg.reasked || f.pinned() {
		return false
	}
	if v := firstCommon(modernVersions, listed); v != "" {
		r.switched, f.neg.reasked, f.version = true, true, v
		f.waits(r, "-32022 lists "+v+": sent again at that version, once", f.now)
		f.sendAgain(r)
		return true
	}
	v := firstCommon(legacyVersions, listed)
	if v == "" {
		return false
	}
	r.switched, f.neg.reasked, f.neg.renewal = true, true, true
	f.waits(r, "-32022 lists "+v+": sent again after a handshake at that version, once", 0)
	f.resend = append(f.resend, r)
	f.initialize(v, r.method+" was refused with -32022, which lists "+join(listed))
	return true
}

// firstCommon returns the first of ours that they list.
func firstCommon(ours, theirs []string) string {
	for _, v := range ours {
		if slices.Contains(theirs, v) {
			return v
		}
	}
	return ""
}

func texts(array []byte) []string {
	var out []string
	for _, raw := range rpc.Elements(array) {
		if s, ok := rpc.String(raw); ok {
			out = append(out, s)
		}
	}
	return out
}

func join(versions []string) string {
	if len(versions) == 0 {
		return "no versions"
	}
	return strings.Join(versions, ", ")
}
