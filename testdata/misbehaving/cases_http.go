package main

import "time"

// Answers over HTTP that are not MCP.
var statuses = []testCase{
	{server: "30", http: "/html500", do: "call ok", code: 4, say: []string{"500", "HTML"}},
	{server: "30", http: "/html502", do: "call ok", code: 4, say: []string{"502"}},
	{server: "30", http: "/html200", do: "call ok", code: 4, say: []string{"HTML", "Sign in"}, not: []string{"invalid character"}},
	{server: "30", http: "/plain404", do: "call ok", code: 4, say: []string{"404"}},
	{server: "30", http: "/empty200", do: "call ok", code: 4, say: []string{"200", "empty"}},
	{server: "30", http: "/empty204", do: "call ok", code: 4, say: []string{"204"}},
	{server: "30", http: "/202forever", do: "call ok", code: 4, say: []string{"202"}},
	{server: "30", http: "/429", do: "call ok", code: 4, say: []string{"429"}, within: 30 * time.Second},
	{server: "30", http: "/503retry", do: "call ok", say: []string{"fine"}, within: 60 * time.Second},
	{server: "30", http: "/json500", do: "call ok", code: 4, say: []string{"database is down"}},
	{server: "30", http: "/json200err", do: "call ok", code: 4, say: []string{"nope"}},
	{server: "30", http: "/jsonplain", do: "call ok", code: 6, say: []string{"403", "API key missing"}},
	{server: "30", http: "/octet", do: "call ok", code: 4, say: []string{"application/octet-stream"}},
	{server: "30", http: "/nocontenttype", do: "call ok", say: []string{"fine"}},
	{server: "30", http: "/wrongct", do: "call ok", say: []string{"fine"}},
	{server: "30", http: "/wrongct2", do: "call ok", say: []string{"fine"}},
	{server: "30", http: "/teapot", do: "call ok", code: 4, say: []string{"418"}},
	{server: "30", http: "/injected", do: "call ok", code: 4, say: []string{"500"}},
	{server: "30", http: "/fine", do: "call ok", say: []string{"fine"}},
}

// Authorization, but for the login.
var authorization = []testCase{
	{server: "31", http: "/mcp", do: "call whoami", code: 6, say: []string{"401", "Bearer", "resource_metadata", "mcp:read", "--header"}},
	{server: "31", http: "/mcp", do: "call whoami", flags: []string{"--header", "Authorization: Bearer letmein"}, say: []string{"scopes: mcp:read"}, not: []string{"letmein"}},
	{server: "31", http: "/mcp", do: "call admin", flags: []string{"--header", "Authorization: Bearer letmein"}, code: 6, say: []string{"403", "insufficient_scope", "mcp:admin"}, not: []string{"letmein"}},
	{server: "31", http: "/mcp", do: "call whoami --json", flags: []string{"--header", "Authorization: Bearer wrong-token-1"}, code: 6, say: []string{"unauthorized", "invalid_token"}, not: []string{"wrong-token-1"}},
	{server: "31", http: "/bare", do: "call whoami", code: 6, say: []string{"401", "WWW-Authenticate"}},
	{server: "31", http: "/basic", do: "call whoami", code: 6, say: []string{"401", "Basic", "corp"}},
	{server: "31", http: "/evil", do: "call whoami", code: 6, say: []string{"401", "evil-metadata"}},
	{server: "31", http: "/expired", do: "call whoami", flags: []string{"--header", "Authorization: Bearer letmein"}, say: []string{"scopes"}},
	{server: "31", http: "/header", do: "call whoami", code: 6, say: []string{"403", "X-Api-Key"}},
	{server: "31", http: "/header", do: "call whoami", flags: []string{"--header", "X-Api-Key: k-e-y-1"}, say: []string{"scopes"}, not: []string{"k-e-y-1"}},
}

// Redirects.
var redirects = []testCase{
	{server: "32", http: "/307", do: "call saw", say: []string{`"method":"POST"`}},
	{server: "32", http: "/308", do: "call saw", say: []string{`"method":"POST"`}},
	{server: "32", http: "/301", do: "call saw", code: 4, say: []string{"301", "/mcp"}},
	{server: "32", http: "/302", do: "call saw", code: 4, say: []string{"302", "/mcp"}},
	{server: "32", http: "/303", do: "call saw", code: 4, say: []string{"303", "/mcp"}},
	{server: "32", http: "/slash", do: "call saw", say: []string{`"method":"POST"`}},
	{server: "32", http: "/cross", do: "call saw", flags: []string{"--header", "Authorization: Bearer s3cret-1", "--header", "X-Secret: s3cret-2"}, code: 4, say: []string{"localhost"}, not: []string{"s3cret"}},
	{server: "32", http: "/loop", do: "call saw", code: 4, say: []string{"redirect"}, within: 20 * time.Second},
	{server: "32", http: "/chain20", do: "call saw", code: 4, say: []string{"redirect"}},
	{server: "32", http: "/relative", do: "call saw", say: []string{`"method":"POST"`}},
	{server: "32", http: "/scheme", do: "call saw", code: 4, say: []string{"file:"}, not: []string{"root:x"}},
	{server: "32", http: "/noloc", do: "call saw", code: 4, say: []string{"307"}},
}

