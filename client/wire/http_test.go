package wire

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

const answer1 = `{"jsonrpc":"2.0","id":1,"result":{"text":"漢字 🙂"}}`

// serve starts a server and returns a transport to its path /mcp.
func serve(t *testing.T, handle http.HandlerFunc) (*Streamable, *events) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server notices a client that goes away only behind the body.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		handle(w, r)
	}))
	t.Cleanup(srv.Close)
	ev := collect()
	s := NewHTTP(HTTP{URL: srv.URL + "/mcp", MaxFrame: 4 << 20, Headers: []trace.Header{{Name: "Authorization", Value: "Bearer abcdef"}}}, ev.emit)
	t.Cleanup(func() { _ = s.Close(context.Background()) }) // before the server closes
	require.NoError(t, s.Start(t.Context()))
	return s, ev
}

func httpStage(stage trace.HTTPStage) func(trace.Event) bool {
	return func(e trace.Event) bool { return e.HTTP != nil && e.HTTP.Stage == stage }
}

func over(e trace.Event) bool {
	return e.HTTP != nil && (e.HTTP.Stage == trace.HTTPEnd || e.HTTP.Stage == trace.HTTPFailed)
}

func TestEventStreamsOfEveryShape(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}`
	event := "event: message\ndata: " + answer1 + "\n\n"
	var pretty strings.Builder
	for _, line := range strings.Split("{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {}\n}", "\n") {
		pretty.WriteString("data: " + line + "\n")
	}
	for name, c := range map[string]struct {
		body   string
		frames []string
		noise  []string
		lost   bool
	}{
		"plain":     {body: event, frames: []string{answer1}},
		"crlf":      {body: strings.ReplaceAll(event, "\n", "\r\n"), frames: []string{answer1}},
		"cr":        {body: strings.ReplaceAll(event, "\n", "\r"), frames: []string{answer1}},
		"bom":       {body: "\ufeff" + event, frames: []string{answer1}},
		"nospace":   {body: "event:message\ndata:" + answer1 + "\n\n", frames: []string{answer1}},
		"multiline": {body: pretty.String() + "\n", frames: []string{"{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {}\n}"}},
		"custom": {body: "event: ping\ndata: hello\n\nevent: error\ndata: {\"not\":\"jsonrpc\"}\n\ndata: " + note + "\n\n" + event,
			frames: []string{note, answer1}, noise: []string{"an event of type ping", "an event of type error"}},
		"comments":  {body: ": keepalive\n\n:\r\n" + event, frames: []string{answer1}, noise: []string{"a comment, which keeps the stream alive", "a comment, which keeps the stream alive"}},
		"fieldonly": {body: "data\n\nfoo: bar\nbaz\n\n" + event, frames: []string{answer1}, noise: []string{"an event without data", "an event without data"}},
		"priming":   {body: "id: prime\ndata: \n\ndata:\n\n" + event, frames: []string{answer1}, noise: []string{"an event without data", "an event without data"}},
		"noblank": {body: "event: message\ndata: " + answer1, lost: true,
			noise: []string{"the stream ended inside this event, without the blank line; it is discarded"}},
		"noanswer": {body: "data: " + note + "\n\n", frames: []string{note}, lost: true},
		"wrong id": {body: "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\n\n", frames: []string{`{"jsonrpc":"2.0","id":"1","result":{}}`}, lost: true},
		"batch":    {body: "data: [" + note + "," + answer1 + "]\n\n", frames: []string{"[" + note + "," + answer1 + "]"}},
	} {
		for _, chunk := range []int{1, 7, 1 << 20} {
			t.Run(fmt.Sprintf("%s by %d", name, chunk), func(t *testing.T) {
				s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
					for rest := c.body; rest != ""; {
						n := min(chunk, len(rest))
						_, _ = io.WriteString(w, rest[:n])
						w.(http.Flusher).Flush()
						rest = rest[n:]
					}
				})
				s.Settled(trace.Modern, "2026-07-28")
				require.NoError(t, s.Send(request(1, "tools/call")))
				end := ev.until(t, "end", over)
				require.Equal(t, c.lost, end.HTTP.Lost, "%s", ev.dump())
				if c.lost {
					require.Equal(t, trace.HTTPFailed, end.HTTP.Stage)
					require.Contains(t, end.HTTP.Note, "the stream ended before the response to id 1")
				}
				require.Equal(t, c.body, ev.incoming(1))
				var frames, noise []string
				for _, e := range ev.list() {
					if e.Frame != nil && e.Frame.Dir == trace.In {
						frames = append(frames, string(e.Frame.Bytes))
					}
					if e.Noise != nil {
						noise = append(noise, e.Noise.Why)
					}
				}
				require.Equal(t, c.frames, frames)
				require.Equal(t, c.noise, noise)
			})
		}
	}
}

func TestBodiesThatAreNoAnswer(t *testing.T) {
	page := "<!DOCTYPE html><html><body>Sign in</body></html>"
	for name, c := range map[string]struct {
		status int
		ct     string
		body   string
		frame  bool
		lost   bool
		noise  string
		note   string
	}{
		"html500":   {status: 500, ct: "text/html", body: page, lost: true, noise: "an HTML page (text/html), status 500 Internal Server Error"},
		"html200":   {status: 200, ct: "text/html; charset=utf-8", body: page, lost: true, noise: "an HTML page (text/html), status 200 OK"},
		"plain404":  {status: 404, ct: "text/plain", body: "404 page not found\n", lost: true, noise: "not JSON (text/plain), status 404 Not Found"},
		"empty200":  {status: 200, ct: "application/json", lost: true, note: "status 200 without a body, where the response to id 1 was due"},
		"empty204":  {status: 204, lost: true, note: "status 204 without a body"},
		"202":       {status: 202, lost: true, note: "status 202 without a body"},
		"json500":   {status: 500, ct: "application/json", body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"down"}}`, frame: true},
		"no id":     {status: 400, ct: "application/json", body: `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no session"}}`, frame: true},
		"null id":   {status: 400, ct: "application/json", body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no session"}}`, frame: true},
		"jsonplain": {status: 403, ct: "application/json", body: `{"error":"unauthorized","message":"API key missing"}`, lost: true, noise: "JSON, but no JSON-RPC message (application/json), status 403 Forbidden"},
		"octet":     {status: 200, ct: "application/octet-stream", body: "\x00\x01\xff\xfe\x1b[", lost: true, noise: "not JSON (application/octet-stream), status 200 OK"},
		"no type":   {status: 200, ct: "-", body: answer1, frame: true, note: "Content-Type says nothing, but the body is JSON"},
		"vendor":    {status: 200, ct: "application/vnd.acme+json", body: answer1, frame: true},
		"wrongct":   {status: 200, ct: "application/json", body: "event: message\ndata: " + answer1 + "\n\n", frame: true, note: "the body is an event stream"},
		"wrongct2":  {status: 200, ct: "text/event-stream", body: answer1, frame: true, note: "Content-Type says text/event-stream, but the body is JSON"},
		"broken":    {status: 200, ct: "application/json", body: answer1[:30], frame: true, lost: true, note: "not the response to id 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				switch c.ct {
				case "-":
					w.Header()["Content-Type"] = nil
				case "":
				default:
					w.Header().Set("Content-Type", c.ct)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			require.NoError(t, s.Send(request(1, "server/discover")))
			end := ev.until(t, "end", over)
			require.Equal(t, trace.HTTPEnd, end.HTTP.Stage)
			require.Equal(t, c.lost, end.HTTP.Lost, "%s", ev.dump())
			require.Equal(t, c.status, end.HTTP.Status)
			require.Contains(t, end.HTTP.Note, c.note)
			require.Equal(t, c.body, ev.incoming(1))
			framed, noise := false, ""
			for _, e := range ev.list() {
				framed = framed || e.Frame != nil && e.Frame.Dir == trace.In
				if e.Noise != nil {
					noise = e.Noise.Why
				}
			}
			require.Equal(t, c.frame, framed)
			require.Equal(t, c.noise, noise)
		})
	}
}

