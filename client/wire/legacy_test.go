package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

const initializeResult = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`

// legacyServer plays a Streamable HTTP server with sessions.
type legacyServer struct {
	mu    sync.Mutex
	seen  []string // method, session, version, Last-Event-ID of every request
	get   http.HandlerFunc
	post  func(w http.ResponseWriter, r *http.Request, body string)
	delay time.Duration // before notifications are accepted
}

func (l *legacyServer) handle(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.seen = append(l.seen, strings.TrimSpace(fmt.Sprint(r.Method, " ", method(body), " s=", r.Header.Get("Mcp-Session-Id"), " v=", r.Header.Get("MCP-Protocol-Version"), " e=", r.Header.Get("Last-Event-ID"))))
	l.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && l.get != nil:
		l.get(w, r)
	case r.Method == http.MethodGet, r.Method == http.MethodDelete && r.URL.Path == "/nodelete":
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case strings.Contains(string(body), `"initialize"`):
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", "sess-1")
		_, _ = io.WriteString(w, initializeResult)
	case strings.Contains(string(body), `"notifications/`):
		time.Sleep(l.delay)
		w.WriteHeader(http.StatusAccepted)
	case l.post != nil:
		l.post(w, r, string(body))
	}
}

func method(body []byte) string {
	_, rest, _ := strings.Cut(string(body), `"method":"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

func (l *legacyServer) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.seen...)
}

func handshake(t *testing.T, s *Streamable, ev *events) {
	t.Helper()
	m := request(1, "initialize")
	m.Cause.Why = trace.WhyInitialize
	require.NoError(t, s.Send(m))
	ev.until(t, "initialize", frameIn("protocolVersion"))
	s.Settled(trace.Legacy, "2025-11-25")
	require.NoError(t, s.Send(Message{Bytes: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), Cause: trace.Cause{Why: trace.WhyInitialize}}))
}

func TestASessionIsKeptAndEnded(t *testing.T) {
	t.Parallel()
	l := &legacyServer{delay: 50 * time.Millisecond, post: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	require.NoError(t, s.Send(request(2, "tools/list")))
	ev.until(t, "answer", frameIn(`"id":2`))
	ev.until(t, "no standalone stream", func(e trace.Event) bool {
		return e.HTTP != nil && e.HTTP.Status == http.StatusMethodNotAllowed && strings.Contains(e.HTTP.Note, "no standalone stream")
	})
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, s.Close(t.Context()), "closing twice is harmless")
	got := l.requests()
	require.Equal(t, "POST initialize s= v= e=", got[0])
	require.Equal(t, "POST notifications/initialized s=sess-1 v=2025-11-25 e=", got[1], "nothing overtakes it")
	require.ElementsMatch(t, []string{"POST tools/list s=sess-1 v=2025-11-25 e=", "GET  s=sess-1 v=2025-11-25 e="}, got[2:4])
	require.Equal(t, "DELETE  s=sess-1 v=2025-11-25 e=", got[4])
}

func TestASessionIDThatChangesOrLooksOddIsSentAsItCame(t *testing.T) {
	t.Parallel()
	n := 0
	l := &legacyServer{post: func(w http.ResponseWriter, _ *http.Request, _ string) {
		n++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("bad sid\t%d!", n))
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{}}`, n+1)
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	for i := 2; i <= 3; i++ {
		require.NoError(t, s.Send(request(i, "tools/list")))
		ev.until(t, "answer", frameIn(fmt.Sprintf(`"id":%d`, i)))
	}
	require.NoError(t, s.Close(t.Context()))
	require.Contains(t, l.requests(), "POST tools/list s=bad sid\t1! v=2025-11-25 e=")
	require.Contains(t, l.requests(), "DELETE  s=bad sid\t2! v=2025-11-25 e=")
}

