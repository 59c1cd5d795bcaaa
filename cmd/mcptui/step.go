package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"mcptui/client/control"
	"mcptui/client/position"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/headless"
)

// step is the document of --step.
type step struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Asks   json.RawMessage `json:"asks"`
	State  json.RawMessage `json:"requestState"` // as its raw JSON string, null where the server gave none
	Stuck  string          `json:"cannotResume"` // why, "" where it can be
}

func (a *app) stepped(l *link, out *headless.Outcome) error {
	s := step{Method: out.Call.Method, Params: out.Call.Params, Asks: headless.Asks(out.Unmet)}
	if r := out.Call.LastRound(); r != nil && r.StateOut != nil {
		s.State = r.StateOut.Raw
	}
	if l.follow.Session.Conn.Era == trace.Legacy {
		if err := l.conn.Cancel(out.Call.ID, "stopped at the first ask"); err != nil && !errors.Is(err, control.ErrNo) {
			return fmt.Errorf("cancel the call: %w", err)
		}
		s.Stuck = "a call of the handshake era lives inside its one open request: it is cancelled and cannot be resumed"
	}
	if err := a.printJSON(s.document()); err != nil {
		return err
	}
	return quiet{exitInput}
}

// document is the step with every part as it stood on the wire.
func (s *step) document() []byte {
	fields := []rpc.Field{
		{Name: "method", Raw: rpc.Quote(s.Method)}, {Name: "params", Raw: orNull(s.Params)}, {Name: "asks", Raw: s.Asks},
		{Name: "requestState", Raw: orNull(s.State)},
	}
	if s.Stuck != "" {
		fields = append(fields, rpc.Field{Name: "cannotResume", Raw: rpc.Quote(s.Stuck)})
	}
	return rpc.Object(rpc.Field{Name: "step", Raw: rpc.Object(fields...)})
}

// readStep reads what --step printed.
func readStep(file string) (*step, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(fmt.Errorf("--resume: %w", err))
	}
	var doc struct {
		Step *step `json:"step"`
	}
	err = json.Unmarshal(raw, &doc)
	switch {
	case !json.Valid(raw):
		return nil, noJSONFile(file, raw)
	case err != nil:
		fault := position.Because(raw, err)
		return nil, usagef("%s:%d:%d: this is no step: %v; --step prints one", file, fault.Line, fault.Column, fault)
	case doc.Step == nil || doc.Step.Method == "":
		return nil, usagef("%s holds no step; --step prints one", file)
	case doc.Step.Stuck != "":
		return nil, usagef("%s cannot be resumed: %s", file, doc.Step.Stuck)
	}
	if string(doc.Step.State) == "null" {
		doc.Step.State = nil
	}
	return doc.Step, nil
}

// request answers the asks of the step, and builds the request that goes on
// from it.
func (s *step) request(ctx context.Context, l *link) (control.Request, error) {
	var inputs []rpc.Field
	for _, raw := range rpc.Elements(s.Asks) {
		ask := &session.Ask{
			ID: trace.AskID{Key: rpc.Text(raw, "key")}, Request: 0,
			Method: rpc.Text(raw, "method"), Params: rpc.Member(raw, "params"), Status: session.Open,
		}
		ask.Kind, ask.Message = session.Describe(ask.Method, ask.Params)
		reply, err := l.answers.Answer(ctx, ask)
		if err != nil {
			return control.Request{}, l.unmet(s.Method, rpc.Text(s.Params, "name"), "", []*session.Ask{ask}, ask, s.Asks, err)
		}
		inputs = append(inputs, rpc.Field{Name: ask.ID.Key, Raw: reply.Result})
	}
	return control.Request{Method: s.Method, Params: s.Params, State: s.State, Inputs: rpc.Object(inputs...)}, nil
}
