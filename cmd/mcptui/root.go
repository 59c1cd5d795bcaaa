package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const about = `mcptui talks to MCP servers and shows exactly what they do: each round of a
call, what it asks, its requestState, and every byte on the wire. It answers
what a server asks in forms, or from a file in scripts.

Without a server it opens its own, to try things on.`

// commands are made by name: a run makes the one that it is for.
var commands = []struct {
	name string
	make func(*app) *cobra.Command
}{
	{"serve", newServe}, {"version", newVersion}, {"open", newOpen}, {"lint", newLint}, {"diff", newDiff},
	{"call", newCall}, {"read", newRead}, {"prompt", newPrompt}, {"complete", newComplete}, {"raw", newRaw},
	{"tools", lists("tools", "tools/list", "List the tools")},
	{"prompts", lists("prompts", "prompts/list", "List the prompts")},
	{"resources", lists("resources", "resources/list", "List the resources")},
	{"templates", lists("templates", "resources/templates/list", "List the resource templates")},
	{"discover", newDiscover}, {"servers", newServers}, {"listen", newListen},
}

// newRoot makes the root and what lies below it. Where the arguments begin with the
// name of a command, that is all that is made: all of them, with their flags, would
// take longer than many a command runs.
func newRoot(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "mcptui [SERVER]",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error { return a.before(cmd, args) }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(nearestFlag(cmd, err)) })
	root.PersistentFlags().BoolVar(&a.flags.json, "json", false, "print one JSON document")
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name {
			root.CompletionOptions.DisableDefaultCmd = true
			root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true})
			root.AddCommand(c.make(a))
			return root
		}
	}
	opens(root, a)
	for _, c := range commands {
		root.AddCommand(c.make(a))
	}
	nameTopics(root)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		withoutBackquotes(root)
	}
	return root
}

// withoutBackquotes leaves out of the flags' descriptions what marks the name of their
// value for --help: a shell shows them as they are.
func withoutBackquotes(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	cmd.PersistentFlags().VisitAll(plain)
	cmd.Flags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		withoutBackquotes(c)
	}
}

// opens makes root what opens the terminal UI.
func opens(root *cobra.Command, a *app) {
	var patterns []string
	root.Short = "An interactive client and debugger for MCP servers"
	root.Long = about
	root.Example = `  mcptui                                    # the built-in server
  mcptui http://127.0.0.1:3000/mcp
  mcptui -- npx -y @modelcontextprotocol/server-everything
  mcptui --config .mcp.json --server files
  mcptui --config .mcp.json                 # choose among its servers
  mcptui --watch 'src/**/*.py' -- python3 src/server.py
  mcptui --header 'Authorization: Bearer ada' --other-header 'Authorization: Bearer bob' https://example.com/mcp`
	root.Args = cobra.ArbitraryArgs
	root.RunE = func(cmd *cobra.Command, args []string) error { return a.openTUI(cmd, args, patterns) }
	a.dials(root)
	repeatable(root.Flags(), &patterns, "watch", "when a file matching this `GLOB` changes, restart a stdio server and run the last call again (repeatable; asked once)")
	repeatable(root.Flags(), &a.flags.otherHeaders, "other-header", "HTTP `'Name: value'` of another principal, to tamper with a retry as somebody else (repeatable)")
}

// before is done before any command runs.
func (a *app) before(cmd *cobra.Command, args []string) error {
	if a.flags.noColor {
		a.Env = append(slices.Clip(a.Env), "NO_COLOR=1")
	}
	if err := refuseEmpty(cmd); err != nil {
		return err
	}
	if err := a.keepApart(cmd); err != nil {
		return err
	}
	if err := refuseBytes(cmd, args); err != nil {
		return err
	}
	if cmd.Name() != "serve" { // a server writes to its client, and learns of its end by its input
		cmd.SetContext(a.whileRead(cmd.Context()))
	}
	return nil
}
