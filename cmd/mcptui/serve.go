package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client/state"
	embeddedserver "mcptui/embedded-server"
)

// served is what `mcptui serve` is told by its flags.
type served struct {
	http, profile, era string
	stdio, noShim      bool
	keys, tokens       []string
	ttl, shimTimeout   time.Duration
	shimRounds         int
}

func newServe(a *app) *cobra.Command {
	var s served
	cmd := &cobra.Command{
		Use:   "serve [--http ADDR | --stdio]",
		Short: "Run the built-in server",
		Example: `  mcptui serve                              # http://127.0.0.1:8931/mcp
  mcptui serve --stdio --era legacy
  mcptui serve --token alice=s3cret-token-of-alice`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd, s) },
	}
	fl := cmd.Flags()
	fl.StringVar(&s.http, "http", "127.0.0.1:8931", "listen at this `ADDR`")
	fl.BoolVar(&s.stdio, "stdio", false, "serve standard input and output instead")
	fl.StringVar(&s.profile, "profile", "demo", "what to serve: "+strings.Join(embeddedserver.Profiles(), ", "))
	fl.StringVar(&s.era, "era", "dual", "protocol `ERA`: dual, modern or legacy")
	repeatable(fl, &s.keys, "state-key", "`KEY` of the requestState: hex:, base64:, text: or @file (repeatable; the first seals)")
	fl.DurationVar(&s.ttl, "state-ttl", 10*time.Minute, "lifetime of a requestState")
	fl.IntVar(&s.shimRounds, "shim-rounds", 8, "how often one call of the handshake era may ask again")
	fl.DurationVar(&s.shimTimeout, "shim-timeout", 10*time.Minute, "how long one ask of the handshake era stays open")
	fl.BoolVar(&s.noShim, "no-shim", false, "in the handshake era, fail handlers that return what they ask")
	repeatable(fl, &s.tokens, "token", "`NAME=TOKEN`: require a bearer token; NAME is the principal (repeatable)")
	offer(cmd, "profile", embeddedserver.Profiles())
	offer(cmd, "era", servedEras)
	return cmd
}

// servedEras are those of serve --era, which beside the eras knows both at once.
var servedEras = []string{"dual", "modern", "legacy"}

func (a *app) serve(cmd *cobra.Command, s served) error {
	if s.stdio && cmd.Flags().Changed("http") {
		return usagef("--stdio and --http %s exclude each other", s.http)
	}
	switch {
	case s.stdio && len(s.tokens) > 0:
		return usagef("--token asks HTTP requests for a bearer token; --stdio has none")
	case s.shimRounds == 0 || s.shimTimeout == 0 || s.ttl == 0: // which the server would take for its defaults
		return usagef("--shim-rounds, --shim-timeout and --state-ttl cannot be 0; leave them out for the defaults, or use --no-shim")
	}
	err := errors.Join(oneOf("profile", s.profile, embeddedserver.Profiles()), oneOf("era", s.era, servedEras))
	if err != nil {
		return err
	}
	options, err := a.serverOptions(s)
	if err != nil {
		return err
	}
	a.Signals.wait()
	server, err := embeddedserver.New(options)
	if err != nil {
		return usage(err)
	}
	defer server.Close()
	if s.stdio {
		if err := server.ServeStdio(cmd.Context(), a.In, a.Out); err != nil && cmd.Context().Err() == nil {
			return &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("serve standard input: %w", err)}
		}
		return context.Cause(cmd.Context())
	}
	return a.serveHTTP(cmd.Context(), server, s.http)
}

func (a *app) serverOptions(s served) (embeddedserver.Options, error) {
	o := embeddedserver.Options{
		Profile: s.profile, Version: release, StateTTL: s.ttl, ShimTimeout: s.shimTimeout,
		ShimRounds: s.shimRounds, NoShim: s.noShim,
		Logger: slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	var err error
	if o.Era, err = embeddedserver.ParseEra(s.era); err != nil {
		return o, usage(err)
	}
	keys := a.sealingKeys(s.keys)
	if len(keys) == 0 {
		a.tell("%s", "no state key is given: a random one seals requestState, which no other process can verify (--state-key, MCP_REQUEST_STATE_KEY)")
	}
	for _, text := range keys {
		key, err := readKey(text)
		if err != nil {
			return o, usage(err)
		}
		o.StateKeys = append(o.StateKeys, key.Bytes)
	}
	for _, t := range s.tokens {
		name, token, ok := strings.Cut(t, "=")
		if !ok || name == "" || token == "" {
			return o, usagef("--token %q is not NAME=TOKEN", name)
		}
		if o.Tokens == nil {
			o.Tokens = map[string]string{}
		}
		if other, taken := o.Tokens[token]; taken {
			return o, usagef("--token gives %s and %s the same token", other, name)
		}
		o.Tokens[token] = name
	}
	return o, nil
}

func (a *app) serveHTTP(ctx context.Context, server *embeddedserver.Server, addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return &failure{exit: exitConnect, kind: "connect", err: fmt.Errorf("listen at %s: %w; %s", addr, err, tryListening(err))}
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	front := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	a.tell("serving at http://%s/mcp", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- front.Serve(listener) }() // ends with Shutdown or Close
	select {
	case err := <-ended:
		return fmt.Errorf("serve %s: %w", addr, err)
	case <-ctx.Done():
	}
	server.Close() // ends listen streams with their results, so that Shutdown need not wait for them
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := front.Shutdown(grace); err != nil && !errors.Is(err, http.ErrServerClosed) {
		_ = front.Close()
	}
	<-ended
	return context.Cause(ctx)
}

// tryListening says what to try where an address cannot be listened at.
func tryListening(err error) string {
	if errors.Is(err, syscall.EADDRINUSE) {
		return "another program listens there, perhaps another 'mcptui serve'; end it, or choose another address with --http, as in --http 127.0.0.1:0 for any port that is free"
	}
	return "choose another address with --http, as in --http 127.0.0.1:0 for any port that is free"
}

// sealingKeys are the keys that seal requestState: those of the flags, else the
// one of the environment.
func (a *app) sealingKeys(flags []string) []string {
	if fromEnv := a.env("MCP_REQUEST_STATE_KEY"); len(flags) == 0 && fromEnv != "" {
		return []string{fromEnv}
	}
	return flags
}

// readKey reads a key in the forms of --state-key.
func readKey(text string) (state.Key, error) {
	if file, ok := strings.CutPrefix(text, "@"); ok {
		raw, err := os.ReadFile(file)
		if err != nil {
			return state.Key{}, fmt.Errorf("--state-key: %w", err)
		}
		return state.Key{Bytes: raw}, nil
	}
	key, err := state.ParseKey(text)
	if err != nil {
		return state.Key{}, fmt.Errorf("--state-key: %w", err)
	}
	return key, nil
}
