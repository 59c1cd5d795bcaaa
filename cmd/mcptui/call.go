package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/headless"
)

// calling is what the commands that may be asked for input are told by their
// flags.
type calling struct {
	args, answers, onAsk, resume, saveAnswers string
	rounds                                    int
	step, roundsJSON                          bool
	force                                     bool
	lists                                     []string // to fetch before the call
}

func (c *calling) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&c.answers, "answers", "", "answer what the server asks from this `FILE`")
	fl.StringVar(&c.onAsk, "on-ask", "", "what happens to an ask that no answer fits: fail, prompt, decline or cancel")
	fl.IntVar(&c.rounds, "rounds", 10, "limit of rounds that ask")
	fl.BoolVar(&c.step, "step", false, "stop at the first ask and print where the call stands")
	fl.StringVar(&c.saveAnswers, "save-answers", "", "write what was answered to this `FILE`")
	fl.BoolVar(&c.roundsJSON, "rounds-json", false, "print every round beside the result")
}

func newCall(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use:   "call TOOL [ARG...] SERVER",
		Short: "Call a tool",
		Long: `Call a tool. Arguments are name=value (text, coerced to the declared type) or
name:=json (as it is).`,
		Example: `  mcptui call add a=2 b=3
  mcptui call book_table --answers answers.yaml --json
  mcptui call search q=tea limit:=5 https://example.com/mcp
  mcptui call echo message=hi -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error {
			own := 1
			if c.resume != "" {
				own = 0
			}
			mine, server, err := a.split(cmd, args, own)
			if err != nil {
				return err
			}
			return a.call(cmd, c, mine, server)
		},
	}
	a.dials(cmd)
	c.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&c.args, "args", "", "arguments as `JSON`, @file, or - for standard input")
	fl.StringVar(&c.resume, "resume", "", "go on from what --step printed into this `FILE`")
	fl.BoolVar(&c.force, "force", false, "call a tool that the client would refuse to call")
	return cmd
}

func (a *app) call(cmd *cobra.Command, c calling, mine []string, server target) error {
	base, err := a.baseArgs(c.args)
	if err != nil {
		return err
	}
	if c.resume != "" {
		if len(mine) > 0 {
			return usagef("--resume names no tool, got %q", mine[0])
		}
		s, err := readStep(c.resume)
		if err != nil {
			return err
		}
		return a.run(cmd, c, server, func(ctx context.Context, l *link) (control.Request, error) { return s.request(ctx, l) })
	}
	if len(mine) == 0 {
		return usagef("no tool is named; 'mcptui tools SERVER' lists them")
	}
	args, err := parseArgs(mine[1:])
	if err != nil {
		return err
	}
	if untyped(args) || server.command == nil {
		// Over HTTP the list also says which arguments are mirrored into headers.
		c.lists = []string{"tools/list"}
	}
	return a.run(cmd, c, server, func(ctx context.Context, l *link) (control.Request, error) {
		raw, err := l.toolArguments(ctx, mine[0], base, args)
		return control.Request{
			Method: "tools/call",
			Params: rpc.Object(rpc.Field{Name: "name", Raw: rpc.Quote(mine[0])}, rpc.Field{Name: "arguments", Raw: raw}),
			Force:  c.force,
		}, err
	})
}

// run dials, makes one call, and prints what came of it.
func (a *app) run(cmd *cobra.Command, c calling, server target, request func(context.Context, *link) (control.Request, error)) error {
	answerer, err := a.answerer(c)
	if err != nil {
		return err
	}
	l, err := a.dial(cmd, server, dialFor{rounds: c.rounds, lists: c.lists})
	if err != nil {
		return err
	}
	l.answers = answerer
	err = a.runOn(cmd.Context(), l, c, request)
	return errors.Join(err, l.close())
}

func (a *app) runOn(ctx context.Context, l *link, c calling, request func(context.Context, *link) (control.Request, error)) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	req, err := request(ctx, l)
	if err != nil {
		return err
	}
	req.Who = trace.Script
	r := headless.Runner{Conn: l.conn, Follow: l.follow, Answer: l.answers, Step: c.step}
	out, err := r.Run(ctx, req)
	if saved := l.answers.save(); saved != nil {
		err = errors.Join(err, saved)
	}
	if err != nil {
		return err
	}
	return a.report(l, c, req.Method, out)
}

// report prints the result of a call, or says why there is none.
func (a *app) report(l *link, c calling, method string, out *headless.Outcome) error {
	if out.Stepping {
		return a.stepped(l, out)
	}
	call := out.Call
	if out.Unmet != nil {
		return &failure{exit: exitInput, kind: "input_required", asks: headless.Asks(out.Unmet),
			err: fmt.Errorf("%s of %s asks for input: %w; give --answers FILE or --on-ask\n%s", call.Method, l.name(), out.Cause, describeAsks(out.Unmet))}
	}
	switch call.Status {
	case trace.Done, trace.ToolError:
		if err := a.printResult(l, c, method, out); err != nil {
			return err
		}
		if call.Status == trace.ToolError {
			return quiet{exitToolError}
		}
		return nil
	}
	return l.failed(call, out.Failure)
}

func (a *app) printResult(l *link, c calling, method string, out *headless.Outcome) error {
	if c.roundsJSON {
		doc, err := headless.Rounds(l.conn.Log(), l.follow.Session, out.Call, l.decodeState)
		if err != nil {
			return &failure{exit: exitProtocol, kind: "protocol", err: err}
		}
		return a.printJSON(doc)
	}
	if a.flags.json {
		return a.printJSON(out.Result)
	}
	return a.print([]byte(a.safe(resultText(method, out.Result))))
}

// printJSON prints a document as it is, and a line end.
func (a *app) printJSON(doc []byte) error {
	if err := a.print(doc); err != nil {
		return err
	}
	return a.print([]byte("\n"))
}

// step is the document of --step.
type step struct {
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Asks    json.RawMessage `json:"asks"`
	State   json.RawMessage `json:"requestState,omitempty"`
	Resumes bool            `json:"resumes"`
	Note    string          `json:"note,omitempty"`
}

func (a *app) stepped(l *link, out *headless.Outcome) error {
	s := step{Method: out.Call.Method, Params: out.Call.Params, Asks: headless.Asks(out.Unmet), Resumes: true}
	if r := out.Call.LastRound(); r != nil && r.StateOut != nil {
		s.State = r.StateOut.Raw
	}
	if l.follow.Session.Conn.Era == trace.Legacy {
		if err := l.conn.Cancel(out.Call.ID, "stopped at the first ask"); err != nil && !errors.Is(err, control.ErrNo) {
			return fmt.Errorf("cancel the call: %w", err)
		}
		s.Resumes, s.Note = false, "a call of the handshake era lives inside its one open request: it is cancelled and cannot be resumed"
	}
	raw, err := json.Marshal(map[string]step{"step": s})
	if err != nil {
		return &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("write the step: %w", err)}
	}
	if err := a.printJSON(raw); err != nil {
		return err
	}
	return quiet{exitInput}
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
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, usagef("%s: %s", file, describeJSON(raw))
	}
	switch {
	case doc.Step == nil || doc.Step.Method == "":
		return nil, usagef("%s holds no step; --step prints one", file)
	case !doc.Step.Resumes:
		return nil, usagef("%s: %s", file, doc.Step.Note)
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
			return control.Request{}, &failure{exit: exitInput, kind: "input_required", asks: s.Asks,
				err: fmt.Errorf("resume %s of %s: %w; give --answers FILE or --on-ask\n%s", s.Method, l.name(), err, describeAsks([]*session.Ask{ask}))}
		}
		inputs = append(inputs, rpc.Field{Name: ask.ID.Key, Raw: reply.Result})
	}
	return control.Request{Method: s.Method, Params: s.Params, State: s.State, Inputs: rpc.Object(inputs...)}, nil
}

// describeAsks says what is asked, for a person.
func describeAsks(asks []*session.Ask) string {
	var out string
	for _, ask := range asks {
		out += "  " + ask.Method
		if ask.ID.Key != "" {
			out += " " + ask.ID.Key
		}
		if ask.Message != "" {
			out += ": " + ask.Message
		}
		out += "\n"
	}
	return out
}

// decodeState reads a state for display.
func (l *link) decodeState(raw []byte) json.RawMessage {
	return state.Decode(string(raw), l.keys...).Payload
}
