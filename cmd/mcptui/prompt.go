package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"mcptui/client/control"
	"mcptui/client/rpc"
)

func newPrompt(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use: "prompt NAME [ARG...] SERVER", Short: "Render a prompt",
		Example: "  mcptui prompt hello\n  mcptui prompt choose_dish course=starter --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			if len(mine) == 0 {
				return usagef("no prompt is named; 'mcptui prompts SERVER' lists them")
			}
			if mine[0] == "" {
				return usagef("NAME is empty")
			}
			base, err := a.baseArgs(cmd.Context(), c.args)
			if err != nil {
				return err
			}
			given, err := parseArgs(mine[1:])
			if err != nil {
				return err
			}
			raw, err := merge(base, given, asText)
			if err != nil {
				return err
			}
			return a.run(cmd, c, server, func(context.Context, *link) (control.Request, error) {
				return control.Request{Method: "prompts/get", Params: rpc.Object(
					rpc.Field{Name: "name", Raw: rpc.Quote(mine[0])}, rpc.Field{Name: "arguments", Raw: raw})}, nil
			})
		},
	}
	a.dials(cmd)
	c.add(cmd)
	cmd.Flags().StringVar(&c.args, "args", "", "arguments as `JSON`, @file, or - for standard input")
	return cmd
}

// asText is how prompt arguments are typed: the protocol knows only strings.
func asText(_, text string) (json.RawMessage, error) { return rpc.Quote(text), nil }
