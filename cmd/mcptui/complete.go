package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yosida95/uritemplate/v3"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/schema"
)

func newComplete(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "complete REF ARG=PREFIX SERVER", Short: "Complete an argument of a prompt or template",
		Long:    "Complete an argument. REF is prompt:NAME or template:URI.",
		Example: "  mcptui complete prompt:choose_dish course=s\n  mcptui complete 'template:town://dishes/{dish}' dish=f",
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
		try := ""
		if near := schema.Nearest(kind, []string{"prompt", "template"}); near != "" && name != "" {
			try = fmt.Sprintf("; did you mean %q?", near+":"+name)
		}
		return nil, usagef("REF %q is neither prompt:NAME nor template:URI%s", mine[0], try)
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
