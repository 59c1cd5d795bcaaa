package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcptui/client/answer"
	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
	"mcptui/cmd/mcptui/internal/headless"
	"mcptui/ui/text"
)

// prompter puts asks to a person one question at a time, on the terminal that
// standard input and standard error are.
type prompter struct {
	in  *bufio.Reader
	err io.Writer
}

func (a *app) prompter() *prompter { return &prompter{in: bufio.NewReader(a.In), err: a.Err} }

func (p *prompter) say(format string, args ...any) {
	fmt.Fprintf(p.err, format, args...)
}

// line reads an answer. Ctrl+D gives up.
func (p *prompter) line() (string, error) {
	s, err := p.in.ReadString('\n')
	if err != nil && s == "" {
		return "", fmt.Errorf("%w: the input ended", headless.ErrNoAnswer)
	}
	return strings.TrimRight(s, "\r\n"), nil
}

func (p *prompter) answer(ctx context.Context, ask *session.Ask) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch ask.Kind {
	case session.Form:
		return p.form(ask)
	case session.URL:
		return p.url(ask)
	case session.Sampling:
		return p.sampling(ask)
	}
	p.say("the server asks %s, which has no form:\n%s\nanswer as JSON, or an empty line to give up: ", text.CleanLine(ask.Method), text.Clean(indent(ask.Params)))
	s, err := p.line()
	if err != nil {
		return nil, err
	}
	if !json.Valid([]byte(s)) {
		return nil, headless.ErrNoAnswer
	}
	return json.RawMessage(s), nil
}

// form asks for each field of an elicitation, then whether to send.
func (p *prompter) form(ask *session.Ask) (json.RawMessage, error) {
	p.say("\n◆ %s\n", text.Clean(ask.Message))
	raw := rpc.Member(ask.Params, "requestedSchema")
	form := schema.Parse(raw)
	for _, s := range form.Secrets() {
		p.say("⚠ a form must not ask for secrets: %s\n", text.CleanLine(fmt.Sprint(s)))
	}
	content := []byte(`{}`)
	for _, f := range form.Root.Children() {
		value, err := p.field(form, f)
		if err != nil {
			return nil, err
		}
		if value != nil {
			content = rpc.With(content, rpc.Field{Name: f.Name, Raw: value})
		}
	}
	for {
		p.say("send %s? [y]es, [d]ecline, [c]ancel: ", text.CleanLine(string(content)))
		s, err := p.line()
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "", "y", "yes":
			if blocking := schema.Blocking(form.Validate(content)); len(blocking) > 0 {
				p.say("✖ %s\n", text.CleanLine(blocking[0].String()))
				return p.form(ask)
			}
			return answer.Accept(content), nil
		case "d", "decline":
			return answer.Decline, nil
		case "c", "cancel":
			return answer.Cancel, nil
		}
	}
}

// field asks for one field until the answer fits. An empty line takes the
// default, or leaves the field out.
func (p *prompter) field(form *schema.Form, f *schema.Field) (json.RawMessage, error) {
	label := text.CleanLine(firstNonEmpty(f.Title, f.Name))
	if f.Description != "" {
		p.say("  %s\n", text.Clean(f.Description))
	}
	for i, o := range f.Options {
		p.say("    %d. %s\n", i+1, text.CleanLine(o.Label))
	}
	for {
		note := "optional, empty leaves it out"
		if f.Required {
			note = "required"
		}
		if f.Default != nil {
			note = "empty takes " + text.CleanLine(string(f.Default))
		}
		p.say("  %s (%s; %s): ", label, f.Kind, note)
		s, err := p.line()
		if err != nil {
			return nil, err
		}
		if s == "" {
			if f.Default != nil {
				return f.Default, nil
			}
			if !f.Required {
				return nil, nil
			}
			p.say("  ✖ it is required\n")
			continue
		}
		value, err := form.Coerce(f.Name, s)
		if err == nil {
			if problems := schema.Blocking(f.Check(value)); len(problems) > 0 {
				err = errors.New(problems[0].String())
			}
		}
		if err != nil {
			p.say("  ✖ %s\n", text.CleanLine(err.Error()))
			continue
		}
		return value, nil
	}
}

// url shows where the server wants the person to go. Nothing is opened.
func (p *prompter) url(ask *session.Ask) (json.RawMessage, error) {
	p.say("\n◆ %s\n  the server asks you to open this page yourself; nothing was opened:\n  %s\n", text.Clean(ask.Message), text.CleanLine(rpc.Text(ask.Params, "url")))
	for {
		p.say("do you agree? [y]es, [d]ecline, [c]ancel: ")
		s, err := p.line()
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "y", "yes":
			return answer.Accept(nil), nil
		case "d", "decline":
			return answer.Decline, nil
		case "c", "cancel":
			return answer.Cancel, nil
		}
	}
}

func (p *prompter) sampling(ask *session.Ask) (json.RawMessage, error) {
	p.say("\n◆ the server wants a model's answer:\n")
	if system := rpc.Text(ask.Params, "systemPrompt"); system != "" {
		p.say("  system: %s\n", text.Clean(system))
	}
	for _, m := range rpc.Elements(rpc.Member(ask.Params, "messages")) {
		content := rpc.Member(m, "content")
		said := rpc.Text(content, "text")
		if said == "" {
			said = string(content)
		}
		p.say("  %s: %s\n", text.CleanLine(rpc.Text(m, "role")), text.Clean(said))
	}
	p.say("answer as the model (empty rejects): ")
	s, err := p.line()
	if err != nil {
		return nil, err
	}
	if s == "" {
		return nil, headless.ErrRejected
	}
	return answer.Text(s, "", ""), nil
}
