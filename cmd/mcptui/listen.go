package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

func newListen(a *app) *cobra.Command {
	var sub control.Subscription
	cmd := &cobra.Command{
		Use: "listen [--tools] [--prompts] [--resources] [--uri URI...] SERVER", Short: "Print change notifications, one a line, until interrupted",
		Example: "  mcptui listen --tools http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs\n  mcptui listen --uri town://menu --json http://127.0.0.1:8931/mcp",
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := a.onlyServer(cmd, args)
			if err != nil {
				return err
			}
			if !sub.Tools && !sub.Prompts && !sub.Resources && len(sub.URIs) == 0 {
				sub.Tools, sub.Prompts, sub.Resources = true, true, true
			}
			return a.listen(cmd, server, sub)
		},
	}
	a.dials(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&sub.Tools, "tools", false, "changes of the list of tools")
	fl.BoolVar(&sub.Prompts, "prompts", false, "changes of the list of prompts")
	fl.BoolVar(&sub.Resources, "resources", false, "changes of the list of resources")
	repeatable(fl, &sub.URIs, "uri", "updates of the resource at this `URI` (repeatable)")
	return cmd
}

// wanted reports whether a notification tells of a change that is subscribed to.
// A server of the handshake era tells of its lists unasked.
func wanted(sub control.Subscription, method string) bool {
	switch method {
	case "notifications/tools/list_changed":
		return sub.Tools
	case "notifications/prompts/list_changed":
		return sub.Prompts
	case "notifications/resources/list_changed":
		return sub.Resources
	case "notifications/resources/updated":
		return len(sub.URIs) > 0
	}
	return false
}

func (a *app) listen(cmd *cobra.Command, server target, sub control.Subscription) error {
	l, err := a.dial(cmd, server, dialFor{})
	if err != nil {
		return err
	}
	return errors.Join(a.hear(cmd.Context(), l, sub), l.close())
}

func (a *app) hear(ctx context.Context, l *link, sub control.Subscription) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	if err := l.conn.Listen(sub); err != nil {
		return &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("listen to %s: %w", l.name(), err)}
	}
	var failed error
	subscribed := subscriptions{left: len(sub.URIs), lists: sub.Tools || sub.Prompts || sub.Resources}
	l.follow.Watch(func(e trace.Event, s *session.Session) {
		if failed == nil {
			failed = a.tellChange(e, s, sub)
		}
		if failed == nil && e.Act != nil && e.Act.Kind == trace.ActNote {
			failed = a.tellRefusal(l, e.Act, &subscribed)
		}
	})
	a.tell("listening to %s", l.name())
	err := l.follow.Until(ctx, func() (bool, error) { return l.down(), failed })
	switch {
	case errors.Is(context.Cause(ctx), errOutputClosed):
		return errOutputClosed
	case ctx.Err() != nil: // the way that listening ends
		return quiet{asFailure(context.Cause(ctx)).exit}
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("listen to %s: %w", l.name(), err)
	}
	return &failure{exit: exitProtocol, kind: "protocol", lastWords: l.lastWords(), err: fmt.Errorf("listen to %s: the server ended: %s", l.name(), l.howItEnded())}
}

// subscriptions is what is left to listen for.
type subscriptions struct {
	left  int  // URIs, each of which a server of the handshake era may refuse
	lists bool // of which it tells unasked
}

// tellRefusal tells what becomes of a subscription, and fails where nothing is left
// of it that could ever be told.
func (a *app) tellRefusal(l *link, note *trace.Act, s *subscriptions) error {
	switch note.Method {
	case "subscriptions/listen":
		if note.Status != trace.Failed { // it is tried again
			a.tell("%s", note.Note)
			return nil
		}
	case "resources/subscribe":
		if s.left--; s.left > 0 || s.lists {
			a.tell("%s: %s", note.Method, note.Note)
			return nil
		}
	default:
		return nil
	}
	f := &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("listen to %s: %s: %s", l.name(), note.Method, note.Note)}
	for row := range l.follow.Session.Rows.Backward() {
		if row.Method != note.Method || row.Dir != trace.In {
			continue
		}
		raw, err := l.conn.Log().Body(row.Seq)
		if body, ok := rpc.ReadError(rpc.Member(raw, "error")); ok && err == nil {
			f.kind, f.code, f.data = "rpc", &body.Code, bytes.Clone(body.Data)
		}
		break
	}
	return f
}

// tellChange prints a notification of a change, and names what the server
// agreed to tell of.
func (a *app) tellChange(e trace.Event, s *session.Session, sub control.Subscription) error {
	if e.Frame == nil || e.Frame.Dir != trace.In {
		return nil
	}
	m := e.Frame.Message()
	switch {
	case m.Kind != rpc.Notification:
		return nil
	case m.Method == "notifications/subscriptions/acknowledged":
		a.tell("it will tell of %s", s.Listening.Filter)
		return nil
	case !wanted(sub, m.Method):
		return nil
	}
	if a.flags.json {
		var one bytes.Buffer
		if err := json.Compact(&one, e.Frame.Bytes); err != nil {
			return fmt.Errorf("write a notification: %w", err)
		}
		return a.printJSON(one.Bytes())
	}
	text := m.Method
	if uri := rpc.Text(m.Params, "uri"); uri != "" {
		text += " " + uri
	}
	return a.print(text + "\n")
}
