package ui

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/compare"
	"mcptui/ui/draw"
	"mcptui/ui/palette"
	"mcptui/ui/text"
)

// listings are the lists of the server as they were, and what changed in them
// when they were fetched again.
type listings struct {
	known   map[string][]compare.Entry // by the method that fetches them
	changes []listChange
	count   int // of all changes, also those that are not kept
}

// listChange is what differs between two fetches of one list.
type listChange struct {
	at                   time.Duration
	list                 string
	added, gone, altered int // entries that came, went, and changed
	rows                 []compare.Difference
}

// keepChanges is how many changes are kept; a server can tell of them for ever.
const keepChanges = 100

var listNames = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "templates",
}

// listed notes what changed where an event completes a list.
func (m *Model) listed(e trace.Event) {
	if e.Frame == nil || e.Frame.Dir != trace.In {
		return
	}
	row := m.row(e.Seq)
	l := m.sess.Catalogue.List(row.Method)
	if l == nil || row.Kind != rpc.Result || row.Call != 0 || l.Next != "" || l.Error != "" {
		return
	}
	now := entries(l)
	before, known := m.listings.known[row.Method]
	if m.listings.known == nil {
		m.listings.known = map[string][]compare.Entry{}
	}
	m.listings.known[row.Method] = now
	if !known || slices.EqualFunc(before, now, func(a, b compare.Entry) bool { return a.Key == b.Key && bytes.Equal(a.Raw, b.Raw) }) {
		return
	}
	c := listChange{at: e.At, list: listNames[row.Method], rows: compare.Lists(listNames[row.Method], before, now)}
	if len(c.rows) == 0 {
		return // another order is no change
	}
	c.count(before, now)
	m.listings.changes = append(m.listings.changes, c)
	m.listings.count++
	if n := len(m.listings.changes); n > keepChanges {
		m.listings.changes = m.listings.changes[n-keepChanges:]
	}
	if !m.size.Empty() && m.note.text == "" {
		m.say(c.String() + "; the palette shows what changed")
	}
}

func entries(l *session.List) []compare.Entry {
	out := make([]compare.Entry, 0, len(l.Items)+len(l.Rejected))
	for _, it := range l.Items {
		out = append(out, compare.Entry{Key: it.Key(), Raw: it.Raw})
	}
	for _, r := range l.Rejected {
		out = append(out, compare.Entry{Key: r.Key(), Raw: r.Raw})
	}
	return out
}

func (c *listChange) count(before, now []compare.Entry) {
	was := map[string][]byte{}
	for _, e := range before {
		was[e.Key] = e.Raw
	}
	for _, e := range now {
		raw, ok := was[e.Key]
		switch {
		case !ok:
			c.added++
		case !bytes.Equal(raw, e.Raw):
			c.altered++
		}
		delete(was, e.Key)
	}
	c.gone = len(was)
}

// String words a change: "tools changed: 1 new, 2 gone".
func (c *listChange) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{c.added, "new"}, {c.gone, "gone"}, {c.altered, "changed"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return "the " + c.list + " changed: " + strings.Join(parts, ", ")
}

// changeActs show what changed in the lists.
func (m *Model) changeActs(rows []palette.Row, acts []func(*Model) tea.Cmd) ([]palette.Row, []func(*Model) tea.Cmd) {
	for i := len(m.listings.changes) - 1; i >= 0; i-- {
		c := m.listings.changes[i]
		rows = append(rows, palette.Row{Name: "show what changed in the " + c.list + " at " + text.Duration(c.at)})
		acts = append(acts, func(m *Model) tea.Cmd {
			m.overlay = &comparison{view: compare.NewView("the "+c.list, "at "+text.Duration(c.at), c.rows)}
			return nil
		})
	}
	return rows, acts
}

// changeCount grows with what changeLines tell.
func (m *Model) changeCount() int {
	n := m.sess.Changed<<20 + m.listings.count<<2
	if m.sess.Listening != nil {
		n += 1 + m.sess.Listening.Seq<<40
	}
	return n
}

// changeLines tell what the server was asked to tell of, what it told, and what
// changed in its lists.
func (m *Model) changeLines(t *draw.Theme) []draw.Line {
	var out []draw.Line
	if l := m.sess.Listening; l != nil {
		out = append(out, draw.Line{}, draw.L(t.Bold, "it tells of changes, as it acknowledged"), draw.L(t.Text, "  "+text.CleanLine(string(l.Filter))))
	}
	if told := m.sess.Changes; len(told) > 0 {
		out = append(out, draw.Line{}, draw.L(t.Bold, "changes that it told of"))
		for _, c := range told[max(0, len(told)-shownChanges):] {
			out = append(out, draw.L(t.Faint, fmt.Sprintf("%8s  ", text.Duration(c.At))).With(t.Text, text.CleanLine(strings.TrimSpace(c.Method+" "+c.URI))))
		}
	}
	if all := m.listings.changes; len(all) > 0 {
		out = append(out, draw.Line{}, draw.L(t.Bold, "what changed in its lists"))
		for _, c := range all[max(0, len(all)-shownChanges):] {
			out = append(out, draw.L(t.Faint, fmt.Sprintf("%8s  ", text.Duration(c.at))).With(t.Text, c.String()))
			for _, r := range c.rows[:min(len(c.rows), shownChanges)] {
				out = append(out, changeLine(r, t))
			}
		}
	}
	return out
}

// shownChanges is how many changes the server's tab lists.
const shownChanges = 50

func changeLine(r compare.Difference, t *draw.Theme) draw.Line {
	const most = 200
	short := func(raw []byte) string { return text.CleanLine(string(raw[:min(len(raw), most)])) }
	path := text.CleanLine(r.Path)
	switch r.Op {
	case state.Added:
		return draw.L(t.Added, "          + "+path+"  "+short(r.After))
	case state.Removed:
		return draw.L(t.Removed, "          - "+path+"  "+short(r.Before))
	}
	return draw.L(t.Warn, "          ~ "+path+"  ").With(t.Removed, short(r.Before)).With(t.Faint, " ─▶ ").With(t.Added, short(r.After))
}
