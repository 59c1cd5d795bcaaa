package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/flow"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/headless"
)

// link is a connection of a headless command, with the fold of its log.
type link struct {
	conn    *client.Conn
	follow  *headless.Follower
	answers *answerer
	keys    []state.Key
	target  string
	end     func() // ends what the target needs
	record  *recording
}

func (a *app) dial(cmd *cobra.Command, t target, need dialFor) (*link, error) {
	o, end, err := a.clientOptions(cmd, t)
	if err != nil {
		return nil, err
	}
	keys, err := a.stateKeys()
	if err != nil {
		end()
		return nil, err
	}
	o.Rounds = need.rounds
	if o.Lists = need.lists; o.Lists == nil {
		o.Lists = []string{}
	}
	rec, err := a.openRecording(o.Target.Env)
	if err != nil {
		end()
		return nil, err
	}
	o.Log = trace.NewLog(time.Now, trace.Memory(int64(a.flags.memory)))
	conn, err := client.Dial(context.WithoutCancel(cmd.Context()), o)
	if err != nil {
		end()
		return nil, usage(err)
	}
	l := &link{conn: conn, keys: keys, end: end, record: rec}
	l.follow = headless.Follow(conn.Log(), a.narrator())
	rec.follow(conn.Log())
	return l, nil
}

// ready waits until calls can be made.
func (l *link) ready(ctx context.Context) error {
	err := l.conn.Ready(ctx)
	if err == nil {
		l.follow.Catch()
		return nil
	}
	l.follow.Catch()
	if ctx.Err() != nil {
		return fmt.Errorf("connect to %s: %w", l.name(), ctx.Err())
	}
	f := &failure{exit: exitConnect, kind: "connect", err: fmt.Errorf("connect to %s: %w%s", l.name(), err, l.lastWords())}
	var failed *client.Error
	if errors.As(err, &failed) {
		switch failed.Kind {
		case flow.NotMCP:
			f.exit, f.kind = exitProtocol, "protocol"
		case flow.Unauthorized:
			f.exit, f.kind = exitUnauthorized, "unauthorized"
		case flow.Timeout:
			f.exit, f.kind = exitTimeout, "timeout"
		}
	}
	return f
}

// lastWords is the end of what the server wrote to standard error.
func (l *link) lastWords() string {
	tail := bytes.TrimSpace(l.follow.Session.Stderr.Bytes)
	if len(tail) == 0 {
		return ""
	}
	const most = 5
	lines := bytes.Split(tail, []byte("\n"))
	lines = lines[max(0, len(lines)-most):]
	return "\nits last words on standard error:\n  " + string(bytes.Join(lines, []byte("\n  ")))
}

// close ends the connection in order, and the recording with it.
func (l *link) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := l.conn.Close(ctx)
	l.end()
	if err != nil {
		err = &failure{exit: exitConnect, kind: "connect", err: fmt.Errorf("close the connection to %s: %w", l.name(), err)}
	}
	return errors.Join(err, l.record.close(), l.conn.Log().Free())
}

// name is the server for messages.
func (l *link) name() string {
	c := &l.follow.Session.Conn
	return firstNonEmpty(c.Server.Name, c.Target, "the server")
}

func (l *link) overHTTP() bool {
	t := l.follow.Session.Conn.Transport
	return t == flow.HTTP || t == flow.SSE
}

// list waits for a list that is fetched on ready.
func (l *link) list(ctx context.Context, method string) (*session.List, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	list := l.follow.Session.Catalogue.List(method)
	err := l.follow.Until(ctx, func() (bool, error) {
		return list.Loaded && list.Next == "" || list.Error != "" || l.down(), nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s of %s: %w", method, l.name(), err)
	case list.Error != "":
		return nil, l.listFailed(method, list)
	case !list.Loaded:
		return nil, l.died(method)
	}
	return list, nil
}

func (l *link) listFailed(method string, list *session.List) error {
	f := &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("%s of %s: %s", method, l.name(), list.Error)}
	for i := len(l.follow.Session.Rows) - 1; i >= 0; i-- {
		if row := l.follow.Session.Rows[i]; row.Method == method && row.Kind == rpc.Failure {
			f.kind, f.code = "rpc", &row.Code
			break
		}
	}
	return f
}

func (l *link) down() bool {
	p := l.follow.Session.Conn.Phase
	return p == trace.PhaseExited || p == trace.PhaseFailed
}

