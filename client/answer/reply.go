package answer

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"mcptui/client/schema"
)

// answerKind is what a file says to do with an ask.
type answerKind int

const (
	accept   answerKind = iota // an elicitation, with content
	defaults                   // an elicitation, with what the schema's defaults give
	decline
	cancel
	reject
	result // exactly this result
	text   // a sampling, with one text
	roots
)

var kindNames = [...]string{"accept", "accept with defaults", "decline", "cancel", "reject", "result", "text", "roots"}

func (k answerKind) String() string { return kindNames[k] }

// suits reports whether the kind can answer a method.
func (k answerKind) suits(method string) bool {
	switch k {
	case accept, defaults, decline, cancel:
		return method == Elicit
	case text:
		return method == Sample
	case roots:
		return method == Roots
	}
	return true
}

// scripted is one answer of a file.
type scripted struct {
	kind    answerKind
	node    *yaml.Node      // where it stands
	content *yaml.Node      // of accept: what to fill in
	raw     json.RawMessage // of result, text and roots: what to send
	used    bool
}

var replyNames = []string{"accept", "decline", "cancel", "reject", "result", "text", "roots"}

// answer reads one answer.
func (r *reader) answer(n *yaml.Node) (*scripted, error) {
	at := n
	n, err := r.resolve(n, 0)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return r.word(at, n)
	case yaml.MappingNode:
		return r.spelledOut(at, n)
	}
	return nil, r.errorf(n, "an answer is needed here, not %s", describe(n))
}

// word reads an answer that is one word.
func (r *reader) word(at, n *yaml.Node) (*scripted, error) {
	switch n.Value {
	case "accept":
		return &scripted{kind: defaults, node: at}, nil
	case "decline":
		return &scripted{kind: decline, node: at}, nil
	case "cancel":
		return &scripted{kind: cancel, node: at}, nil
	case "reject":
		return &scripted{kind: reject, node: at}, nil
	case "defaults":
		return nil, r.errorf(n, "write {accept: defaults}")
	case "text", "result", "roots":
		return nil, r.errorf(n, "%s needs a value: {%s: …}", n.Value, n.Value)
	}
	return nil, r.unknown(n, "answer", replyNames...)
}

func (r *reader) spelledOut(at, n *yaml.Node) (*scripted, error) {
	members, err := r.members(n, 0)
	if err != nil {
		return nil, err
	}
	s := &scripted{node: at, kind: -1}
	var model, stop string
	for _, m := range members {
		switch m.key.Value {
		case "accept", "result", "text", "roots", "decline", "cancel", "reject":
			if s.kind >= 0 {
				return nil, r.errorf(m.key, "an answer is one thing, not %s and %s", s.kind, m.key.Value)
			}
			if err := r.fill(s, m); err != nil {
				return nil, err
			}
		case "model":
			model, err = r.text(m)
		case "stopReason":
			stop, err = r.text(m)
		default:
			return nil, r.unknown(m.key, "answer", replyNames...)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case s.kind < 0:
		return nil, r.errorf(n, "an answer is needed here: accept, decline, cancel, reject, result, text or roots")
	case s.kind == text:
		s.raw = Text(string(s.raw), model, stop)
	case model != "" || stop != "":
		return nil, r.errorf(n, "model and stopReason go with text")
	}
	return s, nil
}

// fill reads the member that says what the answer is.
func (r *reader) fill(s *scripted, m pair) (err error) {
	value, err := r.resolve(m.value, 0)
	if err != nil {
		return err
	}
	switch m.key.Value {
	case "accept":
		s.kind = accept
		switch {
		case value.Kind == yaml.MappingNode:
			s.content = value
		case value.Kind == yaml.ScalarNode && value.Value == "defaults", value.Tag == "!!null":
			s.kind = defaults
		default:
			return r.errorf(value, "accept takes a mapping of what to fill in, or defaults, not %s", describe(value))
		}
	case "result":
		s.kind = result
		if value.Kind != yaml.MappingNode {
			return r.errorf(value, "result takes a mapping, not %s", describe(value))
		}
		s.raw, err = r.plain(value, 0)
	case "text":
		s.kind = text
		var said string
		said, err = r.text(m)
		s.raw = json.RawMessage(said) // made a result once model and stopReason are known
	case "roots":
		s.kind = roots
		s.raw, err = r.roots(value)
	default:
		return r.errorf(m.key, "write %s as one word", m.key.Value)
	}
	return err
}

func (r *reader) text(m pair) (string, error) {
	value, err := r.resolve(m.value, 0)
	if err != nil {
		return "", err
	}
	if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
		return "", r.errorf(value, "%s takes text, not %s", m.key.Value, describe(value))
	}
	return value.Value, nil
}

