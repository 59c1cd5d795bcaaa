package flow

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Versions of the protocol that this client speaks, newest first.
var (
	modernVersions = []string{"2026-07-28"}
	legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
)

// Versions returns the versions of the protocol that this client speaks, newest
// first.
func Versions() []string { return slices.Concat(modernVersions, legacyVersions) }

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
	asked     string   // the version that it asked for
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
	f.neg.asked = f.version
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
		why := "it may be slow to start"
		if said := f.strayWords(f.strays); said != "" {
			why = said
		}
		f.phase(trace.PhaseProbing, fmt.Sprintf("no answer to %s after %s; %s: waiting up to %s", method, slowNotice, why, limit))
	})
}

// probeExpired goes on with initialize on the same connection, and still takes
// an answer to the probe if it comes after all.
func (f *Flow) probeExpired() {
	f.step("server/discover: no answer in " + f.cfg.ProbeTimeout.String())
	f.initialize("", "no answer to server/discover in "+f.cfg.ProbeTimeout.String()+", so the server is taken for a legacy one")
}

func (f *Flow) step(text string) {
	if !slices.Contains(f.neg.steps, text) {
		f.neg.steps = append(f.neg.steps, text)
	}
}

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
	kind := mrtr.Type(o.result)
	want := f.neg.asked
	switch {
	case kind != "" && kind != "complete":
		f.step("server/discover: " + mrtr.Forbidden("server/discover", kind))
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
	f.step("server/discover was answered by " + said)
	switch {
	case o.fault.Code == codeUnsupportedVersion:
		f.follow(o, func(version string) { f.discover(version, "-32022 lists it") })
	case o.wants != "":
		f.fail(Unauthorized, fmt.Sprintf("HTTP %d on server/discover, %s: %s", o.status, said, o.wants))
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
	if f.cfg.Era != "" {
		f.fail(NotMCP, fmt.Sprintf("the server speaks %s (-32022), and the %s era was asked for; try --era auto", join(listed), f.cfg.Era))
		return
	}
	f.fail(NotMCP, fmt.Sprintf("the server speaks %s (-32022), this client %s", join(listed), join(Versions())))
}

// undiscovered deals with a probe that brought no message.
func (f *Flow) undiscovered(o outcome) {
	f.step(o.told("server/discover"))
	switch {
	case f.unauthorized(o):
	case o.loss == lossTimeout:
		f.fail(Timeout, o.why)
	case o.status >= 400 && o.status < 500 && o.status != http.StatusTooManyRequests && !f.pinned():
		f.fallBack("", "server/discover was answered by "+o.why)
	case o.loss == lossBroken && o.status == 0:
		f.fail(Unreachable, "the server cannot be reached (server/discover): "+o.why)
	default:
		f.fail(NotMCP, o.told("server/discover"))
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
