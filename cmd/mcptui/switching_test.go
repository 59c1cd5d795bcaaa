//go:build linux || darwin

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/ptytest"
)

// town is a folder with a config file of stdio servers. Each writes its process
// id to a file of its own name.
type town struct{ dir, file string }

func newTown(t *testing.T, scripts map[string]string) town {
	t.Helper()
	w := town{dir: t.TempDir()}
	w.file = filepath.Join(w.dir, "servers.json")
	servers := map[string]any{}
	for name, script := range scripts {
		servers[name] = map[string]any{"command": "sh", "env": map[string]string{"SECRET": "hidden-of-" + name},
			"args": []string{"-c", fmt.Sprintf("echo $$ > %s; %s", filepath.Join(w.dir, name+".pid"), script)}}
	}
	w.write(t, w.file, servers)
	return w
}

func (w town) write(t *testing.T, file string, servers map[string]any) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"mcpServers": servers})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, raw, 0o600))
}

// declare adds inputs to a file of servers.
func (w town) declare(t *testing.T, file string, ids ...string) {
	t.Helper()
	var inputs []map[string]string
	for _, id := range ids {
		inputs = append(inputs, map[string]string{"id": id})
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(raw, &all))
	all["inputs"] = inputs
	raw, err = json.Marshal(all)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, raw, 0o600))
}

func (w town) pid(t *testing.T, name string) int {
	t.Helper()
	return childPID(t, filepath.Join(w.dir, name+".pid"))
}

// start runs mcptui in the town, on a machine that has no other config files.
func (w town) start(t *testing.T, args ...string) *ptytest.Process {
	t.Helper()
	return ptytest.Start(t, ptytest.Options{Args: args, Dir: w.dir, Columns: 100, Rows: 30,
		Env: []string{"HOME=" + w.dir, "XDG_CONFIG_HOME=" + filepath.Join(w.dir, "config")}})
}

func twoServers(t *testing.T) town {
	t.Helper()
	bin := ptytest.Binary(t)
	return newTown(t, map[string]string{"tidy": "exec " + bin + " serve --stdio", "untidy": "exec " + bin + " serve --stdio --profile faults"})
}

// switchTo chooses a server in the list.
func switchTo(p *ptytest.Process, name string) {
	p.Type("S")
	p.WaitFor("Switch to", "built-in server")
	p.Type(name)
	p.WaitFor("> "+name, ">   "+name)
	p.Type("\r")
}

// TestServersAreChosenAndSwitched chooses one of two servers of a config file,
// and then the other: the first one's child has ended by then, and none is left
// in the end.
func TestServersAreChosenAndSwitched(t *testing.T) {
	w := twoServers(t)
	p := w.start(t, "--config", w.file)
	p.WaitFor("Connect to", "tidy", "untidy", "built-in server", "Esc quit")
	require.NotContains(t, p.Text(), "hidden-of")
	require.NoFileExists(t, filepath.Join(w.dir, "tidy.pid"), "nothing is started before it is chosen")
	p.Type("\r")
	p.WaitFor("book_table", "[2 Catalogue]")
	first := w.pid(t, "tidy")
	p.Type("i")
	p.WaitFor("retries are held")
	switchTo(p, "untidy")
	p.WaitFor("refund_leaky", "[2 Catalogue]", " held") // still
	ptytest.RequireGone(t, first)
	second := w.pid(t, "untidy")
	require.NoError(t, syscall.Kill(second, 0))
	p.Type("i")
	p.WaitFor("retries are not held any more")
	switchTo(p, "conformance")
	p.WaitFor("test_simple_text", "[2 Catalogue]")
	ptytest.RequireGone(t, second)
	p.Type("q")
	require.Equal(t, exitDone, p.Wait())
	p.RequireRestored()
}

func TestTheListOfServersIsLeftWithoutStartingAny(t *testing.T) {
	w := twoServers(t)
	p := w.start(t, "--config", w.file)
	p.WaitFor("Connect to", "untidy")
	p.Type("\x1b[27u") // Esc
	require.Equal(t, exitDone, p.Wait())
	p.RequireRestored()
	require.NoFileExists(t, filepath.Join(w.dir, "tidy.pid"))
	require.NoFileExists(t, filepath.Join(w.dir, "untidy.pid"))
}

