#!/usr/bin/env bash
# Runs the matrix of asks with the TypeScript SDK's client: revision × transport
# × kind of ask, one line each, and a sum at the end.
#
# The SDK is installed once, into MCPTUI_TSCLIENT_CACHE (default below the user's
# cache folder). Without Node and npm there is nothing to run: the script says so
# and succeeds, or fails where MCPTUI_TSCLIENT_REQUIRED is set.
set -euo pipefail

sdk=2.4.0
node_major=20 # what the SDK needs
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${MCPTUI_TSCLIENT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcptui/tsclient}/$sdk

skip() {
	echo "SKIPPED: the TypeScript client did not run: $1" >&2
	[ -z "${MCPTUI_TSCLIENT_REQUIRED:-}" ] || exit 1
	exit 0
}

command -v node >/dev/null || skip "node is not installed (version $node_major or newer is needed)"
command -v npm >/dev/null || skip "npm is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge "$node_major" ] || skip "node $(node --version) is too old"
if [ ! -e "$cache/installed" ]; then
	echo "installing @modelcontextprotocol/client $sdk into $cache" >&2
	mkdir -p "$cache"
	echo '{"private":true}' >"$cache/package.json"
	(cd "$cache" && npm install --no-audit --no-fund "@modelcontextprotocol/client@$sdk" >"$cache/install.log" 2>&1) ||
		skip "npm could not install it, see $cache/install.log"
	touch "$cache/installed"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/serve" ./testdata/tsclient/serve)
node "$here/matrix.mjs" "$cache" "$work/serve"
