package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// target is the server that a command line names, or a choice on the screen. At
// most one of URL, command and config file is set, none for the built-in server.
type target struct {
	url     string
	command []string
	config  string

	onScreen bool // chosen on the screen, where nothing can be asked on a line
}

func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// split parts a command line into the command's own arguments and the server.
// Of the arguments before the dashes, the first own ones belong to the command
// whatever they look like: read https://a/doc https://b/mcp reads a from b.
func (a *app) split(cmd *cobra.Command, args []string, own int) ([]string, target, error) {
	var t target
	before := args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		before, t.command = args[:dash], args[dash:]
		if len(t.command) == 0 || t.command[0] == "" {
			return nil, t, usagef("nothing follows --; write the server's command behind it")
		}
	}
	var mine, urls []string
	for i, arg := range before {
		if i >= own && isURL(arg) {
			urls = append(urls, arg)
			continue
		}
		mine = append(mine, arg)
	}
	if a.flags.url != "" {
		if !isURL(a.flags.url) {
			return nil, t, usagef("--url %q does not start with http:// or https://", a.flags.url)
		}
		urls = append(urls, a.flags.url)
	}
	if len(urls) > 1 {
		return nil, t, usagef("two servers are named: %s and %s", urls[0], urls[1])
	}
	if len(urls) == 1 {
		t.url = urls[0]
	}
	t.config = a.flags.config
	return mine, t, a.checkOne(cmd, t)
}

// words name a server as the command line did, for commands that are copied.
// Headers and environment are left out: they hold secrets.
func (a *app) words(t target) []string {
	f := &a.flags
	out := []string{}
	for _, flag := range []struct{ name, value, usual string }{
		{"config", t.config, ""}, {"server", f.server, ""}, {"profile", f.profile, "demo"}, {"era", f.era, "auto"},
		{"protocol-version", f.version, ""}, {"ca", f.ca, ""}, {"cwd", f.cwd, ""},
	} {
		if flag.value != flag.usual {
			out = append(out, "--"+flag.name, flag.value)
		}
	}
	if f.insecure {
		out = append(out, "--insecure")
	}
	switch {
	case t.url != "":
		return append(out, t.url)
	case t.command != nil:
		return append(append(out, "--"), t.command...)
	}
	return out
}

// onlyServer is split for commands that take nothing but a server.
func (a *app) onlyServer(cmd *cobra.Command, args []string) (target, error) {
	mine, t, err := a.split(cmd, args, 0)
	if err == nil && len(mine) > 0 {
		err = usagef("%s takes only a server, got %q; a URL begins with http://, a command goes behind --", cmd.CommandPath(), mine[0])
	}
	return t, err
}

// checkOne refuses a command line that names more than one server.
func (a *app) checkOne(cmd *cobra.Command, t target) error {
	var named []string
	if t.url != "" {
		named = append(named, "URL "+t.url)
	}
	if t.command != nil {
		named = append(named, "command "+strings.Join(t.command, " "))
	}
	if t.config != "" {
		named = append(named, "config file "+t.config)
	}
	if cmd.Flags().Changed("profile") {
		named = append(named, "built-in server with --profile "+a.flags.profile)
	}
	if len(named) > 1 {
		return usagef("two servers are named: %s and %s", named[0], named[1])
	}
	if a.flags.server != "" && t.config == "" {
		return usagef("--server %q needs --config FILE", a.flags.server)
	}
	return nil
}
