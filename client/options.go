package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"mcptui/client/control"
	"mcptui/client/trace"
)

// Target says which server. Exactly one of URL, Command and Pipe is given.
type Target struct {
	URL string // Streamable HTTP, or what it falls back to

	Command string // a child process over its standard streams
	Args    []string
	Env     []string // "NAME=value", over this process's own environment
	Dir     string

	// Pipe opens a connection to a server inside this process; it is called again
	// when the connection is restarted.
	Pipe func(context.Context) (io.ReadWriteCloser, error)
}

// Options say how to speak to a server. The zero values are good ones.
type Options struct {
	Target  Target
	Name    string // of this client, as servers are told it; "mcptui"
	Release string // its version

	Era          trace.Era       // "" finds it out
	Version      string          // pins one version of the protocol
	Capabilities json.RawMessage // what the client declares; nil for DefaultCapabilities
	Roots        []control.Root
	AskRoots     bool   // a person answers roots/list, not the list of roots
	LogLevel     string // what the server shall log at least, "" for nothing

	Timeout      time.Duration // of each request; 60 s
	ProbeTimeout time.Duration // for finding out the era; 10 s, at most Timeout
	Rounds       int           // rounds of a call that may ask; 10
	Lists        []string      // list methods to fetch when ready; nil for all that the server declares

	// Tool is the tool that is going to be called, where that is known: where Lists
	// names tools/list, it is fetched no further than to that tool. Where Lists leaves
	// it out, that much of it is fetched where the call cannot do without (2026-07-28
	// over HTTP, which mirrors arguments into headers).
	Tool string

	Headers  []trace.Header // HTTP: sent with every request
	Insecure bool           // HTTPS: accept any certificate
	CA       []byte         // HTTPS: PEM certificates to trust as well
	MaxFrame int            // longest message that is kept whole, in bytes; 256 MB
	Grace    time.Duration  // a child's time from the end of its input to TERM; 0.5 s

	Log *trace.Log // where events go; nil for a new one

	// Crashed is told of a panic in a goroutine of the connection, after it is in
	// the log. Nil leaves it at that: the connection has failed.
	Crashed func(cause any, stack []byte)
}

// DefaultCapabilities declares everything that mcptui can answer.
const DefaultCapabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`

// check finds what makes options unusable.
func (o *Options) check() error {
	given := 0
	for _, is := range []bool{o.Target.URL != "", o.Target.Command != "", o.Target.Pipe != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return errors.New("no server is named: give a URL, a command or a pipe")
	case given > 1:
		return errors.New("more than one server is named: give one of a URL, a command and a pipe")
	case o.Era != "" && o.Era != trace.Modern && o.Era != trace.Legacy:
		return fmt.Errorf("the era %q is not known: modern or legacy", o.Era)
	case o.Capabilities != nil && !json.Valid(o.Capabilities):
		return errors.New("the capabilities are not JSON")
	}
	if o.Target.URL != "" {
		u, err := url.Parse(o.Target.URL)
		if err != nil {
			return fmt.Errorf("the URL cannot be read: %w", err)
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("the URL %s is none of HTTP: it has to begin with http:// or https:// and name a host", trace.MaskURL(o.Target.URL))
		}
	}
	if o.Name == "" {
		o.Name = "mcptui"
	}
	if o.Release == "" {
		o.Release = "dev"
	}
	if o.Capabilities == nil {
		o.Capabilities = json.RawMessage(DefaultCapabilities)
	}
	return nil
}
