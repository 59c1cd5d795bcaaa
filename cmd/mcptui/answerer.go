package main

import (
	"context"
	"encoding/json"
	"fmt"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/cmd/mcptui/internal/headless"
)

// answerer answers asks for a script: from the answers file, by the sampler, by
// --on-ask, in this order. The list of roots is always given.
type answerer struct {
	onAsk string
	roots json.RawMessage
}

func (a *app) answerer(c calling) (*answerer, error) {
	switch c.onAsk {
	case "", "fail", "prompt", "decline", "cancel":
	default:
		return nil, usagef("--on-ask %q is none of fail, prompt, decline, cancel%s", c.onAsk, didYouMean(c.onAsk, []string{"fail", "prompt", "decline", "cancel"}))
	}
	roots := []control.Root{}
	for _, uri := range a.flags.roots {
		roots = append(roots, control.Root{URI: uri})
	}
	raw, err := json.Marshal(map[string]any{"roots": roots})
	if err != nil {
		return nil, fmt.Errorf("write roots: %w", err)
	}
	return &answerer{onAsk: c.onAsk, roots: raw}, nil
}

// Answer implements headless.Answerer.
func (w *answerer) Answer(_ context.Context, ask *session.Ask) (control.Reply, error) {
	switch {
	case ask.Kind == session.Roots:
		return control.Reply{Result: w.roots}, nil
	case w.onAsk != "decline" && w.onAsk != "cancel":
		return control.Reply{}, headless.ErrNoAnswer
	case ask.Kind == session.Form || ask.Kind == session.URL:
		return control.Reply{Result: rpc.Object(rpc.Field{Name: "action", Raw: rpc.Quote(w.onAsk)})}, nil
	}
	return control.Reply{}, fmt.Errorf("%w: %s can only be rejected", headless.ErrNoAnswer, ask.Method)
}

func (w *answerer) save() error { return nil }
