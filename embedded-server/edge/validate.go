package edge

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// checkEnvelope refuses a modern request whose params._meta lacks a required
// field (basic/index, Per-request protocol fields).
func (m *message) checkEnvelope() *rpcError {
	if v, _ := m.claim(); v == "" {
		return failf(codeInvalidParams, "params._meta must have %q, a string such as %q", mcp.MetaKeyProtocolVersion, modernVersion)
	}
	if _, ok := readObject(m.meta.get(mcp.MetaKeyClientCapabilities)); !ok {
		return failf(codeInvalidParams, "params._meta must have %q, an object", mcp.MetaKeyClientCapabilities)
	}
	return nil
}

// checkVersion refuses a revision that is not served on this path
// (basic/versioning, Protocol Version Negotiation).
func (e *Edge) checkVersion(m *message, http bool) *rpcError {
	v, _ := m.claim()
	if v == modernVersion && e.opt.Era != Legacy {
		return nil
	}
	return e.unsupported(v, http)
}

func (e *Edge) unsupported(requested string, http bool) *rpcError {
	return &rpcError{
		Code:    codeVersion,
		Message: "unsupported protocol version",
		Data: encode(struct {
			Supported []string `json:"supported"`
			Requested string   `json:"requested"`
		}{e.opt.versions(http), requested}),
	}
}

// checkMethod refuses what the modern era took away.
func (m *message) checkMethod() *rpcError {
	if slices.Contains(removedRequests, m.method) {
		return failf(codeNoMethod, "method %q does not exist in revision %s", m.method, modernVersion)
	}
	if isNotificationMethod(m.method) {
		return failf(codeInvalidRequest, "%q is a notification and must not have an id", m.method)
	}
	return nil
}

// maxAnswers bounds the answers of one request: each is decoded by itself,
// before anything is known about what was asked.
const maxAnswers = 1000

// checkParams refuses params that no handler should see.
func (m *message) checkParams() *rpcError {
	if raw := m.meta.get(mcp.MetaKeyLogLevel); raw != nil {
		if l, _ := text(raw); !slices.Contains(logLevels, l) {
			return failf(codeInvalidParams, "%s is not a log level: use one of %v", raw, logLevels)
		}
	}
	if f := nameField(m.method); f != "" {
		if _, ok := text(m.params.get(f)); !ok {
			return failf(codeInvalidParams, "params.%s must be a string", f)
		}
	}
	if raw := m.params.get("arguments"); raw != nil && (m.method == "tools/call" || m.method == "prompts/get") {
		if _, ok := readObject(raw); !ok {
			return failf(codeInvalidParams, "params.arguments must be an object")
		}
	}
	if all, ok := readObject(m.params.get("inputResponses")); ok && asks(m.method) && len(all) > maxAnswers {
		return failf(codeInvalidParams, "params.inputResponses has %d answers, at most %d are taken", len(all), maxAnswers)
	}
	if asks(m.method) && m.params.has("requestState") {
		if _, ok := text(m.params.get("requestState")); !ok {
			return failf(codeInvalidParams, "params.requestState must be a string")
		}
	}
	return nil
}

// checkModern is what stdio and the pipe check: they have no header layer.
func (e *Edge) checkModern(m *message) *rpcError {
	if err := m.checkEnvelope(); err != nil {
		return err
	}
	if err := e.checkVersion(m, false); err != nil {
		return err
	}
	if err := m.checkMethod(); err != nil {
		return err
	}
	return m.checkParams()
}
