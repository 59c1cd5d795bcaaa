package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

// One red pixel, and a tenth of a second of nothing.
var (
	png = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	wav = decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==")
)

func decode(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err) // a constant of this file
	}
	return b
}

// schema2020 must come out of tools/list member by member.
var schema2020 = json.RawMessage(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
}`)

// audioSince is the first revision with audio content.
const audioSince = "2025-03-26"

func fixed(res *mcp.CallToolResult) handler {
	return func(context.Context, *mcp.CallToolRequest, *ask.Input) (*mcp.CallToolResult, error) { return res, nil }
}

func (f *fixtures) addContent() {
	image := &mcp.ImageContent{Data: png, MIMEType: "image/png"}
	f.tool("test_simple_text", "Answers with one text block.", fixed(text("This is a simple text response for testing.")))
	f.tool("test_image_content", "Answers with an image.", fixed(&mcp.CallToolResult{Content: []mcp.Content{image}}))
	f.tool("test_audio_content", "Answers with a sound.", func(_ context.Context, r *mcp.CallToolRequest, _ *ask.Input) (*mcp.CallToolResult, error) {
		if v := r.ProtocolVersion(); v < audioSince {
			return text("Revision %s has no sounds.", v), nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.AudioContent{Data: wav, MIMEType: "audio/wav"}}}, nil
	})
	f.tool("test_embedded_resource", "Answers with an embedded resource.", fixed(&mcp.CallToolResult{Content: []mcp.Content{
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
		}},
	}}))
	f.tool("test_multiple_content_types", "Answers with text, an image and a resource.", fixed(&mcp.CallToolResult{Content: []mcp.Content{
		&mcp.TextContent{Text: "Multiple content types test:"},
		image,
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
		}},
	}}))
	f.tool("test_error_handling", "Answers with isError.", fixed(&mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: "This tool intentionally returns an error for testing"}},
	}))
	f.toolOn(f.layer, "json_schema_2020_12_tool", "Has an input schema with the vocabulary of 2020-12.", schema2020, fixed(text("ok")))
}
