package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// The tour desk: a handler that returns what it asks, and tools that only look.

var travellersForm = ask.Form("Who is travelling?", json.RawMessage(`{
	"type": "object",
	"properties": {
		"travellers": {"type": "integer", "title": "Travellers", "minimum": 1, "maximum": 8, "default": 2},
		"pace": {
			"type": "string", "title": "Pace", "default": "slow",
			"oneOf": [
				{"const": "slow", "title": "Slow, with long lunches"},
				{"const": "brisk", "title": "Brisk, on foot"}
			]
		},
		"notes": {"type": "string", "title": "Notes", "description": "Anything that we should know", "maxLength": 200}
	},
	"required": ["travellers", "pace"]
}`))

// TripArgs are the arguments of plan_trip.
type TripArgs struct {
	Destination string `json:"destination,omitempty" jsonschema:"where to go; Isola Verde if left out"`
}

// Trip is what plan_trip came to.
type Trip struct {
	Planned     bool   `json:"planned" jsonschema:"whether there is a plan"`
	Destination string `json:"destination" jsonschema:"where it goes"`
	Travellers  int    `json:"travellers,omitempty" jsonschema:"how many travel"`
	Pace        string `json:"pace,omitempty" jsonschema:"how fast they go"`
	Plan        string `json:"plan,omitempty" jsonschema:"what the client's model drafted"`
	Folder      string `json:"folder,omitempty" jsonschema:"the directory that the plan is meant for"`
}

// tripState is plan_trip's own state: what it has been answered so far. The
// layer carries only what a handler just asks, so what a later round needs of
// an answer goes in here.
type tripState struct {
	Round int  `json:"round"`
	Trip  Trip `json:"trip"`
}

func (w *world) addTours() {
	tool(w, &mcp.Tool{
		Name:        "plan_trip",
		Title:       "Plan a trip",
		Description: "Plans a day out. Asks for three things in one round trip: who travels (a form), a draft by your model (sampling), and the folders you work in (roots). Asks again for what is missing.",
		Annotations: readOnly(),
	}, planTrip)
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "weather",
		Title:       "Weather",
		Description: "Says what the weather is like, as structured output that has a schema.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"place": {"type": "string", "title": "Place", "enum": ["Porto Lume", "Isola Verde", "Capo Nord", "Santa Brina"], "default": "Porto Lume"}},
			"additionalProperties": false
		}`),
		Annotations: readOnly(),
	}, weather)
	w.server.AddTool(&mcp.Tool{
		Name:        "ferry_times",
		Title:       "Ferry times",
		Description: "Lists today's ferries from a harbour. Over HTTP the harbour is mirrored in a header, Mcp-Param-Harbour, by which a gateway could route.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"harbour": {"type": "string", "title": "Harbour", "enum": ["Porto Lume", "Isola Verde", "Capo Nord", "Santa Brina"], "x-mcp-header": "Harbour"}},
			"required": ["harbour"]
		}`),
		Annotations: readOnly(),
	}, ferryTimes)
	tool(w, &mcp.Tool{
		Name:        "dictate_letter",
		Title:       "Dictate a letter",
		Description: "Calls your model directly, as servers could until revision 2025-11-25. On 2026-07-28 it fails, and the error says what to do instead.",
		Annotations: readOnly(),
	}, dictateLetter)
}

func draftAsk(destination string) *mcp.CreateMessageWithToolsParams {
	return &mcp.CreateMessageWithToolsParams{
		MaxTokens:    300,
		SystemPrompt: "You are the tour desk of a small harbour town.",
		Messages: []*mcp.SamplingMessageV2{{
			Role:    "user",
			Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Plan one day in %s, in three sentences.", destination)}},
		}},
	}
}

