package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// schemaDir holds the official schemas, one folder a revision, beside the
// repository.
const schemaDir = "../../../shared/spec"

// official validates messages of the server against the official schemas.
type official struct {
	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
}

var spec = &official{schemas: map[string]*jsonschema.Schema{}}

// resultOf names the definition of each method's result.
var resultOf = map[string]string{
	"initialize": "InitializeResult", "ping": "EmptyResult", "logging/setLevel": "EmptyResult",
	"resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult",
	"server/discover": "DiscoverResult", "subscriptions/listen": "SubscriptionsListenResult",
	"tools/list": "ListToolsResult", "prompts/list": "ListPromptsResult",
	"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult",
	"tools/call": "CallToolResult", "prompts/get": "GetPromptResult", "resources/read": "ReadResourceResult",
	"completion/complete": "CompleteResult",
}

// errorOf names the definition of each error with a code of its own.
var errorOf = map[int]string{
	-32020: "HeaderMismatchError", -32021: "MissingRequiredClientCapabilityError", -32022: "UnsupportedProtocolVersionError",
	-32601: "MethodNotFoundError", -32602: "InvalidParamsError", -32603: "InternalError",
	-32600: "InvalidRequestError", -32700: "ParseError",
}

func (o *official) check(t testing.TB, revision, method string, frame []byte) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(schemaDir, revision, "schema.json")); err != nil {
		skippedSchemas.Do(func() { t.Logf("messages are not validated: no official schemas at %s", schemaDir) })
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Result json.RawMessage
		Error  *struct{ Code int }
	}
	require.NoError(t, json.Unmarshal(frame, &m), "%s", frame)
	oldStyle := slices.Contains([]string{"2024-11-05", "2025-03-26", "2025-06-18"}, revision)
	switch {
	case m.Method != "" && m.ID == nil:
		o.valid(t, revision, "ServerNotification", frame)
	case m.Method != "":
		require.NotEqual(t, "2026-07-28", revision, "a request of the server in the modern era: %s", frame)
		o.valid(t, revision, "ServerRequest", frame)
	case m.Error != nil && oldStyle:
		if m.ID != nil { // these revisions have no error without an id
			o.valid(t, revision, "JSONRPCError", frame)
		}
	case m.Error != nil:
		o.valid(t, revision, "JSONRPCErrorResponse", frame)
		if revision == "2026-07-28" && errorOf[m.Error.Code] != "" {
			o.valid(t, revision, errorOf[m.Error.Code], errorPart(t, frame, m.Error.Code))
		}
	default:
		o.valid(t, revision, "JSONRPCMessage", frame)
		def := resultOf[method]
		require.NotEmpty(t, def, "no schema known for the result of %q: %s", method, frame)
		var kind struct{ ResultType string }
		require.NoError(t, json.Unmarshal(m.Result, &kind))
		if revision == "2026-07-28" {
			require.NotEmpty(t, kind.ResultType, "a modern result names its type: %s", frame)
		}
		if kind.ResultType == "input_required" {
			def = "InputRequiredResult"
		}
		o.valid(t, revision, def, m.Result)
	}
}

var skippedSchemas sync.Once

// errorPart: some errors are defined as whole responses, some as the error
// object alone.
func errorPart(t testing.TB, frame []byte, code int) []byte {
	if code <= -32020 && code >= -32099 {
		return frame
	}
	var m struct{ Error json.RawMessage }
	require.NoError(t, json.Unmarshal(frame, &m))
	return m.Error
}

func (o *official) valid(t testing.TB, revision, def string, raw []byte) {
	t.Helper()
	s := o.compile(t, revision, def)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	require.NoError(t, s.Validate(v), "%s of %s: %s", def, revision, raw)
}

func (o *official) compile(t testing.TB, revision, def string) *jsonschema.Schema {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	key := revision + "#" + def
	if s := o.schemas[key]; s != nil {
		return s
	}
	raw, err := os.ReadFile(filepath.Join(schemaDir, revision, "schema.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	url := "mem://" + revision
	require.NoError(t, c.AddResource(url, doc))
	defs := "$defs"
	if _, ok := doc.(map[string]any)["definitions"]; ok {
		defs = "definitions"
	}
	s, err := c.Compile(fmt.Sprintf("%s#/%s/%s", url, defs, def))
	require.NoError(t, err, "%s of %s", def, revision)
	o.schemas[key] = s
	return s
}
