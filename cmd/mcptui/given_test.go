//go:build linux || darwin

package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestAFlagThatIsGivenIsNotEmpty holds every flag of every command that takes a
// text: given with nothing in it, it is wrong usage and named, whatever else the
// command line is.
func TestAFlagThatIsGivenIsNotEmpty(t *testing.T) {
	tried := map[string]bool{}
	every(t, func(c *cobra.Command) {
		try := func(f *pflag.Flag) {
			if f.NoOptDefVal != "" || mayBeEmpty[f.Name] {
				return // a switch
			}
			t.Run(c.CommandPath()+" --"+f.Name, func(t *testing.T) {
				tried[f.Name] = true
				args := []string{"--" + f.Name, ""}
				if c.HasParent() {
					args = append([]string{c.Name()}, args...)
				}
				switch c.Name() { // what is wrong without: how many there are is looked at before
				case "diff":
					args = append(args, "a", "b")
				case "open":
					args = append(args, "a")
				}
				var out, err bytes.Buffer
				require.Equal(t, exitUsage, Run(args, Streams{Out: &out, Err: &err}))
				require.Empty(t, out.String())
				require.Regexp(t, "--"+f.Name+`\b`, err.String())
			})
		}
		c.Flags().VisitAll(try)
	})
	for _, name := range []string{"url", "config", "server", "record", "answers", "resume", "args", "save-answers", "on-ask", "sampler", "protocol-version",
		"cwd", "ca", "era", "profile", "log-level", "header", "env", "root", "cap", "no-cap", "state-key", "watch", "other-header", "uri", "http", "token"} {
		require.True(t, tried[name], name)
	}
}

// TestAnEmptyPageIsTheFirst holds what an empty text means something for.
func TestAnEmptyPageIsTheFirst(t *testing.T) {
	require.Equal(t, exitDone, Run([]string{"tools", "--page", ""}, Streams{Out: io.Discard, Err: io.Discard}))
}