func TestCompressedBodies(t *testing.T) {
	zip := func(s string) string {
		var b strings.Builder
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, s)
		_ = w.Close()
		return b.String()
	}
	deflate := func(s string) string {
		var b strings.Builder
		w := zlib.NewWriter(&b)
		_, _ = io.WriteString(w, s)
		_ = w.Close()
		return b.String()
	}
	bomb := zip(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("0", 16<<20) + `"}`)
	for name, c := range map[string]struct {
		encoding, ct, body string
		frame              string
		stage              trace.HTTPStage
		note               string
	}{
		"honest":          {"gzip", "application/json", zip(answer1), answer1, trace.HTTPEnd, ""},
		"deflate":         {"deflate", "application/json", deflate(answer1), answer1, trace.HTTPEnd, ""},
		"events":          {"gzip", "text/event-stream", zip("data: " + answer1 + "\n\n"), answer1, trace.HTTPEnd, ""},
		"lying":           {"gzip", "application/json", answer1, answer1, trace.HTTPEnd, "the body is not compressed"},
		"lying deflate":   {"deflate", "application/json", answer1, answer1, trace.HTTPEnd, "the body is not compressed"},
		"truncated":       {"gzip", "application/json", zip(answer1)[:30], "", trace.HTTPFailed, "before its answer was complete"},
		"broken checksum": {"gzip", "application/json", zip(answer1)[:len(zip(answer1))-8] + "AAAABBBB", "", trace.HTTPFailed, "checksum"},
		"exploding":       {"gzip", "application/json", bomb, "", trace.HTTPFailed, "grows past the frame limit"},
		"unknown":         {"br", "application/json", "\x01\x02", "", trace.HTTPEnd, "Content-Encoding is br, which was not offered"},
	} {
		t.Run(name, func(t *testing.T) {
			s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "gzip, deflate" {
					w.WriteHeader(http.StatusTeapot)
				}
				w.Header().Set("Content-Encoding", c.encoding)
				w.Header().Set("Content-Type", c.ct)
				_, _ = io.WriteString(w, c.body)
			})
			require.NoError(t, s.Send(request(1, "tools/call")))
			end := ev.until(t, "end", over)
			require.Equal(t, c.stage, end.HTTP.Stage, "%s", ev.dump())
			require.Contains(t, end.HTTP.Note, c.note)
			got := ""
			for _, e := range ev.list() {
				if e.Frame != nil && e.Frame.Dir == trace.In {
					got = string(e.Frame.Bytes)
				}
			}
			require.Equal(t, c.frame, got)
			require.Equal(t, c.frame == "", end.HTTP.Lost)
		})
	}
}

