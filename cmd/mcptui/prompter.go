package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
	in    *os.File
	err   io.Writer
	want  chan struct{} // a line is waited for
	lines chan string   // closed at the end of the input
}

// prompter reads the terminal from a goroutine, since a read cannot be broken
// off when a signal ends the call: it then ends with the program. It reads only
// while an answer is waited for, and leaves the rest to whoever comes next.
func (a *app) prompter() *prompter {
	if a.asks != nil {
		return a.asks // one reader: what is typed ahead is not lost to another
	}
	p := &prompter{in: a.In, err: a.Err, want: make(chan struct{}, 1), lines: make(chan string)}
	a.asks = p
	go func() {
		defer close(p.lines)
		in := bufio.NewReader(a.In)
		for range p.want {
			s, err := in.ReadString('\n')
			if err != nil && s == "" {
				return
			}
			p.lines <- strings.TrimRight(s, "\r\n")
		}
	}()
	return p
}

func (p *prompter) say(format string, args ...any) {
	fmt.Fprintf(p.err, format, args...)
}

// line reads an answer. Ctrl+D gives up.
func (p *prompter) line(ctx context.Context) (string, error) {
	select {
	case p.want <- struct{}{}:
	default: // a read that was given up still waits
	}
	select {
	case s, ok := <-p.lines:
		if !ok {
			p.say("\n")
			return "", fmt.Errorf("%w: the input ended", headless.ErrNoAnswer)
		}
		return s, nil
	case <-ctx.Done():
		p.say("\n")
		return "", context.Cause(ctx)
	}
}

func (p *prompter) answer(ctx context.Context, ask *session.Ask) (json.RawMessage, error) {
	switch ask.Kind {
	case session.Form:
		return p.form(ctx, ask)
	case session.URL:
		return p.url(ctx, ask)
	case session.Sampling:
		return p.sampling(ctx, ask)
	}
	p.say("the server asks %s, which has no form:\n%s\nanswer as JSON, or an empty line to give up: ", text.CleanLine(ask.Method), text.Clean(indented(ask.Params)))
	s, err := p.line(ctx)
	if err != nil {
		return nil, err
	}
	if !json.Valid([]byte(s)) {
		return nil, headless.ErrNoAnswer
	}
	return json.RawMessage(s), nil
}

// form asks for each field of an elicitation, then whether to send.
func (p *prompter) form(ctx context.Context, ask *session.Ask) (json.RawMessage, error) {
	p.say("\n◆ %s\n", text.Clean(ask.Message))
	raw := rpc.Member(ask.Params, "requestedSchema")
	form := schema.Parse(raw)
	for _, s := range form.Secrets() {
		p.say("⚠ a form must not ask for secrets: %s\n", text.CleanLine(fmt.Sprint(s)))
	}
	content := []byte(`{}`)
	for _, f := range form.Root.Children() {
		value, err := p.field(ctx, form, f)
		if err != nil {
			return nil, err
		}
		if value != nil {
			content = rpc.With(content, rpc.Field{Name: f.Name, Raw: value})
		}
	}
	if blocking := schema.Blocking(form.Validate(content)); len(blocking) > 0 {
		p.say("✖ %s\n", text.CleanLine(blocking[0].String()))
		return p.form(ctx, ask)
	}
	return p.consent(ctx, "send "+text.CleanLine(string(content)), content)
}

// field asks for one field until the answer fits. An empty line takes the
// default, or leaves the field out.
func (p *prompter) field(ctx context.Context, form *schema.Form, f *schema.Field) (json.RawMessage, error) {
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
		s, err := p.line(ctx)
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
func (p *prompter) url(ctx context.Context, ask *session.Ask) (json.RawMessage, error) {
	p.say("\n◆ %s\n  the server asks you to open this page yourself; nothing was opened:\n  %s\n", text.Clean(ask.Message), text.CleanLine(rpc.Text(ask.Params, "url")))
	return p.consent(ctx, "do you agree", nil)
}

// consent asks whether content may be sent. An empty line is no consent: the
// question is put again.
func (p *prompter) consent(ctx context.Context, question string, content []byte) (json.RawMessage, error) {
	for {
		p.say("%s? [y]es, [d]ecline, [c]ancel: ", question)
		s, err := p.line(ctx)
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "y", "yes":
			return answer.Accept(content), nil
		case "d", "decline":
			return answer.Decline, nil
		case "c", "cancel":
			return answer.Cancel, nil
		}
	}
}

func (p *prompter) sampling(ctx context.Context, ask *session.Ask) (json.RawMessage, error) {
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
	s, err := p.line(ctx)
	if err != nil {
		return nil, err
	}
	if s == "" {
		return nil, headless.ErrRejected
	}
	return answer.Text(s, "", ""), nil
}
