package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (f *fixtures) addResources() {
	static := func(name, uri, mime string, c mcp.ResourceContents) {
		c.URI, c.MIMEType = uri, mime
		f.server.AddResource(&mcp.Resource{Name: name, URI: uri, MIMEType: mime, Description: name},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
			})
	}
	static("Static text", "test://static-text", "text/plain", mcp.ResourceContents{Text: "This is the content of the static text resource."})
	static("Static binary", "test://static-binary", "image/png", mcp.ResourceContents{Blob: png})
	static("Watched resource", "test://watched-resource", "text/plain", mcp.ResourceContents{Text: "Watched resource content"})

	f.server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "Template", URITemplate: "test://template/{id}/data", MIMEType: "application/json", Description: "Data of one id",
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
			URI: r.Params.URI, MIMEType: "application/json",
			Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
		}}}, nil
	})
}