func TestRedirectsAreShownAndFollowedOnlyWhereTheyMayBe(t *testing.T) {
	for name, c := range map[string]struct {
		status   int
		location string
		followed bool
		note     string
	}{
		"307":      {307, "/end", true, "followed to"},
		"308":      {308, "end", true, "followed to"},
		"301":      {301, "/end", false, "repeated as GET"},
		"302":      {302, "/end", false, "repeated as GET"},
		"303":      {303, "/end", false, "repeated as GET"},
		"cross":    {307, "http://localhost:1/end", false, "another origin"},
		"loop":     {307, "/mcp", false, "circle"},
		"scheme":   {307, "file:///etc/passwd", false, "no web address"},
		"none":     {307, "", false, "without a Location"},
		"userinfo": {307, "http://evil@127.0.0.1:1/", false, "another origin"},
	} {
		t.Run(name, func(t *testing.T) {
			s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/end" {
					body, _ := io.ReadAll(r.Body)
					w.Header().Set("Content-Type", "application/json")
					seen, _ := json.Marshal(map[string]string{"method": r.Method, "auth": r.Header.Get("Authorization"), "body": string(body)})
					_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, seen)
					return
				}
				if c.location != "" {
					w.Header().Set("Location", c.location)
				}
				w.WriteHeader(c.status)
			})
			m := request(1, "tools/call")
			require.NoError(t, s.Send(m))
			end := ev.until(t, "end", over)
			red := ev.until(t, "redirect", httpStage(trace.HTTPRedirect))
			require.Contains(t, red.HTTP.Note, c.note)
			require.Equal(t, c.status, red.HTTP.Status)
			require.Equal(t, !c.followed, end.HTTP.Lost, "%s", ev.dump())
			if !c.followed {
				require.Equal(t, trace.HTTPFailed, end.HTTP.Stage)
				require.Contains(t, end.HTTP.Note, c.note)
				return
			}
			got := ev.until(t, "answer", frameIn(`"id":1`))
			require.Contains(t, string(got.Frame.Bytes), `"method":"POST"`)
			require.Contains(t, string(got.Frame.Bytes), `"auth":"Bearer abcdef"`)
			require.Contains(t, string(got.Frame.Bytes), `tools/call`)
		})
	}
}