func planTrip(_ context.Context, _ *mcp.CallToolRequest, in *ask.Input, args TripArgs) (*mcp.CallToolResult, Trip, error) {
	st := tripState{Trip: Trip{Destination: args.Destination}}
	if _, err := in.State(&st); err != nil {
		return nil, st.Trip, err
	}
	if st.Trip.Destination == "" {
		st.Trip.Destination = "Isola Verde"
	}
	if a := in.Elicited("travellers", travellersForm); a != nil {
		if a.Action != "accept" {
			return text("No trip is planned: you chose %s when asked who travels.", a.Action), Trip{Destination: st.Trip.Destination}, nil
		}
		if err := ask.Decode(a, &st.Trip); err != nil {
			return nil, st.Trip, err
		}
	}
	if s := in.Sampled("draft"); s != nil {
		st.Trip.Plan = textOf(s.Content)
	}
	if r := in.ListedRoots("folders"); r != nil {
		st.Trip.Folder = "none"
		if len(r.Roots) > 0 {
			st.Trip.Folder = r.Roots[0].URI
		}
	}
	asks := mcp.InputRequestMap{}
	if st.Trip.Travellers == 0 {
		asks["travellers"] = travellersForm
	}
	if st.Trip.Plan == "" {
		asks["draft"] = draftAsk(st.Trip.Destination)
	}
	if st.Trip.Folder == "" {
		asks["folders"] = &mcp.ListRootsParams{}
	}
	if len(asks) > 0 {
		st.Round++
		return nil, st.Trip, in.Require(asks, st)
	}
	t := st.Trip
	t.Planned = true
	return text("A %s day in %s for %d, to be kept in %s:\n\n%s", t.Pace, t.Destination, t.Travellers, t.Folder, t.Plan), t, nil
}

func textOf(content []mcp.Content) string {
	var parts []string
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, t.Text)
		}
	}
	if len(parts) == 0 {
		return "(a draft without text)"
	}
	return strings.Join(parts, "\n")
}

// WeatherArgs are the arguments of weather.
type WeatherArgs struct {
	Place string `json:"place"`
}

// Report is what weather says.
type Report struct {
	Place      string  `json:"place" jsonschema:"where"`
	Conditions string  `json:"conditions" jsonschema:"in words"`
	Celsius    float64 `json:"celsius" jsonschema:"temperature in degrees Celsius"`
	WindKnots  int     `json:"windKnots" jsonschema:"wind in knots"`
	Ferries    bool    `json:"ferries" jsonschema:"whether ferries run"`
}

func weather(_ context.Context, _ *mcp.CallToolRequest, args WeatherArgs) (*mcp.CallToolResult, Report, error) {
	p, ok := findPlace(args.Place)
	if !ok {
		return nil, Report{}, fmt.Errorf("there is no weather for %q", args.Place)
	}
	r := Report{Place: p.name, Conditions: p.conditions, Celsius: p.celsius, WindKnots: p.windKnots, Ferries: len(p.ferries) > 0}
	return text("%s: %s, %g °C, wind %d knots.", r.Place, r.Conditions, r.Celsius, r.WindKnots), r, nil
}

func ferryTimes(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Harbour string `json:"harbour"`
	}
	failed := func(err error) (*mcp.CallToolResult, error) {
		res := &mcp.CallToolResult{}
		res.SetError(err)
		return res, nil
	}
	if err := json.Unmarshal(req.Params.Arguments, &args); err != nil || args.Harbour == "" {
		return failed(errors.New(`the argument "harbour" is missing or no text`))
	}
	p, ok := findPlace(args.Harbour)
	if !ok {
		return failed(fmt.Errorf("there is no harbour %q; there are %s", args.Harbour, strings.Join(placeNames(), ", ")))
	}
	if len(p.ferries) == 0 {
		return text("No ferries from %s today: %s.", p.name, p.conditions), nil
	}
	return text("Ferries from %s: %s.", p.name, strings.Join(slices.Sorted(slices.Values(p.ferries)), ", ")), nil
}

func dictateLetter(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, any, error) {
	res, err := in.Sample(ctx, &mcp.CreateMessageWithToolsParams{
		MaxTokens: 200,
		Messages: []*mcp.SamplingMessageV2{{
			Role:    "user",
			Content: []mcp.Content{&mcp.TextContent{Text: "Write a short letter home from Porto Lume."}},
		}},
	})
	if err != nil {
		return nil, nil, err
	}
	return text("%s", textOf(res.Content)), nil, nil
}
