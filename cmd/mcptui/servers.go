package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/config"
	"mcptui/client/trace"
	"mcptui/ui/copyas"
)

func newServers(a *app) *cobra.Command {
	cmd := &cobra.Command{
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
				var all strings.Builder // of secrets, on a terminal
				for _, s := range found {
					all.WriteString(inOneLine(s) + "\n")
				}
				a.secrets = trace.NewScreen(a.mask(nil), nil, all.String())
				raw, err := encode(map[string]any{"servers": append([]config.Server{}, found...)})
				if err != nil {
					return fmt.Errorf("write servers: %w", err)
				}
				return a.printJSON(raw)
			}
			return a.print(a.serversText(found))
		},
	}
	cmd.Flags().BoolVar(&a.flags.showSecrets, "show-secrets", false, "do not mask tokens and passwords")
	return cmd
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
		named, err := place.Read()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", place.Product, err))
			continue
		}
		found = append(found, named.Servers...)
		for _, b := range named.Bad {
			broken = append(broken, fmt.Errorf("%s: %w", place.Product, b.Err))
		}
	}
	return found, broken
}

func (a *app) home() string { return firstNonEmpty(a.env("HOME"), a.env("USERPROFILE")) }

// serversText tells people of servers, each with the command that connects to it. What
// is secret by its name is masked wherever that is read: it is no document.
func (a *app) serversText(found []config.Server) string {
	var b strings.Builder
	for _, s := range found {
		fmt.Fprintf(&b, "%s  %s\n    mcptui --config %s --server %s\n", s.Name, a.reachedBy(s), copyas.Word(s.Source), copyas.Word(s.Name))
	}
	if len(found) == 0 {
		b.WriteString("no config file names a server\n")
	}
	return b.String()
}

// reachedBy is the URL or the command line of a server.
func (a *app) reachedBy(s config.Server) string {
	line := inOneLine(s)
	return trace.NewScreen(a.mask(nil), nil, line).Command(line)
}

func inOneLine(s config.Server) string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}