func TestAnExpiredSessionIsReportedAndForgotten(t *testing.T) {
	t.Parallel()
	l := &legacyServer{post: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	require.NoError(t, s.Send(request(2, "tools/list")))
	ev.until(t, "expiry", func(e trace.Event) bool {
		return e.HTTP != nil && e.HTTP.Stage == trace.HTTPResponse && e.HTTP.Expired && e.HTTP.Status == 404
	})
	require.Eventually(t, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.session == "" }, patience, time.Millisecond)
	s.Settled("", "")
	m := request(3, "initialize")
	m.Cause.Why = trace.WhyInitialize
	require.NoError(t, s.Send(m))
	ev.until(t, "again", func(e trace.Event) bool { return frameIn("protocolVersion")(e) && e.Frame.Exchange > 3 })
	// The stream of the session that is gone may reach the server only now.
	got := slices.DeleteFunc(slices.Clone(l.requests()), func(r string) bool { return strings.HasPrefix(r, "GET ") })
	require.Equal(t, "POST initialize s= v= e=", got[len(got)-1])
}

func TestTheStandaloneStreamBringsMessagesAndIsOpenedAgain(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	l := &legacyServer{get: func(w http.ResponseWriter, r *http.Request) {
		n := opened.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "retry: 10\nid: e%d\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"p%d\",\"method\":\"ping\"}\n\n", n, n)
		w.(http.Flusher).Flush()
		if n >= 3 {
			<-r.Context().Done()
		}
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	ev.until(t, "third ping", frameIn(`"p3"`))
	require.NoError(t, s.Close(t.Context()))
	require.Contains(t, l.requests(), "GET  s=sess-1 v=2025-11-25 e=e2")
	require.EqualValues(t, 3, opened.Load())
}

func TestTheStandaloneStreamOfANewSessionTakesTheOldOnesPlace(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	l := &legacyServer{get: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"a/stream%d\"}\n\n", opened.Add(1))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	ev.until(t, "first stream", frameIn("a/stream1"))
	s.Settled("", "")
	handshake(t, s, ev)
	ev.until(t, "second stream", frameIn("a/stream2"))
	require.NoError(t, s.Close(t.Context()))
}

func TestABrokenStreamIsResumedAfterItsLastEvent(t *testing.T) {
	t.Parallel()
	var gets atomic.Int32
	var asked time.Time
	waited := make(chan time.Duration, 1)
	l := &legacyServer{}
	l.post = func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: e1\nretry: 300\ndata: \n\n")
		asked = time.Now()
	}
	l.get = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-ID") == "" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if gets.Add(1) == 1 {
			waited <- time.Since(asked)
			_, _ = io.WriteString(w, "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
			return
		}
		_, _ = io.WriteString(w, "id: e3\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n")
	}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	require.NoError(t, s.Send(request(2, "tools/call")))
	ev.until(t, "answer", frameIn(`"id":2`))
	require.GreaterOrEqual(t, <-waited, 290*time.Millisecond, "retry is honoured")
	require.NoError(t, s.Close(t.Context()))
	require.Contains(t, l.requests(), "GET  s=sess-1 v=2025-11-25 e=e1")
	require.Contains(t, l.requests(), "GET  s=sess-1 v=2025-11-25 e=e2")
	for _, e := range ev.list() {
		require.False(t, e.HTTP != nil && e.HTTP.Lost, "%s", ev.dump())
	}
}

func TestAStreamThatCannotBeResumedLosesItsRequest(t *testing.T) {
	t.Parallel()
	l := &legacyServer{post: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: e1\nretry: 1\ndata: \n\n")
	}}
	s, ev := serve(t, l.handle)
	handshake(t, s, ev)
	require.NoError(t, s.Send(request(2, "tools/call")))
	e := ev.until(t, "loss", func(e trace.Event) bool { return e.HTTP != nil && e.HTTP.Lost })
	require.Equal(t, trace.HTTPFailed, e.HTTP.Stage)
	require.Contains(t, e.HTTP.Note, "does not resume the stream (status 405)")
	out := ev.until(t, "out", func(o trace.Event) bool {
		return o.Frame != nil && o.Frame.Dir == trace.Out && strings.Contains(string(o.Frame.Bytes), "tools/call")
	})
	require.Equal(t, out.Frame.Exchange, e.HTTP.Exchange, "the loss is told of the exchange that carried the request")
}

