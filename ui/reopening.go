package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/catalogue"
)

// argumentsOf opens the form of a call's arguments, filled in as they were, to
// call anew with others.
func (m *Model) argumentsOf(c *session.Call) tea.Cmd {
	if m.opts.Control == nil {
		m.fail(errRecording)
		return nil
	}
	list, kind := &m.sess.Catalogue.Tools, catalogue.Tool
	if c.Method == "prompts/get" {
		list, kind = &m.sess.Catalogue.Prompts, catalogue.Prompt
	}
	it, ok := list.Item(c.Name)
	wanted := takes(kind, it)
	if !ok || wanted == nil || c.Method != "tools/call" && c.Method != "prompts/get" {
		m.say("this call takes no arguments; r runs it again")
		return nil
	}
	f := m.newArgs(kind, it, "", wanted)
	if given := rpc.Member(c.Params, "arguments"); len(given) > 0 && given[0] == '{' {
		f.panel.Edit = m.form(wanted, given)
	}
	m.arg = entryOf(kind, it)
	m.args[m.arg], m.place = f, atArgs
	return nil
}
