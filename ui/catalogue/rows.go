// Package catalogue shows what a server offers: tools, prompts, resources and
// templates, with what is rejected set apart, and beside them what the selected
// one says of itself. Calls begin here; filling the arguments in is not its work.
package catalogue

import (
	"strings"

	"mcptui/client/session"
	"mcptui/ui/text"
)

// Kind is the list that an entry stands in.
type Kind int

// Kinds of entries, in the order they are shown.
const (
	Tool Kind = iota
	Prompt
	Resource
	Template
)

var kinds = []struct {
	plural string
	list   func(*session.Catalogue) *session.List
}{
	{"Tools", func(c *session.Catalogue) *session.List { return &c.Tools }},
	{"Prompts", func(c *session.Catalogue) *session.List { return &c.Prompts }},
	{"Resources", func(c *session.Catalogue) *session.List { return &c.Resources }},
	{"Templates", func(c *session.Catalogue) *session.List { return &c.Templates }},
}

// Method is what calls an entry of this kind.
func (k Kind) Method() string {
	switch k {
	case Tool:
		return "tools/call"
	case Prompt:
		return "prompts/get"
	}
	return "resources/read"
}

// row is one row of the list: a heading, an entry, or news about a list.
type row struct {
	kind     Kind
	heading  string // set on headings and news: nothing to select
	item     session.Item
	rejected string // why the entry must not be used
	twice    bool   // an entry before it has the same key
}

func (r row) selectable() bool { return r.heading == "" }

// same reports whether two rows are of one entry.
func (r row) same(o row) bool {
	return r.kind == o.kind && r.heading == o.heading && r.item.Key() == o.item.Key() && r.rejected == o.rejected
}

// rows lays the catalogue out, with the entries that a filter lets through.
func rows(c *session.Catalogue, filter string) []row {
	filter = strings.ToLower(filter)
	var out []row
	for i, k := range kinds {
		l := k.list(c)
		kind := Kind(i)
		if !l.Loaded || len(l.Items)+len(l.Rejected) == 0 && l.Error == "" {
			continue
		}
		var in []row
		seen := map[string]bool{}
		for _, it := range l.Items {
			if fits(it, filter) {
				in = append(in, row{kind: kind, item: it, twice: seen[it.Key()]})
			}
			seen[it.Key()] = true
		}
		for _, r := range l.Rejected {
			if fits(r.Item, filter) {
				in = append(in, row{kind: kind, item: r.Item, rejected: r.Reason})
			}
		}
		if len(in) == 0 && l.Error == "" {
			continue
		}
		out = append(out, row{kind: kind, heading: heading(k.plural, l)})
		if l.Error != "" {
			out = append(out, row{kind: kind, heading: "  ✖ " + text.CleanLine(l.Error)})
		}
		out = append(out, in...)
	}
	return out
}

func heading(plural string, l *session.List) string {
	h := plural
	if l.Next != "" {
		h += ", more to come"
	}
	if l.Stale {
		h += ", changed since"
	}
	return h
}

func fits(it session.Item, filter string) bool {
	return filter == "" || strings.Contains(strings.ToLower(it.Name+" "+it.Title+" "+it.URI+" "+it.Description), filter)
}

// best finds the row that a filter most likely means, -1 where there is none: the
// entry of that name, else the first whose name begins with it, else the first whose
// name holds it, else the first of all.
func best(rows []row, filter string) int {
	filter = strings.ToLower(filter)
	found, rank := -1, 0
	for i, r := range rows {
		if !r.selectable() {
			continue
		}
		name := strings.ToLower(r.item.Name)
		if name == "" {
			name = strings.ToLower(r.item.Key())
		}
		n := 1
		switch {
		case name == filter:
			return i
		case strings.HasPrefix(name, filter):
			n = 3
		case strings.Contains(name, filter):
			n = 2
		}
		if n > rank {
			found, rank = i, n
		}
	}
	return found
}
