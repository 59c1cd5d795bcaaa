package embeddedserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/conformance"
	"mcptui/embedded-server/demo"
	"mcptui/embedded-server/edge"
	"mcptui/embedded-server/faults"
)

// Era says which generations of the protocol a server speaks.
type Era = edge.Era

// The eras that a server can be held to.
const (
	Dual   = edge.Dual   // both, told apart message by message
	Modern = edge.Modern // revision 2026-07-28 only
	Legacy = edge.Legacy // the revisions with a handshake only
)

// ParseEra reads "dual", "modern" or "legacy"; "" is [Dual].
func ParseEra(s string) (Era, error) { return edge.ParseEra(s) }

// Options configures a [Server]. The zero value is the demo profile in both
// eras, open to all, with a random state key.
type Options struct {
	// Profile says what is served: one of [Profiles]. "" is demo.
	Profile string
	// Version is what the server says of itself; "" is "dev".
	Version string
	// Era restricts what is spoken.
	Era Era
	// StateKeys seal the requestState: the first seals, all of them verify.
	// Each has at least 32 bytes. Without any a random one is made, which no
	// other process knows.
	StateKeys [][]byte
	// StateTTL is the lifetime of a sealed state; 0 is ten minutes.
	StateTTL time.Duration
	// Now is the clock by which states are sealed and expire; nil is time.Now.
	// A fixed one makes the same calls give the same bytes.
	Now func() time.Time
	// ShimRounds bounds how often one request of the handshake era may ask
	// again; 0 is eight.
	ShimRounds int
	// ShimTimeout bounds how long one ask of the handshake era stays open; 0
	// is ten minutes.
	ShimTimeout time.Duration
	// NoShim makes handlers that return what they ask fail in the handshake
	// era.
	NoShim bool
	// Tokens maps the bearer tokens that HTTP requests must carry to the
	// principals they stand for. Without any, requests need none.
	Tokens map[string]string
	// Origins and Hosts are let in over HTTP beside the server's own.
	Origins, Hosts []string
	// Logger gets what clients are not told. Nil discards it.
	Logger *slog.Logger
}

// profile builds one of the servers, and may change how the edge fronts it.
type profile func(Options, ask.Config, *edge.Options) (*mcp.Server, error)

var profiles = map[string]profile{
	"demo": func(o Options, cfg ask.Config, _ *edge.Options) (*mcp.Server, error) {
		layer, err := ask.New(cfg)
		if err != nil {
			return nil, err
		}
		return demo.New(layer, o.Version, o.Logger), nil
	},
	"conformance": func(o Options, cfg ask.Config, _ *edge.Options) (*mcp.Server, error) {
		return conformance.New(cfg, o.Version, o.Logger)
	},
	"faults": func(o Options, _ ask.Config, front *edge.Options) (*mcp.Server, error) {
		front.Mangle = faults.Mangle
		return faults.New(o.Version, o.Logger), nil
	},
}

// Profiles lists what can be served.
func Profiles() []string {
	names := make([]string, 0, len(profiles))
	for name := range profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Server is one running server, on any number of transports at once.
type Server struct {
	edge *edge.Edge
}

// New builds a server. Errors are those of the options.
func New(o Options) (*Server, error) {
	if o.Profile == "" {
		o.Profile = "demo"
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	build, ok := profiles[o.Profile]
	if !ok {
		return nil, fmt.Errorf("unknown profile %q: use %s", o.Profile, strings.Join(Profiles(), ", "))
	}
	if len(o.StateKeys) == 0 {
		key := make([]byte, ask.MinKeyBytes)
		rand.Read(key) // never fails
		o.StateKeys = [][]byte{key}
	}
	eo := edge.Options{
		Era:     o.Era,
		Tokens:  o.Tokens,
		Origins: o.Origins,
		Hosts:   o.Hosts,
		Logger:  o.Logger,
	}
	cfg := ask.Config{
		Keys:       o.StateKeys,
		TTL:        o.StateTTL,
		MaxRounds:  o.ShimRounds,
		AskTimeout: o.ShimTimeout,
		NoShim:     o.NoShim,
		Logger:     o.Logger,
		Now:        o.Now,
	}
	if _, err := ask.New(cfg); err != nil { // also for profiles that do not ask
		return nil, err
	}
	s, err := build(o, cfg, &eo)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", o.Profile, err)
	}
	return &Server{edge: edge.New(s, eo)}, nil
}

// Handler is the server's one endpoint over Streamable HTTP.
func (s *Server) Handler() http.Handler { return s.edge }

// ServeStdio speaks newline-delimited JSON-RPC over r and w until r ends, ctx
// does, or w fails.
func (s *Server) ServeStdio(ctx context.Context, r io.Reader, w io.Writer) error {
	return s.edge.ServeStdio(ctx, r, w)
}

// Pipe opens a connection inside the process, which carries what stdio does.
// It ends when ctx does or it is closed; the caller closes it.
func (s *Server) Pipe(ctx context.Context) io.ReadWriteCloser { return s.edge.Pipe(ctx) }

// Close ends what outlives a request: streams of notifications and sessions.
func (s *Server) Close() { s.edge.Close() }