func TestManyRedirectsEnd(t *testing.T) {
	s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Path+"x")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	require.NoError(t, s.Send(request(1, "x")))
	end := ev.until(t, "end", over)
	require.Contains(t, end.HTTP.Note, "more than 10 redirects")
}

func TestAStreamThatStaysOpenAfterTheResponseIsClosed(t *testing.T) {
	s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+answer1+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	s.Settled(trace.Modern, "2026-07-28")
	require.NoError(t, s.Send(request(1, "x")))
	end := ev.until(t, "end", over)
	require.False(t, end.HTTP.Lost)
	require.Contains(t, end.HTTP.Note, "kept the stream open")
}

func TestAbortClosesTheStreamOfAModernRequest(t *testing.T) {
	closed := make(chan struct{})
	s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(closed)
	})
	s.Settled(trace.Modern, "2026-07-28")
	require.False(t, s.Abort("1"), "nothing is open yet")
	require.NoError(t, s.Send(request(1, "x")))
	ev.until(t, "response", httpStage(trace.HTTPResponse))
	require.True(t, s.Abort("1"))
	<-closed
	end := ev.until(t, "end", over)
	require.True(t, end.HTTP.Lost)
	require.Contains(t, end.HTTP.Note, "to cancel")
}

func TestAConnectionCutInTheMiddleLosesTheRequest(t *testing.T) {
	for name, body := range map[string]string{
		"no response": "", "in the status": "HTTP/1.1 20", "in the headers": "HTTP/1.1 200 OK\r\nContent-Ty",
		"in the body":  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + answer1,
		"in a chunk":   "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{\"jsonrpc",
		"in an event":  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ndata: \r\n",
		"not HTTP":     "SSH-2.0-OpenSSH_9.6\r\n",
		"other length": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				conn, buf, err := w.(http.Hijacker).Hijack()
				if err != nil {
					return
				}
				_, _ = buf.WriteString(body)
				_ = buf.Flush()
				_ = conn.Close()
			})
			s.Settled(trace.Modern, "2026-07-28")
			require.NoError(t, s.Send(request(1, "x")))
			end := ev.until(t, "end", over)
			require.Equal(t, trace.HTTPFailed, end.HTTP.Stage, "%s", ev.dump())
			require.True(t, end.HTTP.Lost)
			require.NotEmpty(t, end.HTTP.Note)
			require.NotNil(t, ev.until(t, "frame out", func(e trace.Event) bool { return e.Frame != nil && e.Frame.Dir == trace.Out }))
		})
	}
}

func TestAServerThatCannotBeReachedIsNamed(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	url := srv.URL
	srv.Close()
	for target, want := range map[string]string{url: "connection refused", "http://no-such-host.invalid/mcp": "cannot be resolved"} {
		ev := collect()
		s := NewHTTP(HTTP{URL: target}, ev.emit)
		require.NoError(t, s.Start(t.Context()))
		require.NoError(t, s.Send(request(1, "x")))
		end := ev.until(t, "end", over)
		require.Contains(t, end.HTTP.Note, want)
		require.True(t, end.HTTP.Lost)
		require.NoError(t, s.Close(t.Context()))
	}
	for _, target := range []string{"ftp://x/", "http://", "://"} {
		require.Error(t, NewHTTP(HTTP{URL: target}, collect().emit).Start(t.Context()))
	}
}

