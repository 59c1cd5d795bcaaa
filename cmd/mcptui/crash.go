//go:build !mcptui_crash

package main

import tea "charm.land/bubbletea/v2"

// crashHook and crashModel are empty but in builds that test what a panic
// leaves behind.
func crashHook(string) {}

func crashModel(m tea.Model) tea.Model { return m }
