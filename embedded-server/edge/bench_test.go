package edge_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

func benchServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("hello"), nil
	})
	return s
}

func benchClient(conns int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}}
}

var (
	benchBody   = call(1, "echo", noCaps, nil)
	benchHeader = func() http.Header {
		h := http.Header{}
		for k, v := range headersFor(benchBody) {
			h.Set(k, v)
		}
		return h
	}()
)

func post(c *http.Client, url string) (int, string, error) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(benchBody))
	if err != nil {
		return 0, "", err
	}
	req.Header = benchHeader
	res, err := c.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}

// BenchmarkCall measures one call through the edge.
func BenchmarkCall(b *testing.B) {
	ts := httptest.NewServer(edge.New(benchServer(), edge.Options{}))
	defer ts.Close()
	c := benchClient(1)
	b.ReportAllocs()
	for b.Loop() {
		hello(b, c, ts.URL)
	}
}

// BenchmarkAgainstStock makes the same call, in turns, through the edge and
// through the SDK's own stateless handler, and reports the first as a part of
// the second: by the sum, and by the median, which other work on the machine
// disturbs less.
func BenchmarkAgainstStock(b *testing.B) {
	server := benchServer()
	stock := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	defer stock.Close()
	ours := httptest.NewServer(edge.New(benchServer(), edge.Options{}))
	defer ours.Close()
	a, c := benchClient(1), benchClient(1)
	var theirs, own []time.Duration
	for b.Loop() {
		began := time.Now()
		hello(b, a, stock.URL)
		half := time.Now()
		hello(b, c, ours.URL)
		theirs, own = append(theirs, half.Sub(began)), append(own, time.Since(half))
	}
	b.ReportMetric(sum(own)/sum(theirs), "x-stock-sum")
	b.ReportMetric(median(own)/median(theirs), "x-stock-median")
}

func hello(b *testing.B, c *http.Client, url string) {
	status, got, err := post(c, url)
	if err != nil || status != 200 || !strings.Contains(got, "hello") {
		b.Fatal(status, got, err)
	}
}

func sum(ds []time.Duration) (s float64) {
	for _, d := range ds {
		s += float64(d)
	}
	return s
}

func median(ds []time.Duration) float64 {
	slices.Sort(ds)
	return float64(ds[len(ds)/2])
}

// BenchmarkManyClients makes 10,000 calls from 32 clients an iteration, and
// reports how much the heap grew over them.
func BenchmarkManyClients(b *testing.B) {
	const clients, calls = 32, 10_000
	e := edge.New(benchServer(), edge.Options{})
	ts := httptest.NewServer(e)
	defer ts.Close()
	defer e.Close()
	c := benchClient(clients)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	all := func() {
		var left, failed atomic.Int64
		left.Store(calls)
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for left.Add(-1) >= 0 {
					if status, got, err := post(c, ts.URL); err != nil || status != 200 || !strings.Contains(got, "hello") {
						failed.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if n := failed.Load(); n > 0 {
			b.Fatalf("%d of %d calls failed", n, calls)
		}
	}
	all() // warm
	before, goroutines := heap(), runtime.NumGoroutine()
	for b.Loop() {
		all()
	}
	b.ReportMetric((heap()-before)/1e6, "MB-grown")
	b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines-grown")
}

// BenchmarkListeners opens 1,000 listen streams and reports how long a list
// change takes to reach all of them.
func BenchmarkListeners(b *testing.B) {
	const streams = 1000
	s := benchServer()
	e := edge.New(s, edge.Options{})
	ts := httptest.NewServer(e)
	defer ts.Close()
	defer e.Close()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	c := benchClient(streams)
	told := make(chan struct{}, streams)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for i := range streams {
		body := listen(i, object{"toolsListChanged": true})
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, ts.URL, strings.NewReader(body))
		require.NoError(b, err)
		for k, v := range headersFor(body) {
			req.Header.Set(k, v)
		}
		res, err := c.Do(req)
		require.NoError(b, err)
		wg.Go(func() {
			defer res.Body.Close()
			buf := make([]byte, 4096)
			for {
				n, err := res.Body.Read(buf)
				if strings.Contains(string(buf[:n]), "tools/list_changed") {
					told <- struct{}{}
				}
				if err != nil {
					return
				}
			}
		})
	}
	var worst time.Duration
	there := false
	for b.Loop() {
		there = !there
		began := time.Now()
		if there {
			s.AddTool(passing, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("zz"), nil })
		} else {
			s.RemoveTools(passing.Name)
		}
		for range streams {
			<-told
		}
		worst = max(worst, time.Since(began))
	}
	b.ReportMetric(float64(worst.Milliseconds()), "ms-worst")
	if worst > time.Second {
		b.Fatalf("a list change took %s to reach %d streams", worst, streams)
	}
}
