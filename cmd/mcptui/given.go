package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	var values []string
	switch several := v.(type) {
	case *list:
		values = *several
	case pflag.SliceValue:
		values = several.GetSlice()
	default:
		values = []string{v.String()}
	}
	for _, one := range values {
		if one == "" {
			return true
		}
	}
	return false
}
