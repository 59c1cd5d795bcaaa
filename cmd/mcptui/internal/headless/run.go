package headless

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Answerer answers an ask by rule. It returns ErrNoAnswer where no rule fits.
type Answerer interface {
	Answer(ctx context.Context, ask *session.Ask) (control.Reply, error)
}

// ErrNoAnswer is returned for an ask that no rule answers.
var ErrNoAnswer = errors.New("no answer was given for this ask")

// ErrRejected is returned for an ask that a rule or a person refuses where the
// protocol knows no refusal: the call is given up.
var ErrRejected = errors.New("the ask was rejected")

// Runner runs one call.
type Runner struct {
	Conn   Conn
	Follow *Follower
	Answer Answerer
	Step   bool // stop at the first ask
	Rounds int  // that may ask before the connection ends the call; 0 where that is not known
}

// Outcome is a call that has ended, or stopped at an ask.
type Outcome struct {
	Call     *session.Call
	Result   []byte // the server's result, untouched; nil where there is none
	Failure  []byte // the error member of the server's response
	Unmet    []*session.Ask
	Stopped  *session.Ask // the one of them that was not answered; nil when stepping
	Cause    error        // why it was not
	Stepping bool
}

// Run begins the call, answers what it asks, and returns once it has ended. An
// error means that the call could not be begun or followed.
func (r *Runner) Run(ctx context.Context, req control.Request) (*Outcome, error) {
	id, err := r.Conn.Call(req)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", req.Method, err)
	}
	out := &Outcome{}
	seen := map[trace.AskID]bool{}
	err = r.Follow.Until(ctx, func() (bool, error) {
		out.Call = r.Follow.Session.Call(id)
		if out.Call == nil {
			return false, nil
		}
		if err := r.settle(ctx, out, seen); err != nil {
			return true, err
		}
		return out.Call.Status.Final() || out.Stepping, nil
	})
	if err != nil {
		if ctx.Err() != nil { // the server is told, however little time is left
			_ = r.Conn.Cancel(id, "interrupted") // a call that has ended needs none
		}
		return out, err
	}
	return out, r.collect(out)
}

// settle answers every ask of the call that waits, and gives the call up at the
// first that cannot be answered.
func (r *Runner) settle(ctx context.Context, out *Outcome, seen map[trace.AskID]bool) error {
	if r.beyond(out.Call) {
		return nil
	}
	waiting := own(r.Follow.Session.Waiting(), out.Call.ID)
	for _, ask := range waiting {
		if seen[ask.ID] || out.Unmet != nil && !atOnce(ask) {
			continue // the others of a round that is given up are of no use to anybody
		}
		if r.Step {
			out.Stepping, out.Unmet = true, waiting
			return nil
		}
		seen[ask.ID] = true
		unmet, err := settle(ctx, r.Conn, r.Answer, ask)
		if err != nil {
			return err
		}
		if unmet == nil || errors.Is(unmet, ErrRejected) && atOnce(ask) {
			continue // the server has been told, and goes on as it likes
		}
		if out.Unmet == nil {
			out.Unmet, out.Stopped, out.Cause = waiting, ask, unmet
		}
		if err := r.Conn.Cancel(out.Call.ID, "no answer to what the server asked"); err != nil && !errors.Is(err, control.ErrNo) {
			return fmt.Errorf("give the call up: %w", err)
		}
	}
	return nil
}

// beyond reports whether a call of the modern era asks once more than it may. Its end is
// on the way then, and nobody is to be asked in vain.
func (r *Runner) beyond(c *session.Call) bool {
	if r.Rounds == 0 || r.Follow.Session.Conn.Era == trace.Legacy {
		return false
	}
	asking := 0
	for _, round := range c.Rounds {
		if len(round.Asks) > 0 {
			asking++
		}
	}
	return asking > r.Rounds
}

// settle answers one ask. Unmet is why there is no answer; the server has been
// told so where it waits inside an open request.
func settle(ctx context.Context, conn control.Answerer, by Answerer, ask *session.Ask) (unmet, err error) {
	reply, unmet := by.Answer(ctx, ask)
	switch {
	case unmet == nil:
	case ctx.Err() != nil:
		return unmet, ctx.Err()
	case atOnce(ask):
		reply = control.Reply{Error: &control.Error{Code: -1, Message: unmet.Error()}}
	default:
		return unmet, nil // a modern ask waits for nothing
	}
	if err := conn.Answer(ask.ID, reply, trace.Script); err != nil && !errors.Is(err, control.ErrNo) {
		return unmet, fmt.Errorf("answer %s: %w", ask.Method, err)
	}
	return unmet, nil
}

// atOnce reports whether the answer to an ask leaves by itself, and a refusal
// with it.
func atOnce(ask *session.Ask) bool { return ask.RPC != "" }

func own(asks []*session.Ask, call int) []*session.Ask {
	var out []*session.Ask
	for _, a := range asks {
		if a.Owner.Call == call {
			out = append(out, a)
		}
	}
	return out
}

// collect reads the last response of the call back from the log.
func (r *Runner) collect(out *Outcome) error {
	last := out.Call.LastRound()
	if last == nil || last.Response == 0 {
		return nil
	}
	raw, err := r.Conn.Log().Body(last.Response)
	if err != nil {
		return fmt.Errorf("read the response back from the log: %w", err)
	}
	m := rpc.Answer(raw, last.ID)
	out.Result, out.Failure = m.Result, m.Error
	return nil
}

// askName names an ask where documents have names: by its key, else by the text of
// its request's id.
func askName(a *session.Ask) string {
	if a.RPC == "" {
		return a.ID.Key
	}
	if s, ok := rpc.String([]byte(a.RPC)); ok {
		return s
	}
	return string(a.RPC)
}

// Asks is the JSON of asks as documents show them: key, or the id of its request
// where the wire knows no key, method and params, all as they came.
func Asks(asks []*session.Ask) json.RawMessage {
	out := []byte{'['}
	for i, a := range asks {
		if i > 0 {
			out = append(out, ',')
		}
		name := rpc.Field{Name: "key", Raw: rpc.Quote(a.ID.Key)}
		if a.RPC != "" {
			name = rpc.Field{Name: "id", Raw: []byte(a.RPC)}
		}
		out = append(out, rpc.Object(
			name,
			rpc.Field{Name: "method", Raw: rpc.Quote(a.Method)},
			rpc.Field{Name: "params", Raw: a.Params},
		)...)
	}
	return append(out, ']')
}
