package state

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcptui/client/rpc"
)

func notHere(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, ErrNotHere)...)
}

// token is the requestState of the clean retry.
func (m Material) token() (string, error) {
	raw := rpc.Member(m.Clean.Params, "requestState")
	if raw == nil {
		return "", notHere("the retry has no requestState")
	}
	return string(raw), nil
}

// withState is the clean retry with another state.
func (m Material) withState(token string) Retry {
	r := m.Clean
	r.Params = Put(r.Params, token)
	return r
}

// answered is the clean retry with another answer of one key, or without it.
func (m Material) answered(key string, answer []byte, change string, args ...any) Tampered {
	r := m.Clean
	answers := rpc.With(m.answers(), rpc.Field{Name: key, Raw: answer})
	r.Params = rpc.With(r.Params, rpc.Field{Name: "inputResponses", Raw: answers})
	return Tampered{Retry: r, Change: fmt.Sprintf(change, args...), key: key}
}

func (m Material) answers() []byte {
	if raw := rpc.Member(m.Clean.Params, "inputResponses"); len(raw) > 0 && raw[0] == '{' {
		return raw
	}
	return []byte("{}")
}

func dropState(m Material) (Tampered, error) {
	if _, err := m.token(); err != nil {
		return Tampered{}, err
	}
	r := m.Clean
	r.Params = Drop(r.Params)
	return Tampered{Retry: r, Change: "requestState is left out"}, nil
}

