package main

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// guarded is a model whose commands may panic: that ends the program as any other
// fault does, and is told once the terminal is as it was. What Bubble Tea says of a
// command of its own account is written beside the program's end, and may come too
// late to be read.
type guarded struct {
	tea.Model
	fault chan<- error // takes the first
}

func (g guarded) Init() tea.Cmd { return g.guard(g.Model.Init()) }

func (g guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := g.Model.Update(msg)
	return guarded{m, g.fault}, g.guard(cmd)
}

func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				select {
				case g.fault <- faultOf(cause, debug.Stack()):
				default:
				}
				msg = nil
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.guard(batch[i])
			}
		}
		return msg
	}
}

// faultOf is the error of a panic.
func faultOf(cause any, stack []byte) error {
	return fmt.Errorf("a fault in mcptui: %v\n%s", cause, stack)
}
