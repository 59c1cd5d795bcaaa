package main

import (
	"encoding/json"
	"fmt"
	"os"

	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// What a scenario wants beyond the lists. One that is not here uses everything
// that the server has.
var scenarios = map[string]func(*driver) error{
	"initialize":               func(*driver) error { return nil },
	"request-metadata":         func(*driver) error { return nil },
	"json-schema-ref-no-deref": func(*driver) error { return nil },
	"tools_call": func(d *driver) error {
		return d.tool("add_numbers", map[string]int{"a": 5, "b": 3})
	},
	"http-custom-headers": fromContext,
	"json-schema-2020-12-preservation": func(d *driver) error {
		for _, t := range d.tools {
			if t.Name != "json_schema_echo" {
				var tool struct{ InputSchema json.RawMessage }
				if err := json.Unmarshal(t.Raw, &tool); err != nil {
					return err
				}
				return d.tool("json_schema_echo", map[string]json.RawMessage{"schema": tool.InputSchema})
			}
		}
		return nil
	},
}

func (d *driver) tool(name string, arguments any) error {
	o, err := d.call("tools/call", map[string]any{"name": name, "arguments": arguments})
	if err != nil {
		return err
	}
	if o.Status != trace.Done && o.Status != trace.ToolError {
		return fmt.Errorf("%s ended as %s: %s %+v", name, o.Status, o.Note, o.Error)
	}
	return nil
}

// fromContext makes the calls that the suite names.
func fromContext(d *driver) error {
	var wants struct {
		ToolCalls []struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &wants); err != nil {
		return fmt.Errorf("read MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	for _, c := range wants.ToolCalls {
		if err := d.tool(c.Name, c.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// useAll calls every tool, reads every resource and gets every prompt.
func (d *driver) useAll() error {
	for _, t := range d.tools {
		var tool struct{ InputSchema json.RawMessage }
		if err := json.Unmarshal(t.Raw, &tool); err != nil {
			return err
		}
		if err := d.tool(t.Name, filled(tool.InputSchema, true)); err != nil {
			return err
		}
	}
	for _, r := range d.other.Resources.Items {
		if _, err := d.call("resources/read", map[string]string{"uri": r.URI}); err != nil {
			return err
		}
	}
	for _, p := range d.other.Prompts.Items {
		var prompt struct{ Arguments []struct{ Name string } }
		if err := json.Unmarshal(p.Raw, &prompt); err != nil {
			return err
		}
		arguments := map[string]string{}
		for _, a := range prompt.Arguments {
			arguments[a.Name] = "x"
		}
		if _, err := d.call("prompts/get", map[string]any{"name": p.Name, "arguments": arguments}); err != nil {
			return err
		}
	}
	return nil
}

// reply answers an ask with the defaults of its schema, and with something that
// fits where it has none.
func reply(a *session.Ask) control.Reply {
	result := `{"action":"accept"}`
	switch a.Kind {
	case session.Form:
		var params struct{ RequestedSchema json.RawMessage }
		if err := json.Unmarshal(a.Params, &params); err == nil {
			content, err := json.Marshal(filled(params.RequestedSchema, false))
			if err == nil {
				result = `{"action":"accept","content":` + string(content) + `}`
			}
		}
	case session.Sampling:
		result = `{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"mcptui-conformance","stopReason":"endTurn"}`
	case session.Roots:
		result = `{"roots":[]}`
	}
	return control.Reply{Result: json.RawMessage(result)}
}

// filled gives each property its default, or a value of its type; of optional
// ones without a default only where all are wanted.
func filled(schema json.RawMessage, all bool) map[string]any {
	var s struct {
		Properties map[string]struct {
			Type    string
			Default any
			Enum    []any
		}
		Required []string
	}
	out := map[string]any{}
	if json.Unmarshal(schema, &s) != nil {
		return out
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	for name, p := range s.Properties {
		switch {
		case p.Default != nil:
			out[name] = p.Default
		case !all && !required[name]:
		case len(p.Enum) > 0:
			out[name] = p.Enum[0]
		case p.Type == "string":
			out[name] = "x"
		case p.Type == "integer", p.Type == "number":
			out[name] = 1
		case p.Type == "boolean":
			out[name] = true
		}
	}
	return out
}
