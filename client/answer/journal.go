package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Journal remembers what was answered, and writes it as a file of answers that
// a Book reads: by key where the ask has one, else in order. It may be used
// from several goroutines.
type Journal struct {
	mu    sync.Mutex
	keys  []string
	byKey map[string][]*yaml.Node
	order []*yaml.Node
}

// Add remembers the answer to an ask: its result, or nil for a rejection.
func (j *Journal) Add(a Ask, sent json.RawMessage) error {
	n, err := node(a, sent)
	if err != nil {
		return fmt.Errorf("save the answer to %s: %w", a.Method, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if a.Key == "" {
		j.order = append(j.order, n)
		return nil
	}
	if j.byKey == nil {
		j.byKey = map[string][]*yaml.Node{}
	}
	if _, known := j.byKey[a.Key]; !known {
		j.keys = append(j.keys, a.Key)
	}
	j.byKey[a.Key] = append(j.byKey[a.Key], n)
	return nil
}

// Empty reports whether nothing was answered.
func (j *Journal) Empty() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.keys) == 0 && len(j.order) == 0
}

// WriteTo writes the file, in YAML.
func (j *Journal) WriteTo(w io.Writer) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	root := &yaml.Node{Kind: yaml.MappingNode}
	if len(j.keys) > 0 {
		answers := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range j.keys {
			value := j.byKey[key][0]
			if len(j.byKey[key]) > 1 {
				value = &yaml.Node{Kind: yaml.SequenceNode, Content: j.byKey[key]}
			}
			answers.Content = append(answers.Content, textNode(key), value)
		}
		root.Content = append(root.Content, textNode("answers"), answers)
	}
	if len(j.order) > 0 {
		root.Content = append(root.Content, textNode("order"), &yaml.Node{Kind: yaml.SequenceNode, Content: j.order})
	}
	counter := &counting{w: w}
	encoder := yaml.NewEncoder(counter)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return counter.n, fmt.Errorf("write answers: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return counter.n, fmt.Errorf("write answers: %w", err)
	}
	return counter.n, nil
}

type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// node spells an answer as the file has it: in its own words where they say
// all there is, else as the whole result.
func node(a Ask, sent json.RawMessage) (*yaml.Node, error) {
	if sent == nil {
		return textNode("reject"), nil
	}
	r := reader{file: "result"}
	whole, err := r.json(sent)
	if err != nil {
		return nil, err
	}
	members := map[string]*yaml.Node{}
	if whole.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(whole.Content); i += 2 {
			members[whole.Content[i].Value] = whole.Content[i+1]
		}
	}
	if short := inWords(a, members); short != nil && len(members)*2 == len(whole.Content) {
		return restyle(short), nil
	}
	return restyle(mapping("result", whole)), nil
}

func inWords(a Ask, members map[string]*yaml.Node) *yaml.Node {
	has := func(names ...string) bool {
		return len(members) == len(names) && !slices.ContainsFunc(names, func(n string) bool { return members[n] == nil })
	}
	said := func(name, value string) bool { return members[name] != nil && members[name].Value == value }
	switch {
	case a.Method == Elicit && has("action") && (said("action", "decline") || said("action", "cancel")):
		return textNode(members["action"].Value)
	case a.Method == Elicit && a.Mode() == "url" && has("action") && said("action", "accept"):
		return mapping("accept", &yaml.Node{Kind: yaml.MappingNode})
	case a.Method == Elicit && a.Mode() != "url" && has("action", "content") && said("action", "accept") && members["content"].Kind == yaml.MappingNode:
		return mapping("accept", members["content"])
	case a.Method == Sample && has("role", "content", "model", "stopReason") && said("role", "assistant"):
		return saidText(members)
	case a.Method == Roots && has("roots") && members["roots"].Kind == yaml.SequenceNode:
		return mapping("roots", members["roots"])
	}
	return nil
}

func saidText(members map[string]*yaml.Node) *yaml.Node {
	content := members["content"]
	if content.Kind != yaml.MappingNode || len(content.Content) != 4 ||
		content.Content[0].Value != "type" || content.Content[1].Value != "text" || content.Content[2].Value != "text" {
		return nil
	}
	text := content.Content[3]
	model, stop := members["model"], members["stopReason"]
	if text.Tag != "!!str" || model.Tag != "!!str" || stop.Tag != "!!str" {
		return nil
	}
	n := mapping("text", text)
	if model.Value != textModel {
		n.Content = append(n.Content, textNode("model"), model)
	}
	if stop.Value != "endTurn" {
		n.Content = append(n.Content, textNode("stopReason"), stop)
	}
	return n
}

func mapping(name string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{textNode(name), value}}
}

// textNode is text; the encoder quotes it where it must be.
func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// restyle makes nodes of JSON look like YAML: no quotes without need, text of
// several lines as a block, numbers as they were written.
func restyle(n *yaml.Node) *yaml.Node {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!float":
		n.Tag = "" // else the encoder adds the tag to numbers that YAML calls integers
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str":
		n.Style = style(n.Value)
	}
	for i, c := range n.Content {
		restyle(c)
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Style == yaml.LiteralStyle {
			c.Style = yaml.DoubleQuotedStyle // a name in several lines is hard to read
		}
	}
	return n
}

func style(text string) yaml.Style {
	switch strings.ToLower(text) {
	case "yes", "no", "on", "off": // booleans to older readers of YAML
		return yaml.DoubleQuotedStyle
	}
	switch {
	case !strings.ContainsAny(text, "\n\r"):
		return 0
	case strings.TrimSpace(text) == "" || text[0] == ' ' || text[0] == '\n' || strings.ContainsAny(text, "\r\t\u0085\u2028\u2029\ufeff"):
		return yaml.DoubleQuotedStyle
	}
	return yaml.LiteralStyle
}
