#!/bin/sh
# Times mcptui against other command line clients, side by side in one run: lists
# and calls on the reference server and on a Go server, and a call on a Go server
# that runs already. Installs what it can into a folder of its own; what cannot be
# installed is skipped, and said.
#
#   testdata/peers/run.sh [N]     N interleaved runs of each, 9 unless given
#
# MCPTOOLS and INSPECTOR may name programs that are there already, as in
# MCPTOOLS=$HOME/go/bin/mcptools.
set -u
cd "$(dirname "$0")/../.."
runs=${1:-9}
dir=${PEERS_DIR:-${TMPDIR:-/tmp}/mcptui-peers}
mkdir -p "$dir"
skip() { echo "SKIPPED: $*" >&2; }

# Each program is built as its own README says; of mcptools there is one beside that is
# built as ours is.
CGO_ENABLED=0 go build -o "$dir/mcptui" ./cmd/mcptui && go build -o "$dir/peers" ./testdata/peers || exit 1
key='text:0123456789abcdef0123456789abcdef' # so that the server has nothing to say about its key
town="$dir/mcptui serve --stdio --state-key $key"

everything=
if [ ! -d "$dir/everything/node_modules" ]; then
	npm install --silent --no-audit --no-fund --prefix "$dir/everything" @modelcontextprotocol/server-everything >/dev/null 2>&1
fi
if [ -f "$dir/everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js" ]; then
	everything="node $dir/everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio"
else
	skip "server-everything: npm could not install it"
fi

mcptools=${MCPTOOLS:-$dir/mcptools}
if [ ! -x "$mcptools" ]; then
	GOBIN="$dir" GOFLAGS=-mod=mod go install github.com/f/mcptools/cmd/mcptools@latest >/dev/null 2>&1
fi
if [ ! -x "$mcptools" ]; then
	# Where a proxy has the module and not its list of versions, as a dependency.
	mkdir -p "$dir/build" && printf 'module peers\n\ngo 1.24\n\nrequire github.com/f/mcptools v0.7.1\n' >"$dir/build/go.mod" &&
		(cd "$dir/build" && GOFLAGS=-mod=mod go build -o "$mcptools" github.com/f/mcptools/cmd/mcptools) >/dev/null 2>&1
fi
if [ ! -x "$mcptools" ]; then
	skip "mcptools: go could not install it; build it and name it with MCPTOOLS=PATH"
	mcptools=
fi

static=
if [ -n "$mcptools" ]; then
	mkdir -p "$dir/static" && { [ -f "$dir/static/go.mod" ] || printf 'module peers\n\ngo 1.24\n\nrequire github.com/f/mcptools v0.7.1\n' >"$dir/static/go.mod"; } &&
		(cd "$dir/static" && CGO_ENABLED=0 GOFLAGS=-mod=mod go build -o "$dir/mcptools-static" github.com/f/mcptools/cmd/mcptools) >/dev/null 2>&1
	if [ -x "$dir/mcptools-static" ]; then static=$dir/mcptools-static; else skip "mcptools without cgo: it could not be built"; fi
fi

inspector=
if [ -z "${INSPECTOR:-}" ] && [ ! -d "$dir/inspector/node_modules" ]; then
	npm install --silent --no-audit --no-fund --prefix "$dir/inspector" @modelcontextprotocol/inspector >/dev/null 2>&1
fi
if [ -x "${INSPECTOR:-$dir/inspector/node_modules/.bin/mcp-inspector}" ]; then
	inspector="${INSPECTOR:-$dir/inspector/node_modules/.bin/mcp-inspector} --cli"
	$inspector --help >/dev/null 2>&1 || { skip "Inspector: it does not run on node $(node --version)"; inspector=; }
else
	skip "Inspector: npm could not install it"
fi

# The Go server over HTTP, running already.
"$dir/mcptui" serve --http 127.0.0.1:0 --state-key "$key" 2>"$dir/serve.err" & server=$!
trap 'kill $server 2>/dev/null' EXIT INT TERM
until grep -q serving "$dir/serve.err"; do sleep 0.05; done
url=$(sed -n 's/.*serving at //p' "$dir/serve.err")

# One line a program: task, name, command. Arguments are JSON where mcptools gets them
# as JSON; how name=value fares, which has to be typed by the tool's schema first (as
# Inspector does), is a line of its own.
on() { # on NAME SERVER TOOL ARG-FOR-US ARG-FOR-MCPTOOLS ARG-FOR-INSPECTOR
	printf '%s: tools\tmcptui\t%s tools -- %s\n' "$1" "$dir/mcptui" "$2"
	[ -n "$mcptools" ] && printf '%s: tools\tmcptools\t%s tools %s\n' "$1" "$mcptools" "$2"
	[ -n "$static" ] && printf '%s: tools\tmcptools, without cgo\t%s tools %s\n' "$1" "$static" "$2"
	[ -n "$inspector" ] && printf '%s: tools\tInspector CLI\t%s %s --method tools/list\n' "$1" "$inspector" "$2"
	printf '%s: tools\t(the server, to its end)\teof %s\n' "$1" "$2"
	printf '%s: call\tmcptui\t%s call %s --args %s -- %s\n' "$1" "$dir/mcptui" "$3" "$5" "$2"
	printf '%s: call\tmcptui, name=value\t%s call %s %s -- %s\n' "$1" "$dir/mcptui" "$3" "$4" "$2"
	[ -n "$mcptools" ] && printf '%s: call\tmcptools\t%s call %s --params %s %s\n' "$1" "$mcptools" "$3" "$5" "$2"
	[ -n "$static" ] && printf '%s: call\tmcptools, without cgo\t%s call %s --params %s %s\n' "$1" "$static" "$3" "$5" "$2"
	[ -n "$inspector" ] && printf '%s: call\tInspector CLI\t%s %s --method tools/call --tool-name %s --tool-arg %s\n' "$1" "$inspector" "$2" "$3" "$6"
}
{
	[ -n "$everything" ] && on 'server-everything' "$everything" echo 'message=hi' "'{\"message\":\"hi\"}'" 'message=hi'
	on 'a Go server' "$town" add 'a=1 b=2' "'{\"a\":1,\"b\":2}'" 'a=1 b=2'
	printf 'a running Go server over HTTP: call\tmcptui\t%s call add a:=1 b:=2 %s\n' "$dir/mcptui" "$url"
	printf 'no server\tmcptui version\t%s version\n' "$dir/mcptui"
	[ -n "$mcptools" ] && printf 'no server\tmcptools version\t%s version\n' "$mcptools"
} | "$dir/peers" -n "$runs"