// Event streams of every shape.
var streams = []testCase{
	{server: "34", args: "--ms 3", http: "/drip", do: "call say", say: []string{"dripped 漢字 🙂"}},
	{server: "34", http: "/comments", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/multiline", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/cr", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/crlf", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/bom", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/nospace", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/noevent", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/customevent", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/retry", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/ids", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/fieldonly", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/empty", do: "call say", say: []string{"dripped"}},
	{server: "34", http: "/noblank", do: "call say --era modern", code: 4, say: []string{"blank line"}},
	{server: "34", http: "/noblank", do: "call say", code: 4, say: []string{"blank line"}},
	{server: "34", http: "/noanswer", do: "call say", code: 4, say: []string{"stream ended"}},
	{server: "34", http: "/noanswer", do: "call say --era modern", code: 4, say: []string{"stream ended"}},
	{server: "34", http: "/never", do: "call say --timeout 2s", code: 124, say: []string{"2s"}, within: 20 * time.Second},
	{server: "34", http: "/never", do: "call say --timeout 2s --era modern", code: 124, say: []string{"2s"}, within: 20 * time.Second},
	{server: "34", http: "/after", do: "call say", say: []string{"dripped"}, within: 12 * time.Second},
}

// Sessions, the transport of 2024-11-05, and TLS.
var legacy = []testCase{
	{server: "37", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "37", http: "/sse", do: "discover", say: []string{"SSE"}},
	{server: "37", args: "--mode absolute", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "37", args: "--mode cross", http: "/sse", do: "call echo message=hi --timeout 5s", code: 4, say: []string{"localhost:9", "origin"}},
	{server: "37", args: "--mode noendpoint", http: "/sse", do: "call echo message=hi --timeout 3s", code: 124, say: []string{"endpoint"}, within: 20 * time.Second},
	{server: "37", args: "--mode late", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "37", args: "--mode dup", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "37", args: "--mode reply200", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "37", args: "--mode drop", http: "/sse", do: "call echo message=hi", say: []string{"Echo: hi"}},
	{server: "38", http: "/expire", do: "tools", say: []string{"n"}},
	{server: "38", http: "/expire", do: "call n", say: []string{"ok"}, hears: []string{"DELETE sess-"}},
	{server: "38", http: "/rotate", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/rotate", do: "tools", say: []string{"n"}},
	{server: "38", http: "/strict", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/nodelete", do: "call n", say: []string{"ok"}, hears: []string{"DELETE sess-"}},
	{server: "38", http: "/badsid", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/getstream", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/getstream", do: "listen --tools", stop: 4 * time.Second, code: 130, say: []string{"list_changed"}, hears: []string{"client answered", "srv-ping"}},
	{server: "38", http: "/noget", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/stateless", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/downgrade", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/downgrade", do: "discover", say: []string{"2024-11-05"}},
	{server: "38", http: "/future", do: "call n", code: 4, say: []string{"2099-01-01"}},
	{server: "38", http: "/modernonly", do: "call n", say: []string{"ok"}},
	{server: "38", http: "/modernonly", do: "call n --era legacy", code: 4, say: []string{"2026-07-28"}},
	{server: "42", http: "LOCALHOST/mcp", do: "call ok", code: 3, say: []string{"unknown authority", "--insecure", "--ca"}},
	{server: "42", http: "LOCALHOST/mcp", do: "call ok --insecure", say: []string{"secure enough"}},
	{server: "42", args: "--expired", http: "LOCALHOST/mcp", do: "call ok", code: 3, say: []string{"expired", "2021"}},
	{server: "42", args: "--wronghost", http: "LOCALHOST/mcp", do: "call ok", code: 3, say: []string{"other.example", "localhost"}},
}

// Eras that are not what they seem, over stdio and HTTP.
var eras = overBoth([]testCase{
	{server: "39", args: "--mode claims", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode oldonly", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode oldonly", do: "discover", say: []string{"legacy", "2025-11-25"}},
	{server: "39", args: "--mode noversions", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode emptyversions", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode future", do: "tools", code: 4, say: []string{"tools/list", "-32022"}},
	{server: "39", args: "--mode future", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode future", do: "discover", say: []string{"server/discover lists 2027-01-01"}},
	{server: "39", args: "--mode retryloop", do: "call ok", code: 4, say: []string{"2026-07-28"}},
	{server: "39", args: "--mode noid", do: "call ok", say: []string{"ok"}, within: 8 * time.Second},
	{server: "39", args: "--mode initresult", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode nometa", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode infoinbody", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode both", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode both", do: "call ok --era legacy", say: []string{"ok"}},
	{server: "39", args: "--mode both", do: "call ok --era modern", say: []string{"ok"}},
	{server: "39", args: "--mode both", do: "discover", say: []string{"modern"}},
}, []testCase{
	{server: "39", args: "--mode closes", do: "call ok", say: []string{"ok"}},
	{server: "39", args: "--mode closes", do: "discover", say: []string{"legacy", "exited with code 1"}},
	{server: "39", args: "--mode closes", do: "call ok --era modern", code: 3, say: []string{"exited with code 1", "expected initialize"}},
	{server: "39", args: "--mode closes", http: "/mcp", do: "call ok", code: 3, say: []string{"server/discover"}},
})

func overBoth(cases, more []testCase) []testCase {
	all := append(more, cases...)
	for _, c := range cases {
		c.http = "/mcp"
		all = append(all, c)
	}
	return all
}
