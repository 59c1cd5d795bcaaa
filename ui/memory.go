package ui

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/schema"
	"mcptui/ui/catalogue"
)

// Memory is what is kept of one server between runs. What it returns it has at
// hand: the UI reads it while it draws. What it keeps it may write to a file.
type Memory interface {
	// Recent returns what was sent to an entry of the catalogue, newest first.
	Recent(entry string) []json.RawMessage
	// Remember keeps what was sent to an entry.
	Remember(entry string, value json.RawMessage) error
	// Roots returns the list that was given last; ok is false where none was.
	Roots() (roots []control.Root, ok bool)
	// KeepRoots keeps the list that was given.
	KeepRoots([]control.Root) error
}

// recent returns what was sent to an entry before, newest first: in this run,
// and in those before it.
func (m *Model) recent(entry string) [][]byte {
	var out [][]byte
	seen := map[string]bool{}
	add := func(value []byte) {
		if len(value) > 0 && !seen[string(value)] {
			seen[string(value)] = true
			out = append(out, value)
		}
	}
	for _, v := range m.sent[entry] {
		add(v)
	}
	if m.opts.Memory != nil {
		for _, v := range m.opts.Memory.Recent(entry) {
			add(v)
		}
	}
	return out
}

const keepRecent = 20 // of one entry

// remember keeps what is sent to an entry: for this run, and for the next ones
// where nothing in it is meant to stay secret.
func (m *Model) remember(kind catalogue.Kind, entry string, wanted []byte, value json.RawMessage) tea.Cmd {
	if m.sent == nil {
		m.sent = map[string][]json.RawMessage{}
	}
	old := m.sent[entry]
	m.sent[entry] = append([]json.RawMessage{value}, old[:min(len(old), keepRecent-1)]...)
	memory := m.opts.Memory
	if memory == nil || kind == catalogue.Resource || schema.Secretive(wanted, value) {
		return nil
	}
	return m.run(func() doneMsg { return doneMsg{err: memory.Remember(entry, value)} })
}
