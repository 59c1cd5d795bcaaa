package edge

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// cacheable are the methods whose complete results carry ttlMs and cacheScope
// (server/utilities/caching).
var cacheable = []string{
	"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read",
}

// notification frames a notification of the server.
func notification(method string, params json.RawMessage) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{"2.0", method, params})
}

// response frames a result under the id as the client wrote it.
func response(id, result json.RawMessage) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
	}{"2.0", id, result})
}

// modernResult makes the SDK's result what the specification says it is.
func (m *message) modernResult(r json.RawMessage) json.RawMessage {
	o, ok := readObject(m.tagged(r))
	if !ok {
		return r
	}
	kind, _ := text(o.get("resultType"))
	switch {
	case kind == "input_required":
		// The SDK marshals the complete result's members beside the ask.
		o = o.without("content", "contents", "messages", "ttlMs", "cacheScope")
		if string(o.get("inputRequests")) == "{}" && o.has("requestState") {
			o = o.without("inputRequests") // how a state-only round is spelled on the SDK
		}
	case !slices.Contains(cacheable, m.method):
		o = o.without("ttlMs", "cacheScope")
	case m.isRetry():
		// The result of a retry must not be cached, and yet must have hints.
		o = o.with("ttlMs", json.RawMessage("0")).with("cacheScope", json.RawMessage(`"private"`))
	}
	return o.encode()
}

// legacyResult takes out what the handshake era does not have.
func legacyResult(r json.RawMessage) json.RawMessage {
	o, ok := readObject(r)
	if !ok {
		return r
	}
	return o.without("ttlMs", "cacheScope", "resultType").encode()
}

// isRetry: the request carries answers, or state, of an earlier round.
func (m *message) isRetry() bool {
	return m.params.has("inputResponses") || m.params.has("requestState")
}

// tagged puts the client's own id into the subscription tag of params or of a
// result, where the SDK has put the id that it knows.
func (m *message) tagged(raw json.RawMessage) json.RawMessage {
	o, ok := readObject(raw)
	if !ok {
		return raw
	}
	meta, ok := readObject(o.get("_meta"))
	if !ok || !meta.has(mcp.MetaKeySubscriptionID) {
		return raw
	}
	return o.with("_meta", meta.with(mcp.MetaKeySubscriptionID, m.id).encode()).encode()
}
