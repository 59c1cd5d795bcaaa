//go:build mcptui_crash

package main

import (
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
)

// crashHook panics a moment after the place that MCPTUI_CRASH names is reached.
// Only binaries of the tests are built with it.
func crashHook(place string) {
	if os.Getenv("MCPTUI_CRASH") == place {
		time.Sleep(300 * time.Millisecond)
		panic("a crash on purpose in " + place)
	}
}

// crashModel panics in Update, or in a command, at the first key.
func crashModel(m tea.Model) tea.Model { return crashing{m} }

type crashing struct{ tea.Model }

func (c crashing) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		crashHook("update")
		if os.Getenv("MCPTUI_CRASH") == "command" {
			return c, func() tea.Msg { crashHook("command"); return nil }
		}
	}
	m, cmd := c.Model.Update(msg)
	return crashing{m}, cmd
}
