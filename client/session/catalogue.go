package session

import (
	"bytes"
	"time"

	"mcptui/client/header"
	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Catalogue is what the server offers, as its lists said last.
type Catalogue struct {
	Tools, Prompts, Resources, Templates List
}

// List is one of the server's lists.
type List struct {
	Items    []Item
	Rejected []Rejected
	Loaded   bool
	Pages    int
	At       time.Duration
	Error    string // why it could not be fetched
	TTL      string // ttlMs as written, "" where absent
	Scope    string
	Stale    bool   // the server told of a change since
	Next     string // cursor of the next page, "" after the last
}

// Item is one entry of a list.
type Item struct {
	Name        string // of a resource or template too
	Title       string
	Description string
	URI         string // of resources; of templates the template
	Raw         []byte
	Frame       int
}

// Key is what a call of the item names: its URI where it has one, else its name.
func (i Item) Key() string {
	if i.URI != "" {
		return i.URI
	}
	return i.Name
}

// Rejected is an entry that must not be used as it is.
type Rejected struct {
	Item
	Reason string
}

// List returns the list that a method fetches, nil for any other method.
func (c *Catalogue) List(method string) *List {
	switch method {
	case "tools/list":
		return &c.Tools
	case "prompts/list":
		return &c.Prompts
	case "resources/list":
		return &c.Resources
	case "resources/templates/list":
		return &c.Templates
	}
	return nil
}

// Item finds a list's entry by its key; ok is false where there is none.
func (l *List) Item(key string) (Item, bool) {
	for _, it := range l.Items {
		if it.Key() == key {
			return it, true
		}
	}
	for _, r := range l.Rejected {
		if r.Key() == key && r.Raw != nil {
			return r.Item, true
		}
	}
	return Item{}, false
}

var listMember = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts",
	"resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

func (s *Session) listPage(p *pending, result []byte, seq int, at time.Duration) {
	l := s.Catalogue.List(p.method)
	if cursor := rpc.Member(p.params, "cursor"); cursor == nil {
		*l = List{}
	}
	page := ReadList(p.method, result, s.Conn.overHTTP() && s.Conn.Era != trace.Legacy)
	for i := range page.Items {
		page.Items[i].Frame = seq
	}
	for i := range page.Rejected {
		page.Rejected[i].Frame = seq
	}
	page.Items, page.Rejected = append(l.Items, page.Items...), append(l.Rejected, page.Rejected...)
	page.Loaded, page.At, page.Pages = true, at, l.Pages+1
	*l = page
}

// ReadList reads one page of a list out of its result. Where arguments are
// mirrored into headers (over HTTP in 2026-07-28) a tool whose headers cannot be
// made is rejected, as that revision demands.
func ReadList(method string, result []byte, mirrored bool) List {
	l := List{
		TTL: string(rpc.Member(result, "ttlMs")), Scope: rpc.Text(result, "cacheScope"),
		Next: rpc.Text(result, "nextCursor"),
	}
	entries := rpc.Member(result, listMember[method])
	switch kind := mrtr.Type(result); {
	case entries != nil && entries[0] == '[':
	case kind != "" && kind != "complete":
		l.Error = mrtr.Forbidden(method, kind)
	default:
		l.Error = "the result has no array \"" + listMember[method] + "\""
	}
	for _, raw := range rpc.Elements(entries) {
		it, reason := readItem(method, raw)
		if reason == "" && method == "tools/list" && mirrored {
			reason = headerFault(it.Raw)
		}
		if reason != "" {
			l.Rejected = append(l.Rejected, Rejected{Item: it, Reason: reason})
			continue
		}
		l.Items = append(l.Items, it)
	}
	return l
}

func (c *Conn) overHTTP() bool { return c.Transport == "http" || c.Transport == "http+sse" }

// readItem reads an entry; the reason says why it cannot be used.
func readItem(method string, raw []byte) (it Item, reason string) {
	it.Raw = bytes.Clone(raw)
	if raw[0] != '{' {
		return it, "the entry is not an object"
	}
	it.Name = rpc.Text(it.Raw, "name")
	it.Title = rpc.Text(it.Raw, "title")
	it.Description = rpc.Text(it.Raw, "description")
	switch method {
	case "resources/list":
		if it.URI = rpc.Text(it.Raw, "uri"); it.URI == "" {
			reason = "the entry has no \"uri\""
		}
	case "resources/templates/list":
		if it.URI = rpc.Text(it.Raw, "uriTemplate"); it.URI == "" {
			reason = "the entry has no \"uriTemplate\""
		}
	default:
		if it.Name == "" {
			reason = "the entry has no \"name\""
		}
	}
	return it, reason
}

// headerFault says why a tool's x-mcp-header annotations forbid its use over
// HTTP, "" where nothing does.
func headerFault(tool []byte) string {
	if _, err := header.Params(rpc.Member(tool, "inputSchema")); err != nil {
		return err.Error()
	}
	return ""
}
