package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
)

// members names the array of each list's document.
var members = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts",
	"resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

func newList(a *app, name, method, short string) *cobra.Command {
	var page string
	cmd := &cobra.Command{
		Use: name + " SERVER", Short: short,
		Example: "  mcptui " + name + "\n  mcptui " + name + " --json http://127.0.0.1:3000/mcp",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 0)
			if err != nil {
				return err
			}
			if len(mine) > 0 {
				return usagef("%s takes only a server, got %q; a command goes behind --", name, mine[0])
			}
			if cmd.Flags().Changed("page") {
				return a.listPage(cmd, server, method, page)
			}
			return a.listAll(cmd, server, method)
		},
	}
	a.dials(cmd)
	cmd.Flags().StringVar(&page, "page", "", "fetch only the page at this `CURSOR` (empty for the first)")
	return cmd
}

func (a *app) listAll(cmd *cobra.Command, server target, method string) error {
	l, err := a.dial(cmd, server, dialFor{lists: []string{method}})
	if err != nil {
		return err
	}
	list, err := l.list(cmd.Context(), method)
	if err == nil {
		err = a.printList(method, list, nil)
	}
	return errors.Join(err, l.close())
}

// listPage fetches one page, as a call of its own, so that it is shown as the
// server gave it.
func (a *app) listPage(cmd *cobra.Command, server target, method, cursor string) error {
	var params json.RawMessage
	if cursor != "" {
		params = rpc.Object(rpc.Field{Name: "cursor", Raw: rpc.Quote(cursor)})
	}
	l, err := a.dial(cmd, server, dialFor{})
	if err != nil {
		return err
	}
	return errors.Join(a.onePage(cmd.Context(), l, method, params), l.close())
}

func (a *app) onePage(ctx context.Context, l *link, method string, params json.RawMessage) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	result, err := l.simple(ctx, control.Request{Method: method, Params: params})
	if err != nil {
		return err
	}
	list := session.ReadList(method, result, l.overHTTP())
	return a.printList(method, &list, rpc.Member(result, "nextCursor"))
}

func (a *app) printList(method string, list *session.List, next []byte) error {
	if !a.flags.json {
		return a.print([]byte(a.safe(listText(list))))
	}
	items := []byte{'['}
	for i, it := range list.Items {
		if i > 0 {
			items = append(items, ',')
		}
		items = append(items, it.Raw...)
	}
	var rejected []byte
	for _, r := range list.Rejected {
		if rejected == nil {
			rejected = []byte{'['}
		} else {
			rejected = append(rejected, ',')
		}
		rejected = append(rejected, rpc.Object(
			rpc.Field{Name: "reason", Raw: rpc.Quote(r.Reason)}, rpc.Field{Name: "entry", Raw: r.Raw})...)
	}
	if rejected != nil {
		rejected = append(rejected, ']')
	}
	return a.printJSON(rpc.Object(
		rpc.Field{Name: members[method], Raw: append(items, ']')},
		rpc.Field{Name: "rejected", Raw: rejected},
		rpc.Field{Name: "nextCursor", Raw: next}))
}

func listText(list *session.List) string {
	var b strings.Builder
	for _, it := range list.Items {
		b.WriteString(it.Key())
		if it.URI != "" && it.Name != "" {
			b.WriteString("  (" + it.Name + ")")
		}
		b.WriteByte('\n')
		if first, _, _ := strings.Cut(it.Description, "\n"); first != "" {
			b.WriteString("    " + first + "\n")
		}
	}
	for _, r := range list.Rejected {
		fmt.Fprintf(&b, "%s  (rejected: %s)\n", r.Key(), r.Reason)
	}
	return b.String()
}

func newDiscover(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "discover SERVER", Short: "Show versions, era and why, capabilities, identity, instructions",
		Example: "  mcptui discover\n  mcptui discover http://127.0.0.1:3000/mcp --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 0)
			if err != nil {
				return err
			}
			if len(mine) > 0 {
				return usagef("discover takes only a server, got %q; a command goes behind --", mine[0])
			}
			l, err := a.dial(cmd, server, dialFor{lists: []string{}})
			if err != nil {
				return err
			}
			if err = l.ready(cmd.Context()); err == nil {
				err = a.printDiscovery(l)
			}
			return errors.Join(err, l.close())
		},
	}
	return a.dials(cmd)
}

func (a *app) printDiscovery(l *link) error {
	l.follow.Catch()
	c := &l.follow.Session.Conn
	var why string
	for _, s := range c.Steps {
		if s.Reason != "" {
			why += fmt.Sprintf("  %s: %s\n", s.Name, s.Reason)
		}
	}
	if a.flags.json {
		fmt.Fprintf(a.Err, "era %s, version %s\n%s", c.Era, c.Version, a.safe(why))
		return a.printJSON(l.introduction())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "server        %s %s\n", firstNonEmpty(c.Server.Title, c.Server.Name), c.Server.Version)
	fmt.Fprintf(&b, "era           %s (%s)\n", c.Era, c.Version)
	if len(c.Supported) > 0 {
		fmt.Fprintf(&b, "supports      %s\n", strings.Join(c.Supported, ", "))
	}
	fmt.Fprintf(&b, "transport     %s\n", c.Transport)
	fmt.Fprintf(&b, "capabilities  %s\n", c.Capabilities)
	if c.Instructions != "" {
		fmt.Fprintf(&b, "instructions  %s\n", c.Instructions)
	}
	b.WriteString("how that was found out:\n" + why)
	return a.print([]byte(a.safe(b.String())))
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
