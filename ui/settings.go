package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/ui/palette"
)

// connectionActs are the acts on the connection that have no key of their own.
func (m *Model) connectionActs(rows []palette.Row, acts []func(*Model) tea.Cmd) ([]palette.Row, []func(*Model) tea.Cmd) {
	add := func(name string, f func(control.Controller) error, said string) {
		rows = append(rows, palette.Row{Name: name})
		acts = append(acts, func(m *Model) tea.Cmd {
			return m.do(func(c control.Controller) doneMsg { return doneMsg{err: f(c), said: said} })
		})
	}
	add("fetch every list again", func(c control.Controller) error { return c.Refresh() }, "fetching")
	rows = append(rows, palette.Row{Name: "connect again without ending the child"})
	acts = append(acts, (*Model).reconnect)
	for _, level := range []string{"debug", "info", "warning", "error", ""} {
		name := "ask for logs: " + level
		if level == "" {
			name = "ask for no logs"
		}
		add(name, func(c control.Controller) error { return c.Set(control.Setting{LogLevel: &level}) }, name)
	}
	add("listen for changes of the lists", func(c control.Controller) error {
		return c.Listen(control.Subscription{Tools: true, Prompts: true, Resources: true})
	}, "listening")
	return rows, acts
}
