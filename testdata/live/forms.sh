#!/usr/bin/env bash
# Fills in the forms of real servers, live and through the whole UI:
# trigger-elicitation-request of server-everything (legacy), and signup of a
# server on the TypeScript SDK v2 (modern) whose source MCPTUI_PLAYGROUND names.
#
# npm brings the servers, once, into MCPTUI_LIVE_CACHE (default below the user's
# cache folder). Without Node there is nothing to run, which is said.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${MCPTUI_LIVE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcptui/live}

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	echo "skipped: there is no Node here" >&2
	exit 0
fi
mkdir -p "$cache"
if [ ! -e "$cache/node_modules/@modelcontextprotocol/server-everything" ]; then
	echo "installing servers with npm into $cache" >&2
	[ -e "$cache/package.json" ] || echo '{"private":true,"type":"module"}' >"$cache/package.json"
	(cd "$cache" && npm install --no-audit --no-fund @modelcontextprotocol/server-everything \
		@modelcontextprotocol/server @modelcontextprotocol/node zod >install.log 2>&1)
fi
if [ -n "${MCPTUI_PLAYGROUND:-}" ]; then
	cp "$MCPTUI_PLAYGROUND" "$cache/playground.mjs" # beside what it imports
fi
cd "$root"
MCPTUI_LIVE_SERVERS=$cache exec go test ./ui -count=1 -timeout 120s -v -run '^TestFormsOfLiveServers$'
