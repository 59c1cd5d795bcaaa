package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/client/session"
)

// didYouMean is the clause that names the nearest right name, "" where none is
// like what was written.
func didYouMean(written string, names []string) string {
	if n := schema.Nearest(written, names); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

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
// refused: the nearest name in its list, "" where the call's own is there or none is
// like it. The list is fetched only now, since most calls need none.
func (l *link) meant(ctx context.Context, c *session.Call, rpcError []byte) string {
	body, ok := rpc.ReadError(rpcError)
	method := listOf[c.Method]
	if !ok || body.Code != -32602 && body.Code != -32002 || method == "" || !l.declares(method) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, meantIn)
	defer cancel()
	var names []string
	var params json.RawMessage
	for range meantPages {
		list, err := l.onePage(ctx, method, params)
		if err != nil {
			return "" // what failed is told without
		}
		for _, it := range list.Items {
			if it.Key() == c.Name {
				return ""
			}
			names = append(names, it.Key())
		}
		if list.Next == "" {
			break
		}
		params = rpc.Object(rpc.Field{Name: "cursor", Raw: rpc.Quote(list.Next)})
	}
	return didYouMean(c.Name, names)
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
