package flow

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Versions of the protocol that this client speaks, newest first.
var (
	modernVersions = []string{"2026-07-28"}
	legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
)

// IsModern reports whether a version of the protocol is of the modern era. A
// version that is not known is sorted by its date.
func IsModern(version string) bool { return version >= modernVersions[0] }

// negotiation is what finding out the era has learned so far (2026-07-28,
// "Versioning and Compatibility", and the backward compatibility sections of
// both transports).
type negotiation struct {
	reasked   bool // -32022 was followed once
	respawned bool
	renewal   bool     // a lost session is begun again: what is known stays known
	discover  *request // the probe, while an answer may still come
	init      *request
	steps     []string // why each step failed, for the final report
	next      string   // the version that the next initialize asks for
	why       string   // the reason of the next step
	notice    *timer
}

// negotiate begins on an open transport.
func (f *Flow) negotiate() {
	switch why := f.neg.why; {
	case why != "":
		f.neg.why = ""
		f.initialize(f.neg.next, why)
	case f.cfg.Transport == SSE:
		f.initialize("", "the HTTP+SSE transport of 2024-11-05 knows only initialize")
	case f.cfg.Era == trace.Legacy:
		f.initialize("", "the legacy era was asked for")
	case f.cfg.Version != "" && !IsModern(f.cfg.Version):
		f.initialize("", "version "+f.cfg.Version+" was asked for")
	default:
		f.discover(modernVersions[0], "asking for the versions that the server speaks")
	}
}

// pinned reports whether the era is given and must not be changed.
func (f *Flow) pinned() bool { return f.cfg.Era != "" || f.cfg.Version != "" }

func (f *Flow) discover(version, why string) {
	f.stage, f.era, f.version = stageProbing, trace.Modern, version
	if f.cfg.Version != "" {
		f.version = f.cfg.Version
	}
	f.phase(trace.PhaseProbing, "server/discover at "+f.version+": "+why)
	r := &request{method: "server/discover", cause: trace.Cause{Why: trace.WhyProbe}, done: f.discovered}
	r.timeout = f.cfg.ProbeTimeout
	if f.pinned() {
		r.timeout = f.cfg.Timeout
	} else {
		r.expired = f.probeExpired
	}
	f.neg.discover = r
	f.slow("server/discover", r.timeout)
	f.send(r)
}

const slowNotice = 3 * time.Second // when waiting for a server is said aloud

// slow says once that the server is still waited for.
func (f *Flow) slow(method string, limit time.Duration) {
	f.drop(f.neg.notice)
	if limit <= slowNotice {
		return
	}
	f.neg.notice = f.after(slowNotice, nil, func() {
		f.phase(trace.PhaseProbing, fmt.Sprintf("no answer to %s after %s; it may be slow to start: waiting up to %s", method, slowNotice, limit))
	})
}

// probeExpired goes on with initialize on the same connection, and still takes
// an answer to the probe if it comes after all.
func (f *Flow) probeExpired() {
	f.step("server/discover: no answer in " + f.cfg.ProbeTimeout.String())
	f.initialize("", "no answer to server/discover in "+f.cfg.ProbeTimeout.String()+", so the server is taken for a legacy one")
}

func (f *Flow) step(text string) { f.neg.steps = append(f.neg.steps, text) }

func (f *Flow) discovered(r *request, o outcome) {
	late := f.stage != stageProbing
	if late && (f.neg.init == nil || o.fault != nil || o.loss != lossNone) {
		return // the decision has been made without it
	}
	f.drop(f.neg.notice)
	switch {
	case o.loss != lossNone:
		f.undiscovered(o)
	case o.fault != nil:
		f.discoverRefused(o)
	default:
		f.discoverResult(o, late)
	}
}

func (f *Flow) discoverResult(o outcome, late bool) {
	listed := texts(rpc.Member(o.result, "supportedVersions"))
	kind := rpc.Text(o.result, "resultType")
	want := f.version
	switch {
	case kind != "" && kind != "complete":
		f.step("server/discover: " + forbidden("server/discover", kind))
		f.fallBack("", f.neg.steps[len(f.neg.steps)-1])
	case slices.Contains(listed, want):
		if late {
			f.close(f.neg.init) // what comes of it is late
			f.neg.init = nil
			f.era = trace.Modern
			f.phase(trace.PhaseProbing, "the answer to server/discover came after all")
		}
		f.ready(trace.Modern, want, rpc.Member(o.result, "capabilities"), "server/discover lists "+want)
	case late:
	case f.cfg.Era == trace.Modern || f.cfg.Version != "" && IsModern(f.cfg.Version):
		if f.cfg.Version == "" && len(listed) > 0 && IsModern(listed[0]) || len(listed) == 0 {
			f.ready(trace.Modern, want, rpc.Member(o.result, "capabilities"), "the modern era was asked for, though server/discover does not list "+want)
			return
		}
		f.fail(NotMCP, fmt.Sprintf("server/discover lists %s, not %s; try --era auto", join(listed), want))
	case rpc.Text(o.result, "protocolVersion") != "":
		f.fallBack("", "server/discover was answered with the result of an initialize")
	case len(listed) == 0:
		f.fallBack("", "server/discover names no versions")
	default:
		version := firstCommon(legacyVersions, listed)
		if version == "" {
			f.step("server/discover lists only " + join(listed))
		}
		f.fallBack(version, "server/discover lists "+join(listed)+", not "+want)
	}
}

