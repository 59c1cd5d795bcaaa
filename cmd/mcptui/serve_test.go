//go:build linux || darwin

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// patience bounds what a test of a server process waits for.
const patience = ptytest.Patience

const (
	sharedKey = "text:0123456789abcdef0123456789abcdef"
	formCaps  = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`
)

// process is a running `mcptui serve`.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	url string // over HTTP
	in  io.WriteCloser
	out *bufio.Reader

	mu   sync.Mutex
	errs bytes.Buffer
	done chan struct{} // closed when it has ended
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errs.Write(b)
}

// stderr is what it has said so far.
func (p *process) stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errs.String()
}

// serve starts `mcptui serve` with these flags and, beside the environment of
// the test, these variables. It is ended, unless it has, when the test is.
func serve(t *testing.T, env []string, flags ...string) *process {
	t.Helper()
	if !strings.Contains(strings.Join(flags, " "), "--stdio") {
		flags = append(flags, "--http", "127.0.0.1:0")
	}
	p := serveAt(t, env, flags...)
	if !strings.Contains(strings.Join(flags, " "), "--stdio") {
		require.NotEmpty(t, p.url, "it ended: %s", p.stderr())
	}
	return p
}

// serveAt is serve where the flags, or none, say at which address.
func serveAt(t *testing.T, env []string, flags ...string) *process {
	t.Helper()
	p := &process{t: t, done: make(chan struct{})}
	overHTTP := !strings.Contains(strings.Join(flags, " "), "--stdio")
	p.cmd = exec.Command(ptytest.Binary(t), append([]string{"serve"}, flags...)...)
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = p
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, pipe, err := os.Pipe() // not StdoutPipe, which Wait closes under the reader
	require.NoError(t, err)
	p.cmd.Stdout, p.out = pipe, bufio.NewReader(out)
	require.NoError(t, p.cmd.Start())
	require.NoError(t, pipe.Close())
	var wg sync.WaitGroup
	wg.Go(func() { _ = p.cmd.Wait(); close(p.done) }) // the exit code is read from ProcessState
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(patience):
			t.Errorf("serve %v does not end", flags)
			_ = p.cmd.Process.Kill()
		}
		wg.Wait()
		out.Close()
	})
	if overHTTP {
		p.url = p.where()
	}
	return p
}

// where waits until it has said where it serves; "" where it ended before.
func (p *process) where() string {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		_, after, _ := strings.Cut(p.stderr(), "serving at ")
		if url, _, whole := strings.Cut(after, "\n"); whole {
			return url
		}
		select {
		case <-p.done:
			return ""
		default:
		}
		require.False(p.t, time.Now().After(end), "it does not say where it serves: %s", p.stderr())
	}
}

// says waits until it has said something, which comes through a pipe.
func (p *process) says(text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return strings.Contains(p.stderr(), text) }, patience, 5*time.Millisecond, "it did not say %q: %s", text, p.stderr())
}

// exit waits for the process to end by itself.
func (p *process) exit() int {
	p.t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		p.t.Fatal("the process does not end")
		return -1
	}
}

// reply is one response, over any transport.
type reply struct {
	status int
	Method string
	ID     json.RawMessage
	Result struct {
		ResultType    string
		RequestState  string
		InputRequests map[string]json.RawMessage
		Content       []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (r reply) text() string {
	if len(r.Result.Content) == 0 {
		return ""
	}
	return r.Result.Content[0].Text
}

func modernCall(params map[string]any) string {
	all := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(formCaps),
	}}
	for k, v := range params {
		all[k] = v
	}
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": all}) // maps of plain values
	return string(b)
}

// post makes a modern tools/call over HTTP.
func (p *process) post(params map[string]any, token string) reply {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url, strings.NewReader(modernCall(params)))
	require.NoError(p.t, err)
	req.Close = true // no connection outlives the test
	name, _ := params["name"].(string)
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name,
	} {
		req.Header.Set(k, v)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	r := reply{status: res.StatusCode}
	require.NoError(p.t, json.Unmarshal(b, &r), "%s", b)
	return r
}

// line sends one line over stdio, and gives the one that comes next.
func (p *process) line(s string) reply {
	p.t.Helper()
	p.say(s)
	return p.next()
}

func (p *process) say(s string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, s+"\n")
	require.NoError(p.t, err)
}

func (p *process) next() reply {
	p.t.Helper()
	b, err := p.out.ReadBytes('\n')
	require.NoError(p.t, err)
	var r reply
	require.NoError(p.t, json.Unmarshal(b, &r), "%s", b)
	return r
}

func (p *process) handshake() {
	p.t.Helper()
	p.line(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + formCaps + `,"clientInfo":{"name":"t","version":"1"}}}`)
	p.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

var bookTableAnswers = map[string]any{
	"when":    map[string]any{"action": "accept", "content": map[string]any{"date": "2027-05-01"}},
	"seats":   map[string]any{"action": "accept", "content": map[string]any{"seats": 4, "area": "terrace"}},
	"confirm": map[string]any{"action": "accept", "content": map[string]any{"ok": true}},
}

// after is the request that goes on from a round of book_table.
func after(t *testing.T, r reply) map[string]any {
	t.Helper()
	require.Nil(t, r.Error)
	require.Equal(t, "input_required", r.Result.ResultType)
	require.Len(t, r.Result.InputRequests, 1)
	answers := map[string]any{}
	for key := range r.Result.InputRequests {
		require.Contains(t, bookTableAnswers, key)
		answers[key] = bookTableAnswers[key]
	}
	return map[string]any{"name": "book_table", "requestState": r.Result.RequestState, "inputResponses": answers}
}

// The rounds of one call, sent in turn to two processes: each verifies and
// seals for the other. One has the key from a flag, the other from the
// environment. A process with a key of its own takes none of them.
func TestTwoServersShareAKey(t *testing.T) {
	one := serve(t, nil, "--state-key", sharedKey)
	two := serve(t, []string{"MCP_REQUEST_STATE_KEY=hex:" + fmt.Sprintf("%x", sharedKey[len("text:"):])})
	stranger := serve(t, nil)
	params := map[string]any{"name": "book_table"}
	for i, p := range []*process{one, two, one} {
		if i > 0 {
			refused := stranger.post(params, "")
			require.NotNil(t, refused.Error)
			require.Equal(t, -32602, refused.Error.Code)
			require.Equal(t, http.StatusBadRequest, refused.status)
		}
		params = after(t, p.post(params, ""))
	}
	last := two.post(params, "")
	require.Contains(t, last.text(), "Your table is booked: 4 seats, 2027-05-01")

	require.NotContains(t, one.stderr(), "random")
	require.NotContains(t, two.stderr(), "random")
	stranger.says("a random one seals requestState")
	require.Equal(t, 1, strings.Count(stranger.stderr(), "a random one seals requestState"), "said once: %s", stranger.stderr())
}

// A key is rotated without a call being lost: the new one seals, and the old
// one still verifies.
func TestAKeyIsRotated(t *testing.T) {
	const fresh = "text:fedcba9876543210fedcba9876543210"
	old := serve(t, nil, "--state-key", sharedKey)
	both := serve(t, nil, "--state-key", fresh, "--state-key", sharedKey)
	only := serve(t, nil, "--state-key", fresh)
	params := after(t, old.post(map[string]any{"name": "book_table"}, ""))
	require.Equal(t, -32602, only.post(params, "").Error.Code, "rotated out")
	params = after(t, both.post(params, ""))
	after(t, only.post(params, ""))
	require.Equal(t, -32602, old.post(params, "").Error.Code, "it does not know the new one")
}

func TestTokensNameThePrincipal(t *testing.T) {
	p := serve(t, nil, "--state-key", sharedKey, "--token", "ada=token-of-ada", "--token", "bob=token-of-bob")
	first := map[string]any{"name": "book_table"}
	require.Equal(t, http.StatusUnauthorized, p.post(first, "").status)
	require.Equal(t, http.StatusUnauthorized, p.post(first, "ada").status)
	params := after(t, p.post(first, "token-of-ada"))
	refused := p.post(params, "token-of-bob")
	require.NotNil(t, refused.Error, "her state is not his")
	require.Equal(t, -32602, refused.Error.Code)
	require.NotContains(t, refused.Error.Message, "principal", "nothing is said about why")
	p.says("another principal") // but logged
	require.NotContains(t, p.stderr(), "token-of")
	after(t, p.post(params, "token-of-ada"))
}

func TestAStateExpires(t *testing.T) {
	p := serve(t, nil, "--state-key", sharedKey, "--state-ttl", "1s")
	params := after(t, p.post(map[string]any{"name": "book_table"}, ""))
	require.Eventually(t, func() bool {
		r := p.post(params, "")
		return r.Error != nil && r.Error.Code == -32602
	}, patience, 100*time.Millisecond)
	p.says("expired")
}

// What plan_trip returns is asked by the shim of the handshake era, which has
// limits, and can be turned off.
func TestTheShimHasLimitsAndAnOff(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan_trip","arguments":{}}}`
	t.Run("off", func(t *testing.T) {
		p := serve(t, nil, "--stdio", "--state-key", sharedKey, "--no-shim")
		p.handshake()
		r := p.line(call)
		require.NotNil(t, r.Error)
		require.Equal(t, -32603, r.Error.Code)
		require.Contains(t, r.Error.Message, "shim for it is turned off")
	})
	t.Run("rounds", func(t *testing.T) {
		p := serve(t, nil, "--stdio", "--state-key", sharedKey, "--shim-rounds", "2")
		p.handshake()
		p.say(call)
		asked := 0
		r := p.next()
		for ; r.Method != ""; r = p.next() {
			asked++
			p.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"no"}}`, r.ID))
		}
		require.NotNil(t, r.Error)
		require.Contains(t, r.Error.Message, "more than 2 times")
		require.Positive(t, asked)
		require.Zero(t, asked%2, "two rounds of the same questions: %d", asked)
	})
	t.Run("time", func(t *testing.T) {
		p := serve(t, nil, "--stdio", "--state-key", sharedKey, "--shim-rounds", "1", "--shim-timeout", "20ms")
		p.handshake()
		p.say(call)
		r := p.next()
		for ; r.Method != ""; r = p.next() { // nothing is answered
		}
		require.NotNil(t, r.Error)
		require.Contains(t, r.Error.Message, "more than 1 times")
	})
}

// A cut ends the stream and so the process, although its input is still open.
func TestACutOverStdioEndsTheProcess(t *testing.T) {
	p := serve(t, nil, "--stdio", "--profile", "faults", "--state-key", sharedKey)
	p.say(modernCall(map[string]any{"name": "cut"}))
	rest, err := io.ReadAll(p.out)
	require.NoError(t, err)
	require.NotEmpty(t, rest)
	require.False(t, json.Valid(rest), "%s", rest)
	require.Equal(t, exitProtocol, p.exit())
	p.says("cut on purpose")
}

// A cut over HTTP ends one response, and nothing else.
func TestACutOverHTTPEndsOneResponse(t *testing.T) {
	p := serve(t, nil, "--profile", "faults", "--state-key", sharedKey)
	raw := p.dial(modernCall(map[string]any{"name": "cut"}), "cut")
	all, err := io.ReadAll(raw)
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(all), "\r\n\r\n")
	require.NotContains(t, string(all), "Content-Length", "which would make it look whole")
	require.NotContains(t, body, "\r\n0\r\n", "it is not ended in order")
	require.Equal(t, http.StatusOK, p.post(map[string]any{"name": "slow", "arguments": map[string]any{"ms": 1}}, "").status)
}

// dial sends a POST over a connection of its own, and reads nothing.
func (p *process) dial(body, name string) net.Conn {
	p.t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(p.url, "http://"), "/mcp")
	conn, err := net.Dial("tcp", host)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\nContent-Length: %d\r\n\r\n%s", host, name, len(body), body)
	require.NoError(p.t, err)
	return conn
}

// Clients that stop reading, or never finish what they send, hold up neither
// the others nor the end of the process.
func TestStalledClientsHoldNobodyUp(t *testing.T) {
	p := serve(t, nil, "--profile", "faults", "--state-key", sharedKey)
	p.dial(modernCall(map[string]any{"name": "oversized", "arguments": map[string]any{"megabytes": 32}}), "oversized")
	p.dial(strings.Repeat(" ", 10), "oversized") // whole, and nothing
	half, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(p.url, "http://"), "/mcp"))
	require.NoError(t, err)
	defer half.Close()
	_, err = io.WriteString(half, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, p.post(map[string]any{"name": "slow", "arguments": map[string]any{"ms": 1}}, "").status)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, exitTerminated, p.exit())
}

// A listen stream is ended in order: the client is told, and gets its result.
func TestListenersAreToldThatTheServerEnds(t *testing.T) {
	p := serve(t, nil, "--state-key", sharedKey)
	body := `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	host := strings.TrimSuffix(strings.TrimPrefix(p.url, "http://"), "/mcp")
	conn, err := net.Dial("tcp", host)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: %d\r\n\r\n%s", host, len(body), body)
	require.NoError(t, err)
	r := bufio.NewReader(conn)
	for line := ""; !strings.Contains(line, "notifications/subscriptions/acknowledged"); {
		line, err = r.ReadString('\n')
		require.NoError(t, err)
	}
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Contains(t, string(rest), `"method":"notifications/cancelled"`)
	require.Contains(t, string(rest), `"id":"l","result"`)
	require.Contains(t, string(rest), "\r\n0\r\n\r\n", "the response is whole")
	require.Equal(t, exitTerminated, p.exit())
}

