package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yosida95/uritemplate/v3"

	"mcptui/client/control"
	"mcptui/client/rpc"
)

func newRead(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use: "read URI SERVER", Short: "Read a resource",
		Example: "  mcptui read demo://menu\n  mcptui read https://a/doc https://b/mcp   # reads a from b",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			if len(mine) != 1 {
				return usagef("read takes one URI, got %d arguments", len(mine))
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

func newPrompt(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use: "prompt NAME [ARG...] SERVER", Short: "Render a prompt",
		Example: "  mcptui prompt menu_card season=winter",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			if len(mine) == 0 {
				return usagef("no prompt is named; 'mcptui prompts SERVER' lists them")
			}
			base, err := a.baseArgs(c.args)
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

func newComplete(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "complete REF ARG=PREFIX SERVER", Short: "Complete an argument of a prompt or template",
		Long:    "Complete an argument. REF is prompt:NAME or template:URI.",
		Example: "  mcptui complete prompt:menu_card season=w",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 2)
			if err != nil {
				return err
			}
			params, err := completion(mine)
			if err != nil {
				return err
			}
			return a.run(cmd, calling{}, server, func(context.Context, *link) (control.Request, error) {
				return control.Request{Method: "completion/complete", Params: params}, nil
			})
		},
	}
	return a.dials(cmd)
}

// completion builds the params of completion/complete. Arguments behind the
// first are the context: what the others are set to.
func completion(mine []string) (json.RawMessage, error) {
	if len(mine) < 2 {
		return nil, usagef("complete takes REF and ARG=PREFIX")
	}
	var ref []byte
	switch kind, name, _ := strings.Cut(mine[0], ":"); {
	case kind == "prompt" && name != "":
		ref = rpc.Object(rpc.Field{Name: "type", Raw: rpc.Quote("ref/prompt")}, rpc.Field{Name: "name", Raw: rpc.Quote(name)})
	case kind == "template" && name != "":
		if _, err := uritemplate.New(name); err != nil {
			return nil, usagef("template %q: %v", name, err)
		}
		ref = rpc.Object(rpc.Field{Name: "type", Raw: rpc.Quote("ref/resource")}, rpc.Field{Name: "uri", Raw: rpc.Quote(name)})
	default:
		return nil, usagef("REF %q is neither prompt:NAME nor template:URI", mine[0])
	}
	args, err := parseArgs(mine[1:])
	if err != nil {
		return nil, err
	}
	params := []rpc.Field{{Name: "ref", Raw: ref}, {Name: "argument", Raw: rpc.Object(
		rpc.Field{Name: "name", Raw: rpc.Quote(args[0].name)}, rpc.Field{Name: "value", Raw: rpc.Quote(args[0].text)})}}
	if len(args) > 1 {
		set, err := merge(nil, args[1:], asText)
		if err != nil {
			return nil, err
		}
		params = append(params, rpc.Field{Name: "context", Raw: rpc.Object(rpc.Field{Name: "arguments", Raw: set})})
	}
	return rpc.Object(params...), nil
}

func newRaw(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use: "raw METHOD [PARAMS_JSON] SERVER", Short: "Send any method with any params",
		Example: "  mcptui raw tools/list '{\"cursor\":\"x\"}' http://127.0.0.1:3000/mcp",
		RunE: func(cmd *cobra.Command, args []string) error {
			mine, server, err := a.split(cmd, args, 1)
			if err != nil {
				return err
			}
			req := control.Request{Force: true}
			switch len(mine) {
			case 2:
				if req.Params = json.RawMessage(mine[1]); !json.Valid(req.Params) {
					return usagef("params: %s", describeJSON(req.Params))
				}
				fallthrough
			case 1:
				req.Method = mine[0]
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
