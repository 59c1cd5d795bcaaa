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

// withAnswers is the clean retry with other answers.
func (m Material) withAnswers(raw []byte) Retry {
	r := m.Clean
	r.Params = rpc.With(r.Params, rpc.Field{Name: "inputResponses", Raw: raw})
	return r
}

func (m Material) answers() []byte {
	if raw := rpc.Member(m.Clean.Params, "inputResponses"); len(raw) > 0 && raw[0] == '{' {
		return raw
	}
	return []byte("{}")
}

func dropState(m Material) (Retry, string, error) {
	if _, err := m.token(); err != nil {
		return Retry{}, "", err
	}
	r := m.Clean
	r.Params = Drop(r.Params)
	return r, "requestState is left out", nil
}

func flipState(m Material) (Retry, string, error) {
	token, err := m.token()
	if err != nil {
		return Retry{}, "", err
	}
	at := Middle(token)
	out, err := Flip(token, at)
	if err != nil {
		return Retry{}, "", fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return m.withState(out), fmt.Sprintf("character %d of requestState is another", at+1), nil
}

func truncateState(m Material) (Retry, string, error) {
	token, err := m.token()
	if err != nil {
		return Retry{}, "", err
	}
	n := Length(token)
	out, err := Truncate(token, n/2)
	if err != nil {
		return Retry{}, "", fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return m.withState(out), fmt.Sprintf("of %d characters of requestState the first %d are left", n, n/2), nil
}

func editState(m Material) (Retry, string, error) {
	token, err := m.token()
	if err != nil {
		return Retry{}, "", err
	}
	payload, err := Editable(token)
	if err != nil {
		return Retry{}, "", fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	changed, path, ok := Nudge(payload)
	if !ok {
		return Retry{}, "", notHere("the payload of requestState has no value to change")
	}
	out, err := Edit(token, changed)
	if err != nil {
		return Retry{}, "", fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	where := ""
	if path != "" {
		where = ", at " + path
	}
	return m.withState(out), "the payload of requestState is changed" + where + "; its signature, if it has one, is the old one", nil
}

func foreign(from Origin) func(Material) (Retry, string, error) {
	return func(m Material) (Retry, string, error) {
		own, err := m.token()
		if err != nil {
			return Retry{}, "", err
		}
		for i := len(m.Foreign) - 1; i >= 0; i-- {
			if f := m.Foreign[i]; f.From == from && f.Token != own {
				return m.withState(f.Token), "requestState is that of " + f.Where, nil
			}
		}
		return Retry{}, "", notHere("no state of %s is known; make one first", from)
	}
}

func expiredState(m Material) (Retry, string, error) {
	token, err := m.token()
	if err != nil {
		return Retry{}, "", err
	}
	at, ok := Decode(token).Expires()
	switch {
	case !ok:
		return Retry{}, "", notHere("requestState names no time at which it lapses that can be read")
	case !at.Before(m.Now):
		return Retry{}, "", notHere("requestState is good for another %s; hold the retry until then", at.Sub(m.Now).Round(time.Second))
	}
	return m.Clean, fmt.Sprintf("requestState lapsed %s ago", m.Now.Sub(at).Round(time.Second)), nil
}

func earlyAnswer(m Material) (Retry, string, error) {
	keys := make([]string, 0, len(m.Early))
	for k := range m.Early {
		if rpc.Member(m.answers(), k) == nil {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return Retry{}, "", notHere("no later ask of such a call is known; answer one to its end first")
	}
	slices.Sort(keys)
	return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: keys[0], Raw: m.Early[keys[0]]})),
		fmt.Sprintf("answer %q is sent before it was asked for", keys[0]), nil
}

func unknownAnswer(m Material) (Retry, string, error) {
	key := "mcptui_unknown"
	return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: key, Raw: []byte(`{"action":"accept","content":{}}`)})),
		fmt.Sprintf("answer %q is added, which nobody asked for", key), nil
}

// first is the first ask of the round, which the answer presets work on.
func (m Material) first() (Asked, error) {
	if len(m.Asked) == 0 {
		return Asked{}, notHere("the round asked for nothing")
	}
	return m.Asked[0], nil
}

func missingAnswer(m Material) (Retry, string, error) {
	a, err := m.first()
	if err != nil {
		return Retry{}, "", err
	}
	return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: a.Key})), fmt.Sprintf("answer %q is left out", a.Key), nil
}

func rawAnswer(raw string) func(Material) (Retry, string, error) {
	return func(m Material) (Retry, string, error) {
		a, err := m.first()
		if err != nil {
			return Retry{}, "", err
		}
		return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: a.Key, Raw: []byte(raw)})), fmt.Sprintf("answer %q is %s", a.Key, raw), nil
	}
}

// wrongType gives one value of a form a type that its schema does not allow.
func wrongType(m Material) (Retry, string, error) {
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
			return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: a.Key, Raw: answer})),
				fmt.Sprintf("%q of answer %q is %s", name, a.Key, wrong), nil
		}
	}
	return Retry{}, "", notHere("the round asked for no form with a field")
}

func declineWithContent(m Material) (Retry, string, error) {
	for _, a := range m.Asked {
		if a.Method != "elicitation/create" {
			continue
		}
		content := rpc.Member(m.answers(), a.Key, "content")
		if content == nil {
			content = []byte("{}")
		}
		answer := rpc.Object(rpc.Field{Name: "action", Raw: []byte(`"decline"`)}, rpc.Field{Name: "content", Raw: content})
		return m.withAnswers(rpc.With(m.answers(), rpc.Field{Name: a.Key, Raw: answer})),
			fmt.Sprintf("answer %q declines and has content", a.Key), nil
	}
	return Retry{}, "", notHere("the round asked the person nothing")
}

func changedArguments(m Material) (Retry, string, error) {
	if m.Clean.Method != "tools/call" && m.Clean.Method != "prompts/get" {
		return Retry{}, "", notHere("%s has no arguments", m.Clean.Method)
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
	return r, change, nil
}

const metaCapabilities = "io.modelcontextprotocol/clientCapabilities"

func noCapabilities(m Material) (Retry, string, error) {
	meta := rpc.Member(m.Clean.Params, "_meta")
	if rpc.Member(meta, metaCapabilities) == nil {
		return Retry{}, "", notHere("the retry declares no capabilities")
	}
	r := m.Clean
	r.Params = rpc.With(r.Params, rpc.Field{Name: "_meta", Raw: rpc.With(meta, rpc.Field{Name: metaCapabilities, Raw: []byte("{}")})})
	return r, "the retry declares no capabilities", nil
}

func otherPrincipal(m Material) (Retry, string, error) {
	if len(m.Principal) == 0 {
		return Retry{}, "", notHere("the headers of another principal are not known; give them first")
	}
	r := m.Clean
	r.Headers = append(slices.Clone(r.Headers), m.Principal...)
	var names []string
	for _, h := range m.Principal {
		names = append(names, h.Name)
	}
	return r, "sent with the headers of another principal: " + strings.Join(names, ", "), nil
}

func usedID(m Material) (Retry, string, error) {
	for i := len(m.UsedIDs) - 1; i >= 0; i-- {
		if string(m.UsedIDs[i]) != string(m.Clean.ID) {
			r := m.Clean
			r.ID = m.UsedIDs[i]
			return r, fmt.Sprintf("the retry has the id %s, which an earlier request had", r.ID), nil
		}
	}
	return Retry{}, "", notHere("no earlier request is known")
}

func twice(m Material) (Retry, string, error) {
	r := m.Clean
	r.Twice = true
	return r, "the retry is sent twice at once", nil
}
