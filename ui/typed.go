package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/ui/entry"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
)

// lineEntry is the line that is typed into at the bottom: a filter or a search.
// It takes effect while it is typed.
type lineEntry struct {
	line   entry.Line
	label  string
	before string
	set    func(m *Model, s string)
	open   bool         // Enter opens what is selected, too
	doc    *inspect.Doc // that is searched, nil for none
}

// startEntry begins to filter the list, or to search the text, that has the
// focus.
func (m *Model) startEntry() {
	switch {
	case m.place == atCall && m.focus == paneNow:
		m.search(&m.nowDoc)
	case m.place == atCall:
		m.focus = paneDetail
		m.search(&m.detailDoc)
	case m.tab == tabCatalogue:
		m.entry = &lineEntry{label: "/", before: m.catalogue.Filter, open: true,
			set: func(m *Model, s string) { m.catalogue.SetFilter(s, m.sess) }}
	case m.tab == tabWire && m.focus == paneDetail:
		m.search(&m.wireDoc)
	case m.tab == tabWire:
		m.entry = &lineEntry{line: entry.Selected(m.wire.Filter()), label: "filter: ", before: m.wire.Filter(),
			set: func(m *Model, s string) { _ = m.wire.SetFilter(s, m.sess) }} // the pane shows what is wrong with it
	case m.tab == tabServer:
		m.search(&m.serverDoc)
	}
}

func (m *Model) search(doc *inspect.Doc) {
	m.entry = &lineEntry{label: "search: ", set: func(_ *Model, s string) { doc.Search(s) }, doc: doc}
}

func (m *Model) entryKey(k tea.KeyPressMsg) tea.Cmd {
	e := m.entry
	switch k.String() {
	case "ctrl+c":
		return m.quit()
	case "esc":
		e.set(m, e.before)
		m.entry = nil
	case "enter":
		m.entry = nil
		if e.open { // found: the filter has done its work
			cmd := m.browse(keys.Open, k)
			e.set(m, "")
			return cmd
		}
		if e.doc != nil && e.doc.Missed() {
			m.say("not found in what is shown here: " + e.line.Value())
		}
	case "up", "down", "pgup", "pgdown":
		return m.browse(keys.Lookup(keys.List|keys.Document, k), k)
	default:
		if !e.line.Key(k) {
			if k.String() == "backspace" {
				m.entry = nil
			}
			return nil
		}
		e.set(m, e.line.Value())
	}
	return nil
}

// paste goes to whatever is typed into.
func (m *Model) paste(s string) {
	switch {
	case m.switching != nil:
	case m.overlay != nil:
		m.overlay.paste(m, s)
	case m.entry != nil:
		m.entry.line.Insert(s)
		m.entry.set(m, m.entry.line.Value())
	default:
		if p, _ := m.typing(); p != nil {
			p.Paste(s)
			m.swallowed(p)
		}
	}
}
