package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/config"
)

func newServers(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "servers", Short: "List the servers that config files name",
		Long:    "List the servers that this machine's and this project's config files name. Starts nothing.",
		Example: "  mcptui servers\n  mcptui servers --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			found, broken := a.knownServers()
			for _, err := range broken {
				a.tell("%v", err)
			}
			if a.flags.json {
				raw, err := encode(map[string]any{"servers": append([]config.Server{}, found...)})
				if err != nil {
					return fmt.Errorf("write servers: %w", err)
				}
				return a.printJSON(raw)
			}
			return a.print(serversText(found))
		},
	}
}

// knownServers reads every well-known file that exists.
func (a *app) knownServers() (found []config.Server, broken []error) {
	places, err := a.places()
	if err != nil {
		broken = append(broken, err)
	}
	read := map[string]bool{} // a project can be the home folder
	for _, place := range places {
		if read[place.File] {
			continue
		}
		read[place.File] = true
		servers, err := config.Read(place.File)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", place.Product, err))
			continue
		}
		found = append(found, servers...)
	}
	return found, broken
}

func (a *app) home() string { return firstNonEmpty(a.env("HOME"), a.env("USERPROFILE")) }

func serversText(found []config.Server) string {
	var b strings.Builder
	for _, s := range found {
		what := s.URL
		if what == "" {
			what = strings.Join(append([]string{s.Command}, s.Args...), " ")
		}
		fmt.Fprintf(&b, "%s  %s\n    mcptui --config %s --server %s\n", s.Name, what, s.Source, s.Name)
	}
	if len(found) == 0 {
		b.WriteString("no config file names a server\n")
	}
	return b.String()
}
