package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Has reports whether this round brought an answer to the ask, well formed or
// not.
func (in *Input) Has(key string) bool {
	_, ok := in.round[key]
	return ok
}

// Response is the answer to an ask as it came, or nil. It may be anything that
// JSON can say. In the handshake era it is as the SDK decoded it, so that
// members which the protocol does not define are gone.
func (in *Input) Response(key string) json.RawMessage { return in.round[key] }

// Elicited is the answer to an elicitation of the round before, or nil where
// it is absent or malformed, or where accepted content does not fit the schema
// that asked for it: ask again. Declined and cancelled are answers.
//
// The asked argument is the question as the handler puts it now. It may be
// nil: the answer is then held only against what the state recorded, which,
// without a sealing key, is nothing but the shape of an answer.
func (in *Input) Elicited(key string, asked *mcp.ElicitParams) *mcp.ElicitResult {
	raw, ok := in.round[key]
	if !ok {
		return nil
	}
	var now *record
	if asked != nil {
		_, r, err := normal(asked)
		if err != nil {
			in.fail("ask %q: %w", key, err)
			return nil
		}
		now = &r
	}
	res, err := in.elicited(key, raw, now)
	if err != nil {
		in.layer.cfg.Logger.Debug("answer not usable", "key", key, "reason", err)
		return nil
	}
	return res
}

// Sampled is the answer to a sampling ask of the round before, or nil where it
// is absent or malformed: ask again.
func (in *Input) Sampled(key string) *mcp.CreateMessageWithToolsResult {
	raw, ok := in.round[key]
	if !ok || !in.asks(key, "sampling/createMessage") {
		return nil
	}
	res, err := parseSampled(raw)
	if err != nil {
		in.layer.cfg.Logger.Debug("answer not usable", "key", key, "reason", err)
		return nil
	}
	return res
}

// ListedRoots is the answer to a roots ask of the round before, or nil where
// it is absent or malformed: ask again. No roots at all is an answer.
func (in *Input) ListedRoots(key string) *mcp.ListRootsResult {
	raw, ok := in.round[key]
	if !ok || !in.asks(key, "roots/list") {
		return nil
	}
	res, err := parseRoots(raw)
	if err != nil {
		in.layer.cfg.Logger.Debug("answer not usable", "key", key, "reason", err)
		return nil
	}
	return res
}

// asks reports whether what was asked under key was of this method; without a
// record of asks it cannot tell, and believes so.
func (in *Input) asks(key, method string) bool {
	r, ok := in.asked[key]
	return !ok || r.Method == method
}

// elicited checks an answer against what the state recorded under its key, and
// against the question as it is put now, where there is one.
func (in *Input) elicited(key string, raw json.RawMessage, now *record) (*mcp.ElicitResult, error) {
	then, recorded := in.asked[key]
	if !recorded {
		return parseElicited(raw, now)
	}
	if then.Method != "elicitation/create" || now != nil && now.Mode != then.Mode {
		return nil, errors.New("it answers another kind of ask")
	}
	if now != nil && !sameSchema(now.Schema, then.Schema) {
		if _, err := parseElicited(raw, now); err != nil {
			return nil, fmt.Errorf("the form has changed: %w", err)
		}
	}
	return parseElicited(raw, &then)
}

// parseElicited reads an ElicitResult. Content belongs to accepted forms alone,
// is needed there, and may be empty there.
func parseElicited(raw json.RawMessage, asked *record) (*mcp.ElicitResult, error) {
	var w struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	hasContent := len(w.Content) > 0 && string(w.Content) != "null"
	if asked != nil && asked.Mode == "url" && hasContent {
		return nil, errors.New("a URL ask is answered without content")
	}
	res := &mcp.ElicitResult{Action: w.Action}
	switch w.Action {
	case "decline", "cancel":
		return res, nil
	case "accept":
	default:
		return nil, fmt.Errorf("action %q does not exist", w.Action)
	}
	if !hasContent {
		if asked != nil && asked.Mode == "form" {
			return nil, errors.New("accepted without content")
		}
		return res, nil
	}
	if err := json.Unmarshal(w.Content, &res.Content); err != nil {
		return nil, fmt.Errorf("content: %w", err)
	}
	if asked != nil && asked.Schema != nil {
		if err := conforms(asked.Schema, w.Content); err != nil {
			return nil, fmt.Errorf("content: %w", err)
		}
	}
	return res, nil
}

// parseSampled reads a CreateMessageResult: what a model said, never what a
// user did.
func parseSampled(raw json.RawMessage) (*mcp.CreateMessageWithToolsResult, error) {
	var w struct {
		Model *string `json:"model"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	if w.Model == nil {
		return nil, errors.New("no model is named")
	}
	var res mcp.CreateMessageWithToolsResult
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	if err := checkSampled(&res); err != nil {
		return nil, err
	}
	return &res, nil
}

func checkSampled(res *mcp.CreateMessageWithToolsResult) error {
	if res.Role != "assistant" {
		return fmt.Errorf("role %q is not assistant", res.Role)
	}
	if len(res.Content) == 0 {
		return errors.New("no content")
	}
	for _, c := range res.Content {
		switch c.(type) {
		case *mcp.TextContent, *mcp.ImageContent, *mcp.AudioContent, *mcp.ToolUseContent:
		default:
			return fmt.Errorf("%T is not what a model says", c)
		}
	}
	return nil
}

// parseRoots reads a ListRootsResult; roots are file URIs in every revision.
func parseRoots(raw json.RawMessage) (*mcp.ListRootsResult, error) {
	var w struct {
		Roots *[]*mcp.Root `json:"roots"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	if w.Roots == nil {
		return nil, errors.New("no list of roots")
	}
	res := &mcp.ListRootsResult{Roots: *w.Roots}
	if err := checkRoots(res); err != nil {
		return nil, err
	}
	return res, nil
}

func checkRoots(res *mcp.ListRootsResult) error {
	for i, r := range res.Roots {
		if r == nil || !strings.HasPrefix(r.URI, "file://") {
			return fmt.Errorf("root %d is not a file URI", i)
		}
	}
	return nil
}
