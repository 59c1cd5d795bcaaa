package answer

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"mcptui/client/schema"
)

// Book is a file of answers, and how far it was used. It may be used from
// several goroutines.
type Book struct {
	mu     sync.Mutex
	reader *reader
	keys   map[string]*sequence
	names  []string // the keys, as the file has them
	rules  []*rule
	order  []*scripted
}

// sequence is an answer for every time, or one for each time.
type sequence struct {
	answers []*scripted
	each    bool // answers are for the first time, the second and so on
	times   int
}

// rule is one entry of match.
type rule struct {
	node    *yaml.Node
	method  string
	mode    string
	message *regexp.Regexp
	replies *sequence
}

// Read reads a file of answers.
func Read(file string) (*Book, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	return Parse(file, data)
}

// Parse reads answers in YAML or JSON. The name of the file is for messages; an
// error about the text is an [*Error].
func Parse(file string, data []byte) (*Book, error) {
	r := &reader{file: file, left: maxNodes}
	b := &Book{reader: r, keys: map[string]*sequence{}}
	root, err := r.document(data)
	if err != nil {
		return nil, err
	}
	if root == nil || root.Tag == "!!null" {
		return b, nil
	}
	members, err := r.members(root, 0)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		empty := m.value.Tag == "!!null" // a section with nothing in it yet
		switch m.key.Value {
		case "answers", "match", "order":
			if !empty {
				err = b.section(m)
			}
		default:
			err = r.unknown(m.key, "section", "answers", "match", "order")
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Book) section(m pair) error {
	switch m.key.Value {
	case "answers":
		return b.readKeys(m.value)
	case "match":
		return b.readRules(m.value)
	}
	return b.readOrder(m.value)
}

func (b *Book) readKeys(n *yaml.Node) error {
	members, err := b.reader.members(n, 0)
	if err != nil {
		return err
	}
	for _, m := range members {
		s, err := b.sequence(m.value)
		if err != nil {
			return err
		}
		b.keys[m.key.Value] = s
		b.names = append(b.names, m.key.Value)
	}
	return nil
}

func (b *Book) sequence(n *yaml.Node) (*sequence, error) {
	n, err := b.reader.resolve(n, 0)
	if err != nil {
		return nil, err
	}
	if n.Kind != yaml.SequenceNode {
		one, err := b.reader.answer(n)
		if err != nil {
			return nil, err
		}
		return &sequence{answers: []*scripted{one}}, nil
	}
	answers, err := b.list(n)
	return &sequence{answers: answers, each: true}, err
}

func (b *Book) list(n *yaml.Node) ([]*scripted, error) {
	var out []*scripted
	for _, e := range n.Content {
		one, err := b.reader.answer(e)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func (b *Book) readOrder(n *yaml.Node) error {
	n, err := b.reader.resolve(n, 0)
	if err != nil {
		return err
	}
	if n.Kind != yaml.SequenceNode {
		return b.reader.errorf(n, "order takes a list of answers, not %s", describe(n))
	}
	b.order, err = b.list(n)
	return err
}

func (b *Book) readRules(n *yaml.Node) error {
	n, err := b.reader.resolve(n, 0)
	if err != nil {
		return err
	}
	if n.Kind != yaml.SequenceNode {
		return b.reader.errorf(n, "match takes a list of rules, not %s", describe(n))
	}
	for _, e := range n.Content {
		one, err := b.rule(e)
		if err != nil {
			return err
		}
		b.rules = append(b.rules, one)
	}
	return nil
}

func (b *Book) rule(n *yaml.Node) (*rule, error) {
	r := b.reader
	members, err := r.members(n, 0)
	if err != nil {
		return nil, err
	}
	one := &rule{node: n}
	for _, m := range members {
		var said string
		if m.key.Value != "reply" {
			if said, err = r.text(m); err != nil {
				return nil, err
			}
		}
		switch m.key.Value {
		case "method":
			if one.method = said; !strings.Contains(said, "/") || near(said) {
				return nil, r.unknown(m.value, "method", Elicit, Sample, Roots)
			}
		case "mode":
			if one.mode = said; said != "form" && said != "url" {
				return nil, r.unknown(m.value, "mode", "form", "url")
			}
		case "message":
			if one.message, err = regexp.Compile(said); err != nil {
				return nil, r.errorf(m.value, "%q is not a regular expression: %v", said, err)
			}
		case "reply":
			if one.replies, err = b.sequence(m.value); err != nil {
				return nil, err
			}
		default:
			return nil, r.unknown(m.key, "part of a rule", "method", "mode", "message", "reply")
		}
	}
	if one.replies == nil {
		return nil, r.errorf(n, "a rule needs a reply")
	}
	return one, b.checkRule(one)
}

// near reports whether a method is a misspelt one of those that are known.
// Methods of extensions are not ours to judge.
func near(method string) bool {
	known := []string{Elicit, Sample, Roots}
	return !slices.Contains(known, method) && schema.Nearest(method, known) != ""
}

// checkRule refuses a reply that the rule's method can never take, at once
// rather than in the middle of a call.
func (b *Book) checkRule(one *rule) error {
	for _, s := range one.replies.answers {
		if one.method != "" && !s.kind.suits(one.method) {
			return b.reader.errorf(s.node, "the answer is %s, which %s cannot take: it takes %s", s.kind, one.method, takes(one.method))
		}
	}
	return nil
}

// next returns the answer of a sequence for this time, or nil.
func (s *sequence) next() *scripted {
	s.times++
	if !s.each {
		return s.answers[0]
	}
	if s.times > len(s.answers) {
		return nil
	}
	return s.answers[s.times-1]
}

func (r *rule) fits(a Ask) bool {
	return (r.method == "" || r.method == a.Method) &&
		(r.mode == "" || r.mode == a.Mode()) &&
		(r.message == nil || r.message.MatchString(a.Message()))
}

// Answer finds the answer to an ask: by its key, then by the first rule that
// fits, then the next in order. Asking for the same ask again is a second time.
// The error is an [*Error], of an answer that the ask cannot take.
func (b *Book) Answer(a Ask) (Reply, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.find(a)
	if s == nil {
		return Reply{}, nil
	}
	s.used = true
	return b.reader.reply(s, a)
}

func (b *Book) find(a Ask) *scripted {
	if s := b.keys[a.Key]; s != nil && a.Key != "" {
		if one := s.next(); one != nil {
			return one
		}
	}
	for _, r := range b.rules {
		if !r.fits(a) {
			continue
		}
		if one := r.replies.next(); one != nil {
			return one
		}
	}
	for _, one := range b.order {
		if one.used {
			continue
		}
		// Roots have an answer anyway, and are often asked for in between: they
		// take one in order only where it is for them.
		if a.Method == Roots && !one.kind.suits(Roots) {
			return nil
		}
		return one
	}
	return nil
}

// Unused names the answers that no ask was given, for a warning at the end: a
// misspelt key would otherwise go unnoticed.
func (b *Book) Unused() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, name := range b.names {
		for i, s := range b.keys[name].answers {
			if !s.used {
				what := fmt.Sprintf("answers.%s", name)
				if b.keys[name].each {
					what += fmt.Sprintf("[%d]", i)
				}
				out = append(out, b.reader.at(s.node)+": "+what+" was not asked for")
			}
		}
	}
	for _, s := range b.order {
		if !s.used {
			out = append(out, b.reader.at(s.node)+": an answer in order was not needed")
		}
	}
	return out
}

// Missed says why there was no answer to an ask: which keys the file has, and what
// would fit.
func (b *Book) Missed(a Ask) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	file := b.reader.file
	switch s := b.keys[a.Key]; {
	case len(b.names) == 0:
		return fmt.Sprintf("nothing in %s fits it", file)
	case a.Key == "":
		return fmt.Sprintf("%s answers by key (%s), and asks of the legacy era have none: answer them there by match or order", file, strings.Join(b.names, ", "))
	case s != nil:
		return fmt.Sprintf("%s answers %q no more than %d times", file, a.Key, len(s.answers))
	default:
		near := ""
		if n := schema.Nearest(a.Key, b.names); n != "" {
			near = fmt.Sprintf("; is %q meant for it?", n)
		}
		return fmt.Sprintf("%s has no answer for the key %q, only for %s%s", file, a.Key, strings.Join(b.names, ", "), near)
	}
}
