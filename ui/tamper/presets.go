package tamper

import (
	"errors"
	"fmt"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
)

const (
	mustReject   = "MUST treat requestState as attacker-controlled, and reject what fails verification, where it matters at all"
	shouldBind   = "SHOULD bind requestState to the originating request, and reject it on another"
	shouldExpire = "SHOULD put a short expiry into requestState, and reject it after"
	shouldParse  = "SHOULD validate what the client provides"
	singleUse    = "bounds replay, but does not ask for single use; where that matters the server MUST enforce it itself"
)

// Presets are all there are, in the order they are offered.
var Presets = []Preset{
	{"drop the state", Silent, "asks the client to echo it, and says nothing of a server that gets none", func(w With) (control.Draft, error) {
		if _, err := token(w); err != nil {
			return w.Draft, err
		}
		w.Draft.Params = state.Drop(w.Draft.Params)
		return w.Draft, nil
	}, nil},
	{"flip one byte of the state", Must, mustReject, onState(func(_ With, t string) (string, error) { return state.Flip(t, state.Middle(t)) }), rejects},
	{"cut the state short", Must, mustReject, onState(func(_ With, t string) (string, error) { return state.Truncate(t, state.Length(t)/2) }), rejects},
	{"edit the payload of the state", Must, mustReject, onState(func(w With, t string) (string, error) {
		payload, err := state.Editable(t, w.Keys...)
		if err != nil {
			return "", err
		}
		changed, _, ok := state.Nudge(payload)
		if !ok {
			return "", errors.New("the payload has no value that could be changed")
		}
		return state.Edit(t, changed)
	}), rejects},
	{"the state of another round", Silent, singleUse, onState(otherState(func(w With, c *session.Call) bool { return c == w.Call })), nil},
	{"the state of another call", Should, shouldBind, onState(otherState(func(w With, c *session.Call) bool { return c != w.Call && c.Name == w.Call.Name })), nil},
	{"the state of another tool", Should, shouldBind, onState(otherState(func(w With, c *session.Call) bool { return c.Name != w.Call.Name })), rejects},
	{"the state of a finished call", Silent, singleUse, onState(otherState(func(w With, c *session.Call) bool {
		return c != w.Call && c.Name == w.Call.Name && c.Status.Final()
	})), nil},
	{"change an argument", Should, shouldBind, changeArgument, rejects},
	{"answer something that was not asked", Should, "SHOULD ignore what it does not recognize or need", onAnswers(func(_ With, a []byte) ([]byte, error) {
		return rpc.With(a, rpc.Field{Name: "never_asked", Raw: []byte(`{"action":"accept","content":{}}`)}), nil
	}), ignores},
	{"leave an answer out", Should, "SHOULD ask again for what is missing, rather than return an error", onAnswers(func(_ With, a []byte) ([]byte, error) {
		key, _, ok := firstKey(a)
		if !ok {
			return nil, errNoAnswers
		}
		return rpc.With(a, rpc.Field{Name: key}), nil
	}), asksAgain},
	{"answer with null", Should, shouldParse, onAnswers(replaceAnswer([]byte("null"))), rejects},
	{"answer with an array", Should, shouldParse, onAnswers(replaceAnswer([]byte("[]"))), rejects},
	{"answer of the wrong type", Should, shouldParse, onAnswers(wrongType), rejects},
	{"decline, with content", Silent, "says that content comes with accept, and nothing of a server that gets it with decline", onAnswers(func(_ With, a []byte) ([]byte, error) {
		key, v, ok := firstKey(a)
		if !ok || rpc.Member(v, "action") == nil {
			return nil, errors.New("the first answer is none to an elicitation")
		}
		return rpc.With(a, rpc.Field{Name: key, Raw: rpc.With(v, rpc.Field{Name: "action", Raw: []byte(`"decline"`)})}), nil
	}), nil},
	{"declare no capabilities", Must, "MUST NOT ask for what the client did not declare", func(w With) (control.Draft, error) {
		meta := rpc.Member(w.Draft.Params, "_meta")
		if meta == nil {
			return w.Draft, errors.New("this retry has no _meta")
		}
		meta = rpc.With(meta, rpc.Field{Name: "io.modelcontextprotocol/clientCapabilities", Raw: []byte("{}")})
		w.Draft.Params = rpc.With(w.Draft.Params, rpc.Field{Name: "_meta", Raw: meta})
		return w.Draft, nil
	}, func(c Came) Outcome {
		if c.Asked {
			return Broken
		}
		return Kept
	}},
	{"as another principal", Should, "SHOULD bind requestState to the authenticated principal, and reject it from another", func(w With) (control.Draft, error) {
		if len(w.Draft.Headers) == 0 {
			return w.Draft, errors.New("this transport has no headers: there is one principal")
		}
		var headers []trace.Header
		for _, h := range w.Draft.Headers {
			if h.Name != "Authorization" {
				headers = append(headers, h)
			}
		}
		w.Draft.Headers = append(headers, trace.Header{Name: "Authorization", Value: "Bearer another-principal"})
		return w.Draft, nil
	}, rejects},
	{"an id that was used before", Silent, "asks the client for a new id, and says nothing of a server that gets an old one", func(w With) (control.Draft, error) {
		r := w.Call.Round(1)
		if r == nil {
			return w.Draft, errors.New("no request of this call was sent")
		}
		w.Draft.ID = []byte(r.ID)
		return w.Draft, nil
	}, nil},
	{"twice at once", Silent, singleUse, func(w With) (control.Draft, error) {
		w.Draft.Twice = true
		return w.Draft, nil
	}, nil},
	{"hold it past its expiry", Should, shouldExpire, func(w With) (control.Draft, error) {
		t, err := token(w)
		if err != nil {
			return w.Draft, err
		}
		at, ok := state.Decode(t, w.Keys...).Expires()
		if !ok {
			return w.Draft, errors.New("no expiry can be read out of this state")
		}
		return w.Draft, fmt.Errorf("send it unchanged after %s", at.Local().Format("15:04:05"))
	}, rejects},
}

