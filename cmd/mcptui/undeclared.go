package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
)

// lookUp looks for an entry of a list, for what is told beside a call that is over: names
// are those of the others before it. It fails where the list cannot be had in a time
// that nobody minds.
func (l *link) lookUp(ctx context.Context, method, key string) (it session.Item, names []string, err error) {
	if list := l.follow.Session.Catalogue.List(method); l.listed(method) && list.Error == "" && l.faults[method] == "" {
		if it, ok := list.Item(key); ok {
			return it, nil, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, meantIn)
	defer cancel()
	var params []byte
	for range meantPages {
		list, err := l.onePage(ctx, method, params)
		if err != nil {
			return it, nil, err
		}
		for _, it := range list.Items {
			if it.Key() == key {
				return it, names, nil
			}
			names = append(names, it.Key())
		}
		if list.Next == "" {
			return it, names, nil
		}
		params = rpc.Object(rpc.Field{Name: "cursor", Raw: rpc.Quote(list.Next)})
	}
	return it, names, nil
}

// argumentsOf are the names of the arguments that an entry of a list declares: a prompt,
// a tool, a resource template. Open is that the entry itself says that there may be
// others.
func argumentsOf(method string, it session.Item) (names []string, open bool) {
	switch method {
	case "prompts/list":
		for _, arg := range rpc.Elements(rpc.Member(it.Raw, "arguments")) {
			names = append(names, rpc.Text(arg, "name"))
		}
	case "resources/templates/list":
		template, err := uritemplate.New(it.URI)
		if err != nil {
			return nil, true
		}
		names = template.Varnames()
	case "tools/list":
		return membersOf(schema.Parse(rpc.Member(it.Raw, "inputSchema")).Root, 0)
	}
	return names, false
}

// membersOf are the names of the members of an object, in all variants of it.
func membersOf(field *schema.Field, depth int) (names []string, open bool) {
	switch field.Kind {
	case schema.Object:
		for _, c := range field.Children() {
			names = append(names, c.Name)
		}
		return names, field.Open()
	case schema.Variant:
		const deepest = 4
		for _, v := range field.Variants() {
			if depth == deepest {
				return names, true
			}
			more, wide := membersOf(v, depth+1)
			names, open = append(names, more...), open || wide
		}
		return names, open
	}
	return nil, true // its shape is not known
}

// takesNo says which of the arguments that were given are not declared, each with the
// nearest that is; "" where all are.
func takesNo(name string, given, declared []string) string {
	var strange []string
	for _, one := range given {
		if !slices.Contains(declared, one) {
			strange = append(strange, one)
		}
	}
	const most = 8
	switch {
	case len(strange) == 0:
		return ""
	case len(declared) == 0:
		return name + " takes no arguments"
	case len(strange) > 1:
		var told []string
		for _, one := range strange[:min(len(strange), most)] {
			near := ""
			if n := schema.Nearest(one, declared); n != "" {
				near = fmt.Sprintf(" (did you mean %q?)", n)
			}
			told = append(told, fmt.Sprintf("%q%s", one, near))
		}
		return fmt.Sprintf("%s takes no arguments %s", name, strings.Join(told, ", "))
	}
	told := fmt.Sprintf("%s takes no argument %q", name, strange[0])
	if near := schema.DidYouMean(strange[0], declared); near != "" || len(declared) > most {
		return told + near
	}
	return fmt.Sprintf("%s, only %s", told, strings.Join(declared, ", "))
}

// givenTo are the names of the arguments of a call.
func givenTo(arguments []byte) []string {
	var names []string
	for name := range rpc.Members(arguments) {
		names = append(names, name)
	}
	return names
}

// undeclared says which arguments of a call that was refused the entry that it names
// does not declare; "" where that is not why.
func undeclared(c *session.Call, it session.Item) string {
	if r := c.LastRound(); r == nil || len(c.Rounds) != 1 || r.StateIn != nil {
		return "" // the server has taken them before
	}
	declared, open := argumentsOf(listOf[c.Method], it)
	if open {
		return ""
	}
	return takesNo(c.Name, givenTo(rpc.Member(c.Params, "arguments")), declared)
}

// wrongArguments says of a tool that reported an error which of its arguments its schema
// does not permit. Servers report so what does not fit the schema (Tools, "Error
// Handling"), and name in it what does not; only then the schema is looked at.
func (l *link) wrongArguments(ctx context.Context, c *session.Call, result []byte) string {
	var said strings.Builder
	for _, block := range rpc.Elements(rpc.Member(result, "content")) {
		said.WriteString(rpc.Text(block, "text") + "\n")
	}
	named := func(name string) bool {
		word, err := regexp.Compile(`(^|\W)` + regexp.QuoteMeta(name) + `(\W|$)`)
		return err == nil && name != "" && word.MatchString(said.String())
	}
	if c.Method != "tools/call" || !slices.ContainsFunc(givenTo(rpc.Member(c.Params, "arguments")), named) {
		return ""
	}
	it, _, err := l.lookUp(ctx, "tools/list", c.Name)
	if err != nil || it.Raw == nil {
		return ""
	}
	if root := schema.Parse(rpc.Member(it.Raw, "inputSchema")).Root; root.Kind != schema.Object || root.Extra() != nil {
		return ""
	}
	return undeclared(c, it)
}

// nothingToComplete says what is wrong with the prompt, the template or the arguments
// that a completion is of; "" where all are there. Servers answer what they do not know
// with no values as often as with an error.
func (l *link) nothingToComplete(ctx context.Context, params []byte) string {
	ref := rpc.Member(params, "ref")
	method, what, name := "prompts/list", "prompt", rpc.Text(ref, "name")
	if rpc.Text(ref, "type") == "ref/resource" {
		method, what, name = "resources/templates/list", "template", rpc.Text(ref, "uri")
	}
	if !l.declares(method) {
		return ""
	}
	it, names, err := l.lookUp(ctx, method, name)
	switch {
	case err != nil:
		return ""
	case it.Raw == nil:
		return fmt.Sprintf("%s lists no %s %q%s", l.name(), what, name, schema.DidYouMean(name, names))
	}
	declared, open := argumentsOf(method, it)
	if open {
		return ""
	}
	given := append([]string{rpc.Text(params, "argument", "name")}, givenTo(rpc.Member(params, "context", "arguments"))...)
	return takesNo(name, given, declared)
}
