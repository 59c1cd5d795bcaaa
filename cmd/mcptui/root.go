package main

import (
	"github.com/spf13/cobra"
)

const about = `mcptui talks to MCP servers and shows exactly what they do: each round of a
call, what it asks, its requestState, and every byte on the wire. It answers
what a server asks in forms, or from a file in scripts.

Without a server it opens its own, to try things on.`

func newRoot(a *app) *cobra.Command {
	var patterns []string
	root := &cobra.Command{
		Use:   "mcptui [SERVER]",
		Short: "An interactive client and debugger for MCP servers",
		Long:  about,
		Example: `  mcptui                                    # the built-in server
  mcptui http://127.0.0.1:3000/mcp
  mcptui -- npx -y @modelcontextprotocol/server-everything
  mcptui --config .mcp.json --server files
  mcptui --config .mcp.json                 # choose among its servers
  mcptui --watch 'src/**/*.py' -- python3 src/server.py
  mcptui --header 'Authorization: Bearer ada' --other-header 'Authorization: Bearer bob' https://example.com/mcp`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, args []string) error { return a.openTUI(cmd, args, patterns) },
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(nearestFlag(cmd, err)) })
	root.PersistentFlags().BoolVar(&a.flags.json, "json", false, "print one JSON document")
	a.dials(root)
	repeatable(root.Flags(), &patterns, "watch", "when a file matching this `GLOB` changes, restart a stdio server and run the last call again (repeatable; asked once)")
	repeatable(root.Flags(), &a.flags.otherHeaders, "other-header", "HTTP `'Name: value'` of another principal, to tamper with a retry as somebody else (repeatable)")
	root.AddCommand(
		newServe(a),
		newVersion(a), newOpen(a), newLint(a), newDiff(a),
		newCall(a), newRead(a), newPrompt(a), newComplete(a), newRaw(a),
		newList(a, "tools", "tools/list", "List the tools"),
		newList(a, "prompts", "prompts/list", "List the prompts"),
		newList(a, "resources", "resources/list", "List the resources"),
		newList(a, "templates", "resources/templates/list", "List the resource templates"),
		newDiscover(a), newServers(a), newListen(a),
	)
	return root
}
