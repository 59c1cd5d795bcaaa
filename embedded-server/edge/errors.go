package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
)

const (
	codeParse          = jsonrpc.CodeParseError
	codeInvalidRequest = jsonrpc.CodeInvalidRequest
	codeNoMethod       = jsonrpc.CodeMethodNotFound
	codeInvalidParams  = jsonrpc.CodeInvalidParams
	codeInternal       = jsonrpc.CodeInternalError
	codeHeader         = mcp.CodeHeaderMismatch
	codeVersion        = mcp.CodeUnsupportedProtocolVersion
	codeNotFoundLegacy = -32002 // resource not found, until 2025-11-25
)

// rpcError is an error response in the making.
type rpcError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`

	anonymous bool // must not name the id on a shared stream
}

// errInUse refuses an id that another request has: on a shared stream an error
// under that id would be taken for the other request's response.
func errInUse(id json.RawMessage) *rpcError {
	err := failf(codeInvalidRequest, "request id %s is already in use", id)
	err.anonymous = true
	return err
}

// errSessionGone refuses what comes to a session that has just ended.
var errSessionGone = failf(codeInvalidRequest, "the session does not exist, or no longer: send initialize again")

func failf(code int64, format string, a ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, a...)}
}

// status is the HTTP status of a modern error response
// (basic/transports/streamable-http, Server Validation). The specification
// names none for an internal error. Where it explains itself it is 400, as for
// other errors that a handler returns: clients, the go-sdk's among them, take a
// 500 for a passing trouble of the network and throw its body away. Where there
// is nothing to read, 500 says whose fault it is.
func (e *rpcError) status() int {
	switch e.Code {
	case codeNoMethod:
		return http.StatusNotFound
	case codeInternal:
		if e.Message == ask.Unexplained {
			return http.StatusInternalServerError
		}
	}
	return http.StatusBadRequest
}

// encode gives the response; without an id where there is none to name.
func (e *rpcError) encode(id json.RawMessage) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Error   *rpcError       `json:"error"`
	}{"2.0", id, e})
}

// wireError turns an error of the SDK into one that may leave the server:
// with a code that the specification knows, and no text that only a
// programmer should see. leaked is what to log instead, or "".
func wireError(err error) (out *rpcError, leaked string) {
	var w *jsonrpc.Error
	if !errors.As(err, &w) {
		w = &jsonrpc.Error{Message: err.Error()}
	}
	switch {
	case w.Code == 0, w.Code <= -32000 && w.Code > codeHeader:
		// A plain Go error, or a code private to the SDK.
		if strings.HasPrefix(w.Message, "duplicate ") {
			return failf(codeInvalidRequest, "%s", w.Message), ""
		}
		return &rpcError{Code: codeInternal, Message: ask.Unexplained}, w.Message
	case w.Code == codeInvalidRequest && strings.Contains(w.Message, `missing required "params"`):
		return failf(codeInvalidParams, "the request has no params"), ""
	case w.Code == codeInvalidParams && strings.Contains(w.Message, "unmarshaling"):
		// The SDK quotes all params and names its Go types.
		return failf(codeInvalidParams, "the params do not have the form that the method requires"), w.Message
	}
	return &rpcError{Code: w.Code, Message: w.Message, Data: w.Data}, ""
}
