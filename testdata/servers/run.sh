#!/usr/bin/env bash
# Runs the real binary against real MCP servers and prints a table: server, era,
# why, and passed or what failed.
#
#   run.sh [PATTERN]   PATTERN, a regular expression, chooses servers by name
#
# npm and the Go module proxy bring the servers, once, into MCPTUI_SERVERS_CACHE
# (default below the user's cache folder). What cannot be installed is skipped,
# aloud; with MCPTUI_SERVERS_REQUIRED set a skipped server is a failure.
# MCPTUI_BINARY names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${MCPTUI_SERVERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcptui/servers}
gosdk=github.com/modelcontextprotocol/go-sdk
gosdk_version=v1.8.0
mcpgo=github.com/mark3labs/mcp-go/examples
mcpgo_version=v1.2.1

mkdir -p "$cache/npm" "$cache/go-sdk" "$cache/mcp-go"

if command -v npm >/dev/null && [ ! -e "$cache/npm/installed-1" ]; then
	echo "installing servers with npm into $cache/npm" >&2
	[ -e "$cache/npm/package.json" ] || echo '{"private":true,"type":"module"}' >"$cache/npm/package.json"
	if (cd "$cache/npm" && timeout 600 npm install --no-audit --no-fund \
		@modelcontextprotocol/server-{everything,filesystem,memory,sequential-thinking}@2026.8.31 \
		@modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 zod@4 >install.log 2>&1); then
		touch "$cache/npm/installed-1"
	else
		echo "npm could not install them, see $cache/npm/install.log" >&2
	fi
fi
cp "$here/asks.mjs" "$cache/npm/asks.mjs"

# go_server DIR PACKAGE VERSION
go_server() {
	[ ! -x "$cache/$1/$(basename "$2")" ] || return 0
	echo "installing $2@$3" >&2
	(cd "$cache" && GOBIN=$cache/$1 GOFLAGS=-mod=mod timeout 600 go install "$2@$3") >>"$cache/$1/install.log" 2>&1 ||
		echo "go could not install it, see $cache/$1/install.log" >&2
}
for name in everything hello toolschemas memory sequentialthinking custom-transport distributed sse; do
	go_server go-sdk "$gosdk/examples/server/$name" "$gosdk_version"
done
go_server go-sdk "$gosdk/examples/http" "$gosdk_version"
go_server go-sdk "$gosdk/conformance/everything-server" "$gosdk_version"
for name in everything elicitation sampling_server roots_server structured_input_and_output typed_tools custom_context \
	roots_http_server sampling_http_server conformance; do
	go_server mcp-go "$mcpgo/$name" "$mcpgo_version"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary=${MCPTUI_BINARY:-$work/mcptui}
[ -n "${MCPTUI_BINARY:-}" ] || (cd "$root" && go build -o "$binary" ./cmd/mcptui)
(cd "$root" && go build -o "$work/servers" ./testdata/servers)
"$work/servers" -binary "$binary" -cache "$cache" -run "${1:-}" ${MCPTUI_SERVERS_REQUIRED:+-required}
