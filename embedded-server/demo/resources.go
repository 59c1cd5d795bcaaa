package demo

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

const (
	aboutURI     = "town://about"
	menuURI      = "town://menu"
	mapURI       = "town://map.png"
	guestbookURI = "town://guestbook"
)

// mapPNG is a map of one pixel: it is a small town.
const mapPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func (w *world) addResources() {
	w.server.AddResource(&mcp.Resource{
		URI: aboutURI, Name: "about", Title: "About the town", MIMEType: "text/plain",
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}, Priority: 1},
	}, static("Porto Lume has a harbour, a lighthouse, one trattoria and four hundred people."))
	w.server.AddResource(&mcp.Resource{
		URI: menuURI, Name: "menu", Title: "The menu", MIMEType: "text/markdown",
		Description: "What the trattoria serves. It changes with the season; subscribe to be told.",
	}, w.menu)
	w.server.AddResource(&mcp.Resource{
		URI: mapURI, Name: "map", Title: "A map", MIMEType: "image/png", Description: "A binary resource.",
		Icons: []mcp.Icon{lighthouse},
	}, townMap)
	w.server.AddResource(&mcp.Resource{
		URI: guestbookURI, Name: "guestbook", Title: "The guestbook", MIMEType: "text/plain",
		Description: "Asks for your signature before it opens.",
	}, ask.Resource(w.layer, guestbook))
	w.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "town://dishes/{dish}", Name: "dish", Title: "A dish", MIMEType: "text/plain",
		Description: "What a dish is made of. The name can be completed.",
	}, dishResource)
	w.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "town://rooms/{room}", Name: "room", Title: "A room", MIMEType: "text/plain",
		Description: "A room of the inn. Asks for the word on your key before it opens. The name can be completed.",
	}, ask.Resource(w.layer, roomResource))
}

func contents(uri, mime, body string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: body}}}
}

// static is a resource that always says the same.
func static(body string) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(req.Params.URI, "text/plain", body), nil
	}
}

func (w *world) menu(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	season := w.currentSeason()
	var b strings.Builder
	fmt.Fprintf(&b, "# Trattoria del Faro, %s\n", season)
	for _, course := range courses {
		fmt.Fprintf(&b, "\n## %s\n\n", course)
		for _, d := range dishes {
			if d.course == course && (d.season == "" || d.season == season) {
				fmt.Fprintf(&b, "- **%s**: %s\n", d.name, d.about)
			}
		}
	}
	return contents(req.Params.URI, "text/markdown", b.String()), nil
}

func townMap(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	blob, err := base64.StdEncoding.DecodeString(mapPNG)
	if err != nil {
		return nil, fmt.Errorf("the map: %w", err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "image/png", Blob: blob}}}, nil
}

var signatureForm = ask.Form("Sign the guestbook, please.", json.RawMessage(`{
	"type": "object",
	"properties": {"name": {"type": "string", "title": "Your name", "minLength": 1}},
	"required": ["name"]
}`))

func guestbook(ctx context.Context, req *mcp.ReadResourceRequest, in *ask.Input) (*mcp.ReadResourceResult, error) {
	answer, err := in.Elicit(ctx, "signature", signatureForm)
	if err != nil {
		return nil, err
	}
	visitor := "a visitor without a name"
	if answer.Action == "accept" {
		visitor = fmt.Sprint(answer.Content["name"])
	}
	return contents(req.Params.URI, "text/plain", "Signed in Porto Lume:\n- Ada Lovelace\n- Grace Hopper\n- "+visitor+"\n"), nil
}

func dishResource(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	d, ok := findDish(strings.TrimPrefix(req.Params.URI, "town://dishes/"))
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	return contents(req.Params.URI, "text/plain", d.about), nil
}

var keyForm = ask.Form("Which word is on your key?", json.RawMessage(`{
	"type": "object",
	"properties": {"word": {"type": "string", "title": "Word", "description": "It is the name of the room"}},
	"required": ["word"]
}`))

// roomResource returns its ask, where the guestbook just asks.
func roomResource(_ context.Context, req *mcp.ReadResourceRequest, in *ask.Input) (*mcp.ReadResourceResult, error) {
	room := strings.TrimPrefix(req.Params.URI, "town://rooms/")
	if !known(rooms, room) {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	answer := in.Elicited("key", keyForm)
	switch {
	case answer == nil:
		return nil, in.Require(mcp.InputRequestMap{"key": keyForm}, map[string]string{"door": room})
	case answer.Action != "accept":
		return contents(req.Params.URI, "text/plain", "The door stays closed."), nil
	case answer.Content["word"] != room:
		return contents(req.Params.URI, "text/plain", "The key does not turn."), nil
	}
	return contents(req.Params.URI, "text/plain", "The "+room+" room has a bed, a chair and a window to the sea."), nil
}
