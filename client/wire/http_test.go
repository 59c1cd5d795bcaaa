package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
					require.Equal(t, name == "noblank", strings.Contains(end.HTTP.Note, "lacks the blank line"))
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
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, s.Close(ctx))
	require.ErrorIs(t, s.Send(request(99, "x")), ErrClosed)
}

func TestMessagesLeaveInTheirOrder(t *testing.T) {
	s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Millisecond)
		w.WriteHeader(http.StatusAccepted)
	})
	for i := range 30 {
		require.NoError(t, s.Send(Message{Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"a/%d"}`, i)}))
	}
	ev.until(t, "the last", func(e trace.Event) bool { return e.Frame != nil && strings.Contains(string(e.Frame.Bytes), "a/29") })
	n := 0
	for _, e := range ev.list() {
		if e.Frame != nil {
			require.Contains(t, string(e.Frame.Bytes), fmt.Sprintf("a/%d", n))
			n++
		}
	}
}
