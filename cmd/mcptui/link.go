package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/flow"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/headless"
)

// link is a connection of a headless command, with the fold of its log.
type link struct {
	conn     *client.Conn
	follow   *headless.Follower
	answers  *answerer
	keys     []state.Key
	target   string            // as it was named, until the server introduces itself
	maxFrame int               // bytes
	end      func()            // ends what the target needs
	faults   map[string]string // why lists were given up, by method
	record   *recording
	closing  func() (context.Context, context.CancelFunc)
	isHTTP   bool
}

// dial begins to connect to a server.
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
	a.tellUseless(cmd, o.Target)
	o.Rounds, o.AskRoots = need.rounds, need.answers != nil
	if o.Lists, o.Tool = need.lists, need.tool; o.Lists == nil {
		o.Lists = []string{} // nil would be all of them
	}
	rec, err := a.openRecording(o.Target.Env)
	if err != nil {
		end()
		return nil, err
	}
	a.secrets = trace.NewScreen(a.mask(o.Target.Env), o.Headers, firstNonEmpty(o.Target.URL, strings.Join(append([]string{o.Target.Command}, o.Target.Args...), " ")))
	o.Log = trace.NewLog(time.Now, trace.Memory(int64(a.flags.memory)))
	a.Signals.wait()
	conn, err := client.Dial(context.WithoutCancel(cmd.Context()), o)
	if err != nil {
		end()
		return nil, usage(err)
	}
	l := &link{conn: conn, answers: need.answers, keys: keys, target: targetName(o), maxFrame: o.MaxFrame, end: end, record: rec, closing: a.closing, faults: map[string]string{}}
	l.isHTTP = o.Target.URL != ""
	l.follow = headless.Follow(conn.Log(), a.narrator().hear)
	l.follow.Watch(func(e trace.Event, _ *session.Session) {
		if e.Act != nil && e.Act.Kind == trace.ActNote && e.Act.Name == "" { // what names an entry is about that entry
			l.faults[e.Act.Method] = e.Act.Note
		}
	})
	if l.answers != nil {
		l.follow.Attend(conn, l.answers)
	} else {
		l.follow.Attend(conn, nobody{})
	}
	rec.follow(conn.Log())
	return l, nil
}

// close ends the connection in order, and the recording with it.
func (l *link) close() error {
	ctx, cancel := l.closing()
	defer cancel()
	err := l.conn.Close(ctx)
	l.follow.Catch() // what the server wrote to standard error on its way out
	l.end()
	if err != nil {
		err = &failure{exit: exitConnect, kind: "connect", err: fmt.Errorf("close the connection to %s: %w", l.name(), err)}
	}
	return errors.Join(err, l.record.close(), l.conn.Log().Free())
}

// name is the server for messages.
func (l *link) name() string {
	c := &l.follow.Session.Conn
	return firstNonEmpty(c.Server.Name, c.Target, l.target)
}

// mirrors reports whether arguments are mirrored into headers.
func (l *link) mirrors() bool {
	c := &l.follow.Session.Conn
	return c.Transport == flow.HTTP && c.Era == trace.Modern
}

// list waits for a list that is fetched on ready.
func (l *link) list(ctx context.Context, method string) (*session.List, error) {
	return l.listUntil(ctx, method, func(*session.List) bool { return false })
}

// listUntil is list, but waits no longer than until there is enough of it.
func (l *link) listUntil(ctx context.Context, method string, enough func(*session.List) bool) (*session.List, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	if !l.declares(method) {
		return l.onePage(ctx, method, nil) // nothing fetched it: let the server say no itself
	}
	list := l.follow.Session.Catalogue.List(method)
	err := l.follow.Until(ctx, func() (bool, error) {
		return enough(list) || l.listed(method) || l.down(), nil
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", l.subject(method, "", l.lastRequest(method)), context.Cause(ctx))
	case err != nil:
		return nil, fmt.Errorf("%s of %s: %w", method, l.name(), err)
	case enough(list):
		return list, nil
	case list.Error != "":
		return nil, l.listFailed(method, list.Error)
	case l.faults[method] != "":
		return nil, l.listFailed(method, l.faults[method])
	case !list.Loaded || list.Next != "": // it died before the first page, or between two
		return nil, l.died(method)
	}
	return list, nil
}

// listed reports whether the whole list has come, or been given up.
func (l *link) listed(method string) bool {
	list := l.follow.Session.Catalogue.List(method)
	return list.Loaded && list.Next == "" || list.Error != "" || l.faults[method] != ""
}

// capabilityOf is what a server declares to have each list.
var capabilityOf = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts",
	"resources/list": "resources", "resources/templates/list": "resources",
}

func (l *link) declares(method string) bool {
	declared := l.follow.Session.Conn.Capabilities
	return declared == nil || rpc.Member(declared, capabilityOf[method]) != nil
}

// onePage fetches one page of a list, as a call of its own.
func (l *link) onePage(ctx context.Context, method string, params json.RawMessage) (*session.List, error) {
	result, err := l.simple(ctx, control.Request{Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	list := session.ReadList(method, result, l.mirrors())
	return &list, nil
}

func (l *link) down() bool {
	p := l.follow.Session.Conn.Phase
	return p == trace.PhaseExited || p == trace.PhaseFailed
}

// simple makes a call that cannot ask, and returns its result.
func (l *link) simple(ctx context.Context, req control.Request) ([]byte, error) {
	req.Who = trace.Script
	r := headless.Runner{Conn: l.conn, Follow: l.follow, Answer: nobody{}}
	out, err := l.run(ctx, &r, req)
	if err != nil {
		return nil, err
	}
	if out.Call.Status != trace.Done {
		return nil, l.failed(out.Call, out.Failure, "")
	}
	return out.Result, nil
}

// run makes a call. One that cannot be made any more, as the server has ended, fails
// as one whose answer does not come: which of them it is hangs on how fast we are.
func (l *link) run(ctx context.Context, r *headless.Runner, req control.Request) (*headless.Outcome, error) {
	out, err := r.Run(ctx, req)
	if l.follow.Catch(); err != nil && out == nil && l.down() {
		err = l.died(req.Method)
	}
	return out, err
}

// nobody answers nothing.
type nobody struct{}

func (nobody) Answer(context.Context, *session.Ask) (control.Reply, error) {
	return control.Reply{}, headless.ErrNoAnswer
}

// introduction is what the server said of itself, as it stood on the wire; nil
// where an era was pinned and the server did not introduce itself.
func (l *link) introduction() []byte {
	for r := range l.follow.Session.Rows.Backward() {
		if r.Kind == rpc.Result && r.Dir == trace.In && (r.Method == "server/discover" || r.Method == "initialize") {
			if raw, err := l.conn.Log().Body(r.Seq); err == nil {
				return rpc.Parse(raw).Result
			}
		}
	}
	return nil
}
