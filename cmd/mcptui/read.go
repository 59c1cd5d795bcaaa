package main

import (
	"context"

	"github.com/spf13/cobra"

	"mcptui/client/control"
	"mcptui/client/rpc"
)

func newRead(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use: "read URI SERVER", Short: "Read a resource",
		Example: "  mcptui read town://menu\n  mcptui read https://a/doc https://b/mcp   # reads a from b",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			if len(mine) != 1 {
				return usagef("read takes one URI, got %d arguments", len(mine))
			}
			if mine[0] == "" {
				return usagef("URI is empty")
			}
			return a.run(cmd, c, server, func(context.Context, *link) (control.Request, error) {
				return control.Request{Method: "resources/read", Params: rpc.Object(rpc.Field{Name: "uri", Raw: rpc.Quote(mine[0])})}, nil
			})
		},
	}
	a.dials(cmd)
	c.add(cmd)
	return cmd
}