// TestASignalWhileServersAreSwitched ends the program while a child that does not
// want to end is waited for: neither it nor the next one is left.
func TestASignalWhileServersAreSwitched(t *testing.T) {
	bin := ptytest.Binary(t)
	w := newTown(t, map[string]string{
		"other":    "exec " + bin + " serve --stdio",
		"stubborn": "trap '' TERM; " + bin + " serve --stdio; echo >ending; exec sleep 1000",
	})
	p := w.start(t, "--config", w.file, "--server", "stubborn")
	p.WaitFor("book_table")
	switchTo(p, "other")
	require.Eventually(t, func() bool { // its input was closed, or, on a slow machine, all its time is over already
		_, ending := os.Stat(filepath.Join(w.dir, "ending"))
		_, other := os.Stat(filepath.Join(w.dir, "other.pid"))
		return ending == nil || other == nil
	}, ptytest.Patience, time.Millisecond, "its input was never closed")
	p.Signal(syscall.SIGTERM)
	require.Equal(t, exitTerminated, p.Wait())
	p.RequireRestored()
	ptytest.RequireGone(t, w.pid(t, "stubborn"))
	if raw, err := os.ReadFile(filepath.Join(w.dir, "other.pid")); err == nil && len(raw) > 0 { // the signal came late
		ptytest.RequireGone(t, w.pid(t, "other"))
	}
}

// TestAChoiceStandsForACommandLine holds that what is chosen is talked to, named
// and remembered as if the program had been started for it.
func TestAChoiceStandsForACommandLine(t *testing.T) {
	const file = "/p/.mcp.json"
	for _, tc := range []struct {
		name  string
		to    choice
		own   bool
		words []string
		flags flags
	}{
		{"out of a file", choice{target: target{config: file}, server: "s"}, false,
			[]string{"--config", file, "--server", "s", "--era", "legacy"}, flags{config: file, server: "s", profile: "demo", era: "legacy"}},
		{"built in", choice{profile: "faults"}, false,
			[]string{"--profile", "faults", "--era", "legacy"}, flags{profile: "faults", era: "legacy"}},
		{"as started", choice{target: target{url: "http://a/mcp"}, own: true}, true,
			[]string{"--era", "legacy", "--cwd", "/d", "--insecure", "http://a/mcp"},
			flags{profile: "demo", era: "legacy", headers: []string{"A: b"}, otherHeaders: []string{"A: c"}, env: []string{"K=V"}, cwd: "/d", insecure: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := &app{flags: flags{server: "first", profile: "conformance", era: "legacy", headers: []string{"A: b"}, otherHeaders: []string{"A: c"}, env: []string{"K=V"}, cwd: "/d", insecure: true}}
			before := a.flags
			b := a.forServer(tc.to, tc.own)
			require.Equal(t, tc.flags, b.flags)
			require.Equal(t, tc.words, b.words(tc.to.target))
			require.Equal(t, before, a.flags)
		})
	}
}

// TestARecordingIsOfOneConnection switches while it records: what comes then goes
// to a file beside, and no file that was there is written over.
func TestARecordingIsOfOneConnection(t *testing.T) {
	w := twoServers(t)
	taken := filepath.Join(w.dir, "rec.2.jsonl")
	require.NoError(t, os.WriteFile(taken, []byte("mine"), 0o600))
	p := w.start(t, "--config", w.file, "--server", "tidy", "--record", "rec.jsonl")
	p.WaitFor("book_table")
	switchTo(p, "untidy")
	p.WaitFor("refund_leaky", "recorded to rec.3.jsonl")
	p.Type("\x03")
	require.Equal(t, exitDone, p.Wait())
	for file, holds := range map[string][2]string{"rec.jsonl": {"book_table", "refund_leaky"}, "rec.3.jsonl": {"refund_leaky", "book_table"}} {
		raw, err := os.ReadFile(filepath.Join(w.dir, file))
		require.NoError(t, err)
		require.Contains(t, string(raw), holds[0], file)
		require.NotContains(t, string(raw), holds[1], file)
		events, err := readRecording(filepath.Join(w.dir, file))
		require.NoError(t, err)
		last := events[len(events)-1]
		require.NotNil(t, last.Phase, file)
		require.Equal(t, trace.PhaseExited, last.Phase.Name, file)
	}
	raw, err := os.ReadFile(taken)
	require.NoError(t, err)
	require.Equal(t, "mine", string(raw))
}

