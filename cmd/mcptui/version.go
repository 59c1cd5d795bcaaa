package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this source; commit comes from the build.
const release = "0.1.0"

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit and Go version",
		Example: "  mcptui version\n  mcptui version --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			commit := commitOf(debug.ReadBuildInfo())
			if a.flags.json {
				raw, err := encode(map[string]string{"version": release, "commit": commit, "go": runtime.Version()})
				if err != nil {
					return fmt.Errorf("write version: %w", err)
				}
				return a.printJSON(raw)
			}
			return a.print("mcptui " + release + " (" + commit + ", " + runtime.Version() + ")\n")
		},
	}
}

func commitOf(info *debug.BuildInfo, ok bool) string {
	if ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return s.Value[:12]
			}
		}
	}
	return "unknown"
}
