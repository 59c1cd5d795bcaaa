package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Form is a form-mode elicitation. Schema is anything that marshals to a JSON
// Schema object with primitive properties, such as a json.RawMessage; nil asks
// for consent without fields.
func Form(message string, schema any) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
}

// URL is a URL-mode elicitation: the user is sent to url, and the answer says
// only whether they agreed to go there.
func URL(message, url string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "url", Message: message, URL: url}
}

// Decode copies the content of an accepted answer into v, as encoding/json
// does. An answer without content leaves v alone.
func Decode(answer *mcp.ElicitResult, v any) error {
	if answer == nil || answer.Content == nil {
		return nil
	}
	raw, err := json.Marshal(answer.Content)
	if err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	return nil
}

var emptyForm = json.RawMessage(`{"type":"object","properties":{}}`)

func isURL(p *mcp.ElicitParams) bool { return p.Mode == "url" || p.Mode == "" && p.URL != "" }

// normal is the ask as it goes to the wire, and a record of it. Asks are
// copied: the handler may keep its own in a package variable.
func normal(ask mcp.InputRequest) (mcp.InputRequest, record, error) {
	switch p := ask.(type) {
	case *mcp.ElicitParams:
		if p == nil {
			return nil, record{}, errors.New("the elicitation is nil")
		}
		q := *p
		q.ElicitationID = "" // of one handshake-era revision only, where it is set on sending
		if isURL(p) {
			if q.URL == "" || q.RequestedSchema != nil {
				return nil, record{}, errors.New("a URL elicitation needs a URL and has no schema")
			}
			q.Mode = "url"
			return &q, record{Method: "elicitation/create", Mode: "url"}, nil
		}
		if q.Mode != "" && q.Mode != "form" || q.URL != "" {
			return nil, record{}, fmt.Errorf("elicitation mode %q does not exist, or does not go with a URL", q.Mode)
		}
		q.Mode = "form"
		if q.RequestedSchema == nil {
			q.RequestedSchema = emptyForm
		}
		raw, err := json.Marshal(q.RequestedSchema)
		if err != nil {
			return nil, record{}, fmt.Errorf("requested schema: %w", err)
		}
		if err := checkForm(raw); err != nil {
			return nil, record{}, fmt.Errorf("requested schema: %w", err)
		}
		q.RequestedSchema = json.RawMessage(raw)
		return &q, record{Method: "elicitation/create", Mode: "form", Schema: raw}, nil
	case *mcp.CreateMessageParams:
		if p == nil {
			return nil, record{}, errors.New("the sampling request is nil")
		}
		q := *p
		if q.Messages == nil {
			q.Messages = []*mcp.SamplingMessage{}
		}
		return &q, record{Method: "sampling/createMessage"}, nil
	case *mcp.CreateMessageWithToolsParams:
		if p == nil {
			return nil, record{}, errors.New("the sampling request is nil")
		}
		q := *p
		if q.Messages == nil {
			q.Messages = []*mcp.SamplingMessageV2{}
		}
		return &q, record{Method: "sampling/createMessage"}, nil
	case *mcp.ListRootsParams:
		return &mcp.ListRootsParams{}, record{Method: "roots/list"}, nil
	}
	return nil, record{}, fmt.Errorf("%T cannot be asked of a client", ask)
}

// checkForm holds a form to the subset that elicitation allows: an object of
// primitive properties (client/elicitation, "Requested Schema").
func checkForm(raw json.RawMessage) error {
	var s struct {
		Type       string `json:"type"`
		Properties map[string]struct {
			Type       string          `json:"type"`
			Properties json.RawMessage `json:"properties"`
			MinLength  float64         `json:"minLength"`
			MaxLength  float64         `json:"maxLength"`
			MinItems   float64         `json:"minItems"`
			MaxItems   float64         `json:"maxItems"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	if s.Type != "object" || s.Properties == nil {
		return errors.New(`it must have "type": "object" and "properties"`)
	}
	for name, p := range s.Properties {
		switch p.Type {
		case "string", "number", "integer", "boolean", "array":
		default:
			return fmt.Errorf("property %q has type %q; string, number, integer, boolean and array (of choices) are allowed", name, p.Type)
		}
		if p.Properties != nil {
			return fmt.Errorf("property %q is nested; a form is flat", name)
		}
		if min(p.MinLength, p.MaxLength, p.MinItems, p.MaxItems) < 0 {
			return fmt.Errorf("property %q has a length below 0", name)
		}
	}
	_, err := compile(raw)
	return err
}

// expressible says whether a revision defines what a form is made of: choices
// of several came with 2025-11-25.
func expressible(revision string, rec record) error {
	if revision >= modesSince || rec.Schema == nil {
		return nil
	}
	var s struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(rec.Schema, &s); err != nil {
		return err
	}
	for name, p := range s.Properties {
		if p.Type == "array" {
			return fmt.Errorf("the form has a choice of several (%q), which protocol revision %s does not define", name, revision)
		}
	}
	return nil
}

// compile makes a validator of a form's schema.
func compile(raw json.RawMessage) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// conforms checks the content of an answer against a schema, formats included.
func conforms(schema, content json.RawMessage) error {
	s, err := compile(schema)
	if err != nil {
		return err
	}
	var values map[string]any
	if err := json.Unmarshal(content, &values); err != nil {
		return err
	}
	if err := s.Validate(values); err != nil {
		return err
	}
	for name, p := range s.Schema().Properties {
		text, ok := values[name].(string)
		if check := formats[p.Format]; ok && check != nil && !check(text) {
			return fmt.Errorf("property %q: %q is not of the format %s", name, text, p.Format)
		}
	}
	return nil
}

// formats are those that the strings of a form may have (client/elicitation,
// "Requested Schema"); a date that is none must not pass for one, which the
// library leaves to its caller.
var formats = map[string]func(string) bool{
	"email": func(s string) bool {
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s
	},
	"uri": func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.IsAbs()
	},
	"date": func(s string) bool {
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	},
	"date-time": func(s string) bool {
		_, err := time.Parse(time.RFC3339, strings.ToUpper(s)) // RFC 3339 allows t and z
		return err == nil
	},
}

// sameSchema compares two schemas as JSON values.
func sameSchema(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return digest("", "", a) == digest("", "", b)
}
