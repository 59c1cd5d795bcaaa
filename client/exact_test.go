package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

func sortedLines(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

// recorded writes the events of a log as a recording, and reads them back.
func recorded(t *testing.T, log *trace.Log, mask trace.Mask) []trace.Event {
	var file bytes.Buffer
	require.NoError(t, trace.NewRecorder(&file, mask).WriteAll(log.Since(0)))
	events, err := trace.ReadRecording(&file)
	require.NoError(t, err)
	return events
}

// exchanged is what the log says of one HTTP exchange.
type exchanged struct {
	request, response rawMessage
	cut               bool // it did not go to its end
	note              string
}

func exchangesOf(events []trace.Event) []*exchanged {
	var all []*exchanged
	at := map[int]*exchanged{}
	lines := func(headers []trace.Header) (out []string) {
		for _, h := range headers {
			out = append(out, strings.ToLower(h.Name)+": "+h.Value)
		}
		return sortedLines(out)
	}
	for _, e := range events {
		switch {
		case e.HTTP != nil:
			x := at[e.HTTP.Exchange]
			switch e.HTTP.Stage {
			case trace.HTTPRequest:
				x = &exchanged{cut: true}
				at[e.HTTP.Exchange], all = x, append(all, x)
				u, _ := url.Parse(e.HTTP.URL)
				x.request.line = e.HTTP.Method + " " + u.RequestURI() + " HTTP/1.1"
				x.request.headers = lines(e.HTTP.Headers)
			case trace.HTTPResponse:
				x.response.line = fmt.Sprintf("%s %d %s", e.HTTP.Proto, e.HTTP.Status, http.StatusText(e.HTTP.Status))
				x.response.headers = lines(e.HTTP.Headers)
			case trace.HTTPEnd, trace.HTTPFailed:
				x.cut = e.HTTP.Stage == trace.HTTPFailed || strings.Contains(e.HTTP.Note, "closed by the client")
				x.note = e.HTTP.Note
			}
		case e.Frame != nil && e.Frame.Dir == trace.Out:
			at[e.Frame.Exchange].request.body += string(trace.WireBytes(e.Frame))
		case e.Frame != nil:
			at[e.Frame.Exchange].response.body += string(trace.WireBytes(e.Frame))
		case e.Noise != nil:
			at[e.Noise.Exchange].response.body += string(e.Noise.Bytes)
		}
	}
	return all
}

// requireSame compares what the proxy saw with what the log says, exchange by
// exchange.
func requireSame(t *testing.T, p *tcpProxy, said []*exchanged) {
	p.stop()
	seen := 0
	for _, conn := range p.conns {
		requests, responses := messages(t, conn.up.bytes(), false), messages(t, conn.down.bytes(), true)
		for i, r := range requests {
			seen++
			at := slices.IndexFunc(said, func(x *exchanged) bool {
				return x.request.line == r.line && x.request.body == r.body && slices.Equal(x.request.headers, r.headers) &&
					(i >= len(responses) || strings.HasPrefix(responses[i].body, x.response.body))
			})
			if at < 0 {
				var all strings.Builder
				for _, x := range said {
					fmt.Fprintf(&all, "%s %q %.300q\n", x.request.line, x.request.headers, x.request.body)
				}
				require.Fail(t, "a request that the log does not tell of as it was", "%s %q %.300q\nof\n%s", r.line, r.headers, r.body, all.String())
			}
			x := said[at]
			said = slices.Delete(said, at, at+1)
			if i >= len(responses) {
				require.True(t, x.cut, "no response to %s", r.line)
				continue
			}
			if x.cut && x.response.line == "" {
				continue // it was closed before the response could be read
			}
			require.Equal(t, responses[i].line, x.response.line)
			require.Equal(t, responses[i].headers, x.response.headers)
			if x.cut { // the connection may have carried more than was still read
				require.True(t, strings.HasPrefix(responses[i].body, x.response.body), "%q\n%q", responses[i].body, x.response.body)
				continue
			}
			require.True(t, responses[i].whole)
			require.Equal(t, responses[i].body, x.response.body)
		}
	}
	require.NotZero(t, seen)
	require.Empty(t, said, "exchanges that never were")
}

// Whatever is done over HTTP, the log and the recording say what crossed the
// wire: headers with those that the library adds, bodies with their framing.
func TestTheLogOfHTTPIsWhatAProxySaw(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy, ""} {
		t.Run("era "+string(era), func(t *testing.T) {
			s, err := embeddedserver.New(embeddedserver.Options{})
			require.NoError(t, err)
			h := httptest.NewServer(s.Handler())
			t.Cleanup(func() { h.Close(); s.Close() })
			p := newTCPProxy(t, h.Listener.Addr().String())
			c, ctx := dial(t, client.Options{
				Target: client.Target{URL: "http://" + p.addr + "/mcp"}, Era: era, LogLevel: "debug",
				Headers: []trace.Header{{Name: "X-Mine", Value: "a"}, {Name: "x-mine", Value: "b"}},
			})
			require.NoError(t, c.Ready(ctx))
			for _, tool := range []string{"add", "book_table", "no such tool"} {
				call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `","arguments":{"a":1,"b":2,"text":"漢<&>\u0000\u2028"}}`)})
				require.NoError(t, err)
				answer(t, ctx, c, call, map[string]string{
					"when": `{"date":"2026-12-04"}`, "seats": `{"seats":4,"area":"inside"}`, "confirm": `{"ok":true}`,
					"date": `{"date":"2026-12-04"}`, "ok": `{"ok":true}`,
				})
			}
			require.NoError(t, c.Listen(control.Subscription{Tools: true}))
			require.NoError(t, c.Notify("vendor/note", json.RawMessage(`{"x":1}`)))
			asks, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"book_table","arguments":{}}`)})
			require.NoError(t, err)
			require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return len(s.Waiting()) > 0 }))
			require.NoError(t, c.Cancel(asks, "enough"))
			require.NoError(t, c.Close(ctx))
			requireSame(t, p, exchangesOf(c.Log().Since(0)))
			requireSame(t, p, exchangesOf(recorded(t, c.Log(), trace.Mask{})))
		})
	}
}

// Bodies and headers of every make.
func TestTheLogOfOddHTTPIsWhatAProxySaw(t *testing.T) {
	zipped := func(s string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, s)
		_ = w.Close()
		return b.Bytes()
	}
	const note = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	h := httptest.NewServer(http.HandlerFunc(modernWebOf(func(w http.ResponseWriter, r *http.Request, m rpc.Message) {
		done := strings.TrimSpace(result(m, `{"content":[{"type":"text","text":"漢 \ud800"}]}`))
		header := func(name string, values ...string) { w.Header()[name] = values }
		header("x-lower", "1", "2")
		header("Set-Cookie", "a=b; Path=/", "c=d")
		switch rpc.Text(m.Params, "name") {
		case "plain":
			header("Content-Type", "application/json")
			_, _ = io.WriteString(w, done)
		case "pretty":
			header("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.ReplaceAll(done, ",", ",\r\n \t")+"\n\n")
		case "zipped":
			header("Content-Type", "application/json")
			header("Content-Encoding", "gzip")
			_, _ = w.Write(zipped(done))
		case "zipped stream":
			header("Content-Type", "text/event-stream")
			header("Content-Encoding", "gzip")
			_, _ = w.Write(zipped(": hello\n\nid: 1\r\nevent: message\rdata: " + note + "\n\nevent: other\ndata: \xff\xfe\n\ndata: " + done + "\n\n"))
		case "stream":
			header("Content-Type", "text/event-stream")
			header("Trailer", "X-End")
			for _, part := range []string{"\ufeff", ": hello\n\n", "data: " + note[:30], note[30:] + "\n\n\n", "data:{\"jsonrpc\":\"2.0\",\ndata:\"method\":\"notifications/x\"}\n\n", "data: " + done + "\n\n", "retry: 5\n\n"} {
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
			header("X-End", "1")
		case "huge":
			header("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.TrimSpace(result(m, `{"content":[],"x":"`+strings.Repeat("y", 3<<20)+`"}`)))
		case "page":
			header("Content-Type", "text/html")
			header("Pragma", "no-cache")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>\xff</html>")
		case "nothing":
			w.WriteHeader(http.StatusNoContent)
		case "cut":
			header("Content-Length", "500")
			_, _ = io.WriteString(w, done)
		case "closed":
			header("Connection", "close")
			_, _ = io.WriteString(w, done)
		}
	})))
	t.Cleanup(h.Close)
	h.Config.ErrorLog = nil
	p := newTCPProxy(t, h.Listener.Addr().String())
	c, ctx := dial(t, client.Options{Target: client.Target{URL: "http://" + p.addr + "/a%20b?x=%2F"}})
	require.NoError(t, c.Ready(ctx))
	for _, name := range []string{"plain", "pretty", "zipped", "zipped stream", "stream", "huge", "page", "nothing", "cut", "closed"} {
		call, err := c.Call(control.Request{
			Method: "tools/call", Params: json.RawMessage(`{"name":"` + name + `","arguments":{"n":1.0e2,"s":"\ud800"}}`),
			Headers: []trace.Header{{Name: "X-Empty", Value: ""}, {Name: "x-odd-CASE", Value: "\tkept \u00e9 "}},
		})
		require.NoError(t, err)
		_, err = c.Wait(ctx, call)
		require.NoError(t, err)
	}
	require.NoError(t, c.Close(ctx))
	requireSame(t, p, exchangesOf(c.Log().Since(0)))
	requireSame(t, p, exchangesOf(recorded(t, c.Log(), trace.Mask{Off: true})))
}

// modernWebOf is modernWeb as a handler of its own.
func modernWebOf(call func(http.ResponseWriter, *http.Request, rpc.Message)) http.HandlerFunc {
	serve := modernWeb(call)
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		serve(w, r, rpc.Parse(body))
	}
}

// On stdio the recording adds up to the bytes of both directions: noise, huge
// lines, broken characters, either line end and a last line without one.
func TestTheRecordingOfAChildIsWhatAProxySaw(t *testing.T) {
	switch os.Getenv("MCPTUI_TEST_EXACT") {
	case "proxy":
		exactProxy(os.Getenv("MCPTUI_TEST_EXACT_DIR"))
	case "server":
		exactServer()
	}
	dir := t.TempDir()
	c, ctx := dial(t, client.Options{Grace: patience, Target: client.Target{
		Command: os.Args[0], Args: []string{"-test.run=^TestTheRecordingOfAChildIsWhatAProxySaw$"},
		Env: []string{"MCPTUI_TEST_EXACT=proxy", "MCPTUI_TEST_EXACT_DIR=" + dir},
	}})
	require.NoError(t, c.Ready(ctx))
	for _, text := range []string{`"short"`, `"` + strings.Repeat("漢<&>", 300_000) + `"`, "\"broken \xff\xfe\"", "{\r\n\"a\" :\n1.50 }"} {
		call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"echo","arguments":{"text":` + text + `}}`)})
		require.NoError(t, err)
		o, err := c.Wait(ctx, call)
		require.NoError(t, err)
		require.Equal(t, trace.Done, o.Status, o.Note)
	}
	require.NoError(t, c.Close(ctx))
	for name, events := range map[string][]trace.Event{"log": c.Log().Since(0), "recording": recorded(t, c.Log(), trace.Mask{})} {
		var in, out strings.Builder
		for _, e := range events {
			switch {
			case e.Frame != nil && e.Frame.Dir == trace.In:
				in.Write(trace.WireBytes(e.Frame))
			case e.Frame != nil:
				out.Write(trace.WireBytes(e.Frame))
			case e.Noise != nil:
				in.Write(e.Noise.Bytes)
			}
		}
		for file, said := range map[string]string{"sent": out.String(), "got": in.String()} {
			crossed, err := os.ReadFile(dir + "/" + file)
			require.NoError(t, err)
			require.Greater(t, len(crossed), 1<<20)
			require.True(t, string(crossed) == said, "%s, %s: %d bytes crossed, %d were written down, equal up to %d",
				name, file, len(crossed), len(said), common(string(crossed), said))
		}
	}
}

