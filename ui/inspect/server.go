package inspect

import (
	"fmt"
	"math/big"
	"strings"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// Server lays out the connection: each step of how it came about, what the
// server says of itself, its logs and its standard error.
func Server(sess *session.Session, t *draw.Theme) []draw.Line {
	c := &sess.Conn
	var out []draw.Line
	name := strings.TrimSpace(c.Server.Name + " " + c.Server.Version)
	if c.Server.Title != "" {
		name = c.Server.Title + " (" + name + ")"
	}
	if name != "" {
		out = append(out, draw.L(t.Bold, text.CleanLine(name)))
	}
	out = append(out, draw.L(t.Text, text.CleanLine(c.Transport+"  "+c.Target)))
	if c.PID != 0 {
		out = append(out, draw.L(t.Text, fmt.Sprintf("process %d", c.PID)))
	}
	out = append(out, draw.Line{}, draw.L(t.Bold, "steps"))
	for _, s := range c.Steps {
		line := draw.L(t.Faint, fmt.Sprintf("%8s  ", text.Duration(s.At)))
		out = append(out, append(line, phase(s.Phase, t)...))
	}
	if len(c.Supported) > 0 {
		out = append(out, draw.Line{}, draw.L(t.Bold, "versions that it lists"), draw.L(t.Text, text.CleanLine(strings.Join(c.Supported, ", "))))
	}
	if c.Instructions != "" {
		out = append(out, draw.Line{}, draw.L(t.Bold, "instructions"))
		out = append(out, prose(c.Instructions, t)...)
	}
	for _, doc := range []struct {
		name string
		raw  []byte
	}{{"the server's capabilities", c.Capabilities}, {"what this client declares", c.Declared}} {
		if doc.raw != nil {
			out = append(out, draw.Line{}, draw.L(t.Bold, doc.name))
			out = append(out, JSON(doc.raw, t)...)
		}
	}
	if n := len(sess.Logs); n > 0 {
		const shown = 200
		title := "logs"
		if before := sess.Logged - min(n, shown); before > 0 {
			title += fmt.Sprintf(" (%d before these are in the wire)", before)
		}
		out = append(out, draw.Line{}, draw.L(t.Bold, title))
		for _, l := range sess.Logs[max(0, n-shown):] {
			out = append(out, draw.L(level(t, l.Level), text.CleanLine(l.Level)+" ").With(t.Faint, text.CleanLine(l.Logger)+" ").With(t.Text, text.CleanLine(l.Text)))
		}
	}
	if len(sess.Stderr.Bytes) > 0 {
		title := "standard error"
		if sess.Stderr.Dropped > 0 {
			title += fmt.Sprintf(" (%s before it are in the wire)", text.Size(sess.Stderr.Dropped))
		}
		out = append(out, draw.Line{}, draw.L(t.Bold, title))
		for i, part := range sess.Stderr.Parts() {
			if i > 0 {
				out = append(out, draw.L(t.Faint, "── started again ──"))
			}
			out = append(out, prose(strings.TrimRight(string(part), "\n"), t)...)
		}
	}
	return out
}

func level(t *draw.Theme, l string) draw.Style {
	switch l {
	case "error", "critical", "alert", "emergency":
		return t.Bad
	case "warning":
		return t.Warn
	}
	return t.Note
}

func phase(p trace.Phase, t *draw.Theme) draw.Line {
	st := t.Text
	switch p.Name {
	case trace.PhaseReady:
		st = t.Good
	case trace.PhaseFailed, trace.PhaseExited:
		st = t.Bad
	}
	line := draw.L(st, text.CleanLine(string(p.Name)))
	rest := p.Reason
	if p.Era != "" {
		rest = string(p.Era) + " " + p.Version + "  " + rest
	}
	if p.Code != nil {
		rest += fmt.Sprintf("  exit code %d", *p.Code)
	}
	if p.Signal != "" {
		rest += "  signal " + p.Signal
	}
	return line.With(t.Text, "  "+text.CleanLine(rest))
}

// Bar draws progress as a bar of some columns, where it has a total.
func Bar(p *session.Progress, columns int, t *draw.Theme) draw.Line {
	done, ok1 := new(big.Float).SetString(p.Progress)
	total, ok2 := new(big.Float).SetString(p.Total)
	words := text.CleanLine(strings.TrimSpace(p.Progress + " of " + p.Total + "  " + p.Message))
	if !ok1 || !ok2 || total.Sign() <= 0 || done.Sign() < 0 || done.IsInf() || total.IsInf() {
		if p.Total == "" {
			words = text.CleanLine(strings.TrimSpace(p.Progress + "  " + p.Message))
		}
		return draw.L(t.Note, words)
	}
	part, _ := new(big.Float).Quo(done, total).Float64()
	n := min(columns, int(part*float64(columns)))
	return draw.L(t.Note, strings.Repeat("━", n)).With(t.Faint, strings.Repeat("─", columns-n)).With(t.Text, " "+words)
}
