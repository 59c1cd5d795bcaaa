package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// The town hall: a web page to go to, a form with everything, and the seasons,
// which change what is listed.

const connectURL = "https://example.com/porto-lume/connect?request=7f3a"

var surveyForm = ask.Form("How was your stay?", json.RawMessage(`{
	"type": "object",
	"properties": {
		"name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 40},
		"email": {"type": "string", "title": "Email", "format": "email"},
		"homepage": {"type": "string", "title": "Home page", "format": "uri"},
		"arrived": {"type": "string", "title": "Arrived on", "format": "date"},
		"left": {"type": "string", "title": "Left at", "description": "With the time zone, as in 2027-05-03T10:00:00+02:00", "format": "date-time"},
		"nights": {"type": "integer", "title": "Nights", "minimum": 1, "maximum": 30, "default": 2},
		"spent": {"type": "number", "title": "Spent", "description": "In euros", "minimum": 0},
		"again": {"type": "boolean", "title": "Would you come again?", "default": true},
		"season": {"type": "string", "title": "Season", "oneOf": [{"const": "winter", "title": "Winter, for the storms"}, {"const": "summer", "title": "Summer, for the swimming"}]},
		"room": {"type": "string", "title": "Room", "enum": ["garden", "harbour", "tower"]},
		"liked": {
			"type": "array", "title": "What did you like?", "minItems": 1, "maxItems": 3,
			"items": {"anyOf": [{"const": "food", "title": "The food"}, {"const": "sea", "title": "The sea"}, {"const": "quiet", "title": "The quiet"}, {"const": "people", "title": "The people"}]}
		}
	},
	"required": ["name", "nights", "again"]
}`))

func (w *world) addTownHall() {
	tool(w, &mcp.Tool{
		Name:        "connect_account",
		Title:       "Connect your account",
		Description: "Sends you to a web page to connect an account. The answer says whether you agreed to go, not what you did there.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: ptr(false), OpenWorldHint: ptr(true)},
	}, connectAccount)
	tool(w, &mcp.Tool{
		Name:        "survey",
		Title:       "Fill in a survey",
		Description: "Asks one question with a field of every kind, among them a choice of several, which revision 2025-11-25 brought.",
		Annotations: readOnly(),
	}, survey)
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "change_season",
		Title:       "Change the season",
		Description: "Changes the season: in summer there are one tool, one prompt and one resource more, and another menu. Clients that listen are told.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"season": {"type": "string", "title": "Season", "enum": ["summer", "winter"], "default": "summer"}},
			"additionalProperties": false
		}`),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: ptr(false), IdempotentHint: true, OpenWorldHint: ptr(false)},
	}, w.changeSeason)
}

func connectAccount(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, any, error) {
	answer, err := in.ElicitURL(ctx, "consent", "Please connect your account on the town's website.", connectURL)
	if err != nil {
		return nil, nil, err
	}
	if answer.Action != "accept" {
		return text("Your account is not connected: you chose %s.", answer.Action), nil, nil
	}
	return text("You agreed to go to the town's website. This server learns there, not here, whether you connected your account."), nil, nil
}

func survey(ctx context.Context, _ *mcp.CallToolRequest, in *ask.Input, _ none) (*mcp.CallToolResult, map[string]any, error) {
	answer, err := in.Elicit(ctx, "survey", surveyForm)
	if err != nil {
		return nil, nil, err
	}
	if answer.Action != "accept" {
		return text("No hard feelings."), map[string]any{}, nil
	}
	lines := []string{fmt.Sprintf("Thank you, %v! You filled in:", answer.Content["name"])}
	for _, key := range slices.Sorted(maps.Keys(answer.Content)) {
		lines = append(lines, fmt.Sprintf("- %s: %v", key, answer.Content[key]))
	}
	return text("%s", strings.Join(lines, "\n")), answer.Content, nil
}

// SeasonArgs are the arguments of change_season.
type SeasonArgs struct {
	Season string `json:"season"`
}

func (w *world) changeSeason(ctx context.Context, _ *mcp.CallToolRequest, args SeasonArgs) (*mcp.CallToolResult, any, error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	if w.currentSeason() == args.Season {
		return text("It is %s already.", args.Season), nil, nil
	}
	w.mu.Lock()
	w.season = args.Season
	w.mu.Unlock()
	if args.Season == summer {
		mcp.AddTool(w.server, &mcp.Tool{
			Name: "swim", Title: "Go for a swim", Description: "Only in summer.", Annotations: readOnly(),
		}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return text("The water is lovely."), nil, nil
		})
		w.server.AddPrompt(&mcp.Prompt{Name: "beach_day", Title: "A day at the beach", Description: "Only in summer."}, prompt("Suggest how to spend a day at the beach of Porto Lume."))
		w.server.AddResource(&mcp.Resource{URI: "town://beach", Name: "beach", Title: "The beach", Description: "Only in summer.", MIMEType: "text/plain"}, static("The beach is open from eight to eight."))
	} else {
		w.server.RemoveTools("swim")
		w.server.RemovePrompts("beach_day")
		w.server.RemoveResources("town://beach")
	}
	if err := w.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: menuURI}); err != nil {
		return nil, nil, fmt.Errorf("tell of the new menu: %w", err)
	}
	return text("It is %s now.", args.Season), nil, nil
}

func (w *world) currentSeason() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.season
}
