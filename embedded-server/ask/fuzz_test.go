package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// FuzzState sends any text as a state: only what this layer sealed for this
// request may reach the handler.
func FuzzState(f *testing.F) {
	d := newDirect(f)
	h := d.handler(atNoon()) // the workers of a fuzz run must agree on what is good
	good := d.asked(h)
	foreign := d.asked(d.handler(ask.Config{Keys: [][]byte{keyB}}))
	for _, s := range []string{good, foreign, "v1..", "v1.e30.", "v2" + good[2:], "...", "v1.bnVsbA.AA", good + "\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, state string) {
		before := d.entries
		_, err := d.call(h, state, map[string]any{"who": named("Mallory")})
		entered := d.entries != before
		if state == good || state == "" {
			return
		}
		var wire *jsonrpc.Error
		if entered || !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Fatalf("%q: entered %v, error %v", state, entered, err)
		}
	})
}

// FuzzAnswer sends any JSON as an answer to each kind of ask: readers give a
// usable answer or nil, and never a half.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"action":"accept","content":{"name":"Ada"}}`, `{"action":"decline"}`, `{"roots":[{"uri":"file:///a"}]}`,
		`{"role":"assistant","model":"m","content":[{"type":"text","text":"x"}]}`, `null`, `[]`, `{"roots":[null]}`, `{"action":{}}`,
	} {
		f.Add(s)
	}
	problem := "" // f may not be used inside the target, and t is not known here
	h := ask.RawTool(newLayer(f, ask.Config{}), func(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input) (*mcp.CallToolResult, error) {
		if e := in.Elicited("a", nameForm); e != nil && e.Action == "accept" {
			if name, ok := e.Content["name"].(string); !ok || name == "" {
				problem = fmt.Sprintf("accepted with the name %v", e.Content["name"])
			}
		}
		if s := in.Sampled("a"); s != nil && (s.Role != "assistant" || len(s.Content) == 0) {
			problem = fmt.Sprintf("sampled as %+v", s)
		}
		if r := in.ListedRoots("a"); r != nil {
			for _, root := range r.Roots {
				if root == nil || len(root.URI) < len("file://") {
					problem = fmt.Sprintf("root %+v", root)
				}
			}
		}
		return textResult("done"), nil
	})
	d := newDirect(f)
	f.Fuzz(func(t *testing.T, answer string) {
		if !json.Valid([]byte(answer)) {
			return
		}
		problem = ""
		_, err := d.call(h, "", map[string]any{"a": json.RawMessage(answer)})
		if err != nil || problem != "" {
			t.Fatalf("%s: %s, error %v", answer, problem, err)
		}
	})
}