// discoverRefused follows -32022 once, and takes any other error for the sign of
// a legacy server: which one it is says nothing.
func (f *Flow) discoverRefused(o outcome) {
	said := fmt.Sprintf("error %d %q", o.fault.Code, clip(o.fault.Message))
	if o.why != "" {
		said += " without an id"
	}
	f.step("server/discover: " + said)
	switch {
	case o.fault.Code == codeUnsupportedVersion:
		f.follow(o, func(version string) { f.discover(version, "-32022 lists it") })
	case o.status == http.StatusUnauthorized || o.status == http.StatusForbidden:
		f.fail(Unauthorized, fmt.Sprintf("HTTP %d on server/discover: %s; give credentials with --header", o.status, said))
	case o.fault.Code == codeMissingCapability, o.fault.Code == codeHeaderMismatch:
		// Only a modern server knows these: it does not become a legacy one.
		f.ready(trace.Modern, f.version, nil, "server/discover was refused with "+said+", which only a modern server answers")
	case f.cfg.Era == trace.Modern || IsModern(f.cfg.Version):
		f.ready(trace.Modern, f.version, nil, "the modern era was asked for, though server/discover was answered by "+said)
	default:
		f.fallBack("", "server/discover was answered by "+said)
	}
}

// follow goes to a version that -32022 lists, once in the life of a connection.
func (f *Flow) follow(o outcome, modern func(version string)) {
	listed := texts(rpc.Member(o.fault.Data, "supported"))
	if f.cfg.Version != "" && !slices.Contains(listed, f.cfg.Version) {
		f.fail(NotMCP, fmt.Sprintf("the server speaks %s, not %s (-32022)", join(listed), f.cfg.Version))
		return
	}
	if v := firstCommon(modernVersions, listed); v != "" && f.cfg.Era != trace.Legacy {
		if f.neg.reasked {
			f.fail(NotMCP, fmt.Sprintf("the server refuses version %s with -32022, and lists that very version", v))
			return
		}
		f.neg.reasked = true
		modern(v)
		return
	}
	if v := firstCommon(legacyVersions, listed); v != "" && f.cfg.Era != trace.Modern {
		f.fallBack(v, "-32022 lists "+join(listed))
		return
	}
	f.fail(NotMCP, fmt.Sprintf("the server speaks %s (-32022), this client %s", join(listed), join(slices.Concat(modernVersions, legacyVersions))))
}

// undiscovered deals with a probe that brought no message.
func (f *Flow) undiscovered(o outcome) {
	f.step("server/discover: " + o.why)
	switch {
	case f.unauthorized(o):
	case o.loss == lossTimeout:
		f.fail(Timeout, o.why)
	case o.status >= 400 && o.status < 500 && o.status != http.StatusTooManyRequests && !f.pinned():
		f.fallBack("", "server/discover was answered by "+o.why)
	case o.loss == lossBroken && o.status == 0:
		f.fail(Unreachable, "the server cannot be reached: "+o.why)
	default:
		f.fail(NotMCP, "server/discover: "+o.why)
	}
}

func (f *Flow) unauthorized(o outcome) bool {
	if o.status != http.StatusUnauthorized && o.status != http.StatusForbidden {
		return false
	}
	f.fail(Unauthorized, o.why)
	return true
}

// fallBack goes to the legacy handshake, unless the modern era was asked for.
func (f *Flow) fallBack(version, why string) {
	if f.cfg.Era == trace.Modern || f.cfg.Version != "" && IsModern(f.cfg.Version) {
		f.fail(NotMCP, why+", and the modern era was asked for; try --era auto")
		return
	}
	f.initialize(version, why)
}

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
		f.fail(NotMCP, fmt.Sprintf("initialize was answered with version %s, and %s was asked for", version, f.cfg.Version))
	default:
		f.ready(trace.Legacy, version, rpc.Member(o.result, "capabilities"), "initialize was answered with "+version)
	}
}

func (f *Flow) initializeRefused(o outcome) {
	said := fmt.Sprintf("error %d %q", o.fault.Code, clip(o.fault.Message))
	f.step("initialize: " + said)
	switch {
	case o.fault.Code == codeUnsupportedVersion && rpc.Member(o.fault.Data, "supported") != nil:
		f.follow(o, func(version string) { f.discover(version, "-32022 lists it in answer to initialize") })
	case o.status == http.StatusUnauthorized || o.status == http.StatusForbidden:
		f.fail(Unauthorized, fmt.Sprintf("HTTP %d on initialize: %s; give credentials with --header", o.status, said))
	case o.status == http.StatusNotFound || o.status == http.StatusMethodNotAllowed:
		f.trySSE(said)
	default:
		f.fail(NotMCP, "initialize was answered by "+said)
	}
}

func (f *Flow) uninitialized(o outcome) {
	f.step("initialize: " + o.why)
	switch {
	case f.unauthorized(o):
	case o.loss == lossTimeout:
		f.fail(Timeout, o.why)
	case o.status == http.StatusBadRequest, o.status == http.StatusNotFound, o.status == http.StatusMethodNotAllowed:
		f.trySSE(o.why)
	case o.loss == lossBroken && o.status == 0:
		f.fail(Unreachable, "the server cannot be reached: "+o.why)
	default:
		f.fail(NotMCP, "initialize: "+o.why)
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
	f.do(Open{How: OpenSSE})
}

// openFailed reports a transport that did not open.
func (f *Flow) openFailed(err error) {
	f.fail(Unreachable, err.Error())
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
		f.do(Open{How: OpenAgain})
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
		reason += " (" + strings.Join(steps, "; ") + ")"
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
		f.note(r.method, "-32022 lists "+v+": sent again at that version, once")
		f.sendAgain(r)
		return true
	}
	v := firstCommon(legacyVersions, listed)
	if v == "" {
		return false
	}
	r.switched, f.neg.reasked = true, true
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
