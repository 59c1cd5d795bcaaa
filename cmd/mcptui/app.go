package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/trace"
)

// Streams is what the program reads, writes and is told by its environment.
type Streams struct {
	In       *os.File
	Out, Err io.Writer
	Env      []string
	Signals  *signals // nil: none is heard
}

// app is one run of the program.
type app struct {
	Streams
	flags   flags
	dialing *pflag.FlagSet // the flags of all commands that dial
	// randomKey is that the built-in server seals with a key that nobody gave: no
	// other run can read its states.
	randomKey bool
	secrets   *trace.Screen   // masks what is shown, once a server is named
	asks      *prompter       // once somebody was asked
	narrates  *narrator       // once a server is dialled
	hurry     context.Context // ends with a second signal: nothing is waited for any more
}

var (
	errInterrupted = errors.New("interrupted")
	errTerminated  = errors.New("terminated")
	// errOutputClosed is that nobody reads our standard output any more. It is told
	// apart from EPIPE, which a server that died gives as well.
	errOutputClosed = errors.New("standard output was closed")
)

// Run runs mcptui with these arguments and returns its exit code. It is main
// without the process.
func Run(args []string, s Streams) int {
	a := &app{Streams: s}
	root := newRoot(a, args)
	root.SetArgs(args)
	root.SetOut(output{a})
	root.SetErr(s.Err)
	ctx, hurry, stop := s.Signals.contexts(context.Background())
	defer stop()
	a.hurry = hurry
	ran, err := root.ExecuteContextC(ctx)
	err, lost := apart(err)
	if lost != nil {
		a.tell("%s", lost)
	}
	if err == nil {
		if lost != nil {
			return exitUsage // a file that was asked for is not what it should be
		}
		return exitDone
	}
	var q quiet
	switch {
	case errors.As(err, &q):
		return q.exit
	case errors.Is(err, errOutputClosed), ran.Context() != nil && errors.Is(context.Cause(ran.Context()), errOutputClosed):
		return exitDone // whoever read our output has seen enough
	}
	f := asFailure(err)
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		f = asFailure(cause) // whatever else failed, failed of it
		if errors.Is(err, cause) {
			f.err = err // which says of what it is the end
		}
	}
	a.flags.json = a.flags.json || asksForJSON(args)
	f.hide = a.secrets.Command
	a.complain(ran, f)
	return f.exit
}

// asksForJSON looks for --json by itself: the flags behind one that is wrong are not
// read any more.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--json=true", "--rounds-json", "--rounds-json=true":
			return true // the rounds are a document, and so is why there are none
		case "--":
			return false
		}
	}
	return false
}

// complain tells what failed: as a line for people, and as the document that
// --json promises.
func (a *app) complain(cmd *cobra.Command, f *failure) {
	if a.flags.json {
		// Nothing else has been printed: a run that fails prints no result.
		if err := a.print(string(f.document())); err != nil && !errors.Is(err, errOutputClosed) {
			a.tell("the document of what failed is lost: %v", err)
		}
	}
	text := strings.TrimRight(f.Error(), "\n")
	if f.kind == "usage" && cmd != nil && !f.elsewhere {
		text += "\nsee '" + cmd.CommandPath() + " --help'"
	}
	a.tell("%s", text)
}

// closing bounds the orderly end of a connection.
func (a *app) closing() (context.Context, context.CancelFunc) {
	return context.WithTimeout(a.hurry, grace)
}

// env looks a variable up in the environment that the program was given.
func (a *app) env(name string) string {
	for _, kv := range slices.Backward(a.Env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
