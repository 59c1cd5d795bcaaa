#!/usr/bin/env bash
# Runs the official MCP conformance suite and prints one line a scenario.
#
#   run.sh server            against `mcptui serve --profile conformance`, built from this tree
#   run.sh server URL        against a server that already runs (loopback only)
#   run.sh client            against the adapter in client/internal/conformance
#   run.sh client CMD ARG…   against any client command; the suite appends the server's URL
#
# Revisions: MCPTUI_CONFORMANCE_REVISIONS (default "2026-07-28 2025-11-25").
# Scenarios that may fail: MCPTUI_CONFORMANCE_EXCUSE, a regular expression.
# Where to keep the results of a run that failed: MCPTUI_CONFORMANCE_KEEP.
# The suite is installed once, into MCPTUI_CONFORMANCE_CACHE (default below the
# user's cache folder). Without Node and npm there is nothing to run: the script
# says so and succeeds, or fails where MCPTUI_CONFORMANCE_REQUIRED is set.
set -euo pipefail

suite=0.2.0-alpha.12
node_major=22 # what the suite needs
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${MCPTUI_CONFORMANCE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcptui/conformance}
revisions=${MCPTUI_CONFORMANCE_REVISIONS:-2026-07-28 2025-11-25}

usage() {
	sed -n '2,/^set /{s/^# \{0,1\}//;/^set /d;p}' "${BASH_SOURCE[0]}" >&2
	exit 2
}

skip() {
	echo "SKIPPED: the conformance suite did not run: $1" >&2
	[ -z "${MCPTUI_CONFORMANCE_REQUIRED:-}" ] || exit 1
	exit 0
}

install_suite() {
	command -v node >/dev/null || skip "node is not installed (version $node_major or newer is needed)"
	command -v npm >/dev/null || skip "npm is not installed"
	local dir=$cache/$suite
	if [ ! -e "$dir/installed" ]; then
		echo "installing the conformance suite $suite into $dir" >&2
		mkdir -p "$dir"
		[ -e "$dir/package.json" ] || echo '{"private":true}' >"$dir/package.json"
		local packages=("@modelcontextprotocol/conformance@$suite")
		if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt "$node_major" ]; then
			packages+=("node@24") # a newer Node, for the suite alone
		fi
		(cd "$dir" && npm install --no-audit --no-fund "${packages[@]}" >"$dir/install.log" 2>&1) ||
			skip "npm could not install it, see $dir/install.log"
		touch "$dir/installed"
	fi
	export PATH=$dir/node_modules/.bin:$PATH
	[ "$(node -p 'process.versions.node.split(".")[0]')" -ge "$node_major" ] ||
		skip "node $(node --version) is too old, and a newer one could not be installed"
	program=$dir/node_modules/@modelcontextprotocol/conformance/dist/index.js
}

work=$(mktemp -d)
server=
finish() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

free_port() {
	node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

start_server() {
	(cd "$root" && go build -o "$work/mcptui" ./cmd/mcptui)
	local port
	port=$(free_port)
	"$work/mcptui" serve --profile conformance --http "127.0.0.1:$port" >"$work/server.log" 2>&1 &
	server=$!
	url=http://127.0.0.1:$port/mcp
	for _ in $(seq 100); do
		if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			return
		fi
		if ! kill -0 "$server" 2>/dev/null; then
			break
		fi
		sleep 0.1
	done
	echo "the server did not start:" >&2
	cat "$work/server.log" >&2
	exit 1
}

# run MODE OPTION VALUE: every revision, then the table.
run() {
	local mode=$1 status=0
	for revision in $revisions; do
		node "$program" "$mode" "$2" "$3" --requirements "$revision" -o "$work/$revision" >"$work/$revision.txt" 2>&1 || true # the table judges
		node "$here/table.mjs" "$revision" "$work/$revision.txt" "$work/$revision" || status=1
	done
	if [ $status -ne 0 ]; then
		echo "conformance: FAILED" >&2
		if [ -n "${MCPTUI_CONFORMANCE_KEEP:-}" ]; then
			cp -r "$work" "$MCPTUI_CONFORMANCE_KEEP"
			echo "results kept in $MCPTUI_CONFORMANCE_KEEP" >&2
		fi
	fi
	return $status
}

case ${1:-} in
server)
	install_suite
	url=${2:-}
	[ -n "$url" ] || start_server
	run server --url "$url"
	;;
client)
	install_suite
	shift
	if [ $# -eq 0 ]; then
		(cd "$root" && go build -o "$work/client" ./client/internal/conformance)
		set -- "$work/client"
	fi
	run client --command "$*"
	;;
*) usage ;;
esac
