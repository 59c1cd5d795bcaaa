package faults

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// leakyState is what refund_leaky entrusts to its client: readable, changeable,
// and good for ever.
type leakyState struct {
	Order    string  `json:"order"`
	Amount   float64 `json:"amount"`
	Reviewer string  `json:"reviewer"`
	Refund   int64   `json:"refund"`
}

// addLeaky adds the tool that is wrong without breaking any rule: its state is
// not signed, so a client can change the amount that was agreed to; it counts
// the refund before it asks, so that each round has an effect; and it takes the
// same state again and again.
func (s *server) addLeaky() {
	s.tool("refund_leaky", "Refunds an order after a confirmation. Insecure on purpose: an unsigned state, an effect before the ask, and replays.",
		`{"type":"object","properties":{
			"order":{"type":"string","default":"A-17"},
			"amount":{"type":"number","minimum":0,"default":40}}}`,
		func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
			st := leakyState{Order: "A-17", Amount: 40, Reviewer: "nobody"}
			if err := e.arguments(&st); err != nil {
				return nil, err
			}
			if e.modern && e.state != "" {
				return s.confirmed(e)
			}
			st.Refund = s.refunds.Add(1) // the effect comes before the question
			question := &mcp.ElicitParams{Mode: "form", Message: fmt.Sprintf("Refund %.2f for order %s?", st.Amount, st.Order), RequestedSchema: json.RawMessage(
				`{"type":"object","properties":{"confirm":{"type":"boolean","title":"Refund it"}},"required":["confirm"]}`)}
			if e.modern {
				raw, err := json.Marshal(st)
				if err != nil {
					return nil, err
				}
				return asks(mcp.InputRequestMap{"confirm": question}, base64.StdEncoding.EncodeToString(raw)), nil
			}
			a, err := e.req.Session.Elicit(ctx, question)
			if err != nil {
				return nil, err
			}
			return s.refunded(st, a.Action == "accept" && a.Content["confirm"] == true), nil
		})
}

// confirmed believes whatever state it is given.
func (s *server) confirmed(e entry) (*mcp.CallToolResult, error) {
	var st leakyState
	raw, err := base64.StdEncoding.DecodeString(e.state)
	if err == nil {
		err = json.Unmarshal(raw, &st)
	}
	if err != nil {
		// Says too much, as such a server would.
		return nil, fmt.Errorf("requestState: %w in %q", err, raw)
	}
	a, _ := e.answers["confirm"].(*mcp.ElicitResult)
	yes := a != nil && a.Action == "accept" && a.Content["confirm"] == true
	if yes {
		s.refunds.Add(1) // and once more for every replay
	}
	return s.refunded(st, yes), nil
}

func (s *server) refunded(st leakyState, yes bool) *mcp.CallToolResult {
	verb := "Not refunded"
	if yes {
		verb = "Refunded"
	}
	return text("%s: %.2f for order %s, reviewed by %s. Refunds booked by this server so far: %d.", verb, st.Amount, st.Order, st.Reviewer, s.refunds.Load())
}
