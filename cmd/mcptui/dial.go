package main

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client"
	"mcptui/client/config"
	"mcptui/client/control"
	"mcptui/client/header"
	"mcptui/client/schema"
	"mcptui/client/state"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui/copyas"
)

// dialFor says what a command needs of its connection.
type dialFor struct {
	lists   []string // list methods to fetch when ready
	tool    string   // that is going to be called: of the list of tools, no more than it needs
	rounds  int
	answers *answerer // who answers what the server asks; nil refuses all but roots
}

// clientOptions turns flags and target into options. The function that comes
// with them ends what the target needs, once the connection is closed.
func (a *app) clientOptions(cmd *cobra.Command, t target) (client.Options, func(), error) {
	f := &a.flags
	nothing := func() {}
	o := client.Options{
		Release: release, Version: f.version, Timeout: f.timeout, ProbeTimeout: min(f.probeTimeout, f.timeout),
		LogLevel: f.logLevel, Insecure: f.insecure, MaxFrame: int(f.maxFrame),
	}
	if err := oneOf("era", f.era, eras); err != nil {
		return o, nothing, err
	}
	if err := checkRevision(f.era, f.version); err != nil {
		return o, nothing, err
	}
	if f.era != "auto" {
		o.Era = trace.Era(f.era)
	}
	if f.logLevel != "" {
		if err := oneOf("log-level", f.logLevel, logLevels); err != nil {
			return o, nothing, err
		}
	}
	if f.timeout <= 0 || f.probeTimeout <= 0 {
		return o, nothing, usagef("--timeout and --probe-timeout must be more than 0, as in 30s")
	}
	var err error
	if o.Headers, err = headers("header", f.headers); err != nil {
		return o, nothing, err
	}
	for _, uri := range f.roots {
		o.Roots = append(o.Roots, control.Root{URI: uri})
	}
	if f.ca != "" {
		pem, err := os.ReadFile(f.ca)
		if err != nil {
			return o, nothing, usage(fmt.Errorf("--ca: %w", err))
		}
		if !x509.NewCertPool().AppendCertsFromPEM(pem) {
			return o, nothing, usagef("--ca: %s holds no PEM certificate", f.ca)
		}
		o.CA = pem
	}
	if o.Capabilities, err = capabilities(f.caps, f.noCaps); err != nil {
		return o, nothing, err
	}
	end, err := a.aim(cmd.Context(), t, &o)
	return o, end, err
}

// headers reads what a flag says of HTTP headers.
func headers(flag string, written []string) ([]trace.Header, error) {
	var out []trace.Header
	for _, h := range written {
		name, value, ok := strings.Cut(h, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usagef("--%s %q is not 'Name: value'", flag, name)
		}
		value = strings.TrimSpace(value)
		if err := header.Check(name, value); err != nil {
			return nil, usagef("--%s %q: %w", flag, name, err)
		}
		out = append(out, trace.Header{Name: name, Value: value})
	}
	return out, nil
}

// aim sets the options' target.
func (a *app) aim(ctx context.Context, t target, o *client.Options) (func(), error) {
	nothing := func() {}
	switch {
	case t.url != "":
		o.Target.URL = t.url
	case t.command != nil:
		o.Target.Command, o.Target.Args = t.command[0], t.command[1:]
	case t.config != "":
		if err := a.aimByConfig(ctx, t, o); err != nil {
			return nothing, usage(err)
		}
	default:
		server, err := a.builtIn()
		if err != nil {
			return nothing, err
		}
		o.Target.Pipe = func(ctx context.Context) (io.ReadWriteCloser, error) {
			crashHook("connection")
			return server.Pipe(ctx), nil
		}
		return server.Close, nil
	}
	for _, kv := range a.flags.env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return nothing, usagef("--env %q is not K=V", name)
		}
		o.Target.Env = append(o.Target.Env, kv)
	}
	if a.flags.cwd != "" {
		switch about, err := os.Stat(a.flags.cwd); {
		case err != nil:
			return nothing, usage(fmt.Errorf("--cwd: %w", err))
		case !about.IsDir():
			return nothing, usagef("--cwd %s is not a directory", a.flags.cwd)
		}
		o.Target.Dir = a.flags.cwd
	}
	return nothing, nil
}

