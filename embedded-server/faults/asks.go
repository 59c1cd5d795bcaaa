package faults

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// badURLs are what a client must show, and must not open without a thought.
var badURLs = map[string]string{
	"script":    "javascript:alert(document.cookie)",
	"file":      "file:///etc/passwd",
	"data":      "data:text/html,<script>alert(1)</script>",
	"userinfo":  "https://accounts.example.com@evil.example/login",
	"lookalike": "https://xn--pypal-4ve.example/login",
	"plain":     "http://192.0.2.1/login",
	"nonsense":  "not a url",
}

// addAsks adds the faults in what is asked.
func (s *server) addAsks() {
	s.tool("endless_asks", "Asks the same thing again, whatever the answer.", "", func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
		if e.modern {
			n, _ := strconv.Atoi(e.state) // "" on the first call: 0
			return asks(mcp.InputRequestMap{"again": form(fmt.Sprintf("Are you sure? (%d)", n+1), "v")}, strconv.Itoa(n+1)), nil
		}
		for n := 1; ; n++ {
			if _, err := e.req.Session.Elicit(ctx, form(fmt.Sprintf("Are you sure? (%d)", n), "v")); err != nil {
				return nil, fmt.Errorf("asked %d times: %w", n, err)
			}
		}
	})
	s.tool("state_only_rounds", "Asks for nothing but another round, several times. With 0 rounds: for ever.",
		`{"type":"object","properties":{"rounds":{"type":"integer","minimum":0,"default":3}}}`,
		func(_ context.Context, e entry) (*mcp.CallToolResult, error) {
			args := struct{ Rounds int }{3}
			if err := e.arguments(&args); err != nil {
				return nil, err
			}
			if !e.modern {
				return modernOnly(), nil
			}
			n, _ := strconv.Atoi(e.state)
			if args.Rounds > 0 && n >= args.Rounds {
				return text("Done after %d rounds that asked for nothing.", n), nil
			}
			return asks(nil, strconv.Itoa(n+1)), nil
		})
	s.tool("changed_keys", "Asks the same thing under another key in each of three rounds, so that answers never fit.", "", func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
		if !e.modern {
			for range 3 {
				if _, err := e.req.Session.Elicit(ctx, form("What is your name?", "name")); err != nil {
					return nil, err
				}
			}
			return text("Asked three times; in this era asks have no keys."), nil
		}
		n, _ := strconv.Atoi(e.state)
		if n == 3 {
			keys := []string{}
			for k := range e.answers {
				keys = append(keys, k)
			}
			return text("Gave up. The last answers came under: %s", strings.Join(keys, ", ")), nil
		}
		key := []string{"name", "Name", "name_2"}[n%3]
		return asks(mcp.InputRequestMap{key: form("What is your name?", "name")}, strconv.Itoa(n+1)), nil
	})
	s.tool("bad_url_scheme", "Sends the user to URLs that a client should warn of: javascript:, file:, data:, a name that looks like another's.", "", func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
		if e.modern && e.state != "" {
			return text("%d answers came back.", len(e.answers)), nil
		}
		all := mcp.InputRequestMap{}
		for key, url := range badURLs {
			all[key] = &mcp.ElicitParams{Mode: "url", Message: "Please sign in (" + key + ")", URL: url}
		}
		if e.modern {
			return asks(all, "sent"), nil
		}
		for _, p := range all {
			if _, err := e.req.Session.Elicit(ctx, p.(*mcp.ElicitParams)); err != nil {
				return nil, err
			}
		}
		return text("%d answers came back.", len(all)), nil
	})
	s.tool("undeclared_ask", "Asks for sampling and roots, whatever the client declared.", "", func(_ context.Context, e entry) (*mcp.CallToolResult, error) {
		switch {
		case !e.modern:
			return modernOnly(), nil
		case e.state != "":
			return text("%d answers came back.", len(e.answers)), nil
		}
		return asks(mcp.InputRequestMap{
			"think": &mcp.CreateMessageWithToolsParams{MaxTokens: 10, Messages: []*mcp.SamplingMessageV2{
				{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: "Say anything."}}},
			}},
			"dirs": &mcp.ListRootsParams{},
		}, "asked"), nil
	})
}
