package embeddedserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// official holds messages against the protocol's own JSON Schemas, which lie
// beside the repository where somebody has put them.
type official struct {
	mu      sync.Mutex
	docs    map[string]any
	schemas map[string]*jsonschema.Schema
}

var loaded = sync.OnceValues(func() (*official, error) {
	o := &official{docs: map[string]any{}, schemas: map[string]*jsonschema.Schema{}}
	for _, revision := range revisions {
		raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", revision, "schema.json"))
		if err != nil {
			return nil, err
		}
		if o.docs[revision], err = jsonschema.UnmarshalJSON(bytes.NewReader(raw)); err != nil {
			return nil, err
		}
	}
	return o, nil
})

func loadOfficial(t *testing.T) *official {
	t.Helper()
	o, err := loaded()
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("messages are not held against the official schemas: ../shared/spec is not there")
		return nil
	}
	require.NoError(t, err)
	return o
}

// resultTypes names the definition of a method's result, and messageTypes that
// of what a server sends by itself.
var (
	resultTypes = map[string]string{
		"initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult",
		"tools/list": "ListToolsResult", "tools/call": "CallToolResult",
		"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult",
		"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult",
		"resources/read": "ReadResourceResult", "completion/complete": "CompleteResult",
		"resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult", "logging/setLevel": "EmptyResult",
	}
	messageTypes = map[string]string{
		"elicitation/create": "ElicitRequest", "sampling/createMessage": "CreateMessageRequest", "roots/list": "ListRootsRequest",
		"notifications/progress": "ProgressNotification", "notifications/message": "LoggingMessageNotification",
		"notifications/tools/list_changed":         "ToolListChangedNotification",
		"notifications/prompts/list_changed":       "PromptListChangedNotification",
		"notifications/resources/list_changed":     "ResourceListChangedNotification",
		"notifications/resources/updated":          "ResourceUpdatedNotification",
		"notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
		"notifications/cancelled":                  "CancelledNotification",
		"notifications/elicitation/complete":       "ElicitationCompleteNotification",
	}
)

// check fails the test where a message of the server does not fit the schema
// of its revision. method is that of the request that it came for.
func (o *official) check(t *testing.T, revision, method string, m message) {
	t.Helper()
	if o == nil {
		return
	}
	switch {
	case m.Method != "":
		kind, ok := messageTypes[m.Method]
		require.True(t, ok, "a server of %s sends %s", revision, m.Method)
		o.fits(t, revision, kind, m.raw)
	case m.Error != nil:
		kind := "JSONRPCError"
		if revision >= "2025-11-25" {
			kind = "JSONRPCErrorResponse"
		}
		o.fits(t, revision, kind, m.raw)
		if m.Error.Code == -32021 && revision >= modern {
			o.fits(t, revision, "MissingRequiredClientCapabilityError", m.raw)
		}
	default:
		kind, ok := resultTypes[method]
		require.True(t, ok, "no type is known for the result of %s", method)
		var r struct {
			ResultType string `json:"resultType"`
		}
		require.NoError(t, json.Unmarshal(m.Result, &r))
		if r.ResultType == "input_required" {
			kind = "InputRequiredResult"
		}
		o.fits(t, revision, kind, m.Result)
	}
}

func (o *official) fits(t *testing.T, revision, kind string, raw []byte) {
	t.Helper()
	s, err := o.schema(revision, kind)
	require.NoError(t, err, "revision %s does not define %s", revision, kind)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	require.NoError(t, s.Validate(v), "%s of %s: %s", kind, revision, raw)
}

func (o *official) schema(revision, kind string) (*jsonschema.Schema, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defs := "#/$defs/"
	if revision < "2025-11-25" {
		defs = "#/definitions/"
	}
	name := "https://schemas.invalid/" + revision + ".json"
	at := name + defs + kind
	if s := o.schemas[at]; s != nil {
		return s, nil
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, o.docs[revision]); err != nil {
		return nil, err
	}
	s, err := c.Compile(at)
	if err != nil {
		return nil, err
	}
	o.schemas[at] = s
	return s, nil
}