func (l *link) died(method string) error {
	c := &l.follow.Session.Conn
	return &failure{exit: exitProtocol, kind: "protocol",
		err: fmt.Errorf("%s of %s: the server ended before it answered: %s%s", method, l.name(), c.Reason, l.lastWords())}
}

// simple makes a call that cannot ask, and returns its result.
func (l *link) simple(ctx context.Context, req control.Request) ([]byte, error) {
	req.Who = trace.Script
	r := headless.Runner{Conn: l.conn, Follow: l.follow, Answer: nobody{}}
	out, err := r.Run(ctx, req)
	if err != nil {
		return nil, err
	}
	if out.Call.Status != trace.Done {
		return nil, l.failed(out.Call, out.Failure)
	}
	return out.Result, nil
}

// nobody answers nothing.
type nobody struct{}

func (nobody) Answer(context.Context, *session.Ask) (control.Reply, error) {
	return control.Reply{}, headless.ErrNoAnswer
}

// failed is the error of a call that ended without a result.
func (l *link) failed(c *session.Call, rpcError []byte) error {
	what := fmt.Sprintf("%s of %s", c.Method, l.name())
	if c.Name != "" {
		what = fmt.Sprintf("%s %s of %s", c.Method, c.Name, l.name())
	}
	if r := c.LastRound(); r != nil && r.ID != "" {
		what += fmt.Sprintf(" (request %s)", r.ID)
	}
	f := &failure{exit: exitProtocol, kind: "protocol"}
	switch c.Status {
	case trace.Failed:
		body, ok := rpc.ReadError(rpcError)
		if ok {
			f.kind, f.code, f.data = "rpc", &body.Code, bytes.Clone(body.Data)
			f.err = fmt.Errorf("%s: the server answered with error %d: %s", what, body.Code, body.Message)
			return l.authorization(c, f)
		}
	case trace.TimedOut:
		f.exit, f.kind = exitTimeout, "timeout"
	case trace.Limited:
		f.exit, f.kind = exitInput, "input_required"
	case trace.Cancelled:
		f.exit, f.kind = exitInterrupted, "interrupted"
	case trace.Lost:
		f.err = fmt.Errorf("%s: %s%s", what, firstNonEmpty(c.Note, "the server was lost"), l.lastWords())
		return l.authorization(c, f)
	}
	f.err = fmt.Errorf("%s: %s", what, firstNonEmpty(c.Note, string(c.Status)))
	return l.authorization(c, f)
}

// authorization turns a failure into one of code 6 where the server's HTTP
// status says that it is.
func (l *link) authorization(c *session.Call, f *failure) error {
	for _, seq := range c.Frames {
		row := l.follow.Session.Rows[seq-1]
		if row.Status == http.StatusUnauthorized || row.Status == http.StatusForbidden {
			f.exit, f.kind = exitUnauthorized, "unauthorized"
		}
	}
	return f
}

// introduction is what the server said of itself, as it stood on the wire.
func (l *link) introduction() []byte {
	rows := l.follow.Session.Rows
	for i := len(rows) - 1; i >= 0; i-- {
		r := rows[i]
		if r.Kind == rpc.Result && r.Dir == trace.In && (r.Method == "server/discover" || r.Method == "initialize") {
			if raw, err := l.conn.Log().Body(r.Seq); err == nil {
				return rpc.Parse(raw).Result
			}
		}
	}
	return []byte("null")
}

// toolArguments types the arguments of a call by the tool's schema.
func (l *link) toolArguments(ctx context.Context, tool string, base json.RawMessage, args []argument) (json.RawMessage, error) {
	if !untyped(args) {
		return merge(base, args, nil)
	}
	list, err := l.list(ctx, "tools/list")
	if err != nil {
		return nil, fmt.Errorf("type the arguments of %s: %w", tool, err)
	}
	it, ok := list.Item(tool)
	if !ok {
		var names []string
		for _, it := range list.Items {
			names = append(names, it.Name)
		}
		return nil, usagef("%s has no tool %q%s", l.name(), tool, didYouMean(tool, names))
	}
	input := rpc.Member(it.Raw, "inputSchema")
	return merge(base, args, func(name, text string) (json.RawMessage, error) { return schema.Coerce(input, name, text) })
}

// untyped reports whether an argument has to be typed by a schema.
func untyped(args []argument) bool {
	for _, arg := range args {
		if !arg.raw {
			return true
		}
	}
	return false
}
