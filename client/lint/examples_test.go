package lint_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

const fullCaps = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// talk builds a conversation on a byte stream.
type talk struct{ events []trace.Event }

func (c *talk) add(dir trace.Dir, raw string) *talk {
	c.events = append(c.events, trace.Event{Seq: len(c.events) + 1, Frame: &trace.Frame{Dir: dir, Bytes: []byte(raw)}})
	return c
}

func (c *talk) out(format string, args ...any) *talk {
	return c.add(trace.Out, fmt.Sprintf(format, args...))
}
func (c *talk) in(format string, args ...any) *talk {
	return c.add(trace.In, fmt.Sprintf(format, args...))
}

func modernMeta(caps, more string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":` + caps + more + `}`
}

// request is a modern request with members in front of its _meta.
func request(id, method, members string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s%s}}`, id, method, members, modernMeta(fullCaps, ""))
}

func result(id, members string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`, id, members)
}

func askResult(id, asks string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":%s}}`, id, asks)
}

const form = `{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{%s}}}}`

// conversation puts an official example where it belongs.
func conversation(t *testing.T, kind string, raw []byte) *talk {
	t.Helper()
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, raw))
	x := compact.String()
	id := string(rpc.Member(raw, "id"))
	c := &talk{}
	methods := map[string]string{
		"CallTool": "tools/call", "Complete": "completion/complete", "Discover": "server/discover", "GetPrompt": "prompts/get",
		"ListPrompts": "prompts/list", "ListResourceTemplates": "resources/templates/list", "ListResources": "resources/list",
		"ListTools": "tools/list", "ReadResource": "resources/read", "SubscriptionsListen": "subscriptions/listen",
	}
	base := kind
	for _, tail := range []string{"ResultResponse", "Result", "RequestParams", "Request"} {
		if b, ok := strings.CutSuffix(kind, tail); ok && methods[b] != "" {
			base = b
			break
		}
	}
	if method := methods[base]; method != "" {
		params := `"name":"n","notifications":{},`
		ack := func(id string) {
			if method == "subscriptions/listen" {
				c.in(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, id)
			}
		}
		switch strings.TrimPrefix(kind, base) {
		case "ResultResponse":
			c.out("%s", request(id, method, params))
			ack(id)
			return c.in("%s", x)
		case "Result":
			id = `1`
			if s := rpc.Member(raw, "_meta", "io.modelcontextprotocol/subscriptionId"); s != nil {
				id = string(s)
			}
			c.out("%s", request(id, method, params))
			ack(id)
			return c.in(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, x)
		case "RequestParams":
			return c.out(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, x)
		case "Request":
			return c.out("%s", x)
		}
	}
	tool := func(content string) *talk {
		return c.out("%s", request("1", "tools/call", `"name":"n",`)).in("%s", result("1", `"content":[`+content+`],`))
	}
	asked := func(ask string) *talk {
		return c.out("%s", request("1", "tools/call", `"name":"n",`)).in("%s", askResult("1", `{"k":`+ask+`}`))
	}
	answered := func(ask string) *talk {
		return asked(ask).out("%s", request("2", "tools/call", `"name":"n","inputResponses":{"k":`+x+`},`))
	}
	list := func(method, member string) *talk {
		return c.out("%s", request("1", method, "")).in("%s", result("1", `"`+member+`":[`+x+`],"ttlMs":0,"cacheScope":"public",`))
	}
	sampling := func(members string) *talk {
		return asked(`{"method":"sampling/createMessage","params":{` + members + `"maxTokens":10}}`)
	}
	switch kind {
	case "AudioContent", "ImageContent", "TextContent", "EmbeddedResource", "ResourceLink":
		return tool(x)
	case "BlobResourceContents", "TextResourceContents":
		return list("resources/read", "contents")
	case "BooleanSchema", "NumberSchema", "StringSchema", "TitledMultiSelectEnumSchema", "TitledSingleSelectEnumSchema",
		"UntitledMultiSelectEnumSchema", "UntitledSingleSelectEnumSchema":
		return asked(fmt.Sprintf(form, `"p":`+x))
	case "ElicitRequest", "CreateMessageRequest", "ListRootsRequest":
		return asked(x)
	case "ElicitRequestFormParams", "ElicitRequestURLParams":
		return asked(`{"method":"elicitation/create","params":` + x + `}`)
	case "CreateMessageRequestParams":
		return asked(`{"method":"sampling/createMessage","params":` + x + `}`)
	case "ModelPreferences":
		return sampling(`"messages":[],"modelPreferences":` + x + `,`)
	case "SamplingMessage":
		return sampling(`"messages":[` + x + `],`)
	case "ToolResultContent", "ToolUseContent":
		return sampling(`"messages":[{"role":"user","content":[` + x + `]}],`)
	case "ElicitResult":
		if rpc.Member(raw, "content") == nil {
			return answered(`{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com/"}}`)
		}
		return answered(fmt.Sprintf(form, ""))
	case "CreateMessageResult":
		return answered(`{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":10}}`)
	case "ListRootsResult":
		return answered(`{"method":"roots/list"}`)
	case "Root":
		x = `{"roots":[` + x + `]}`
		return answered(`{"method":"roots/list"}`)
	case "InputRequests":
		return c.out("%s", request("1", "tools/call", `"name":"n",`)).in("%s", askResult("1", x))
	case "InputRequiredResult":
		return c.out("%s", request("1", "tools/call", `"name":"n",`)).in(`{"jsonrpc":"2.0","id":1,"result":%s}`, x)
	case "InputResponses":
		return c.out("%s", request("1", "tools/call", `"name":"n","inputResponses":`+x+`,`))
	case "ClientCapabilities":
		return c.out(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`, modernMeta(x, ""))
	case "ServerCapabilities":
		return c.out("%s", request("1", "server/discover", "")).in("%s", result("1", `"capabilities":`+x+`,"supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"public",`))
	case "Tool":
		return list("tools/list", "tools")
	case "Resource":
		return list("resources/list", "resources")
	case "PaginatedRequestParams":
		return c.out(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":%s}`, x)
	case "HeaderMismatchError", "InternalError", "InvalidParamsError", "MethodNotFoundError", "ParseError",
		"MissingRequiredClientCapabilityError", "UnsupportedProtocolVersionError":
		switch {
		case rpc.Member(raw, "error") == nil: // the error alone
			id, x = "1", `{"jsonrpc":"2.0","id":1,"error":`+x+`}`
		case id == "":
			return c.in("%s", x)
		}
		meta := modernMeta("{}", "")
		if v := rpc.Text(raw, "error", "data", "requested"); v != "" {
			meta = strings.Replace(meta, "2026-07-28", v, 1)
		}
		return c.out(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"n",%s}}`, id, meta).in("%s", x)
	case "CancelledNotification":
		return c.out("%s", request(string(rpc.Member(raw, "params", "requestId")), "tools/call", `"name":"n",`)).out("%s", x)
	case "CancelledNotificationParams":
		return c.out("%s", request(string(rpc.Member(raw, "requestId")), "tools/call", `"name":"n",`)).
			out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}`, x)
	case "LoggingMessageNotificationParams", "ProgressNotificationParams", "ResourceUpdatedNotificationParams":
		name := map[string]string{"LoggingMessageNotificationParams": "message", "ProgressNotificationParams": "progress", "ResourceUpdatedNotificationParams": "resources/updated"}[kind]
		return conversation(t, strings.TrimSuffix(kind, "Params"), []byte(`{"jsonrpc":"2.0","method":"notifications/`+name+`","params":`+x+`}`))
	case "LoggingMessageNotification":
		return c.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n",%s}}`, modernMeta(fullCaps, `,"io.modelcontextprotocol/logLevel":"debug"`)).in("%s", x)
	case "ProgressNotification":
		return c.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n",%s}}`,
			modernMeta(fullCaps, `,"progressToken":`+string(rpc.Member(raw, "params", "progressToken")))).in("%s", x)
	case "PromptListChangedNotification", "ResourceListChangedNotification", "ToolListChangedNotification", "ResourceUpdatedNotification",
		"SubscriptionsAcknowledgedNotification":
		sub := string(rpc.Member(raw, "params", "_meta", "io.modelcontextprotocol/subscriptionId"))
		if sub == "" {
			t.Skip("the example shows no subscription")
		}
		filter := `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///"]}`
		c.out("%s", request(sub, "subscriptions/listen", `"notifications":`+filter+`,`))
		if kind != "SubscriptionsAcknowledgedNotification" {
			c.in(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":%s,"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, filter, sub)
		}
		return c.in("%s", x)
	}
	t.Fatalf("no place for an example of %s", kind)
	return nil
}

// TestOfficialExamplesAreClean holds the rules against the examples that the
// specification itself gives.
func TestOfficialExamplesAreClean(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "spec", "2026-07-28", "examples")
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the official example messages are not at ../shared/spec")
	}
	for _, f := range files {
		kind := filepath.Base(filepath.Dir(f))
		t.Run(kind+"/"+filepath.Base(f), func(t *testing.T) {
			raw, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, x := range lintAll(conversation(t, kind, raw).events) {
				require.NotEqual(t, lint.Error, x.Severity, "%s: %s %s", x.Rule, x.Path, x.Message)
			}
		})
	}
}
