// Command mcptui is a client and debugger for MCP servers in the terminal, with
// a server of its own to try it on. It holds flags, wiring and exit codes; the
// protocol is in package client, the screens are in package ui.
package main

import (
	"os"

	_ "mcptui/cmd/mcptui/internal/prefault"
)

func main() {
	os.Exit(Run(os.Args[1:], Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Signals: &signals{heard: make(chan struct{})},
	}))
}
