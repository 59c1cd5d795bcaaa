package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// The trattoria: questions that a handler just asks, one after another.

var (
	whoForm = ask.Form("What is your name?", json.RawMessage(`{
		"type": "object",
		"properties": {
			"name": {"type": "string", "title": "Name", "description": "What the town may call you", "minLength": 1, "maxLength": 60}
		},
		"required": ["name"]
	}`))
	whenForm = ask.Form("On which day would you like to come?", json.RawMessage(`{
		"type": "object",
		"properties": {
			"date": {"type": "string", "title": "Date", "description": "The day of your visit, as YYYY-MM-DD", "format": "date"}
		},
		"required": ["date"]
	}`))
	seatsForm = ask.Form("For how many, and where would you like to sit?", json.RawMessage(`{
		"type": "object",
		"properties": {
			"seats": {"type": "integer", "title": "Seats", "description": "How many of you will come", "minimum": 1, "maximum": 12, "default": 2},
			"area": {"type": "string", "title": "Area", "description": "Where you would like to sit", "enum": ["inside", "terrace", "garden"], "default": "terrace"}
		},
		"required": ["seats", "area"]
	}`))
	confirmSchema = json.RawMessage(`{
		"type": "object",
		"properties": {
			"ok": {"type": "boolean", "title": "Book it", "description": "The table is yours once you say yes", "default": false}
		},
		"required": ["ok"]
	}`)
)

// Booking is what book_table came to.
type Booking struct {
	Booked    bool   `json:"booked" jsonschema:"whether a table is booked"`
	Reference string `json:"reference,omitempty" jsonschema:"what to say at the door"`
	Date      string `json:"date,omitempty" jsonschema:"the day of the visit, as YYYY-MM-DD"`
	Seats     int    `json:"seats,omitempty" jsonschema:"how many people"`
	Area      string `json:"area,omitempty" jsonschema:"where they sit"`
	Reason    string `json:"reason,omitempty" jsonschema:"why no table is booked"`
}

func (w *world) addTrattoria() {
	tool(w, &mcp.Tool{
		Name:        "greet",
		Title:       "Say hello",
		Description: "Asks for your name, then greets you. One question, the smallest example of asking.",
		Annotations: readOnly(),
	}, greet)
	tool(w, &mcp.Tool{
		Name:        "book_table",
		Title:       "Book a table",
		Description: "Books a table at the Trattoria del Faro. Asks three questions, one after the other: when, how many and where, and whether to book.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: ptr(false), IdempotentHint: true, OpenWorldHint: ptr(false)},
		Icons:       []mcp.Icon{table},
	}, bookTable)
}

func greet(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, any, error) {
	answer, err := in.Elicit(ctx, "who", whoForm)
	if err != nil {
		return nil, nil, err
	}
	if answer.Action != "accept" {
		return text("Hello, whoever you are!"), nil, nil
	}
	return text("Hello, %s!", answer.Content["name"]), nil, nil
}

func bookTable(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, Booking, error) {
	var b Booking
	unbooked := func(reason string) (*mcp.CallToolResult, Booking, error) {
		b.Reason = reason
		return text("No table is booked: %s.", reason), b, nil
	}
	steps := []struct{ key, subject string }{{"when", "the day"}, {"seats", "the seats"}}
	for i, form := range []*mcp.ElicitParams{whenForm, seatsForm} {
		answer, err := in.Elicit(ctx, steps[i].key, form)
		if err != nil {
			return nil, b, err
		}
		if answer.Action != "accept" {
			return unbooked(fmt.Sprintf("you chose %s when asked for %s", answer.Action, steps[i].subject))
		}
		if err := ask.Decode(answer, &b); err != nil {
			return nil, b, err
		}
	}
	answer, err := in.Elicit(ctx, "confirm", ask.Form(fmt.Sprintf("Book a table for %d on %s, %s?", b.Seats, b.Date, areaText(b.Area)), confirmSchema))
	if err != nil {
		return nil, b, err
	}
	if answer.Action != "accept" {
		return unbooked(fmt.Sprintf("you chose %s when asked to confirm", answer.Action))
	}
	if answer.Content["ok"] != true {
		return unbooked("you did not confirm")
	}
	// The only effect, below the last question: everything above may run again.
	b.Booked, b.Reference = true, reference(b)
	return text("Your table is booked: %s, %s, %s. Your reference is %s.", people(b.Seats), b.Date, areaText(b.Area), b.Reference), b, nil
}

func areaText(area string) string {
	switch area {
	case "terrace":
		return "on the terrace"
	case "garden":
		return "in the garden"
	}
	return "inside"
}

func people(n int) string {
	if n == 1 {
		return "1 seat"
	}
	return fmt.Sprintf("%d seats", n)
}

// reference is made of the booking itself, so that the same answers give the
// same result.
func reference(b Booking) string {
	return fmt.Sprintf("FARO-%04X", crc32.ChecksumIEEE(fmt.Appendf(nil, "%s/%d/%s", b.Date, b.Seats, b.Area))&0xffff)
}
