package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/lint"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

func newLint(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "lint RECORDING | SERVER", Short: "Print findings about a recording or a server, worst first",
		Long: `Print what breaks the protocol, or is a fault that real servers show, worst
first. A server is connected to and its lists are fetched; no tool is called.
The exit code is 1 where a finding is an error.`,
		Example: "  mcptui lint\n  mcptui lint session.jsonl\n  mcptui lint --json http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 0)
			if err != nil {
				return err
			}
			named := server.url != "" || server.command != nil || server.config != "" || cmd.Flags().Changed("profile")
			switch {
			case len(mine) > 1 || len(mine) == 1 && named:
				return usagef("lint takes a recording or a server, got %q beside another", mine[0])
			case len(mine) == 1:
				cmd.Flags().Visit(func(f *pflag.Flag) {
					if f.Name != "json" {
						a.tell("--%s has no effect: a recording is only read", f.Name)
					}
				})
				events, damage := readRecording(mine[0])
				if len(events) == 0 && damage != nil {
					return damage
				}
				a.tell("looked at a recording of %d events", len(events))
				if damage != nil {
					return a.failWith(damage, findings(events))
				}
				return a.printFindings(events)
			}
			return a.lintServer(cmd, server)
		},
	}
	return a.dials(cmd)
}

// lintServer connects, lets the lists come, and looks at all that crossed the
// wire, the end of the connection included.
func (a *app) lintServer(cmd *cobra.Command, server target) error {
	l, err := a.dial(cmd, server, dialFor{lists: []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"}})
	if err != nil {
		return err
	}
	failed := l.ready(cmd.Context())
	if failed == nil {
		failed = l.allLists(cmd.Context())
	}
	events := everything(l.conn.Log())
	looked := l.lookedAt()
	failed, lost := apart(errors.Join(failed, l.close()))
	a.tell("%s", looked)
	if failed == nil {
		return errors.Join(lost, a.printFindings(events))
	}
	return errors.Join(lost, a.failWith(failed, findings(events))) // what was seen until then may well say why
}

// failWith fails, but with what was found until then.
func (a *app) failWith(failed error, found []lint.Finding) error {
	if !a.flags.json {
		return errors.Join(failed, a.print(findingsText(found)))
	}
	f := asFailure(failed)
	doc, err := findingsJSON(found)
	f.data = doc
	return errors.Join(f, err)
}

// lookedAt says what lint had before it, so that nobody takes a server whose tools
// were not called for one that is found good.
func (l *link) lookedAt() string {
	introduction := ""
	for r := range l.follow.Session.Rows.Backward() {
		if r.Kind == rpc.Result && r.Dir == trace.In && (r.Method == "server/discover" || r.Method == "initialize") {
			introduction = r.Method
			break
		}
	}
	lists, entries := 0, 0
	for method := range members {
		if list := l.follow.Session.Catalogue.List(method); list.Loaded && list.Error == "" {
			lists++
			entries += len(list.Items) + len(list.Rejected)
		}
	}
	if introduction == "" && lists == 0 {
		return "looked at how the connection to " + l.name() + " failed: neither an introduction nor a list came; no tool was called"
	}
	return fmt.Sprintf("looked at %s of %s, and at %d lists with %d entries; no tool was called", firstNonEmpty(introduction, "no introduction"), l.name(), lists, entries)
}

// allLists waits until every list that the server declares has come, or failed.
func (l *link) allLists(ctx context.Context) error {
	missing := func() string { // the first that has not come
		for _, method := range slices.Sorted(maps.Keys(members)) {
			if l.declares(method) && !l.listed(method) {
				return method
			}
		}
		return ""
	}
	err := l.follow.Until(ctx, func() (bool, error) { return l.down() || missing() == "", nil })
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.subject(missing(), "", l.lastRequest(missing())), err)
	}
	return nil
}

// everything returns all events of a log.
func everything(log *trace.Log) []trace.Event {
	var all []trace.Event
	for {
		some := log.Since(len(all))
		if len(some) == 0 {
			return all
		}
		all = append(all, some...)
	}
}

// finding is one finding as --json prints it.
type finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Frame    int    `json:"frame,omitempty"`
	Call     int    `json:"call,omitempty"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`
	Section  string `json:"section,omitempty"`
}

// findings are those of all rules, worst first.
func findings(events []trace.Event) []lint.Finding {
	linter := lint.New()
	for _, e := range events {
		linter.Apply(e)
	}
	found := slices.Clone(linter.Findings())
	slices.SortStableFunc(found, func(x, y lint.Finding) int { return cmp.Compare(x.Severity.Rank(), y.Severity.Rank()) })
	return found
}

func (a *app) printFindings(events []trace.Event) error {
	found := findings(events)
	if err := a.writeFindings(found); err != nil {
		return err
	}
	if len(found) > 0 && found[0].Severity == lint.Error {
		return quiet{exitToolError}
	}
	return nil
}

func (a *app) writeFindings(found []lint.Finding) error {
	if !a.flags.json {
		return a.print(findingsText(found))
	}
	doc, err := findingsJSON(found)
	if err != nil {
		return err
	}
	return a.printJSON(doc)
}

func findingsJSON(found []lint.Finding) ([]byte, error) {
	list := []finding{}
	for _, f := range found {
		list = append(list, finding{f.Rule, string(f.Severity), f.Frame, f.Call, f.Path, f.Message, f.Section.String()})
	}
	raw, err := encode(map[string]any{"findings": list})
	if err != nil {
		return nil, fmt.Errorf("write findings: %w", err)
	}
	return raw, nil
}

func findingsText(found []lint.Finding) string {
	if len(found) == 0 {
		return "no findings\n"
	}
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%-7s  frame %-4d %s", f.Severity, f.Frame, f.Message)
		if f.Path != "" {
			fmt.Fprintf(&b, "  at %s", f.Path)
		}
		fmt.Fprintf(&b, "\n         %s, %s\n", f.Rule, f.Section)
	}
	return b.String()
}