// TestATokenGoesToItsOwnServerOnly gives a header with a URL and switches to a
// server of the project's: that one must not get it.
func TestATokenGoesToItsOwnServerOnly(t *testing.T) {
	came := make(chan http.Header, 100)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case came <- r.Header.Clone():
		default:
		}
		http.Error(w, "no server is here", http.StatusNotFound)
	}))
	defer other.Close()
	own := serve(t, nil, "--token", "ada=token-of-ada-0123")
	w := twoServers(t)
	w.write(t, filepath.Join(w.dir, ".mcp.json"), map[string]any{"elsewhere": map[string]any{"url": other.URL + "?token=hidden", "headers": map[string]string{"X-Own": "yes"}}})
	p := w.start(t, "--header", "Authorization: Bearer token-of-ada-0123", own.url)
	p.WaitFor("book_table")
	switchTo(p, "elsewhere")
	var got http.Header
	select {
	case got = <-came:
	case <-time.After(ptytest.Patience):
		t.Fatalf("nobody asked the other server:\n%s", p.Text())
	}
	require.Equal(t, "yes", got.Get("X-Own"))
	require.Empty(t, got.Get("Authorization"))
	p.WaitFor("✖ failed") // as a first connection shows it
	p.Type("S")
	p.WaitFor("● elsewhere", "as started")
	require.NotContains(t, p.Text(), "hidden")
	p.Type("started", "\r")
	p.WaitFor("book_table") // and its own server gets it again
	p.Type("\x03")
	require.Equal(t, exitDone, p.Wait())
}

// TestWhatCannotBeSwitchedToLeavesTheConnection chooses what cannot be prepared,
// among it a broken file.
func TestWhatCannotBeSwitchedToLeavesTheConnection(t *testing.T) {
	w := twoServers(t)
	w.write(t, filepath.Join(w.dir, ".mcp.json"), map[string]any{
		"unset": map[string]any{"command": "${NOT_SET_ANYWHERE}"}, "asking": map[string]any{"command": "true", "env": map[string]string{"K": "${input:key}"}},
		"hollow": map[string]any{}})
	w.declare(t, filepath.Join(w.dir, ".mcp.json"), "key")
	require.NoError(t, os.MkdirAll(filepath.Join(w.dir, ".cursor"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".cursor", "mcp.json"), []byte("{\n\"servers\": {,}}"), 0o600))
	p := w.start(t, "--config", w.file, "--server", "tidy")
	p.WaitFor("book_table")
	p.Type("S")
	p.WaitFor("Switch to", "● tidy", "✖")
	p.Type("unset", "\r")
	p.WaitFor("${NOT_SET_ANYWHERE} is not set")
	p.Type(strings.Repeat("\x7f", 5), "asking", "\r")
	p.WaitFor("${input:key} is asked for before the screen opens")
	p.Type(strings.Repeat("\x7f", 6), "hollow", "\r")
	p.WaitFor("✖ 1:", `mcpServers "hollow": it has neither "command" nor "url"`)
	p.Type(strings.Repeat("\x7f", 6), "2:13", "\r")
	p.WaitFor("✖ Cursor", "2:13: not JSON")
	p.Type("\x1b[27u", "1")
	p.WaitFor("[1 Calls]", "modern")
	pid := w.pid(t, "tidy")
	require.NoError(t, syscall.Kill(pid, 0), "the connection is still there")
	p.Type("q")
	require.Equal(t, exitDone, p.Wait())
	ptytest.RequireGone(t, pid)
}

func TestWatchingIsOfOneServer(t *testing.T) {
	w := twoServers(t)
	p := w.start(t, "--watch", "*.py", "--config", w.file, "--server", "tidy")
	p.WaitFor("book_table")
	p.Type("S")
	p.WaitFor("with --watch it is the one that is watched")
	p.Type("\x03")
	require.Equal(t, exitDone, p.Wait())

	p = w.start(t, "--watch", "*.py", "--config", w.file)
	require.Equal(t, exitUsage, p.Wait(), "the one to watch is chosen on the command line")
	require.Contains(t, string(p.Raw()), "choose one with --server: tidy, untidy")
}
