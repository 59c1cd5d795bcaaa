package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"mcptui/client"
	"mcptui/client/flow"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/text"
)

// ready waits until calls can be made.
func (l *link) ready(ctx context.Context) error {
	err := l.connected(ctx)
	l.follow.Catch()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("connect to %s: %w", l.name(), context.Cause(ctx))
	}
	f := &failure{exit: exitConnect, kind: "connect"}
	try := ""
	var failed *client.Error
	if errors.As(err, &failed) {
		switch failed.Kind {
		case flow.NotMCP:
			if !l.cutOff() { // else it died, and what it had begun to say is no answer
				f.exit, f.kind = exitProtocol, "protocol"
				l.refused(f)
			}
		case flow.Unauthorized:
			f.exit, f.kind = exitUnauthorized, "unauthorized"
		case flow.Timeout:
			f.exit, f.kind = exitTimeout, "timeout"
			try = "; raise --timeout and --probe-timeout if it is only slow"
		}
	}
	if slices.ContainsFunc(l.follow.Session.Conn.Steps, func(s session.Step) bool { return s.Name == trace.PhaseExited }) {
		try = "; run its command by itself to see why"
		if l.isHTTP {
			try = ""
		}
	}
	if long := l.tooLong(); long != "" {
		err, try = fmt.Errorf("%w: %s", err, long), ""
	}
	if status := l.lastStatus(); l.isHTTP && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) {
		try = ""
		err = fmt.Errorf("HTTP %d: is the path of the URL right? %w", status, err)
	}
	if f.kind == "rpc" && !strings.Contains(err.Error(), "; try ") {
		try = next(f, "")
	}
	stray := l.strayLines()
	if f.kind == "timeout" {
		stray = "" // it says so itself
	}
	f.err, f.lastWords = fmt.Errorf("connect to %s: %w%s%s", l.name(), err, try, stray), l.lastWords()
	return f
}

// lastStatus is the status of the last HTTP response, 0 for none.
func (l *link) lastStatus() int {
	for row := range l.follow.Session.Rows.Backward() {
		if row.Status != 0 {
			return row.Status
		}
	}
	return 0
}

// refused makes a failure to connect the JSON-RPC error that the server answered
// the handshake with, where that is the last that it said.
func (l *link) refused(f *failure) {
	for row := range l.follow.Session.Rows.Backward() {
		if row.Part != session.PartFrame || row.Dir != trace.In || row.Kind == rpc.Notification {
			continue
		}
		if row.Kind != rpc.Failure || row.Method != "initialize" && row.Method != "server/discover" {
			return
		}
		raw, err := l.conn.Log().Body(row.Seq)
		if err != nil {
			return
		}
		if body, ok := rpc.ReadError(rpc.Answer(raw, row.ID).Error); ok {
			f.kind, f.code, f.data = "rpc", &body.Code, bytes.Clone(body.Data)
		}
		return
	}
}

// cutOff reports whether the last that came was cut off: a line without its end, on
// a byte stream that ended, or an HTTP exchange that broke off.
func (l *link) cutOff() bool {
	for _, e := range slices.Backward(everything(l.conn.Log())) {
		switch f, h := e.Frame, e.HTTP; {
		case h != nil && (h.Stage == trace.HTTPFailed || h.Stage == trace.HTTPEnd):
			return h.Stage == trace.HTTPFailed
		case f != nil && f.Dir == trace.In && f.Exchange == 0:
			return f.Post != nil && len(f.Post) == 0
		}
	}
	return false
}

// connected waits for the connection, and follows its log meanwhile: what a
// server that does not come up writes to standard error says why.
func (l *link) connected(ctx context.Context) error {
	up := make(chan error, 1)
	waiting, stop := context.WithCancel(ctx)
	go func() { up <- l.conn.Ready(ctx); stop() }() // ends with the wait, below
	_ = l.follow.Until(waiting, func() (bool, error) { return false, nil })
	return <-up
}

