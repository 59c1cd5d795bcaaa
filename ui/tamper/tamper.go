// Package tamper holds the ways in which a retry can be damaged on purpose, to
// find out what a server does with it. Each says what the specification asks of
// the server then, and judges what came. It changes drafts and reads sessions;
// it sends nothing.
package tamper

import (
	"errors"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
)

// Level is how strongly the specification asks for something.
type Level string

// Levels.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	Silent Level = "silent"
)

// Section is where the specification says so.
const Section = "2026-07-28, basic/patterns/mrtr"

// With is what a preset works on.
type With struct {
	Session *session.Session
	Call    *session.Call
	Draft   control.Draft
	Keys    []state.Key
}

// Preset is one way to damage a retry.
type Preset struct {
	Name  string
	Level Level
	Says  string // what the specification asks of the server
	Apply func(With) (control.Draft, error)
	judge func(Came) Outcome
}

// Came is how a server answered a damaged retry.
type Came struct {
	Refused bool // a JSON-RPC error, or a result with isError
	Asked   bool // it asks for input again
	Done    bool // a complete result
}

// Outcome is what an answer says about the server.
type Outcome string

// Outcomes.
const (
	Kept    Outcome = "kept"
	Broken  Outcome = "broken"
	Open    Outcome = "silent" // the specification leaves it to the server
	Waiting Outcome = "waiting"
)

// Read tells how the server answered the request of a round.
func Read(s *session.Session, c *session.Call, r *session.Round) (Came, bool) {
	if r.Response == 0 {
		return Came{}, false
	}
	row := s.Rows[r.Response-1]
	switch {
	case row.Kind == rpc.Failure:
		return Came{Refused: true}, true
	case len(r.Asks) > 0 || r.StateOut != nil:
		return Came{Asked: true}, true
	case c.Status == trace.ToolError && c.LastRound() == r:
		return Came{Refused: true}, true
	}
	return Came{Done: true}, true
}

// Judge says what an answer means for the preset.
func (p Preset) Judge(c Came) Outcome {
	if p.judge == nil {
		return Open
	}
	return p.judge(c)
}

// rejects is what must hold where the retry is not to be accepted: a complete
// result breaks it.
func rejects(c Came) Outcome {
	if c.Done {
		return Broken
	}
	return Kept
}

// ignores is what must hold where the damage is to be overlooked.
func ignores(c Came) Outcome {
	if c.Refused {
		return Broken
	}
	return Kept
}

// asksAgain is what must hold where something necessary is missing.
func asksAgain(c Came) Outcome {
	switch {
	case c.Asked:
		return Kept
	case c.Refused:
		return Broken
	}
	return Open
}

var (
	errNoState   = errors.New("this retry has no requestState")
	errNoAnswers = errors.New("this retry has no inputResponses")
	errNoOther   = errors.New("there is no other state of that kind in this session")
)

func token(w With) (string, error) {
	t := rpc.Member(w.Draft.Params, "requestState")
	if t == nil {
		return "", errNoState
	}
	return string(t), nil
}

// onState makes a preset's Apply out of a change of the state.
func onState(change func(w With, token string) (string, error)) func(With) (control.Draft, error) {
	return func(w With) (control.Draft, error) {
		t, err := token(w)
		if err != nil {
			return w.Draft, err
		}
		changed, err := change(w, t)
		if err != nil {
			return w.Draft, err
		}
		w.Draft.Params = state.Put(w.Draft.Params, changed)
		return w.Draft, nil
	}
}

// onAnswers makes a preset's Apply out of a change of the answers.
func onAnswers(change func(w With, answers []byte) ([]byte, error)) func(With) (control.Draft, error) {
	return func(w With) (control.Draft, error) {
		a := rpc.Member(w.Draft.Params, "inputResponses")
		if a == nil {
			return w.Draft, errNoAnswers
		}
		changed, err := change(w, a)
		if err != nil {
			return w.Draft, err
		}
		w.Draft.Params = rpc.With(w.Draft.Params, rpc.Field{Name: "inputResponses", Raw: changed})
		return w.Draft, nil
	}
}

func firstKey(object []byte) (string, []byte, bool) {
	for k, v := range rpc.Members(object) {
		return k, v, true
	}
	return "", nil, false
}

// Named returns a preset by its name; it must exist.
func Named(name string) Preset {
	for _, p := range Presets {
		if p.Name == name {
			return p
		}
	}
	panic("tamper: no preset " + name)
}
