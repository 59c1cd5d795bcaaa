package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/schema"
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
