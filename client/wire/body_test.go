package wire

import (
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

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
		"exploding event": {"gzip", "text/event-stream", zip("data: " + strings.Repeat("0", 16<<20)), "", trace.HTTPFailed, "grows past the frame limit"},
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

func TestAMessageAboveTheLimitIsCutOverHTTPToo(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 9<<20) + `"}`
	for ct, c := range map[string]struct{ body, frame string }{
		"application/json":  {long, long},
		"text/event-stream": {"data: " + long + "\n\ndata: " + answer1 + "\n\n", "data: " + long + "\n\n"},
	} {
		s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", ct)
			_, _ = io.WriteString(w, c.body)
		})
		require.NoError(t, s.Send(request(1, "x")))
		end := ev.until(t, "end", over)
		require.False(t, end.HTTP.Lost, ev.dump())
		got := ev.until(t, "the start of it", frameIn("xxxx")).Frame
		require.Equal(t, len(c.frame), got.Size)
		require.LessOrEqual(t, len(got.Bytes), keptOfHuge)
		require.Greater(t, len(got.Bytes), keptOfHuge/2)
		require.EqualValues(t, len(c.body), end.HTTP.Bytes)
	}
}
