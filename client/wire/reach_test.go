package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

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
