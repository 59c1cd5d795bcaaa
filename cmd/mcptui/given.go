package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client"
)

// mayBeEmpty are the flags whose empty value means something.
var mayBeEmpty = map[string]bool{
	"page": true, // the first
}

// refuseEmpty refuses a flag that was given with nothing in it, as --url "$URL" is
// where the variable is not set. To take it for one that was not given would be to
// do something else than what was asked: to test the built-in server, for example.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err != nil || mayBeEmpty[f.Name] || !holdsEmpty(f.Value) {
			return
		}
		what, _ := pflag.UnquoteUsage(f)
		err = usagef("--%s is empty; it takes %s: leave it out where there is none", f.Name, what)
	})
	return err
}

// holdsEmpty reports whether a flag's value, or one of its values, is an empty text.
func holdsEmpty(v pflag.Value) bool {
	if several, ok := v.(*list); ok {
		return slices.Contains(*several, "")
	}
	return v.String() == ""
}

// tellUseless says of flags that were given and cannot apply to a server of its kind.
// They are no error: scripts give the same ones to several servers.
func (a *app) tellUseless(cmd *cobra.Command, to client.Target) {
	is := "the built-in server runs inside mcptui"
	switch {
	case to.URL != "":
		is = "the server is at a URL"
	case to.Command != "":
		is = "the server is a command"
	}
	for _, one := range []struct {
		flag    string
		applies bool
	}{{"header", to.URL != ""}, {"insecure", to.URL != ""}, {"ca", to.URL != ""}, {"env", to.Command != ""}, {"cwd", to.Command != ""}} {
		if cmd.Flags().Changed(one.flag) && !one.applies {
			a.tell("--%s has no effect: %s", one.flag, is)
		}
	}
}
