package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/trace"
)

// exchanges is a long modern session of calls.
func exchanges(n int) []trace.Event {
	c := discovered(`{"tools":{}}`)
	for i := range n {
		id := fmt.Sprint(i + 1)
		c.call(id, `"name":"t",`).in("%s", result(id, text("x")))
	}
	return c.events
}

// TestLongSessionsAreBounded holds what the linter keeps against what passes.
func TestLongSessionsAreBounded(t *testing.T) {
	l := lint.New()
	for _, e := range exchanges(20_000) {
		require.Empty(t, l.Apply(e))
	}
	for i := range 20_000 { // and a server that does nothing right
		l.Apply(trace.Event{Seq: 50_000 + i, Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"id":[]}`)}})
	}
	require.LessOrEqual(t, len(l.Findings()), 5000)
	require.Equal(t, 20_000, l.Counts()["jsonrpc-version"])
}

func TestSecondAnswerAfterManyOthers(t *testing.T) {
	c := &talk{exchanges(3000)}
	list := lintAll(c.in("%s", result("1", text("x"))).events)
	require.Len(t, list, 1)
	require.Equal(t, "response-twice", list[0].Rule)
}

func BenchmarkApply(b *testing.B) {
	events := exchanges(5000)
	b.ReportAllocs()
	for b.Loop() {
		l := lint.New()
		for _, e := range events {
			l.Apply(e)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/frame")
}

func BenchmarkLargeResult(b *testing.B) {
	big := result("1", `"content":[{"type":"image","mimeType":"image/png","data":"`+strings.Repeat("AAAA", 15<<20)+`"}],`)
	b.SetBytes(int64(len(big)))
	raw := []byte(big)
	for b.Loop() {
		c := discovered(`{"tools":{}}`).call("1", `"name":"t",`)
		frame := &trace.Frame{Dir: trace.In, Bytes: raw}
		lintAll(append(c.events, trace.Event{Seq: len(c.events) + 1, Frame: frame}))
	}
}
