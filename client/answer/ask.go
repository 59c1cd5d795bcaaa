package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcptui/client/schema"
)

// Methods that a server can ask with.
const (
	Elicit = "elicitation/create"
	Sample = "sampling/createMessage"
	Roots  = "roots/list"
)

// Ask is what a server wants.
type Ask struct {
	Key    string          // its key in inputRequests; "" on the legacy wire, which has none
	Method string          // Elicit, Sample, Roots or another
	Params json.RawMessage // as they came; nil for none
}

// params are the parts of an ask that answers are chosen by.
type params struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

// params reads the parts one by one, so that one of a wrong type does not hide
// the others.
func (a Ask) params() params {
	var p params
	var all map[string]json.RawMessage
	if json.Unmarshal(a.Params, &all) != nil {
		return p
	}
	// A member of a wrong type is as good as none.
	_ = json.Unmarshal(all["mode"], &p.Mode)
	_ = json.Unmarshal(all["message"], &p.Message)
	p.RequestedSchema = all["requestedSchema"]
	return p
}

// Mode is "form" or "url" for an elicitation, "form" where it says nothing
// (Elicitation, "Protocol Messages"), and "" for other asks.
func (a Ask) Mode() string {
	if a.Method != Elicit {
		return ""
	}
	if mode := a.params().Mode; mode != "" {
		return mode
	}
	return "form"
}

// Message is what the ask says to the person; for sampling it is the text of
// the messages, one a line, so that answers can be chosen by it.
func (a Ask) Message() string {
	if a.Method != Sample {
		return a.params().Message
	}
	var p struct {
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(a.Params, &p) != nil {
		return ""
	}
	var lines []string
	for _, m := range p.Messages {
		// Content is one block, or since 2025-11-25 a list of them.
		var blocks []textContent
		var one textContent
		if json.Unmarshal(m.Content, &one) == nil {
			blocks = []textContent{one}
		} else if json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, block := range blocks {
			if block.Type == "text" {
				lines = append(lines, block.Text)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Form is the form that the ask wants filled in.
func (a Ask) Form() *schema.Form { return schema.Parse(a.params().RequestedSchema) }

// Outcome says what a reply amounts to.
type Outcome int

const (
	// None: there is no answer; something else has to answer.
	None Outcome = iota
	// Result: Reply.Result is the answer.
	Result
	// Reject: the ask is refused, which has no result.
	Reject
)

func (o Outcome) String() string { return [...]string{"none", "result", "reject"}[o] }

// Reply is the answer to one ask.
type Reply struct {
	Outcome  Outcome
	Result   json.RawMessage  // ElicitResult, CreateMessageResult or ListRootsResult
	Problems []schema.Problem // what of an accepted content does not fit the schema
	Strays   []Stray          // what of it the schema does not declare
	From     string           // where the answer stands: file:line:column
}

// Err is the problems that should keep the reply from being sent, as one
// error, or nil.
func (r Reply) Err() error {
	blocking := schema.Blocking(r.Problems)
	if len(blocking) == 0 {
		return nil
	}
	more := ""
	if n := len(blocking) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("%s: the answer does not fit what is asked: %s%s", r.From, blocking[0], more)
}

// Accept is the result of an elicitation that a person accepts. Content is nil
// in URL mode.
func Accept(content json.RawMessage) json.RawMessage {
	if content == nil {
		return json.RawMessage(`{"action":"accept"}`)
	}
	return append(append([]byte(`{"action":"accept","content":`), content...), '}')
}

// The results of an elicitation that a person refuses, or dismisses.
var (
	Decline = json.RawMessage(`{"action":"decline"}`)
	Cancel  = json.RawMessage(`{"action":"cancel"}`)
)

// textModel names the model of a text that no model wrote. The result must
// name one.
const textModel = "mcptui"

// Text is a sampling result with one text. Model and stopReason may be "".
func Text(text, model, stopReason string) json.RawMessage {
	if model == "" {
		model = textModel
	}
	if stopReason == "" {
		stopReason = "endTurn"
	}
	return encode(struct {
		Role       string      `json:"role"`
		Content    textContent `json:"content"`
		Model      string      `json:"model"`
		StopReason string      `json:"stopReason"`
	}{"assistant", textContent{"text", text}, model, stopReason})
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// encode is JSON without the HTML escapes of encoding/json.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null") // only strings and raw JSON come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
