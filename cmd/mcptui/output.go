package main

import (
	"fmt"
	"io"
	"strings"
	"time"

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

// narrator tells a person what goes on while a command works: progress, logs,
// each round of a call, and what the server writes to its standard error. Where
// standard error is no terminal it passes the server's on, and nothing else.
func (a *app) narrator() func(trace.Event, *session.Session) {
	tty := terminal(a.Err)
	return func(e trace.Event, s *session.Session) {
		switch {
		case e.Stderr != nil && tty:
			_, _ = io.WriteString(a.Err, text.Clean(string(e.Stderr.Bytes)))
		case e.Stderr != nil:
			_, _ = a.Err.Write(e.Stderr.Bytes)
		case tty:
			if told := tell(e, s); told != "" {
				_, _ = io.WriteString(a.Err, text.CleanLine(told)+"\n")
			}
		}
	}
}

// tell puts an event into words, where a person who waits wants to know of it.
func tell(e trace.Event, s *session.Session) string {
	row := s.Rows[e.Seq-1]
	c := s.Call(row.Call)
	switch {
	case e.Phase != nil && e.Phase.Name == trace.PhaseReconnecting:
		return "reconnecting: " + e.Phase.Reason
	case e.Act != nil && e.Act.Kind == trace.ActWait:
		return "waiting: " + e.Act.Note
	case e.Frame == nil || c == nil && row.Method != "notifications/message":
		return ""
	case row.Method == "notifications/progress" && c.Last != nil:
		return strings.TrimSpace(fmt.Sprintf("progress %s %s", share(c.Last), c.Last.Message))
	case row.Method == "notifications/message":
		last := s.Logs[len(s.Logs)-1]
		return "log " + last.Level + ": " + last.Text
	case e.Frame.Cause.Why == trace.WhyRetry:
		return fmt.Sprintf("round %d: request %s", row.Round, row.ID)
	case row.Dir == trace.In && c.Status == trace.Asking && len(c.LastRound().Asks) > 0:
		return fmt.Sprintf("round %d: the server asks after %v", c.LastRound().N, (c.LastRound().Turned - c.LastRound().Begun).Round(time.Millisecond))
	}
	return ""
}

func share(p *session.Progress) string {
	if p.Total != "" {
		return p.Progress + "/" + p.Total
	}
	return p.Progress
}
