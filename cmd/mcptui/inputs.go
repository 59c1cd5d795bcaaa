package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"mcptui/client/config"
	"mcptui/cmd/mcptui/internal/hush"
	"mcptui/ui/text"
)

// input asks for one of the inputs of a config file. An empty line takes the default.
func (p *prompter) input(ctx context.Context, in config.Input) (string, error) {
	label := text.CleanLine(in.ID)
	if in.Description != "" {
		label = fmt.Sprintf("%s (%s)", text.CleanLine(in.Description), label)
	}
	for i, o := range in.Options {
		p.say("  %d. %s\n", i+1, text.CleanLine(o.Label))
	}
	switch {
	case in.Default == nil:
	case in.Hidden:
		label += " [empty takes the file's default]"
	default:
		label += " [empty takes " + text.CleanLine(strconv.Quote(*in.Default)) + "]"
	}
	for {
		s, err := p.oneInput(ctx, label, in.Hidden)
		if err != nil {
			return "", fmt.Errorf("read the input %q: %w", in.ID, err)
		}
		if s == "" && in.Default != nil {
			return *in.Default, nil
		}
		if value, ok := picked(s, in.Options); ok {
			return value, nil
		}
		p.say("  ✖ it is none of these; type one, or its number\n")
	}
}

// oneInput reads a line. What is hidden is so before anybody is asked to type.
func (p *prompter) oneInput(ctx context.Context, label string, hidden bool) (s string, err error) {
	if hidden {
		restore, err := hush.Typing(p.in)
		if err != nil {
			return "", fmt.Errorf("it must not be shown while it is typed: %w", err)
		}
		defer func() {
			if undone := restore(); undone != nil {
				p.say("⚠ %v\n", undone)
			}
		}()
	}
	p.say("%s: ", label)
	s, err = p.line(ctx)
	if err == nil && hidden {
		p.say("\n") // which was not shown either
	}
	return s, err
}

// picked is the value of the option that was typed, as it is shown, as it is sent, or
// by its number. Where there are no options it is what was typed.
func picked(typed string, options []config.Option) (value string, ok bool) {
	if len(options) == 0 {
		return typed, true
	}
	for _, o := range options {
		if typed == o.Value || typed == o.Label {
			return o.Value, true
		}
	}
	if n, err := strconv.Atoi(strings.TrimSpace(typed)); err == nil && n >= 1 && n <= len(options) {
		return options[n-1].Value, true
	}
	return "", false
}