// sseServer plays a server of the 2024 transport, in one of its bad moods.
func sseServer(t *testing.T, mode string) (*EventStream, *events) {
	t.Helper()
	stop, dropped := make(chan struct{}), make(chan struct{})
	out := make(chan string, 10)
	var dropOnce sync.Once
	transport, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.Method == http.MethodGet && mode == "html":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "<html>Cannot GET</html>")
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			endpoint := map[string]string{"absolute": "http://" + r.Host + "/messages?sid=1", "cross": "http://localhost:9/messages"}[mode]
			if endpoint == "" {
				endpoint = "/messages?sid=1"
			}
			if mode == "ends" {
				return
			}
			if mode != "noendpoint" {
				_, _ = fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", endpoint)
			}
			if mode == "dup" {
				_, _ = io.WriteString(w, "event: endpoint\ndata: /elsewhere\n\n")
			}
			w.(http.Flusher).Flush()
			for {
				select {
				case m := <-out:
					_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
					w.(http.Flusher).Flush()
				case <-dropped:
					panic(http.ErrAbortHandler)
				case <-r.Context().Done():
					return
				case <-stop:
					return
				}
			}
		case r.URL.Path == "/messages":
			if mode == "drop" && strings.Contains(string(body), "tools/call") {
				w.WriteHeader(http.StatusAccepted)
				dropOnce.Do(func() { close(dropped) })
				return
			}
			if mode == "reject" {
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, "no such session")
				return
			}
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "Accepted")
			out <- answer1
		}
	})
	wait := patience
	if mode == "noendpoint" {
		wait = 300 * time.Millisecond
	}
	e := NewSSE(HTTP{URL: transport.how.URL, EndpointWait: wait}, ev.emit)
	t.Cleanup(func() { _ = e.Close(t.Context()); close(stop) })
	return e, ev
}

func TestTheTransportOf2024(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"normal", "absolute", "dup"} {
		t.Run(mode, func(t *testing.T) {
			e, ev := sseServer(t, mode)
			require.NoError(t, e.Start(t.Context()))
			require.NoError(t, e.Send(request(1, "tools/list")))
			got := ev.until(t, "answer", frameIn(`"id":1`))
			require.Equal(t, 1, got.Frame.Exchange, "it came on the stream")
			post := ev.until(t, "post", func(e trace.Event) bool {
				return e.HTTP != nil && e.HTTP.Stage == trace.HTTPEnd && e.HTTP.Exchange == 2
			})
			require.False(t, post.HTTP.Lost)
			require.Contains(t, post.HTTP.URL, "/messages?sid=1")
			require.Equal(t, mode == "dup", strings.Contains(ev.dump(), "a second endpoint event is ignored"))
			require.NoError(t, e.Close(t.Context()))
			require.ErrorIs(t, e.Send(request(2, "x")), ErrClosed)
		})
	}
	for mode, want := range map[string]string{"cross": "another origin", "noendpoint": "within 300ms", "ends": "ended the event stream", "html": "status 404"} {
		t.Run(mode, func(t *testing.T) {
			e, _ := sseServer(t, mode)
			err := e.Start(t.Context())
			require.ErrorIs(t, err, ErrNoEndpoint)
			require.ErrorContains(t, err, want)
			var late interface{ Timeout() bool }
			require.Equal(t, mode == "noendpoint", errors.As(err, &late) && late.Timeout())
		})
	}
	t.Run("drop", func(t *testing.T) {
		e, ev := sseServer(t, "drop")
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, e.Send(request(1, "tools/call")))
		gone := ev.until(t, "end", phase(trace.PhaseExited))
		require.Contains(t, gone.Phase.Reason, "the event stream broke off")
	})
	t.Run("reject", func(t *testing.T) {
		e, ev := sseServer(t, "reject")
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, e.Send(request(1, "tools/call")))
		lost := ev.until(t, "loss", func(e trace.Event) bool { return e.HTTP != nil && e.HTTP.Lost })
		require.Equal(t, 2, lost.HTTP.Exchange)
	})
}
