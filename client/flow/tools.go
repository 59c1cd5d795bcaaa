package flow

import (
	"maps"

	"mcptui/client/header"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

const toolsList = "tools/list"

// tools is what calling tools needs to know of them.
type tools struct {
	of     map[string]*tool
	listed map[string]bool // that have come since the list was last begun
	sought map[string]bool // for which the list is being fetched, and that have not come
}

// tool is what calling one needs to know of it.
type tool struct {
	params []header.Param
	fault  string // why it must not be called over HTTP
}

// mirrors reports whether arguments of calls go into headers, too, as far as
// the tool says so (2026-07-28, Transports, "Custom Headers from Tool Parameters").
func (f *Flow) mirrors() bool { return f.modern() && f.overHTTP() }

// known reports whether the list has told of a tool all that it will: its page
// has come, or all pages have.
func (f *Flow) known(name string) bool {
	l := f.lists[toolsList]
	return l != nil && l.loaded && !l.running || f.tools.listed[name] ||
		f.caps != nil && rpc.Member(f.caps, "tools") == nil
}

// lookUp fetches the list of tools up to the page that holds a tool.
func (f *Flow) lookUp(name string) {
	l := f.listOf(toolsList)
	f.tools.sought[name] = true
	if !l.running {
		f.firstPage(l)
	}
}

// learnTools takes a page of the list.
func (f *Flow) learnTools(result []byte) {
	for _, raw := range rpc.Elements(rpc.Member(result, "tools")) {
		name := rpc.Text(raw, "name")
		if name == "" || f.tools.listed[name] {
			continue
		}
		t := &tool{}
		if params, err := header.Params(rpc.Member(raw, "inputSchema")); err != nil {
			t.fault = err.Error()
			if f.mirrors() {
				f.act(trace.Act{Kind: trace.ActNote, Method: toolsList, Name: name, Note: "the tool " + name + " is rejected: " + t.fault})
			}
		} else {
			t.params = params
		}
		f.tools.of[name], f.tools.listed[name] = t, true
		delete(f.tools.sought, name)
	}
}

// toolsEnd forgets what the list, come whole, no longer has. Until then a tool is
// what it was: a retry may be made while the list is fetched again.
func (f *Flow) toolsEnd(whole bool) {
	clear(f.tools.sought)
	if whole {
		maps.DeleteFunc(f.tools.of, func(name string, _ *tool) bool { return !f.tools.listed[name] })
	}
}

// rejected says why a tool must not be called: its header annotations are such
// that a client must leave it alone.
func (f *Flow) rejected(name string) string {
	if t := f.tools.of[name]; t != nil && t.fault != "" && f.mirrors() {
		return "the tool " + name + " is rejected: " + t.fault + "; it can be called by force"
	}
	return ""
}

// unmirrored says why a request has to wait for the list of tools, "" where it
// does not.
func (f *Flow) unmirrored(r *request) string {
	if r.fixed || r.call.req.Force || r.method != "tools/call" || !f.mirrors() {
		return ""
	}
	name := rpc.Text(r.base, "name")
	if name == "" || f.known(name) {
		return ""
	}
	f.lookUp(name)
	return "the list of tools comes first: it says which arguments go into headers"
}