func TestHeadersThatCannotBeSentAreRefused(t *testing.T) {
	s, _ := serve(t, func(http.ResponseWriter, *http.Request) {})
	m := request(1, "x")
	m.Headers = []trace.Header{{Name: "Mcp-Name", Value: "a\r\nX: y"}}
	require.ErrorContains(t, s.Send(m), "Mcp-Name")
	m.Headers = []trace.Header{{Name: "a b", Value: ""}}
	require.ErrorContains(t, s.Send(m), "a b")
	require.Error(t, NewHTTP(HTTP{URL: "http://x", Headers: m.Headers}, collect().emit).Start(t.Context()))
}

func TestSendDoesNotWaitForAServerThatStandsStill(t *testing.T) {
	s, ev := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for i := range 20 {
		require.NoError(t, s.Send(request(i, "x")))
	}
	ev.until(t, "requests", httpStage(trace.HTTPRequest))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, s.Close(ctx))
	require.ErrorIs(t, s.Send(request(99, "x")), ErrClosed)
}

func TestAProxyIsUsedAndNamed(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"asked":%q}}`, r.RequestURI)
	}))
	defer proxy.Close()
	at, err := url.Parse(strings.Replace(proxy.URL, "http://", "http://user:pass@", 1))
	require.NoError(t, err)
	for _, live := range []bool{true, false} {
		ev := collect()
		s := NewHTTP(HTTP{URL: "http://server.invalid/mcp"}, ev.emit)
		require.NoError(t, s.Start(t.Context()))
		s.rt.Proxy = http.ProxyURL(at)
		if !live {
			proxy.Close()
		}
		require.NoError(t, s.Send(request(1, "x")))
		end := ev.until(t, "end", over)
		sent := ev.until(t, "request", httpStage(trace.HTTPRequest))
		require.Contains(t, sent.HTTP.Note, "through the proxy http://user:xxxxx@127.0.0.1")
		if live {
			ev.until(t, "answer", frameIn("http://server.invalid/mcp"))
		} else {
			require.Contains(t, end.HTTP.Note, "the proxy cannot be reached")
			require.Contains(t, end.HTTP.Note, "HTTPS_PROXY")
		}
		require.NoError(t, s.Close(t.Context()))
	}
}

func TestHTTP2ShowsItsHeadersToo(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+answer1+"\n\n")
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	ev := collect()
	s := NewHTTP(HTTP{URL: srv.URL, Insecure: true}, ev.emit)
	require.NoError(t, s.Start(t.Context()))
	require.NoError(t, s.Send(request(1, "x")))
	ev.until(t, "end", over)
	sent := ev.until(t, "request", httpStage(trace.HTTPRequest))
	require.Contains(t, headerLines(sent.HTTP.Headers), ":method: POST")
	require.Contains(t, headerLines(sent.HTTP.Headers), "user-agent: mcptui")
	got := ev.until(t, "response", httpStage(trace.HTTPResponse))
	require.Equal(t, "HTTP/2.0", got.HTTP.Proto)
	ev.until(t, "answer", frameIn(`"id":1`))
	require.NoError(t, s.Close(t.Context()))
}

func TestALargeResultTakesLittleMoreMemoryThanItself(t *testing.T) {
	const size = 24 << 20
	for name, events := range map[string]bool{"JSON": false, "events": true} {
		t.Run(name, func(t *testing.T) {
			s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				start, stop := `{"jsonrpc":"2.0","id":1,"result":"`, `"}`
				w.Header().Set("Content-Type", "application/json")
				if events {
					w.Header().Set("Content-Type", "text/event-stream")
					start, stop = "data: "+start, stop+"\n\n"
				}
				chunk := strings.Repeat("x", 1<<20)
				_, _ = io.WriteString(w, start)
				for range size >> 20 {
					_, _ = io.WriteString(w, chunk)
				}
				_, _ = io.WriteString(w, stop)
			})
			s.how.MaxFrame = 64 << 20
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.NoError(t, s.Send(request(1, "x")))
			ev.until(t, "answer", frameIn(`"id":1`))
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*size), "all that was ever allocated, garbage included")
		})
	}
}