func flipState(m Material) (Tampered, error) {
	token, err := m.token()
	if err != nil {
		return Tampered{}, err
	}
	at := Middle(token)
	out, err := Flip(token, at)
	if err != nil {
		return Tampered{}, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return Tampered{Retry: m.withState(out), Change: fmt.Sprintf("character %d of requestState is another", at+1)}, nil
}

func truncateState(m Material) (Tampered, error) {
	token, err := m.token()
	if err != nil {
		return Tampered{}, err
	}
	n := Length(token)
	out, err := Truncate(token, n/2)
	if err != nil {
		return Tampered{}, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return Tampered{Retry: m.withState(out), Change: fmt.Sprintf("of %d characters of requestState the first %d are left", n, n/2)}, nil
}

func editState(m Material) (Tampered, error) {
	token, err := m.token()
	if err != nil {
		return Tampered{}, err
	}
	payload, err := Editable(token, m.Keys...)
	if err != nil {
		return Tampered{}, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	changed, path, ok := Nudge(payload)
	if !ok {
		return Tampered{}, notHere("the payload of requestState has no value to change")
	}
	out, err := Edit(token, changed)
	if err != nil {
		return Tampered{}, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	where := ""
	if path != "" {
		where = ", at " + path
	}
	return Tampered{Retry: m.withState(out), Change: "the payload of requestState is changed" + where + "; its signature, if it has one, is the old one"}, nil
}

// foreign puts the newest state in that was given elsewhere. What a state is
// bound to shows only on another request: one of those is preferred, except
// where the question is whether a state can be used again.
func foreign(from Origin) func(Material) (Tampered, error) {
	return func(m Material) (Tampered, error) {
		own, err := m.token()
		if err != nil {
			return Tampered{}, err
		}
		for _, same := range []bool{from == FromFinished, from != FromFinished} {
			for i := len(m.Foreign) - 1; i >= 0; i-- {
				if f := m.Foreign[i]; f.From == from && f.Token != own && f.Same == same {
					return Tampered{Retry: m.withState(f.Token), Change: "requestState is that of " + f.Where, fits: f.Same}, nil
				}
			}
		}
		return Tampered{}, notHere("no other state is known of %s; make one first", from)
	}
}

func expiredState(m Material) (Tampered, error) {
	token, err := m.token()
	if err != nil {
		return Tampered{}, err
	}
	at, ok := Decode(token, m.Keys...).Expires()
	switch {
	case !ok:
		return Tampered{}, notHere("requestState names no time at which it lapses that can be read")
	case !at.Before(m.Now):
		return Tampered{}, notHere("requestState is good for another %s; hold the retry until then", at.Sub(m.Now).Round(time.Second))
	}
	return Tampered{Retry: m.Clean, Change: fmt.Sprintf("requestState lapsed %s ago", m.Now.Sub(at).Round(time.Second))}, nil
}

func earlyAnswer(m Material) (Tampered, error) {
	for _, e := range m.Early {
		if rpc.Member(m.answers(), e.Key) == nil {
			return m.answered(e.Key, e.Answer, "answer %q is sent before it was asked for", e.Key), nil
		}
	}
	return Tampered{}, notHere("no later ask of such a call is known; answer one to its end first")
}

func unknownAnswer(m Material) (Tampered, error) {
	key := "mcptui_unknown"
	return m.answered(key, []byte(`{"action":"accept","content":{}}`), "answer %q is added, which nobody asked for", key), nil
}

// first is the first ask of the round, which the answer presets work on.
func (m Material) first() (Asked, error) {
	if len(m.Asked) == 0 {
		return Asked{}, notHere("the round asked for nothing")
	}
	return m.Asked[0], nil
}

func missingAnswer(m Material) (Tampered, error) {
	a, err := m.first()
	if err != nil {
		return Tampered{}, err
	}
	return m.answered(a.Key, nil, "answer %q is left out", a.Key), nil
}

func rawAnswer(raw string) func(Material) (Tampered, error) {
	return func(m Material) (Tampered, error) {
		a, err := m.first()
		if err != nil {
			return Tampered{}, err
		}
		return m.answered(a.Key, []byte(raw), "answer %q is %s", a.Key, raw), nil
	}
}

// wrongType gives one value of a form a type that its schema does not allow.
func wrongType(m Material) (Tampered, error) {
	for _, a := range m.Asked {
		properties := rpc.Member(a.Params, "requestedSchema", "properties")
		for name, schema := range rpc.Members(properties) {
			wrong := `"not a number"`
			if t := rpc.Text(schema, "type"); t == "string" || t == "array" {
				wrong = `42`
			}
			content := rpc.Member(m.answers(), a.Key, "content")
			if len(content) == 0 || content[0] != '{' {
				content = []byte("{}")
			}
			content = rpc.With(content, rpc.Field{Name: name, Raw: []byte(wrong)})
			answer := rpc.Object(rpc.Field{Name: "action", Raw: []byte(`"accept"`)}, rpc.Field{Name: "content", Raw: content})
			return m.answered(a.Key, answer, "%q of answer %q is %s", name, a.Key, wrong), nil
		}
	}
	return Tampered{}, notHere("the round asked for no form with a field")
}

func declineWithContent(m Material) (Tampered, error) {
	for _, a := range m.Asked {
		if a.Method != "elicitation/create" {
			continue
		}
		content := rpc.Member(m.answers(), a.Key, "content")
		if content == nil {
			content = []byte("{}")
		}
		answer := rpc.Object(rpc.Field{Name: "action", Raw: []byte(`"decline"`)}, rpc.Field{Name: "content", Raw: content})
		return m.answered(a.Key, answer, "answer %q declines and has content", a.Key), nil
	}
	return Tampered{}, notHere("the round asked the person nothing")
}

func changedArguments(m Material) (Tampered, error) {
	if m.Clean.Method != "tools/call" && m.Clean.Method != "prompts/get" {
		return Tampered{}, notHere("%s has no arguments", m.Clean.Method)
	}
	args := rpc.Member(m.Clean.Params, "arguments")
	changed, path, ok := Nudge(json.RawMessage(args))
	change := "the argument at " + path + " is another"
	if !ok {
		if len(args) == 0 || args[0] != '{' {
			args = []byte("{}")
		}
		changed, change = rpc.With(args, rpc.Field{Name: "mcptui", Raw: []byte(`"changed"`)}), "an argument \"mcptui\" is added"
	}
	r := m.Clean
	r.Params = rpc.With(r.Params, rpc.Field{Name: "arguments", Raw: changed})
	return Tampered{Retry: r, Change: change}, nil
}

const metaCapabilities = "io.modelcontextprotocol/clientCapabilities"

func noCapabilities(m Material) (Tampered, error) {
	meta := rpc.Member(m.Clean.Params, "_meta")
	if rpc.Member(meta, metaCapabilities) == nil {
		return Tampered{}, notHere("the retry declares no capabilities")
	}
	r := m.Clean
	r.Params = rpc.With(r.Params, rpc.Field{Name: "_meta", Raw: rpc.With(meta, rpc.Field{Name: metaCapabilities, Raw: []byte("{}")})})
	return Tampered{Retry: r, Change: "the retry declares no capabilities"}, nil
}

// Stranger stands for the headers of another principal where none are known. A
// person puts a real one in its place.
const Stranger = "Bearer PUT-ANOTHER-PRINCIPALS-TOKEN-HERE"

func otherPrincipal(m Material) (Tampered, error) {
	if !m.Headers {
		return Tampered{}, notHere("this transport has no headers, and so one principal")
	}
	others, invented := m.Principal, false
	if len(others) == 0 {
		others, invented = []Header{{"Authorization", Stranger}}, true
	}
	r := m.Clean
	var names []string
	r.Headers = slices.Clone(r.Headers)
	for _, h := range others {
		r.Headers = slices.DeleteFunc(r.Headers, func(o Header) bool { return strings.EqualFold(o.Name, h.Name) })
		names = append(names, h.Name)
	}
	r.Headers = append(r.Headers, others...)
	return Tampered{Retry: r, Change: "sent with the headers of another principal: " + strings.Join(names, ", "), invented: invented}, nil
}

func usedID(m Material) (Tampered, error) {
	for i := len(m.UsedIDs) - 1; i >= 0; i-- {
		if string(m.UsedIDs[i]) != string(m.Clean.ID) {
			r := m.Clean
			r.ID = m.UsedIDs[i]
			return Tampered{Retry: r, Change: fmt.Sprintf("the retry has the id %s, which an earlier request had", r.ID)}, nil
		}
	}
	return Tampered{}, notHere("no earlier request is known")
}

func twice(m Material) (Tampered, error) {
	r := m.Clean
	r.Twice = true
	return Tampered{Retry: r, Change: "the retry is sent twice at once"}, nil
}