// lastWords is the end of what the server wrote to standard error since it was started
// last.
func (l *link) lastWords() string {
	tail := bytes.TrimSpace(l.follow.Session.Stderr.Latest())
	if len(tail) == 0 {
		return ""
	}
	const most = 5
	lines := bytes.Split(tail, []byte("\n"))
	lines = lines[max(0, len(lines)-most):]
	return "\nits last words on standard error:\n  " + string(bytes.Join(lines, []byte("\n  ")))
}

// strayLines names what came where messages were due: a banner or a log line on
// standard output is a common reason for a connection that does not come about.
// What came inside an HTTP exchange is a body, and told as one.
func (l *link) strayLines() string {
	n, last := 0, ""
	for row := range l.follow.Session.Rows.All() {
		if row.Part == session.PartNoise && row.Exchange == 0 {
			n, last = n+1, row.Text
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\nit also wrote %s where messages are due, the last: %s", text.Count(n, "line"), strings.TrimSpace(last))
}

// subject names a request for messages: the method, what it is about, the
// server, the request's id.
func (l *link) subject(method, name string, id rpc.ID) string {
	what := method
	if name != "" {
		what += " " + name
	}
	what += " of " + l.name()
	if id != "" {
		what += fmt.Sprintf(" (request %s)", id)
	}
	return what
}

func (l *link) listFailed(method, why string) error {
	f := &failure{exit: exitProtocol, kind: "protocol"}
	id := l.lastRequest(method)
	reason, exchanges := plainReason(why, method, "", id), map[int]bool{}
	for row := range l.follow.Session.Rows.Backward() {
		if row.Method != method || row.ID != id {
			continue
		}
		if row.Kind == rpc.Failure {
			f.kind, f.code = "rpc", &row.Code
			if raw, err := l.conn.Log().Body(row.Seq); err == nil {
				if body, ok := rpc.ReadError(rpc.Answer(raw, id).Error); ok {
					f.data, reason = bytes.Clone(body.Data), answered(body)
				}
			}
		}
		exchanges[row.Exchange] = true
	}
	if l.denied(exchanges) {
		f.exit, f.kind = exitUnauthorized, "unauthorized"
	}
	if f.kind == "protocol" && strings.HasPrefix(why, "no answer to ") {
		f.exit, f.kind = exitTimeout, "timeout"
	}
	try := next(f, method)
	if long := l.tooLong(); long != "" {
		reason, try = long, ""
	}
	f.err = fmt.Errorf("%s: %s%s", l.subject(method, "", id), reason, try)
	return f
}

// lastRequest is the id of the last request of a method, "" for none.
func (l *link) lastRequest(method string) rpc.ID {
	for row := range l.follow.Session.Rows.Backward() {
		if row.Method == method && row.Part == session.PartFrame {
			return row.ID
		}
	}
	return ""
}

func answered(body rpc.ErrorBody) string {
	return fmt.Sprintf("the server answered with error %d: %s", body.Code, body.Message)
}

// died is that the server ended while a list was waited for.
func (l *link) died(method string) error {
	f := &failure{exit: exitProtocol, kind: "protocol", lastWords: l.lastWords()}
	f.err = fmt.Errorf("%s: the server ended before it answered: %s%s",
		l.subject(method, "", l.lastRequest(method)), l.howItEnded(), next(f, method))
	return f
}

// howItEnded is why the connection is at its end, with the code or the signal where
// the server was a process.
func (l *link) howItEnded() string {
	c := &l.follow.Session.Conn
	switch {
	case c.Signal != "":
		return c.Reason + " (" + c.Signal + ")"
	case c.Code != nil:
		return fmt.Sprintf("%s (code %d)", c.Reason, *c.Code)
	}
	return c.Reason
}

// failed is the error of a call that ended without a result. Meant, where it is not
// empty, says what to try.
func (l *link) failed(c *session.Call, rpcError []byte, meant string) error {
	id := lastID(c)
	f := &failure{exit: exitProtocol, kind: "protocol"}
	reason := plainReason(c.Note, c.Method, c.Name, id)
	switch c.Status {
	case trace.Failed:
		if body, ok := rpc.ReadError(rpcError); ok {
			f.kind, f.code, f.data = "rpc", &body.Code, bytes.Clone(body.Data)
			reason = answered(body)
		} else if rpcError != nil {
			reason = "the server answered with an error that has not the shape of one: " + shorten(rpcError)
		}
	case trace.TimedOut:
		f.exit, f.kind = exitTimeout, "timeout"
	case trace.Limited:
		f.exit, f.kind = exitInput, "input_required"
	case trace.Cancelled:
		f.exit, f.kind = exitInterrupted, "interrupted"
	case trace.Lost:
		reason, f.lastWords = firstNonEmpty(reason, "the server was lost"), l.lastWords()
	}
	long := l.tooLong()
	if long != "" {
		reason = long
	}
	exchanges := map[int]bool{}
	for _, seq := range c.Frames {
		exchanges[l.follow.Session.Rows.Row(seq).Exchange] = true
	}
	if l.denied(exchanges) {
		f.exit, f.kind = exitUnauthorized, "unauthorized"
	}
	try := firstNonEmpty(meant, next(f, c.Method))
	if long != "" {
		try = "" // it says so itself
	}
	f.err = fmt.Errorf("%s: %s%s%s", l.subject(c.Method, c.Name, id), firstNonEmpty(reason, string(c.Status)), try, l.unasked(c))
	return f
}

// lastID is the id of a call's last request.
func lastID(c *session.Call) rpc.ID {
	if r := c.LastRound(); r != nil {
		return r.ID
	}
	return ""
}

// shorten keeps of raw JSON what fits a message.
func shorten(raw []byte) string {
	const most = 300
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}

// tooLong names a message that was too long to be kept whole, "" where none was.
func (l *link) tooLong() string {
	if size := l.longest(); size > l.maxFrame {
		return fmt.Sprintf("a message of %d bytes came, more than --max-frame lets through (%d); raise --max-frame", size, l.maxFrame)
	}
	return ""
}

// unasked names what came while a call waited in vain and answers no request: the
// answer may be among it.
func (l *link) unasked(c *session.Call) string {
	if c.Status != trace.TimedOut {
		return ""
	}
	ids, n := []string{}, 0
	for row := range l.follow.Session.Rows.All() {
		if row.Part == session.PartFrame && row.Dir == trace.In && (row.Kind == rpc.Result || row.Kind == rpc.Failure) && row.Pair == 0 {
			if n++; len(ids) < 3 {
				ids = append(ids, shorten([]byte(row.ID)))
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\nit sent %s to no request of ours, with the id %s", text.Count(n, "response"), strings.Join(ids, ", "))
}

// longest is the size of the longest message that came: what is cut cannot be
// read, and so belongs to no call for certain.
func (l *link) longest() int {
	size := 0
	for row := range l.follow.Session.Rows.All() {
		if row.Part == session.PartFrame && row.Dir == trace.In {
			size = max(size, row.Size)
		}
	}
	return size
}

// plainReason is the reason of a request's end without what subject says.
func plainReason(why, method, name string, id rpc.ID) string {
	label := fmt.Sprintf("%s (id %s)", strings.TrimSpace(method+" "+name), id)
	return strings.Replace(strings.TrimPrefix(why, label+": "), " to "+label, "", 1)
}

// denied reports whether one of these HTTP exchanges ended for want of authorization.
func (l *link) denied(exchanges map[int]bool) bool {
	for row := range l.follow.Session.Rows.Backward() {
		if row.Exchange != 0 && exchanges[row.Exchange] && (row.Status == http.StatusUnauthorized || row.Status == http.StatusForbidden) {
			return true
		}
	}
	return false
}
