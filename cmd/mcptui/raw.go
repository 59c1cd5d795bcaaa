package main

import (
	"context"

	"github.com/spf13/cobra"

	"mcptui/client/control"
)

func newRaw(a *app) *cobra.Command {
	c := calling{raw: true}
	cmd := &cobra.Command{
		Use: "raw METHOD [PARAMS_JSON] SERVER", Short: "Send any method with any params",
		Long: "Send any method with any params: JSON, @file, or - for standard input.",
		Example: `  mcptui raw ping --era legacy
  mcptui raw tools/call '{"name": "add", "arguments": {"a": 2, "b": 3}}'
  mcptui raw tools/list http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			req := control.Request{Force: true}
			switch len(mine) {
			case 2:
				if file, ok := a.behind("PARAMS_JSON", mine[1]); ok {
					if err := a.keepApart(cmd, file); err != nil {
						return err
					}
				}
				if req.Params, _, err = a.givenJSON(cmd.Context(), mine[1], "params"); err != nil {
					return err
				}
				fallthrough
			case 1:
				if req.Method = mine[0]; req.Method == "" {
					return usagef("METHOD is empty")
				}
			default:
				return usagef("raw takes METHOD and, where it has some, PARAMS_JSON; got %d arguments", len(mine))
			}
			return a.run(cmd, c, server, func(context.Context, *link) (control.Request, error) { return req, nil })
		},
	}
	a.dials(cmd)
	c.add(cmd)
	return cmd
}
