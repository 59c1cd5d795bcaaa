package ask

import (
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrPending is what an ask without an answer returns. The handler returns it,
// or an error that wraps it, and is entered again from the top once the client
// has answered.
var ErrPending = errors.New("ask: waiting for the client's input")

// ErrHandshakeOnly is returned, on a request of revision 2026-07-28, by the
// calls that the revision removed: [Input.Sample] and [Input.ListRoots].
var ErrHandshakeOnly = errors.New("not available in protocol revision " + modernRevision)

// Required is the error that [Input.Require] returns: an input-required result
// in the making. A handler may also build one itself.
type Required struct {
	// Asks maps the handler's keys to what it needs.
	Asks mcp.InputRequestMap
	// State is marshalled to JSON, sealed, and handed back by [Input.State].
	State any
}

// Error implements error.
func (*Required) Error() string { return "ask: input required" }

// Is makes a Required count as [ErrPending].
func (*Required) Is(target error) bool { return target == ErrPending }

// RefusedError says that a client of the handshake era answered an ask with an
// error response. It does not unwrap to that response's error: the client's
// code must never become the code of this server's own answer.
type RefusedError struct {
	Key     string // the key of the ask
	Code    int64  // the JSON-RPC code that the client gave
	Message string // the text that the client gave
}

// Error implements error.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("the client answered the ask %q with an error: %s (code %d)", e.Key, e.Message, e.Code)
}

// Unexplained is the text of a -32603 that has nothing to tell a client: what
// went wrong is in the log. All other texts of that code are written to be
// read, and say what to do.
const Unexplained = "internal error"

func internalError(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf(format, args...)}
}

// errState is all that a client learns about a refused state: which check
// failed would help only someone who is forging one.
func errState() *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the requestState is not valid for this request; call again without it to start over"}
}
