package flow

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// long is a session that goes on and on: every request is answered as answer says.
type long struct {
	f        *Flow
	now      time.Duration
	seq      int
	exchange int
	http     bool
	answer   func(l *long, exchange int, m rpc.Message)
}

func (l *long) event(e trace.Event) {
	l.seq++
	e.Seq = l.seq
	l.f.Event(l.now, e)
}

func (l *long) in(exchange int, format string, args ...any) {
	l.event(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: exchange, Bytes: fmt.Appendf(nil, format, args...)}})
}

func (l *long) web(exchange, status int, stage trace.HTTPStage) {
	l.event(trace.Event{HTTP: &trace.HTTP{Exchange: exchange, Status: status, Stage: stage}})
}

func (l *long) drain() {
	for effects := l.f.Take(); len(effects) > 0; effects = l.f.Take() {
		for _, e := range effects {
			switch e := e.(type) {
			case Append:
				l.seq++
			case Send:
				n := 0
				if l.http {
					l.exchange++
					n = l.exchange
				}
				l.event(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: n, Bytes: e.Bytes, Cause: e.Cause}})
				if m := rpc.Parse(e.Bytes); m.Kind == rpc.Request {
					l.answer(l, n, m)
				}
			}
		}
	}
}

// begin takes a connection to where it is ready.
func begin(t *testing.T, transport string, answer func(l *long, exchange int, m rpc.Message)) *long {
	l := &long{f: New(Config{Transport: transport, Lists: []string{}, Capabilities: json.RawMessage(`{"roots":{}}`)}), http: transport != Stdio}
	l.answer = func(l *long, exchange int, m rpc.Message) {
		version := "2025-11-25"
		if m.Method == "server/discover" {
			version = "2026-07-28"
		}
		l.in(exchange, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"protocolVersion":%q,"capabilities":{}}}`, m.ID, version)
		if exchange != 0 {
			l.web(exchange, 200, trace.HTTPEnd)
		}
	}
	l.f.Start(l.now)
	l.drain()
	if transport == SSE {
		l.f.cfg.Transport = SSE
	}
	l.f.Opened(l.now, nil)
	l.drain()
	require.Equal(t, stageReady, l.f.stage)
	l.answer = answer
	return l
}

// However long a session, what the flow keeps of it is bounded, whichever way the
// answers come, or fail to come.
func TestALongSessionKeepsNoMoreThanItMay(t *testing.T) {
	done := func(l *long, exchange int, m rpc.Message) {
		l.in(exchange, `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID)
	}
	for name, c := range map[string]struct {
		transport string
		calls     int
		answer    func(l *long, exchange int, m rpc.Message)
	}{
		"stdio": {Stdio, 10_000, done},
		"HTTP": {HTTP, 100_000, func(l *long, exchange int, m rpc.Message) {
			l.web(exchange, 200, trace.HTTPResponse)
			done(l, exchange, m)
			l.web(exchange, 200, trace.HTTPEnd)
		}},
		"HTTP, cancelled": {HTTP, 10_000, func(l *long, exchange int, _ rpc.Message) {
			l.web(exchange, 200, trace.HTTPResponse)
			_ = l.f.Cancel(l.now, l.f.lastCall, "")
			l.web(exchange, 200, trace.HTTPEnd)
		}},
		"HTTP+SSE": {SSE, 10_000, func(l *long, exchange int, m rpc.Message) {
			l.web(exchange, 202, trace.HTTPResponse)
			if m.ID[len(m.ID)-1]%2 == 0 { // before the end of its exchange
				done(l, 1, m)
				l.web(exchange, 202, trace.HTTPEnd)
				return
			}
			l.web(exchange, 202, trace.HTTPEnd)
			done(l, 1, m)
		}},
		"HTTP+SSE, never answered": {SSE, 10_000, func(l *long, exchange int, _ rpc.Message) {
			l.web(exchange, 202, trace.HTTPResponse)
			l.web(exchange, 202, trace.HTTPEnd)
			l.now += time.Hour
			l.f.Tick(l.now)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := begin(t, c.transport, c.answer)
			l.f.mostPast = 1 << 20
			for range c.calls {
				_, err := l.f.Call(l.now, control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`)})
				require.NoError(t, err)
				l.drain()
			}
			f := l.f
			require.Empty(t, f.exchanges)
			require.Empty(t, f.open)
			require.Empty(t, f.active)
			require.Empty(t, f.timers)
			require.Empty(t, f.asks)
			require.Len(t, f.calls, len(f.past))
			require.LessOrEqual(t, f.pastBytes, f.mostPast)
			require.Greater(t, len(f.past), 500)
			_, err := f.Rerun(l.now, c.calls)
			require.NoError(t, err)
			_, err = f.Rerun(l.now, 1)
			require.ErrorContains(t, err, "no longer kept")
			_, err = f.Rerun(l.now, c.calls+100)
			require.ErrorContains(t, err, "there is no call")
		})
	}
}

// A server that never stops asking for the roots is answered each time, and takes
// no more memory by it.
func TestASessionOfManyAsksKeepsNoMoreThanItMay(t *testing.T) {
	l := begin(t, HTTP, func(*long, int, rpc.Message) {})
	l.f.era, l.f.version = trace.Legacy, "2025-11-25"
	for i := range 20_000 {
		l.in(7, `{"jsonrpc":"2.0","id":"r%d","method":"roots/list"}`, i)
		l.drain()
	}
	require.Len(t, l.f.asks, keptAsks)
	require.Len(t, l.f.pastAsks, keptAsks)
	require.Empty(t, l.f.inbox)
	require.Empty(t, l.f.exchanges)
}

// Calls of many rounds weigh what their states and answers do, and take their
// asks with them.
func TestWhatACallWeighsIsForgottenWithIt(t *testing.T) {
	state := strings.Repeat("s", 100_000)
	l := begin(t, Stdio, func(l *long, _ int, m rpc.Message) {
		l.in(0, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":%q}}`, m.ID, state)
	})
	l.f.mostPast = 8 << 20
	for range 20 {
		_, err := l.f.Call(l.now, control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`)})
		require.NoError(t, err)
		l.drain()
	}
	require.LessOrEqual(t, l.f.pastBytes, l.f.mostPast)
	require.Greater(t, l.f.pastBytes, l.f.mostPast/2)
	require.Less(t, len(l.f.calls), 20)
	asks := 0
	for _, c := range l.f.calls {
		for _, rd := range c.rounds {
			asks += len(rd.asks)
		}
	}
	require.Len(t, l.f.asks, asks)
}
