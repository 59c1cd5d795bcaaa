package main

import (
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/text"
)

// safe makes text from a server fit for where it goes: for a terminal it is
// cleaned, to a pipe it passes untouched.
func (a *app) safe(s string) string {
	if terminal(a.Out) || terminal(a.Err) {
		return text.Clean(s)
	}
	return s
}

// narrator tells on standard error what goes on: progress, logs and the rounds
// of a call on a terminal, and what the server writes to its standard error.
func (a *app) narrator() func(trace.Event, *session.Session) {
	return func(e trace.Event, _ *session.Session) {
		if e.Stderr != nil && terminal(a.Err) {
			_, _ = a.Err.Write([]byte(text.Clean(string(e.Stderr.Bytes))))
		}
	}
}