// otherState finds the newest state of a call that fits, other than the one
// that the retry has.
func otherState(fits func(With, *session.Call) bool) func(With, string) (string, error) {
	return func(w With, t string) (string, error) {
		for i := len(w.Session.Calls) - 1; i >= 0; i-- {
			c := w.Session.Calls[i]
			if !fits(w, c) {
				continue
			}
			for j := len(c.Rounds) - 1; j >= 0; j-- {
				if s := c.Rounds[j].StateOut; s != nil && string(s.Raw) != t {
					return string(s.Raw), nil
				}
			}
		}
		return "", errNoOther
	}
}

// changeArgument changes one argument a little, or adds one where there is none.
func changeArgument(w With) (control.Draft, error) {
	args := rpc.Member(w.Draft.Params, "arguments")
	changed, _, ok := state.Nudge(args)
	if args == nil || !ok {
		changed = rpc.With(args, rpc.Field{Name: "changed", Raw: []byte("true")})
		if args == nil {
			changed = []byte(`{"changed":true}`)
		}
	}
	w.Draft.Params = rpc.With(w.Draft.Params, rpc.Field{Name: "arguments", Raw: changed})
	return w.Draft, nil
}

func replaceAnswer(with []byte) func(With, []byte) ([]byte, error) {
	return func(_ With, a []byte) ([]byte, error) {
		key, _, ok := firstKey(a)
		if !ok {
			return nil, errNoAnswers
		}
		return rpc.With(a, rpc.Field{Name: key, Raw: with}), nil
	}
}

// wrongType gives the first value of an accepted form another type.
func wrongType(_ With, a []byte) ([]byte, error) {
	key, v, ok := firstKey(a)
	content := rpc.Member(v, "content")
	name, value, has := firstKey(content)
	if !ok || !has {
		return nil, errors.New("the first answer has no content")
	}
	wrong := []byte(`{"not":"asked"}`)
	if len(value) > 0 && value[0] == '{' {
		wrong = []byte("7")
	}
	content = rpc.With(content, rpc.Field{Name: name, Raw: wrong})
	return rpc.With(a, rpc.Field{Name: key, Raw: rpc.With(v, rpc.Field{Name: "content", Raw: content})}), nil
}
