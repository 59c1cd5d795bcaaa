// Package edge is the exact wire front of an [mcp.Server]: it owns every byte
// that a client sends or receives, over HTTP, over stdio and over an in-process
// pipe, in both eras of the protocol at once.
//
// The go-sdk server behind it is registry and dispatcher. A modern request
// (revision 2026-07-28, which carries its version and its capabilities in
// params._meta) is checked here and then served through one throw-away SDK
// session. A handshake-era client gets one SDK session that lives as long as
// its own: the stdio process, the pipe, or the Mcp-Session-Id.
//
// Why not the SDK's own transports: they cannot serve both eras on one
// endpoint, change ids, die at a malformed line, leave errors unframed once a
// stream has begun, and leak the text of Go errors. A server that people debug
// their clients against has to be exact in each of these.
//
// The package does not decide what is served and does not know what an ask is:
// it only hands the untouched inputResponses on to the ask layer under
// [ask.MetaRawResponses].
package edge