func common(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// exactProxy starts the server, and keeps what crosses.
func exactProxy(dir string) {
	fail := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	sent, err := os.Create(dir + "/sent")
	fail(err)
	got, err := os.Create(dir + "/got")
	fail(err)
	server := exec.CommandContext(context.Background(), os.Args[0], os.Args[1:]...)
	server.Env = append(os.Environ(), "MCPTUI_TEST_EXACT=server")
	server.Stdin, server.Stdout = io.TeeReader(os.Stdin, sent), io.MultiWriter(got, os.Stdout)
	fail(server.Run())
	os.Exit(0)
}

// exactServer answers every call with what was sent, among much that is none of
// the protocol's.
func exactServer() {
	in := make([]byte, 0, 4<<20)
	buffer := make([]byte, 64<<10)
	say := func(s string) { _, _ = os.Stdout.WriteString(s) }
	say("\ufeffbanner \xff\xfe\r\n\n\r\n[]\n\x00\n")
	for {
		n, err := os.Stdin.Read(buffer)
		in = append(in, buffer[:n]...)
		for end := bytes.IndexByte(in, '\n'); end >= 0; end = bytes.IndexByte(in, '\n') {
			m := rpc.Parse(bytes.Clone(in[:end]))
			in = in[end+1:]
			if m.Kind != rpc.Request {
				continue
			}
			switch m.Method {
			case "server/discover":
				say(result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`))
			default:
				text := rpc.Member(m.Params, "arguments", "text")
				say("about to answer\xff\r\n" + strings.TrimSuffix(result(m, `{"content":[],"echo":`+string(text)+`}`), "\n") + " \t\r\n")
			}
		}
		if err != nil {
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"the last words"}}`)
			os.Exit(0)
		}
	}
}
