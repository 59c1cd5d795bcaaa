#!/usr/bin/env bash
# Debugs a server on the TypeScript SDK v2, through the whole UI: hold, edit, every
# tamper preset with its verdict, branch, rerun and compare, with the bytes that
# leave. ui/playground_test.go says what is expected.
#
#   run.sh DIR   DIR holds the server: server.mjs, with a tool `wizard` that asks
#                three times, and a tool `signup`
#
# npm brings the SDK, once, into MCPTUI_PLAYGROUND_CACHE (default below the user's
# cache folder); the server is copied beside it, DIR is only read. Without Node
# there is nothing to run, which is said; with MCPTUI_PLAYGROUND_REQUIRED set that
# is a failure.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -e "$1/server.mjs" ]; then
	echo "usage: $0 DIR, a folder with server.mjs" >&2
	exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
server=$(cd "$1" && pwd)/server.mjs
cache=${MCPTUI_PLAYGROUND_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcptui/playground}

skip() {
	echo "SKIPPED: the playground was not debugged: $1" >&2
	[ -z "${MCPTUI_PLAYGROUND_REQUIRED:-}" ] || exit 1
	exit 0
}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
if [ ! -e "$cache/installed-1" ]; then
	echo "installing the SDK into $cache" >&2
	mkdir -p "$cache"
	echo '{"private":true,"type":"module"}' >"$cache/package.json"
	(cd "$cache" && npm install --no-audit --no-fund \
		@modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 zod@4 >install.log 2>&1) ||
		skip "npm could not install it, see $cache/install.log"
	touch "$cache/installed-1"
fi
cp "$server" "$cache/server.mjs" # beside what it imports

cd "$root"
MCPTUI_PLAYGROUND_SERVER=$cache/server.mjs exec go test ./ui -count=1 -timeout 300s -v -run '^TestPlayground'
