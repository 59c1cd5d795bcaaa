package demo

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The market: what a result can hold, and what one looks like that went wrong.

// bellWAV is a sound that is over at once: eight samples of silence.
const bellWAV = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="

func (w *world) addMarket() {
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "souvenirs",
		Title:       "Buy souvenirs",
		Description: "Gives one content block of every kind that your protocol revision has: text, an image, a sound, a link to a resource, and a resource itself.",
		Annotations: readOnly(),
	}, souvenirs)
	mcp.AddTool(w.server, &mcp.Tool{
		Name:        "go_fishing",
		Title:       "Go fishing",
		Description: "Comes back with nothing: a result with isError set, which is not an error of the protocol.",
		Annotations: readOnly(),
	}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("nothing is biting today; try again in summer")
	})
}

// souvenirs looks at the revision because older clients do not know the newer
// kinds of content. That is about what a result may hold; asking never needs it.
func souvenirs(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	image, err := base64.StdEncoding.DecodeString(mapPNG)
	if err != nil {
		return nil, nil, err
	}
	sound, err := base64.StdEncoding.DecodeString(bellWAV)
	if err != nil {
		return nil, nil, err
	}
	content := []mcp.Content{
		&mcp.TextContent{Text: "A sailor's knot, tied by hand.", Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.9}},
		&mcp.ImageContent{Data: image, MIMEType: "image/png"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: aboutURI, MIMEType: "text/plain", Text: "Porto Lume, printed on a tea towel."}},
	}
	revision := req.ProtocolVersion()
	if revision >= "2025-03-26" {
		content = append(content, &mcp.AudioContent{Data: sound, MIMEType: "audio/wav"})
	}
	if revision >= "2025-06-18" {
		content = append(content, &mcp.ResourceLink{URI: menuURI, Name: "menu", Title: "The menu", MIMEType: "text/markdown"})
	}
	return &mcp.CallToolResult{Content: content}, nil, nil
}
