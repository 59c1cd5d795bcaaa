package flow

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// list is one of the server's lists, as it is being fetched.
type list struct {
	method  string
	running bool
	loaded  bool // fetched, or failed, at least once
	pages   int
	cursors map[string]bool
	stale   *timer        // a change was told; fetched when it fires
	first   time.Duration // when the first change was told that is not followed yet
	again   bool          // a change came while it was being fetched
	whole   bool          // somebody wants all of it; else it is fetched for what tools lack
	fresh   time.Duration // session time up to which the server calls it fresh
}

const (
	maxPages   = 1000 // a list that goes on longer does not end
	changeWait = 200 * time.Millisecond
	changeMost = time.Second
)

// The lists, in the order in which a person wants them, by the capability that
// promises them.
var listMethods = []struct{ method, capability string }{
	{"tools/list", "tools"},
	{"prompts/list", "prompts"},
	{"resources/list", "resources"},
	{"resources/templates/list", "resources"},
}

// wanted reports whether a list is fetched without being asked for: the server
// declares it, or it is not known what the server declares.
func (f *Flow) wanted(method, capability string) bool {
	if f.cfg.Lists != nil && !slices.Contains(f.cfg.Lists, method) {
		return false
	}
	return f.caps == nil || rpc.Member(f.caps, capability) != nil
}

// listAll fetches every list that is wanted; what is fresh by the server's own
// word is kept (2026-07-28, "Caching").
func (f *Flow) listAll() {
	for _, l := range listMethods {
		if known := f.lists[l.method]; f.wanted(l.method, l.capability) && (known == nil || !known.loaded || f.now >= known.fresh) {
			if f.follows(l.method) {
				f.list(l.method)
			} else {
				f.lookUp(f.cfg.Tool)
			}
		}
	}
	if f.cfg.Tool != "" && f.mirrors() && !f.known(f.cfg.Tool) {
		f.lookUp(f.cfg.Tool)
	}
}

// follows reports whether a list is fetched whole, and kept up to date, without
// being asked for.
func (f *Flow) follows(method string) bool {
	return f.cfg.Lists == nil || slices.Contains(f.cfg.Lists, method) && (method != toolsList || f.cfg.Tool == "")
}

// Refresh fetches every list again, past any cache hint.
func (f *Flow) Refresh(now time.Duration) error {
	f.now = now
	if f.stage != stageReady {
		return no("the connection is not ready")
	}
	for _, l := range listMethods {
		if f.caps == nil || rpc.Member(f.caps, l.capability) != nil {
			f.list(l.method)
		}
	}
	return nil
}

func (f *Flow) listOf(method string) *list {
	l := f.lists[method]
	if l == nil {
		l = &list{method: method}
		f.lists[method] = l
	}
	return l
}

// list fetches a list, all of it.
func (f *Flow) list(method string) {
	l := f.listOf(method)
	f.drop(l.stale)
	l.stale = nil
	if l.running {
		l.again = l.whole // else it has only begun, and goes on to its end
		l.whole = true
		return
	}
	l.whole = true
	f.firstPage(l)
}

func (f *Flow) firstPage(l *list) {
	l.running, l.pages, l.cursors = true, 0, map[string]bool{}
	if l.method == toolsList {
		f.tools.listed = map[string]bool{}
	}
	f.page(l, nil)
}

func (f *Flow) page(l *list, cursor []byte) {
	r := &request{method: l.method, cause: trace.Cause{Why: trace.WhyList}, timeout: f.cfg.Timeout}
	if cursor != nil {
		r.base = rpc.Object(rpc.Field{Name: "cursor", Raw: cursor})
	}
	r.done = func(r *request, o outcome) { f.listed(l, r, o) }
	f.send(r)
}

func (f *Flow) listed(l *list, r *request, o outcome) {
	switch kind := mrtr.Type(o.result); {
	case o.loss != lossNone:
		f.listEnds(l, o.why)
		return
	case o.fault != nil:
		f.listEnds(l, fmt.Sprintf("error %d: %s", o.fault.Code, clip(o.fault.Message)))
		return
	case f.modern() && kind != "" && kind != "complete":
		f.listEnds(l, mrtr.Forbidden(l.method, kind))
		return
	}
	l.pages++
	l.fresh = f.now + ttl(o.result)
	if l.method == toolsList {
		f.learnTools(o.result)
		f.flush() // the calls whose tool has come
	}
	next := rpc.Member(o.result, "nextCursor")
	switch {
	case next == nil || string(next) == "null":
		f.listEnds(l, "")
	case next[0] != '"':
		f.listEnds(l, "nextCursor is not a string")
	case l.cursors[string(next)]:
		f.listEnds(l, "the server gave the cursor "+clip(string(next))+" before: the list goes round, and was stopped")
	case !l.whole && len(f.tools.sought) == 0:
		l.running = false // nobody wants the rest
	case l.pages >= maxPages:
		f.listEnds(l, fmt.Sprintf("the list was stopped after %d pages", maxPages))
	default:
		l.cursors[string(next)] = true
		f.page(l, append([]byte(nil), next...))
	}
}

// listEnds ends the fetching; fault says what went wrong, if anything did.
func (f *Flow) listEnds(l *list, fault string) {
	l.running, l.loaded, l.whole = false, true, false
	if fault != "" {
		f.note(l.method, fault)
	}
	if l.again {
		l.again = false
		f.list(l.method)
		return
	}
	if l.method == toolsList {
		f.toolsEnd(fault == "")
		f.flush() // the calls whose tool has not come
	}
}

// ttl is how long the server calls a result fresh; nothing or nonsense is no time.
func ttl(result []byte) time.Duration {
	ms, err := strconv.ParseInt(string(rpc.Member(result, "ttlMs")), 10, 64)
	if err != nil || ms < 0 {
		return 0
	}
	return time.Duration(min(ms, int64(24*time.Hour/time.Millisecond))) * time.Millisecond
}

// changed notes that the server told of a change; the list is fetched again when
// the changes pause, or a second after the first.
func (f *Flow) changed(method string) {
	if f.stage != stageReady {
		return
	}
	l := f.listOf(method)
	if !f.follows(method) {
		l.loaded = false // what is needed of it is looked up anew
		if method == toolsList && !l.running {
			f.tools.listed = nil
		}
		return
	}
	l.fresh = 0
	if l.stale != nil {
		l.stale.at = min(f.now+changeWait, l.first+changeMost)
		return
	}
	l.first = f.now
	l.stale = f.after(changeWait, nil, func() {
		l.stale = nil
		if f.stage == stageReady {
			f.list(method)
		}
	})
}
