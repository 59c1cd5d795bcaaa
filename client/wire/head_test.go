package wire

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// Headers stand in the log as the server wrote them, whatever the library makes
// of them, and however they are cut on their way.
func TestHeadersOfAResponseStandAsTheyCame(t *testing.T) {
	const body = "\r\n" + answer1
	length := "content-LENGTH: 56"
	require.Len(t, answer1, 56)
	for name, c := range map[string]struct{ raw, headers string }{
		"case and order": {"HTTP/1.1 200 OK\r\nx-b: 1\r\nX-a:2\r\nX-B:  3 \r\n" + length + "\r\n" + body, "x-b: 1|X-a: 2|X-B: 3|" + length},
		"no cache":       {"HTTP/1.1 200 OK\r\nPragma: no-cache\r\n" + length + "\r\n" + body, "Pragma: no-cache|" + length},
		"a trailer": {"HTTP/1.1 200 OK\r\nTrailer: X-End\r\nTransfer-Encoding: chunked\r\n\r\n38\r\n" + answer1 + "\r\n0\r\nX-End: 1\r\n\r\n",
			"Trailer: X-End|Transfer-Encoding: chunked"},
		"chunked and a length": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n38\r\n" + answer1 + "\r\n0\r\n\r\n",
			"Transfer-Encoding: chunked|Content-Length: 5"},
		"twice the length": {"HTTP/1.1 200 OK\r\n" + length + "\r\n" + length + "\r\n" + body, length + "|" + length},
		"folded":           {"HTTP/1.1 200 OK\r\nX-Long: a\r\n\t b\r\n" + length + "\r\n" + body, "X-Long: a b|" + length},
		"early hints":      {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + length + "\r\n" + body, length},
		"line feeds":       {"HTTP/1.1 200 OK\nX-A: 1\n" + length + "\n\n" + answer1, "X-A: 1|" + length},
		"no headers":       {"HTTP/1.1 200 OK\r\n\r\n" + answer1, ""},
		"connection":       {"HTTP/1.1 200 OK\r\nConnection: close\r\nKeep-Alive: timeout=5\r\n" + length + "\r\n" + body, "Connection: close|Keep-Alive: timeout=5|" + length},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			t.Run(name, func(t *testing.T) {
				s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					conn, _, err := w.(http.Hijacker).Hijack()
					if err != nil {
						return
					}
					defer conn.Close()
					for rest := c.raw; rest != ""; {
						n := min(size, len(rest))
						_, _ = conn.Write([]byte(rest[:n]))
						rest = rest[n:]
					}
				})
				s.Settled(trace.Modern, "2026-07-28")
				require.NoError(t, s.Send(request(1, "x")))
				end := ev.until(t, "end", over)
				require.Equal(t, trace.HTTPEnd, end.HTTP.Stage, "%s", ev.dump())
				require.Equal(t, answer1, ev.incoming(1))
				var got []string
				for _, h := range ev.until(t, "response", httpStage(trace.HTTPResponse)).HTTP.Headers {
					got = append(got, h.Name+": "+h.Value)
				}
				require.Equal(t, c.headers, strings.Join(got, "|"))
				if name == "a trailer" {
					require.Equal(t, []trace.Header{{Name: "X-End", Value: "1"}}, end.HTTP.Headers)
				}
			})
		}
	}
}

// A response without a body sets its connection free before anybody has looked at
// its headers: they must not become those of the next one.
func TestEveryResponseKeepsItsOwnHeaders(t *testing.T) {
	const count = 300
	s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["x-of"] = []string{r.Header.Get("X-Of")}
		w.WriteHeader(http.StatusAccepted)
	})
	for i := range count {
		m := Message{Bytes: []byte(`{"jsonrpc":"2.0","method":"a/b"}`), Headers: []trace.Header{{Name: "X-Of", Value: fmt.Sprint(i)}}}
		require.NoError(t, s.Send(m))
	}
	of := func(headers []trace.Header, name string) (value string) {
		for _, h := range headers {
			if h.Name == name {
				value = h.Value
			}
		}
		return value
	}
	ends := map[int]bool{}
	ev.until(t, "the end of all", func(e trace.Event) bool {
		if over(e) {
			ends[e.HTTP.Exchange] = true
		}
		return len(ends) == count
	})
	require.NoError(t, s.Close(t.Context()))
	sent, responses := map[int]string{}, 0
	for _, e := range ev.list() {
		if e.HTTP != nil && e.HTTP.Stage == trace.HTTPRequest {
			sent[e.HTTP.Exchange] = of(e.HTTP.Headers, "X-Of")
		}
		if e.HTTP != nil && e.HTTP.Stage == trace.HTTPResponse {
			responses++
			require.NotEmpty(t, sent[e.HTTP.Exchange])
			require.Equal(t, sent[e.HTTP.Exchange], of(e.HTTP.Headers, "x-of"))
		}
	}
	require.Equal(t, count, responses)
}

// Over TLS the wire cannot be seen; the library's view is completed.
func TestHeadersThatTheLibraryTakesOutAreListed(t *testing.T) {
	resp := &http.Response{
		Header: http.Header{"X-A": {"1"}}, TransferEncoding: []string{"chunked"},
		Trailer: http.Header{"X-End": nil, "X-Also": nil}, ContentLength: -1, ProtoMajor: 1,
	}
	require.Equal(t, []trace.Header{
		{Name: "X-A", Value: "1"}, {Name: "Transfer-Encoding", Value: "chunked"}, {Name: "Trailer", Value: "X-Also, X-End"},
	}, libraryHeaders(resp))
}
