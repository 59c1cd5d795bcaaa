package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// modernRevision is the first revision in which asks travel in results.
	modernRevision = "2026-07-28"

	// DefaultTTL is how long a sealed state stays valid unless configured.
	DefaultTTL = 10 * time.Minute
	// DefaultMaxRounds is how often one request of the handshake era may ask.
	DefaultMaxRounds = 8
	// DefaultAskTimeout is how long one ask of the handshake era may stay open.
	DefaultAskTimeout = 10 * time.Minute
	// MinKeyBytes is the shortest sealing key that is accepted.
	MinKeyBytes = 32
)

// MetaRawResponses is the private member of params._meta in which a wire edge
// hands over the inputResponses of a request as they came. The SDK refuses a
// whole request when one answer in it does not decode; the layer wants that
// answer to mean "ask again". A wire edge removes the member from what clients
// send. The value is a JSON object, or a string that holds the text of one.
const MetaRawResponses = "internal.mcptui/inputResponses"

// Config configures a [Layer]. The zero value works, for handlers that ask
// once.
type Config struct {
	// Keys seal the requestState: the first seals, all of them verify, which
	// is how a key is rotated. Each has at least [MinKeyBytes] bytes. Without
	// keys no state is sent: a handler can then ask once, and answers are
	// taken as they come, asked for or not.
	Keys [][]byte
	// TTL is the lifetime of a sealed state; 0 means [DefaultTTL], and less
	// than a second is an error.
	TTL time.Duration
	// MaxRounds bounds, in the handshake era, how often one request may ask
	// again; 0 means [DefaultMaxRounds].
	MaxRounds int
	// AskTimeout bounds, in the handshake era, how long one ask stays open; 0
	// means [DefaultAskTimeout].
	AskTimeout time.Duration
	// NoShim makes handlers that return asks fail in the handshake era.
	NoShim bool
	// Principal names the caller, to whom a state is then bound. By default it
	// is the UserID of the bearer token, or "" without one.
	Principal func(context.Context, *mcp.RequestExtra) string
	// Logger gets what clients are not told. Nil discards it.
	Logger *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Layer is what the wrapped handlers of one server share. It is immutable, and
// safe for concurrent use.
type Layer struct {
	cfg  Config
	seal *sealer // nil without keys
}

// New checks the configuration and builds a layer.
func New(cfg Config) (*Layer, error) {
	if cfg.MaxRounds == 0 {
		cfg.MaxRounds = DefaultMaxRounds
	}
	if cfg.MaxRounds < 1 {
		return nil, fmt.Errorf("ask: at least one round must be allowed, got %d", cfg.MaxRounds)
	}
	if cfg.AskTimeout == 0 {
		cfg.AskTimeout = DefaultAskTimeout
	}
	if cfg.AskTimeout < 0 {
		return nil, fmt.Errorf("ask: the timeout of an ask must be positive, got %s", cfg.AskTimeout)
	}
	if cfg.TTL == 0 {
		cfg.TTL = DefaultTTL
	}
	if cfg.TTL < time.Second {
		return nil, fmt.Errorf("ask: the lifetime of a state must be at least 1s, got %s", cfg.TTL)
	}
	for i, k := range cfg.Keys {
		if len(k) < MinKeyBytes {
			return nil, fmt.Errorf("ask: sealing key %d has %d bytes, at least %d are needed", i+1, len(k), MinKeyBytes)
		}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Principal == nil {
		cfg.Principal = tokenUser
	}
	l := &Layer{cfg: cfg}
	if len(cfg.Keys) > 0 {
		l.seal = &sealer{keys: cfg.Keys, ttl: cfg.TTL, now: cfg.Now}
	}
	return l, nil
}

func tokenUser(_ context.Context, extra *mcp.RequestExtra) string {
	if extra == nil || extra.TokenInfo == nil {
		return ""
	}
	return extra.TokenInfo.UserID
}

// Install adds the layer's middleware to a server. Wrapped handlers work
// without it; what it adds is for the server as a whole. A bad requestState is
// refused before any handler runs, wrapped or not; an ask from a method that
// may not ask becomes an error; a handler that panics gives an error instead of
// ending the process; and answers of the handshake era reach the handler as the
// client gave them, without the defaults of the schema that the SDK fills in.
func (l *Layer) Install(s *mcp.Server) {
	s.AddReceivingMiddleware(l.receive)
	s.AddSendingMiddleware(keepAnswers)
}

func (l *Layer) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				res, err = nil, l.panicked(method, r)
			}
		}()
		c, mayAsk := callOf(req)
		if mayAsk && c.modern() {
			if _, e := l.admit(ctx, c); e != nil {
				return nil, e
			}
		}
		res, err = next(ctx, method, req)
		if !mayAsk && errors.Is(err, ErrPending) {
			return nil, internalError("%s may not ask for input; only tools/call, prompts/get and resources/read may", method)
		}
		return res, err
	}
}