// builtIn makes the server that is used when none is named.
func (a *app) builtIn() (*embeddedserver.Server, error) {
	if err := oneOf("profile", a.flags.profile, embeddedserver.Profiles()); err != nil {
		return nil, err
	}
	o := embeddedserver.Options{Profile: a.flags.profile, Version: release}
	a.flags.stateKeys = a.sealingKeys(a.flags.stateKeys)
	keys, err := a.stateKeys()
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		// Made here and not by the server, so that its states can be verified on
		// screen as anybody's can whose key is known.
		random := make([]byte, 32)
		rand.Read(random) // never fails
		a.flags.stateKeys = []string{"hex:" + hex.EncodeToString(random)}
		keys = []state.Key{{Bytes: random}}
		a.randomKey = true
	}
	for _, key := range keys {
		o.StateKeys = append(o.StateKeys, key.Bytes)
	}
	server, err := embeddedserver.New(o)
	if err != nil {
		return nil, usage(fmt.Errorf("built-in server: %w", err))
	}
	return server, nil
}

func (a *app) aimByConfig(ctx context.Context, t target, o *client.Options) error {
	file := t.config
	named, err := config.Read(file)
	if err != nil {
		return err
	}
	s, err := named.Pick(a.flags.server)
	if err != nil {
		return err
	}
	project, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("expand %s: %w", file, err)
	}
	v := config.Variables{Home: a.home(), Project: project, Env: func(name string) (string, bool) {
		i := slices.IndexFunc(a.Env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		return a.env(name), i >= 0
	}}
	switch {
	case t.onScreen:
		v.Input = func(in config.Input) (string, error) {
			return "", fmt.Errorf("${input:%s} is asked for before the screen opens: leave, and start mcptui --config %s --server %s", in.ID, copyas.Word(file), copyas.Word(a.flags.server))
		}
	case terminal(a.In) && terminal(a.Err):
		v.Input = func(in config.Input) (string, error) { return a.prompter().input(ctx, in) }
	}
	if s, err = v.Expand(s); err != nil {
		return err
	}
	aimAt(s, o)
	return nil
}

// aimAt sets the target to a server of a config file.
func aimAt(s config.Server, o *client.Options) {
	o.Target = client.Target{Command: s.Command, Args: s.Args, Dir: s.Dir, URL: s.URL}
	for name, value := range s.Env {
		o.Target.Env = append(o.Target.Env, name+"="+value)
	}
	slices.Sort(o.Target.Env)
	given := o.Headers // by flags, which come after a file
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if !slices.ContainsFunc(given, func(h trace.Header) bool { return strings.EqualFold(h.Name, name) }) {
			o.Headers = append(o.Headers, trace.Header{Name: name, Value: s.Headers[name]})
		}
	}
}

// capabilityNames are those of --cap and --no-cap, with where each is declared.
var capabilityNames = []string{"elicitation.form", "elicitation.url", "sampling", "sampling.tools", "sampling.context", "roots"}

// capabilities builds what the client declares.
func capabilities(on, off []string) (json.RawMessage, error) {
	declared := map[string]bool{"elicitation.form": true, "elicitation.url": true, "sampling": true, "roots": true}
	set := func(names []string, value bool, flag string) error {
		for _, n := range names {
			if !slices.Contains(capabilityNames, n) {
				return usagef("%s %q is no client capability; there are %s%s", flag, n, strings.Join(capabilityNames, ", "), schema.DidYouMean(n, capabilityNames))
			}
			declared[n] = value
		}
		return nil
	}
	if err := errors.Join(set(on, true, "--cap"), set(off, false, "--no-cap")); err != nil {
		return nil, err
	}
	tree := map[string]map[string]struct{}{}
	for name, is := range declared {
		if !is {
			continue
		}
		top, sub, has := strings.Cut(name, ".")
		if top == "sampling" && !declared["sampling"] {
			continue
		}
		if tree[top] == nil {
			tree[top] = map[string]struct{}{}
		}
		if has {
			tree[top][sub] = struct{}{}
		}
	}
	raw, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("write capabilities: %w", err)
	}
	return raw, nil
}

// stateKeys reads the keys that verify a requestState for display.
func (a *app) stateKeys() ([]state.Key, error) {
	var keys []state.Key
	for _, text := range a.flags.stateKeys {
		key, err := readKey(text)
		if err != nil {
			return nil, usage(err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// grace bounds the orderly end of a connection.
const grace = 5 * time.Second
