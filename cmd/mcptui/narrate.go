package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/text"
)

// narrator tells on standard error what goes on while a command works: what the
// server writes to its own standard error, its logs, progress, and on a terminal
// each round of a call as it goes.
type narrator struct {
	out      io.Writer
	terminal bool
	hide     func(string) string // masks secrets; on a terminal only
	rest     []byte              // of a character that the server's next piece completes
	open     bool                // what the server wrote last has not ended its line
	last     time.Duration
}

// between is how often progress is told at most, in the session's time.
const between = 100 * time.Millisecond

func (a *app) narrator() *narrator {
	a.narrates = &narrator{out: a.Err, terminal: terminal(a.Err), hide: a.secrets.Text}
	return a.narrates
}

// fresh ends a line of the server's, so that a line of ours does not go on in it.
func (n *narrator) fresh() {
	if n != nil && n.open {
		_, _ = io.WriteString(n.out, "\n")
		n.open = false
	}
}

// hear is told of each event once it is folded.
func (n *narrator) hear(e trace.Event, s *session.Session) {
	if e.Phase != nil && e.Phase.Name == trace.PhaseExited {
		n.fresh() // what it was started again writes is no end of that line
	}
	if e.Stderr != nil {
		n.pass(e.Stderr.Bytes)
		return
	}
	told := n.words(e, s)
	switch {
	case told == "":
	case n.terminal:
		n.fresh()
		_, _ = io.WriteString(n.out, text.CleanLine(n.hide(told))+"\n")
	default:
		n.fresh()
		_, _ = io.WriteString(n.out, told+"\n")
	}
}

// pass hands the server's standard error on. It comes in pieces that may end
// within a character.
func (n *narrator) pass(piece []byte) {
	n.open = len(piece) > 0 && piece[len(piece)-1] != '\n'
	if !n.terminal {
		_, _ = n.out.Write(piece)
		return
	}
	piece = append(n.rest, piece...)
	whole := len(piece)
	for i := 1; i <= min(utf8.UTFMax-1, len(piece)); i++ {
		if start := len(piece) - i; utf8.RuneStart(piece[start]) {
			if !utf8.FullRune(piece[start:]) {
				whole = start
			}
			break
		}
	}
	_, _ = io.WriteString(n.out, text.Clean(n.hide(string(piece[:whole]))))
	n.rest = append([]byte(nil), piece[whole:]...)
}

// words puts an event into words, "" where nobody who waits wants to know of it.
func (n *narrator) words(e trace.Event, s *session.Session) string {
	row := s.Rows.Row(e.Seq)
	c := s.Call(row.Call)
	switch {
	case e.Phase != nil && e.Phase.Name == trace.PhaseReconnecting:
		return "reconnecting: " + e.Phase.Reason
	case e.Act != nil && e.Act.Kind == trace.ActWait && n.terminal:
		return "waiting: " + e.Act.Note
	case e.Frame == nil:
		return ""
	case row.Method == "notifications/message":
		last := s.Logs[len(s.Logs)-1]
		return "log " + last.Level + ": " + last.Text
	case c == nil:
		return ""
	case row.Method == "notifications/progress" && c.Last != nil:
		return n.progress(e.At, c.Last)
	case n.terminal:
		return round(e, row, c)
	}
	return ""
}

func (n *narrator) progress(at time.Duration, p *session.Progress) string {
	if n.last != 0 && at-n.last < between && p.Progress != p.Total {
		return ""
	}
	n.last = at
	told := "progress " + p.Progress
	if p.Total != "" {
		told += "/" + p.Total
	}
	return strings.TrimSpace(told + " " + p.Message)
}

// round tells of the beginning of a round, and of its end where that is an ask.
func round(e trace.Event, row session.Row, c *session.Call) string {
	last := c.LastRound()
	switch {
	case e.Frame.Cause.Why == trace.WhyCall, e.Frame.Cause.Why == trace.WhyRetry:
		return fmt.Sprintf("round %d: request %s", row.Round, row.ID)
	case row.Dir == trace.In && c.Status == trace.Asking && len(last.Asks) > 0:
		return fmt.Sprintf("round %d: the server asks after %v", last.N, (last.Turned - last.Begun).Round(time.Millisecond))
	}
	return ""
}