func TestServeRefusesWhatCannotWork(t *testing.T) {
	for _, tt := range []struct {
		flags []string
		env   string
		says  string
	}{
		{[]string{"--stdio", "--http", "127.0.0.1:0"}, "", "exclude each other"},
		{[]string{"--stdio", "--profile", "nothing"}, "", `--profile "nothing" is none of`},
		{[]string{"--stdio", "--era", "bronze"}, "", `--era "bronze" is none of dual, modern, legacy`},
		{[]string{"--stdio", "--state-key", "text:short"}, "", "at least 32"},
		{[]string{"--stdio"}, "text:short", "at least 32"},
		{[]string{"--stdio"}, "@/nowhere/at/all", "no such file"},
		{[]string{"--stdio", "--state-key", sharedKey, "--state-ttl", "1ms"}, "", "at least 1s"},
		{[]string{"--stdio", "--state-key", sharedKey, "--shim-rounds", "-1"}, "", "at least one round"},
		{[]string{"--stdio", "--state-key", sharedKey, "--shim-rounds", "0"}, "", "cannot be 0"},
		{[]string{"--stdio", "--token", "ada=t"}, "", "--stdio has none"},
		{[]string{"--state-key", sharedKey, "--token", "nameonly"}, "", "NAME=TOKEN"},
		{[]string{"--state-key", sharedKey, "--token", "ada=t", "--token", "bob=t"}, "", "ada and bob the same token"},
	} {
		cmd := exec.CommandContext(t.Context(), ptytest.Binary(t), append([]string{"serve"}, tt.flags...)...)
		cmd.Env = append(os.Environ(), "MCP_REQUEST_STATE_KEY="+tt.env)
		out, err := cmd.CombinedOutput()
		require.Error(t, err, "%v", tt.flags)
		require.Equal(t, exitUsage, cmd.ProcessState.ExitCode(), "%v: %s", tt.flags, out)
		require.Contains(t, string(out), tt.says)
	}
}
