package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"mcptui/client/answer"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/cmd/mcptui/internal/headless"
)

// answerer answers asks for a script: from the answers file, by the sampler, by
// --on-ask, in this order. The list of roots is always given.
type answerer struct {
	book    *answer.Book
	sampler *answer.Sampler
	onAsk   string
	ask     *prompter // where a person answers what is left
	roots   json.RawMessage
	saveTo  string
	journal answer.Journal
	tell    func(format string, args ...any)
	told    map[string]bool // strays of the answers file
}

var onAsks = []string{"fail", "prompt", "decline", "cancel"}

func (a *app) answerer(c calling) (*answerer, error) {
	w := &answerer{onAsk: c.onAsk, saveTo: c.saveAnswers, tell: a.tell, told: map[string]bool{}}
	interactive := terminal(a.In) && terminal(a.Err)
	switch {
	case c.onAsk == "" && interactive:
		w.onAsk = "prompt"
	case c.onAsk == "":
		w.onAsk = "fail"
	case c.onAsk == "prompt" && !interactive:
		return nil, usagef("--on-ask prompt needs a terminal on standard input and standard error")
	default:
		if err := oneOf("on-ask", c.onAsk, onAsks); err != nil {
			return nil, err
		}
	}
	if w.onAsk == "prompt" {
		w.ask = a.prompter()
	}
	if err := writable(c.saveAnswers); err != nil {
		return nil, usage(fmt.Errorf("--save-answers: %w", err))
	}
	if c.answers != "" {
		book, err := answer.Read(c.answers)
		if err != nil {
			return nil, usage(err)
		}
		w.book = book
	}
	if a.flags.sampler != "" {
		w.sampler = &answer.Sampler{Command: a.flags.sampler, Env: a.Env, Timeout: a.flags.timeout}
	}
	roots := []control.Root{}
	for _, uri := range a.flags.roots {
		roots = append(roots, control.Root{URI: uri})
	}
	raw, err := json.Marshal(map[string]any{"roots": roots})
	if err != nil {
		return nil, fmt.Errorf("write roots: %w", err)
	}
	w.roots = raw
	return w, nil
}

// Answer implements headless.Answerer.
func (w *answerer) Answer(ctx context.Context, ask *session.Ask) (control.Reply, error) {
	asked := answer.Ask{Key: ask.ID.Key, Method: ask.Method, Params: ask.Params}
	reply, err := w.choose(ctx, ask, asked)
	if err != nil {
		if errors.Is(err, headless.ErrRejected) {
			err = errors.Join(err, w.journal.Add(asked, nil))
		}
		return control.Reply{}, err
	}
	if err := w.journal.Add(asked, reply); err != nil {
		return control.Reply{}, err
	}
	return control.Reply{Result: reply}, nil
}

func (w *answerer) choose(ctx context.Context, ask *session.Ask, asked answer.Ask) (json.RawMessage, error) {
	if w.book != nil {
		switch reply, err := w.book.Answer(asked); {
		case err != nil:
			return nil, err
		case reply.Outcome == answer.Reject:
			return nil, headless.ErrRejected
		case reply.Outcome == answer.Result:
			err := reply.Err()
			w.tellStrays(reply.Strays, err == nil)
			return reply.Result, err
		}
	}
	switch {
	case ask.Kind == session.Roots:
		return w.roots, nil
	case ask.Kind == session.Sampling && w.sampler != nil:
		return w.sampler.Sample(ctx, ask.Params)
	case w.onAsk == "prompt":
		return w.ask.answer(ctx, ask)
	case w.onAsk == "fail":
		return nil, headless.ErrNoAnswer
	case ask.Kind == session.Sampling:
		return nil, headless.ErrRejected
	case w.onAsk == "decline":
		return answer.Decline, nil
	}
	return answer.Cancel, nil
}

// tellStrays tells once of each field that the answers file fills in and nobody asked for.
func (w *answerer) tellStrays(strays []answer.Stray, sent bool) {
	for _, s := range strays {
		if w.told[s.At] {
			continue
		}
		w.told[s.At] = true
		name, is := s.Name, ""
		if strings.Count(s.Path, "/") > 1 {
			name = s.Path
		}
		if sent {
			is = ", but is sent all the same"
		}
		near := ""
		if s.Near != "" {
			near = fmt.Sprintf("; did you mean %q?", s.Near)
		}
		w.tell("%s: %q is no field of what is asked%s%s", s.At, name, is, near)
	}
}

// missed says why the answers file has nothing for an ask, "" where there is no file.
func (w *answerer) missed(ask *session.Ask) string {
	if w == nil || w.book == nil {
		return ""
	}
	return "; " + w.book.Missed(answer.Ask{Key: ask.ID.Key, Method: ask.Method, Params: ask.Params})
}

// writable reports why a file could not be written, before there is anything to
// write. It leaves one that is there as it is, and none where none was.
func writable(file string) error {
	if file == "" {
		return nil
	}
	_, err := os.Stat(file)
	fresh := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err = f.Close(); fresh {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// save writes what was answered, where --save-answers asks for it. What was called
// has been called all the same.
func (w *answerer) save() error {
	if w.saveTo == "" || w.journal.Empty() {
		return nil
	}
	f, err := os.OpenFile(w.saveTo, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = w.journal.WriteTo(f)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return &unrecorded{fmt.Errorf("--save-answers: %w", err)}
	}
	return nil
}