// roots makes a ListRootsResult of a list of URIs, or of mappings with uri and
// name.
func (r *reader) roots(n *yaml.Node) (json.RawMessage, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.errorf(n, "roots takes a list of URIs, not %s", describe(n))
	}
	out := []byte(`{"roots":[`)
	for i, e := range n.Content {
		e, err := r.resolve(e, 0)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		if e.Kind == yaml.ScalarNode {
			out = append(out, encode(map[string]string{"uri": e.Value})...)
			continue
		}
		members, err := r.members(e, 0)
		if err != nil {
			return nil, err
		}
		hasURI := false
		for _, m := range members {
			hasURI = hasURI || m.key.Value == "uri"
		}
		if !hasURI {
			return nil, r.errorf(e, "a root needs a uri")
		}
		raw, err := r.plain(e, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, raw...)
	}
	return append(out, "]}"...), nil
}

// reply makes the reply to an ask.
func (r *reader) reply(s *scripted, a Ask) (Reply, error) {
	reply := Reply{Outcome: Result, From: r.at(s.node)}
	if !s.kind.suits(a.Method) {
		return Reply{}, r.errorf(s.node, "the answer is %s, which %s cannot take: it takes %s", s.kind, a.Method, takes(a.Method))
	}
	switch s.kind {
	case decline:
		reply.Result = Decline
	case cancel:
		reply.Result = Cancel
	case reject:
		reply.Outcome = Reject
	case result, text, roots:
		reply.Result = s.raw
	case accept, defaults:
		return r.accepted(s, a, reply)
	}
	return reply, nil
}

func takes(method string) string {
	switch method {
	case Elicit:
		return "accept, decline, cancel, result or reject"
	case Sample:
		return "text, result or reject"
	case Roots:
		return "roots, result or reject"
	}
	return "result or reject"
}

func (r *reader) accepted(s *scripted, a Ask, reply Reply) (Reply, error) {
	if a.Mode() == "url" {
		if s.content != nil && len(s.content.Content) > 0 {
			return Reply{}, r.errorf(s.content, "an elicitation in URL mode takes no content: write {accept: {}}")
		}
		reply.Result = Accept(nil)
		return reply, nil
	}
	form := a.Form()
	if s.kind == defaults {
		draft := form.New()
		content, _ := draft.JSON()
		reply.Result, reply.Problems = Accept(content), draft.Check()
		return reply, nil
	}
	r.left = maxNodes
	c := coercer{reader: r}
	content, err := c.object(s.content, form.Root, form.Members, "", 0)
	if err != nil {
		return Reply{}, err
	}
	content = complete(content, form)
	reply.Result = Accept(content)
	reply.Problems = schema.Merge(c.problems, form.Validate(content))
	reply.Strays = c.strays
	return reply, nil
}

// complete adds what the form requires, the file leaves out and the schema has a
// default for, as a person who sends a form with its defaults would.
func complete(content json.RawMessage, form *schema.Form) json.RawMessage {
	var given map[string]json.RawMessage
	if json.Unmarshal(content, &given) != nil || given == nil {
		return content
	}
	for _, f := range form.Root.Children() {
		if _, has := given[f.Name]; has || !f.Required || f.Default == nil || len(schema.Blocking(f.Check(f.Default))) > 0 {
			continue
		}
		comma := ","
		if len(given) == 0 {
			comma = ""
		}
		given[f.Name] = f.Default
		content = append(content[:len(content)-1:len(content)-1], comma+string(encode(f.Name))+":"+string(f.Default)+"}"...)
	}
	return content
}
