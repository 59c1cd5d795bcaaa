package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/answer"
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
	tool                                      string // that is called, "" for none
	untyped                                   bool   // with arguments that its schema types
	raw                                       bool   // nothing is sent but what was said
}

func (c *calling) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&c.answers, "answers", "", "answer what the server asks from this `FILE`")
	fl.StringVar(&c.onAsk, "on-ask", "", "`WHAT` happens to an ask that no answer fits: fail, prompt, decline or cancel")
	offer(cmd, "on-ask", onAsks)
	fl.IntVar(&c.rounds, "rounds", 10, "`N` rounds may ask, no more")
	fl.BoolVar(&c.step, "step", false, "stop at the first ask and print where the call stands, for 'mcptui call --resume'")
	fl.StringVar(&c.saveAnswers, "save-answers", "", "write what was answered to this `FILE`")
	fl.BoolVar(&c.roundsJSON, "rounds-json", false, "print every round beside the result")
}

func newCall(a *app) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use:   "call TOOL [ARG...] SERVER",
		Short: "Call a tool",
		Long: `Call a tool. Arguments are name=value (text, coerced to the declared type) or
name:=json (as it is). What the server asks is answered from a file:

  answers:
    when: {accept: {date: 2026-12-24}}
    seats: {accept: {seats: 4, area: garden}}
    confirm: {accept: {ok: true}}

Beside answers, a file may have match: (by method and message) and order: (what is
left, in turn); what a server of the legacy era asks has no key, only these.

Of what no answer is given for, a person is asked where there is a terminal;
without one the call ends with code 5.`,
		Example: `  mcptui call add a=2 b=3
  mcptui call add a:=2 b:=3 --json
  mcptui call add --args '{"a": 2, "b": 3}'
  mcptui call delete_branch branch=release/2019 --on-ask decline
  mcptui call book_table --answers answers.yaml
  mcptui call book_table --answers answers.yaml --rounds-json
  mcptui call add --args @numbers.json --json http://127.0.0.1:8931/mcp   # what 'mcptui serve' runs
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
	fl.StringVar(&c.resume, "resume", "", "go on from what --step printed into this `FILE`, or - for standard input")
	fl.BoolVar(&c.force, "force", false, "call a tool that the client would refuse to call")
	return cmd
}

func (a *app) call(cmd *cobra.Command, c calling, mine []string, server target) error {
	if c.resume != "" && c.args != "" {
		return usagef("--resume goes on with the arguments of its file, and takes no --args")
	}
	base, err := a.baseArgs(cmd.Context(), c.args)
	if err != nil {
		return err
	}
	if c.resume != "" {
		if len(mine) > 0 {
			return usagef("--resume names no tool, got %q", mine[0])
		}
		s, err := a.readStep(cmd.Context(), c.resume)
		if err != nil {
			return err
		}
		if s.Method == "tools/call" {
			c.tool = rpc.Text(s.Params, "name")
		}
		return a.run(cmd, c, server, func(ctx context.Context, l *link) (control.Request, error) { return s.request(ctx, l) })
	}
	if len(mine) == 0 {
		return usagef("no tool is named; 'mcptui tools SERVER' lists them")
	}
	if mine[0] == "" {
		return usagef("TOOL is empty")
	}
	args, err := parseArgs(mine[1:])
	if err != nil {
		return err
	}
	c.tool, c.untyped = mine[0], untyped(args)
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
	if cmd.Flags().Changed("rounds") && c.rounds < 1 {
		return usagef("--rounds %d: at least one round has to be permitted", c.rounds)
	}
	answerer, err := a.answerer(c)
	if err != nil {
		return err
	}
	need := dialFor{tool: c.tool, rounds: c.rounds, answers: answerer}
	if c.untyped {
		need.lists = []string{"tools/list"}
	}
	l, err := a.dial(cmd, server, need)
	if err != nil {
		return err
	}
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
	r := headless.Runner{Conn: l.conn, Follow: l.follow, Answer: l.answers, Step: c.step, Rounds: c.rounds}
	out, err := l.run(ctx, &r, req)
	if err != nil && ctx.Err() != nil && out != nil && out.Call != nil {
		err = fmt.Errorf("%s: %w", l.subject(out.Call.Method, out.Call.Name, lastID(out.Call)), context.Cause(ctx))
	}
	unsaved := l.answers.save()
	if err == nil {
		err = a.report(ctx, l, c, req.Method, out)
	}
	return errors.Join(err, unsaved)
}

// report prints the result of a call, or says why there is none.
func (a *app) report(ctx context.Context, l *link, c calling, method string, out *headless.Outcome) error {
	if out.Stepping {
		return a.stepped(l, out)
	}
	call := out.Call
	// An ask beyond the limit may be seen before the end that it makes: it is the limit
	// that ended the call, and not that nobody answered.
	if out.Unmet != nil && call.Status != trace.Limited {
		return l.unmet(call.Method, call.Name, lastID(call), out.Unmet, out.Stopped, headless.Asks(out.Unmet), out.Cause)
	}
	switch call.Status {
	case trace.Done, trace.ToolError:
		if err := a.printResult(l, c, method, out); err != nil {
			return err
		}
		if !c.raw {
			a.tellWrong(ctx, l, call, out.Result)
		}
		if call.Status == trace.ToolError {
			return quiet{exitToolError}
		}
		return nil
	}
	meant := ""
	switch {
	case !c.raw:
		meant = l.meant(ctx, call, out.Failure)
	case members[call.Method] != "" && call.Status == trace.Failed:
		meant = recordIt // what helps with a list is a flag that raw has not
	}
	err := l.failed(call, out.Failure, meant)
	var f *failure
	if asks := l.lastAsks(call); call.Status == trace.Limited && len(asks) > 0 && errors.As(err, &f) {
		f.asks, f.err = headless.Asks(asks), fmt.Errorf("%w\n%s", f.err, strings.TrimSuffix(describeAsks(asks), "\n"))
	}
	if c.resume != "" && a.randomKey && errors.As(err, &f) && f.code != nil && *f.code == -32602 {
		f.err = fmt.Errorf("%w\nno server is named, so this was the built-in one, with a key of its own: name the server that printed this step, or %s", f.err, giveKey)
	}
	return err
}

// tellWrong tells what the server did not say of a call that came to nothing: that what
// it is about is not there.
func (a *app) tellWrong(ctx context.Context, l *link, c *session.Call, result []byte) {
	wrong := ""
	switch {
	case c.Status == trace.ToolError:
		wrong = l.wrongArguments(ctx, c, result)
	case c.Method == "completion/complete" && string(bytes.TrimSpace(rpc.Member(result, "completion", "values"))) == "[]":
		wrong = l.nothingToComplete(ctx, c.Params)
	}
	if wrong != "" {
		a.tell("%s", wrong)
	}
}

// lastAsks are the asks of a call's last round.
func (l *link) lastAsks(c *session.Call) []*session.Ask {
	var asks []*session.Ask
	if r := c.LastRound(); r != nil {
		for _, id := range r.Asks {
			asks = append(asks, l.follow.Session.Ask(id))
		}
	}
	return asks
}

func (a *app) printResult(l *link, c calling, method string, out *headless.Outcome) error {
	if c.roundsJSON {
		doc, err := headless.Rounds(l.conn.Log(), l.follow.Session, out.Call, l.decodeState)
		if err != nil {
			return &failure{exit: exitProtocol, kind: "protocol", err: err}
		}
		return a.printJSON(doc...)
	}
	if a.flags.json {
		return a.printJSON(out.Result)
	}
	return a.printText(method, out.Result)
}

// unmet is the failure of a call that asks for what nobody gave. Stopped is the one
// of the asks that ended it; id is empty where no request was made.
func (l *link) unmet(method, name string, id rpc.ID, asks []*session.Ask, stopped *session.Ask, document json.RawMessage, why error) error {
	f := &failure{exit: exitInput, kind: "input_required", asks: document}
	try := ""
	switch {
	case errors.Is(why, answer.ErrSamplerTimeout):
		f.exit, f.kind, f.asks = exitTimeout, "timeout", nil
		try = "; raise --timeout if it is only slow"
	case errors.Is(why, headless.ErrNoAnswer):
		try = firstNonEmpty(l.answers.missed(stopped), "; give --answers FILE or --on-ask")
	case errors.Is(why, headless.ErrRejected) && stopped.Kind == session.Sampling:
		try = "; the call goes on where --answers FILE or --sampler COMMAND answers it"
	case errors.Is(why, headless.ErrRejected):
		try = "; the call goes on where --answers FILE answers it"
	}
	what := ""
	if len(asks) > 1 {
		what = " (" + strings.TrimSpace(stopped.Method+" "+stopped.ID.Key) + ")"
	}
	f.err = fmt.Errorf("%s asks for input: %w%s%s\n%s", l.subject(method, name, id), why, what, try, strings.TrimSuffix(describeAsks(asks), "\n"))
	return f
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
