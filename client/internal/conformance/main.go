// Command conformance drives package client through the client scenarios of the
// official MCP conformance suite, by its public interface alone. The suite starts
// it with the URL of a server as the last argument and names the scenario in
// MCP_CONFORMANCE_SCENARIO. It is no client for people.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	if len(os.Args) < 2 {
		return errors.New("the URL of the server is missing")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	era := trace.Modern
	if v := os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"); v != "" && v < "2026-07-28" {
		era = trace.Legacy
	}
	conn, err := client.Dial(ctx, client.Options{
		Target: client.Target{URL: os.Args[len(os.Args)-1]}, Era: era, Name: "mcptui-conformance", Release: "1",
	})
	if err != nil {
		return err
	}
	d := &driver{Conn: conn, ctx: ctx, era: era}
	defer func() {
		if closed := conn.Close(ctx); err == nil {
			err = closed
		}
		if err != nil || os.Getenv("MCP_CONFORMANCE_TRACE") != "" {
			d.dump()
		}
	}()
	if err := conn.Ready(ctx); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if err := d.listed(); err != nil {
		return err
	}
	if play := scenarios[os.Getenv("MCP_CONFORMANCE_SCENARIO")]; play != nil {
		return play(d)
	}
	return d.useAll()
}

// driver is a client that needs no person.
type driver struct {
	*client.Conn
	ctx   context.Context
	era   trace.Era
	tools []session.Item
	other session.Catalogue
}

// listed waits for the lists that the server declares.
func (d *driver) listed() error {
	return d.Watch(d.ctx, func(s *session.Session) bool {
		var caps map[string]json.RawMessage
		if json.Unmarshal(s.Conn.Capabilities, &caps) != nil {
			return false
		}
		c := s.Catalogue
		for name, lists := range map[string][]session.List{
			"tools": {c.Tools}, "prompts": {c.Prompts}, "resources": {c.Resources, c.Templates},
		} {
			for _, l := range lists {
				if caps[name] != nil && (!l.Loaded || l.Next != "") {
					return false
				}
			}
		}
		d.tools, d.other = c.Tools.Items, c
		return d.era == trace.Modern || streamOpen(s)
	})
}

// streamOpen reports whether the standalone stream of the legacy era stands, or
// was refused: the suite's servers answer on whichever stream comes last.
func streamOpen(s *session.Session) bool {
	for r := range s.Rows.All() {
		if r.Part == session.PartHTTP && r.Method == http.MethodGet && r.Status != 0 {
			return true
		}
	}
	return false
}

// call calls a method, answers what it asks, and returns how it ended.
func (d *driver) call(method string, params any) (client.Outcome, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return client.Outcome{}, err
	}
	call, err := d.Call(control.Request{Method: method, Params: raw, Who: trace.Script})
	if err != nil {
		return client.Outcome{}, err
	}
	for {
		var ask *session.Ask
		if err := d.Watch(d.ctx, func(s *session.Session) bool {
			ask = nil
			if waiting := s.Waiting(); len(waiting) > 0 {
				one := *waiting[0]
				ask = &one
			}
			c := s.Call(call)
			return ask != nil || c != nil && c.Status.Final()
		}); err != nil {
			return client.Outcome{}, err
		}
		if ask == nil {
			return d.Wait(d.ctx, call)
		}
		if err := d.Answer(ask.ID, reply(ask), trace.Script); err != nil && !errors.Is(err, control.ErrNo) {
			return client.Outcome{}, err
		}
	}
}

// dump writes the wire to standard error, where the suite keeps it.
func (d *driver) dump() {
	for _, e := range d.Log().Since(0) {
		switch {
		case e.Frame != nil:
			fmt.Fprintf(os.Stderr, "%s %s %s\n", e.At, e.Frame.Dir, e.Frame.Bytes)
		case e.HTTP != nil:
			fmt.Fprintf(os.Stderr, "%s http %d %s %s %s %d %v %s\n", e.At, e.HTTP.Exchange, e.HTTP.Stage, e.HTTP.Method, e.HTTP.URL, e.HTTP.Status, e.HTTP.Headers, e.HTTP.Note)
		case e.Phase != nil:
			fmt.Fprintf(os.Stderr, "%s %s %s\n", e.At, e.Phase.Name, e.Phase.Reason)
		case e.Act != nil:
			fmt.Fprintf(os.Stderr, "%s %s %s\n", e.At, e.Act.Kind, e.Act.Note)
		}
	}
}
