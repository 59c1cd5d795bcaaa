package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/position"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
)

// argument is one ARG of a command line, not yet typed.
type argument struct {
	name string
	text string
	raw  bool // name:=json
}

// parseArgs reads name=value and name:=json. Each name may come once.
func parseArgs(args []string) ([]argument, error) {
	var out []argument
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" || name == ":" {
			return nil, usagef("argument %q is neither name=value nor name:=json", arg)
		}
		a := argument{name: name, text: value}
		if a.name, a.raw = strings.CutSuffix(name, ":"); a.raw && !json.Valid([]byte(value)) {
			return nil, usagef("argument %q: %s", a.name, describeJSON([]byte(value)))
		}
		if slices.ContainsFunc(out, func(b argument) bool { return b.name == a.name }) {
			return nil, usagef("argument %q is given twice", a.name)
		}
		out = append(out, a)
	}
	return out, nil
}

// sentFlags are the flags whose text goes into messages as it is written.
var sentFlags = []string{"page", "root", "uri"}

// refuseBytes refuses what is not UTF-8 of that which goes into messages: JSON cannot
// hold it, and what would be sent for it is something else. Not looked at are what is
// sent byte for byte, PARAMS_JSON of raw, and what is not sent: the names of files, and
// the command of a server behind the dashes.
func refuseBytes(cmd *cobra.Command, args []string) (err error) {
	if slices.Contains([]string{"open", "lint", "diff", "serve"}, cmd.Name()) {
		return nil
	}
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args = args[:dash]
	}
	for i, arg := range args {
		at, bad := position.NotUTF8(arg)
		if !bad || i == 1 && cmd.Name() == "raw" {
			continue
		}
		if name, value, ok := strings.Cut(arg, "="); ok && utf8.ValidString(name) {
			at, _ = position.NotUTF8(value)
			return usagef("argument %q: its value is not UTF-8: byte %d is 0x%02x", strings.TrimSuffix(name, ":"), at+1, value[at])
		}
		return usagef("argument %q is not UTF-8: byte %d is 0x%02x", arg, at+1, arg[at])
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if at, bad := position.NotUTF8(f.Value.String()); bad && err == nil && slices.Contains(sentFlags, f.Name) {
			err = usagef("--%s is not UTF-8: it has the byte 0x%02x", f.Name, f.Value.String()[at])
		}
	})
	return err
}

// baseArgs reads --args: JSON, @file, or - for standard input.
func (a *app) baseArgs(ctx context.Context, flag string) (json.RawMessage, error) {
	if flag == "" {
		return nil, nil
	}
	raw, from, err := a.givenJSON(ctx, flag, "--args")
	if err != nil {
		return nil, err
	}
	if raw[0] != '{' {
		return nil, usagef("%s: arguments are a JSON object, got %s", from, kindOf(raw))
	}
	if at, bad := position.NotUTF8(raw); bad {
		line, column := position.Of(raw, at)
		if strings.HasPrefix(flag, "@") {
			return nil, usagef("%s:%d:%d: not UTF-8: the byte 0x%02x", from, line, column, raw[at])
		}
		return nil, usagef("%s: not UTF-8 at line %d, column %d: the byte 0x%02x", from, line, column, raw[at])
	}
	return raw, nil
}

// givenJSON reads what a command line gives as JSON, @file, or - for standard input,
// and says where it came from.
func (a *app) givenJSON(ctx context.Context, flag, name string) (raw json.RawMessage, from string, err error) {
	raw, from = []byte(flag), name
	switch {
	case flag == "-":
		from = "standard input"
		raw, err = a.readInput(ctx)
	case strings.HasPrefix(flag, "@"):
		from = flag[1:]
		raw, err = os.ReadFile(from)
	}
	if err != nil {
		return nil, from, usage(fmt.Errorf("read arguments: %w", err))
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	switch {
	case json.Valid(raw):
	case strings.HasPrefix(flag, "@"):
		return nil, from, noJSONFile(from, raw)
	default:
		return nil, from, usagef("%s: %s", from, describeJSON(raw))
	}
	return bytes.TrimSpace(raw), from, nil
}

// readInput reads standard input to its end, or until ctx ends: a read cannot be
// broken off, so it is left to the end of the process.
func (a *app) readInput(ctx context.Context) ([]byte, error) {
	type input struct {
		raw []byte
		err error
	}
	read := make(chan input, 1)
	go func() {
		raw, err := io.ReadAll(a.In)
		read <- input{raw, err}
	}()
	select {
	case in := <-read:
		return in.raw, in.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// describeJSON says where and why bytes are not JSON.
func describeJSON(raw []byte) string {
	fault := position.JSON(raw)
	if fault == nil {
		return "valid JSON"
	}
	return fmt.Sprintf("not JSON at line %d, column %d: %v", fault.Line, fault.Column, fault)
}

// noJSONFile is the error about a file that is no JSON, with its place as editors
// take it.
func noJSONFile(file string, raw []byte) error {
	fault := position.JSON(raw)
	return usagef("%s:%d:%d: not JSON: %v", file, fault.Line, fault.Column, fault)
}

func kindOf(raw []byte) string {
	switch raw[0] {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// merge puts arguments over the base object, text through coerce.
func merge(base json.RawMessage, args []argument, coerce func(name, text string) (json.RawMessage, error)) (json.RawMessage, error) {
	if base == nil {
		base = json.RawMessage(`{}`)
	}
	for _, arg := range args {
		raw := json.RawMessage(arg.text)
		if !arg.raw {
			var err error
			if raw, err = coerce(arg.name, arg.text); err != nil {
				return nil, usagef("argument %q: %s", arg.name, strings.TrimPrefix(err.Error(), arg.name+": "))
			}
		}
		base = rpc.With(base, rpc.Field{Name: arg.name, Raw: raw})
	}
	return base, nil
}

// toolArguments types the arguments of a call by the tool's schema.
func (l *link) toolArguments(ctx context.Context, tool string, base json.RawMessage, args []argument) (json.RawMessage, error) {
	if !untyped(args) {
		return merge(base, args, nil)
	}
	list, err := l.listUntil(ctx, "tools/list", func(list *session.List) bool {
		_, found := list.Item(tool) // the pages behind it say nothing of it
		return found
	})
	if err != nil {
		return nil, fmt.Errorf("type the arguments of %s: %w", tool, err)
	}
	it, ok := list.Item(tool)
	if !ok {
		var names []string
		for _, it := range list.Items {
			names = append(names, it.Name)
		}
		return nil, usagef("%s has no tool %q%s", l.name(), tool, schema.DidYouMean(tool, names))
	}
	form := schema.Parse(rpc.Member(it.Raw, "inputSchema"))
	return merge(base, args, func(name, text string) (json.RawMessage, error) {
		if err := declared(form, tool, name); err != nil {
			return nil, err
		}
		return form.Coerce(name, text)
	})
}

// declared refuses an argument that the tool's schema has no place for: a slip, as
// a rule. Who means it writes name:=json, which is not looked at.
func declared(form *schema.Form, tool, name string) error {
	root := form.Root
	if root.Kind != schema.Object || root.Extra() != nil || root.Child(name) != nil {
		return nil
	}
	var names []string
	for _, c := range root.Children() {
		names = append(names, c.Name)
	}
	return fmt.Errorf("%s takes no such argument%s; %s:=JSON sends it all the same", tool, schema.DidYouMean(name, names), name)
}

// untyped reports whether an argument has to be typed by a schema.
func untyped(args []argument) bool {
	for _, arg := range args {
		if !arg.raw {
			return true
		}
	}
	return false
}
