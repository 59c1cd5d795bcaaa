package main

import (
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/schema"
)

// nameTopics makes the commands that cobra brings, help and completion, refuse what
// they know nothing of: as they come they print something else, and all is well.
func nameTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion") // the name, since it is made only where it is asked for
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			help := cmd.Run
			cmd.Run, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err != nil || len(rest) > 0 {
					return unknownTopic(about, "command", rest, args)
				}
				help(cmd, args)
				return nil
			}
		case "completion":
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknownTopic(cmd, "shell that can be completed in", args, args)
				}
				return cmd.Help()
			}
			for _, shell := range cmd.Commands() {
				shell.RunE = writeScript
			}
		}
	}
}

// writeScript writes the completion script of the shell that the command is named
// for. (What cobra runs for it writes to where output went when it was made.)
func writeScript(cmd *cobra.Command, _ []string) error {
	root, out := cmd.Root(), cmd.OutOrStdout()
	plain, err := cmd.Flags().GetBool("no-descriptions")
	if err != nil {
		return err
	}
	switch name := cmd.Name(); {
	case name == "bash":
		return root.GenBashCompletionV2(out, !plain)
	case name == "fish":
		return root.GenFishCompletion(out, !plain)
	case name == "zsh" && plain:
		return root.GenZshCompletionNoDesc(out)
	case name == "zsh":
		return root.GenZshCompletion(out)
	case plain:
		return root.GenPowerShellCompletion(out)
	}
	return root.GenPowerShellCompletionWithDesc(out)
}

// unknownTopic is the error about the first of rest, or else of args, which names
// nothing below a command.
func unknownTopic(below *cobra.Command, what string, rest, args []string) error {
	written := append(rest, args...)[0]
	var names []string
	if below != nil {
		for _, c := range below.Commands() {
			names = append(names, c.Name())
		}
	}
	try := schema.DidYouMean(written, names)
	if try == "" && len(names) > 0 {
		try = "; there are " + strings.Join(names, ", ")
	}
	return usagef("%q is no %s%s", written, what, try)
}
