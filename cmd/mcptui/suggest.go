package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
)

// nearestFlag adds the nearest flag to cobra's complaint about one that is not
// there.
func nearestFlag(cmd *cobra.Command, err error) error {
	if strings.Contains(err.Error(), "time: ") { // of Go's package, which gives no example
		return fmt.Errorf("%w; a duration has a unit, as in 30s or 2m", err)
	}
	written, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	var names []string
	collect := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.Flags().VisitAll(collect)
	cmd.InheritedFlags().VisitAll(collect)
	if n := schema.Nearest(written, names); n != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, n)
	}
	return err
}

// listOf is the list that names what a method is called with.
var listOf = map[string]string{"tools/call": "tools/list", "prompts/get": "prompts/list", "resources/read": "resources/list"}

const (
	meantIn    = 2 * time.Second // a call has failed, and its error waits for no more than that
	meantPages = 20
)

// meant is the clause that names what a call was probably meant for which the server
// refused: the nearest name in its list, or of its arguments those that are not declared.
// It is "" where all are right or none is like what was written. The list is fetched only
// now, since most calls need none.
func (l *link) meant(ctx context.Context, c *session.Call, rpcError []byte) string {
	body, ok := rpc.ReadError(rpcError)
	if !ok || body.Code != -32602 && body.Code != -32002 {
		return ""
	}
	wrong := ""
	switch method := listOf[c.Method]; {
	case c.Method == "completion/complete":
		wrong = l.nothingToComplete(ctx, c.Params)
	case method == "" || !l.declares(method):
	default:
		it, names, err := l.lookUp(ctx, method, c.Name)
		switch {
		case err != nil: // what failed is told without
		case it.Raw == nil:
			return schema.DidYouMean(c.Name, names)
		case body.Code == -32602:
			wrong = undeclared(c, it)
		}
	}
	if wrong == "" {
		return ""
	}
	return "; " + wrong
}

// listedBy names the command that lists what a method is called with.
var listedBy = map[string]string{"tools/call": "tools", "prompts/get": "prompts", "resources/read": "resources"}

// recordIt is what helps with what a server did, where nothing else is known to.
const recordIt = "; --record FILE keeps what came, for 'mcptui lint' and 'mcptui open'"

// next says what to try next; "" where nothing is known to help.
func next(f *failure, method string) string {
	switch f.kind {
	case "timeout":
		return "; raise --timeout if it is only slow"
	case "input_required":
		return "; raise --rounds if it is meant to ask so often"
	case "protocol":
		return recordIt
	}
	if f.code == nil {
		return ""
	}
	switch *f.code {
	case -32601:
		if method == "server/discover" {
			return "; --era legacy or --era auto connects as a server of the handshake era expects it"
		}
		return "; 'mcptui discover' shows what the server can do"
	case -32602, -32002:
		if command := listedBy[method]; command != "" {
			return fmt.Sprintf("; 'mcptui %s' lists what there is", command)
		}
		if members[method] != "" {
			return "; a cursor is of the page before: --page '' fetches the first"
		}
	case -32020:
		return "; 'mcptui call' sets the headers that a tool's schema asks for, 'mcptui raw' sets none"
	case -32021:
		return "; declare the capability with --cap"
	case -32022:
		return "; choose another with --protocol-version"
	}
	return recordIt
}
