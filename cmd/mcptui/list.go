package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/rpc"
	"mcptui/client/session"
)

// members names the array of each list's document.
var members = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts",
	"resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

func lists(name, method, short string) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command { return newList(a, name, method, short) }
}

func newList(a *app, name, method, short string) *cobra.Command {
	var page string
	cmd := &cobra.Command{
		Use: name + " SERVER", Short: short,
		Example: "  mcptui " + name + "\n  mcptui " + name + " --json http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs",
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := a.onlyServer(cmd, args)
			if err != nil {
				return err
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
		err = a.printList(method, list, false)
	}
	return errors.Join(err, l.close())
}

// listPage fetches one page, so that it is shown as the server gave it.
func (a *app) listPage(cmd *cobra.Command, server target, method, cursor string) error {
	var params json.RawMessage
	if cursor != "" {
		params = rpc.Object(rpc.Field{Name: "cursor", Raw: rpc.Quote(cursor)})
	}
	l, err := a.dial(cmd, server, dialFor{})
	if err != nil {
		return err
	}
	err = l.ready(cmd.Context())
	var list *session.List
	if err == nil {
		list, err = l.onePage(cmd.Context(), method, params)
	}
	if err == nil {
		err = a.printList(method, list, true)
	}
	return errors.Join(err, l.close())
}

// printList prints a list; one of several pages with the cursor of the next.
func (a *app) printList(method string, list *session.List, page bool) error {
	if !a.flags.json {
		text := listText(list)
		if page && list.Next != "" {
			text += "next page: --page " + list.Next + "\n"
		}
		return a.print(text)
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
	var next []byte
	if page && list.Next != "" {
		next = rpc.Quote(list.Next)
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
