package flow

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"mcptui/client/header"
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
	fresh   time.Duration // session time up to which the server calls it fresh
}

// tool is what calling a tool needs to know of it.
type tool struct {
	params []header.Param
	fault  string // why it must not be called over HTTP
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
			f.list(l.method)
		}
	}
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

// list fetches a list from its first page.
func (f *Flow) list(method string) {
	l := f.listOf(method)
	f.drop(l.stale)
	l.stale = nil
	if l.running {
		l.again = true
		return
	}
	l.running, l.pages, l.cursors = true, 0, map[string]bool{}
	if method == "tools/list" {
		f.tools = map[string]*tool{}
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
	if l.method == "tools/list" {
		f.learnTools(o.result)
	}
	l.fresh = f.now + ttl(o.result)
	next := rpc.Member(o.result, "nextCursor")
	switch {
	case next == nil || string(next) == "null":
		f.listEnds(l, "")
	case next[0] != '"':
		f.listEnds(l, "nextCursor is not a string")
	case l.cursors[string(next)]:
		f.listEnds(l, "the server gave the cursor "+clip(string(next))+" before: the list goes round, and was stopped")
	case l.pages >= maxPages:
		f.listEnds(l, fmt.Sprintf("the list was stopped after %d pages", maxPages))
	default:
		l.cursors[string(next)] = true
		f.page(l, append([]byte(nil), next...))
	}
}

// listEnds ends the fetching; fault says what went wrong, if anything did.
func (f *Flow) listEnds(l *list, fault string) {
	l.running, l.loaded = false, true
	if fault != "" {
		f.note(l.method, fault)
	}
	if l.again {
		l.again = false
		f.list(l.method)
		return
	}
	if l.method == "tools/list" {
		f.flush() // calls that waited to know the tool's headers
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

func (f *Flow) learnTools(result []byte) {
	for _, raw := range rpc.Elements(rpc.Member(result, "tools")) {
		name := rpc.Text(raw, "name")
		if name == "" || f.tools[name] != nil {
			continue
		}
		t := &tool{}
		if params, err := header.Params(rpc.Member(raw, "inputSchema")); err != nil {
			t.fault = err.Error()
			if f.overHTTP() && f.modern() {
				f.act(trace.Act{Kind: trace.ActNote, Method: "tools/list", Name: name, Note: "the tool " + name + " is rejected: " + t.fault})
			}
		} else {
			t.params = params
		}
		f.tools[name] = t
	}
}

// changed notes that the server told of a change; the list is fetched again when
// the changes pause, or a second after the first.
func (f *Flow) changed(method string) {
	if f.stage != stageReady || f.cfg.Lists != nil && !slices.Contains(f.cfg.Lists, method) {
		return
	}
	l := f.listOf(method)
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
