package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"mcptui/client/control"
	"mcptui/client/position"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/headless"
)

// giveKey says how a call of the built-in server is resumed.
const giveKey = "give both runs the same --state-key to resume a call on the built-in server"

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
	if a.randomKey && s.Stuck == "" {
		a.tell("the built-in server ends with this run, and its key with it: %s", giveKey)
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

// readStep reads what --step printed, from a file, or - for standard input.
func (a *app) readStep(ctx context.Context, file string) (*step, error) {
	var raw []byte
	var err error
	if file == "-" {
		file = "standard input"
		raw, err = a.readInput(ctx)
	} else {
		raw, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, usage(fmt.Errorf("--resume: %w", err))
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if at, bad := position.NotUTF8(raw); bad {
		line, column := position.Of(raw, at)
		return nil, usagef("%s:%d:%d: not UTF-8: the byte 0x%02x", file, line, column, raw[at])
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
	if err := doc.Step.check(file, raw); err != nil {
		return nil, err
	}
	if string(doc.Step.State) == "null" {
		doc.Step.State = nil
	}
	return doc.Step, nil
}

// asking are the methods whose calls may ask for input (2026-07-28, Multi
// Round-Trip Requests).
var asking = []string{"tools/call", "prompts/get", "resources/read"}

// check refuses what no step can hold, by its place in the file.
func (s *step) check(file string, raw []byte) error {
	bad := func(why string, path ...string) error {
		line, column := position.Of(raw, position.Member(raw, append([]string{"step"}, path...)...))
		return usagef("%s:%d:%d: this is no step: %q %s; --step prints one", file, line, column, strings.Join(append([]string{"step"}, path...), "."), why)
	}
	switch {
	case !slices.Contains(asking, s.Method):
		return bad("is none of "+strings.Join(asking, ", "), "method")
	case firstByte(s.Params) != '{':
		return bad("has to be an object", "params")
	case s.State != nil && firstByte(s.State) != '"' && string(s.State) != "null":
		return bad("has to be a string, or null where the server gave none", "requestState")
	case s.Asks != nil && firstByte(s.Asks) != '[':
		return bad("has to be an array", "asks")
	}
	for i, ask := range rpc.Elements(s.Asks) {
		for _, name := range []string{"key", "method"} {
			if firstByte(rpc.Member(ask, name)) != '"' {
				return bad(fmt.Sprintf("has no %q that is a string at [%d]", name, i), "asks")
			}
		}
	}
	return nil
}

// firstByte tells what kind of JSON a member is; 0 for one that is not there.
func firstByte(raw []byte) byte {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return 0
	}
	return raw[0]
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
