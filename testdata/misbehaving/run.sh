#!/usr/bin/env bash
# Runs the real binary against a folder of servers that misbehave, and prints one
# line a case: what the command has to say and its exit code.
#
#   run.sh [DIR] [PATTERN]   PATTERN, a regular expression, chooses cases by name
#
# DIR (or MCPTUI_MISBEHAVING) is where the servers lie, NN-name.mjs, started with
# node. MCPTUI_BINARY names a binary that is built already. Without node or DIR
# there is nothing to run: the script says so and succeeds, or fails where
# MCPTUI_MISBEHAVING_REQUIRED is set.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${1:-${MCPTUI_MISBEHAVING:-}}

skip() {
	echo "SKIPPED: the servers that misbehave were not run: $1" >&2
	[ -z "${MCPTUI_MISBEHAVING_REQUIRED:-}" ] || exit 1
	exit 0
}

command -v node >/dev/null || skip "node is not installed"
[ -n "$dir" ] || skip "no folder is named (run.sh DIR, or MCPTUI_MISBEHAVING)"
[ -e "$dir/lib.mjs" ] || skip "$dir holds no servers"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary=${MCPTUI_BINARY:-$work/mcptui}
[ -n "${MCPTUI_BINARY:-}" ] || (cd "$root" && go build -o "$binary" ./cmd/mcptui)
(cd "$root" && go build -o "$work/misbehaving" ./testdata/misbehaving)
"$work/misbehaving" -binary "$binary" -servers "$(cd "$dir" && pwd)" -run "${2:-}"

# What that one of them writes to a terminal is looked at in a pseudo-terminal.
if [ -z "${2:-}" ] && [ -e "$dir/12-terminal-injection.mjs" ]; then
	MCPTUI_MISBEHAVING=$(cd "$dir" && pwd)
	export MCPTUI_MISBEHAVING
	(cd "$root" && go test ./cmd/mcptui -run TestInjectingServerIsOnlyShown -count=1)
fi
