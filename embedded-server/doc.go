// Package embeddedserver is the MCP server inside mcptui, for trying a client
// against something known: in the process, as a child process, or over HTTP, in
// both eras of the protocol.
//
// It puts together three things that can be used without it: package ask (how
// handlers ask for input), package edge (what goes over the wire, to the byte),
// and the profiles, which say what is served. It decides nothing about the
// protocol itself.
package embeddedserver
