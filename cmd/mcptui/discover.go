package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/control"
)

func newDiscover(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "discover SERVER", Short: "Show versions, era and why, capabilities, identity, instructions",
		Example: "  mcptui discover\n  mcptui discover --json http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs",
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := a.onlyServer(cmd, args)
			if err != nil {
				return err
			}
			l, err := a.dial(cmd, server, dialFor{})
			if err != nil {
				return err
			}
			return errors.Join(a.discover(cmd.Context(), l), l.close())
		},
	}
	return a.dials(cmd)
}

func (a *app) discover(ctx context.Context, l *link) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	said := l.introduction()
	if said == nil { // ask again, for the server's own words on why not
		var err error
		if said, err = l.simple(ctx, control.Request{Method: "server/discover"}); err != nil {
			return err
		}
	}
	return a.printDiscovery(l, said)
}

func (a *app) printDiscovery(l *link, said []byte) error {
	c := &l.follow.Session.Conn
	var why string
	for _, s := range c.Steps {
		if s.Reason != "" {
			why += fmt.Sprintf("  %s: %s\n", s.Name, s.Reason)
		}
	}
	if a.flags.json {
		fmt.Fprintf(a.Err, "era %s, version %s\n%s", c.Era, c.Version, safe(a.Err, why))
		return a.printJSON(said)
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
	return a.print(b.String())
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
