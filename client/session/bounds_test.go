package session

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// flood applies events that a server can send for as long as it likes.
func flood(s *Session, at, count int) {
	apply := func(e trace.Event) {
		e.Seq = s.Rows.Len() + 1
		s.Apply(e)
	}
	in := func(exchange int, format string, args ...any) {
		apply(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: exchange, Bytes: fmt.Appendf(nil, format, args...)}})
	}
	for i := at; i < at+count; i++ {
		in(0, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"a logger","data":"line %d of a log, as long as many are"}}`, i)
		in(0, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":%d}}`, i)
		in(0, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///%d"}}`, i)
		in(0, `{"jsonrpc":"2.0","id":"unknown %d","result":{}}`, i)
		in(0, `{"jsonrpc":"2.0","id":"p%d","method":"ping"}`, i)
		apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"p%d","result":{}}`, i)}})
		in(0, `{"jsonrpc":"2.0","id":"r%d","method":"roots/list"}`, i)
		apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"r%d","result":{"roots":[]}}`, i)}})
		apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"l%d","method":"tools/list"}`, i), Exchange: i + 1, Cause: trace.Cause{Why: trace.WhyList}}})
		apply(trace.Event{HTTP: &trace.HTTP{Exchange: i + 1, Stage: trace.HTTPResponse, Status: 200}})
		in(i+1, `{"jsonrpc":"2.0","id":"l%d","result":{"tools":[]}}`, i)
		apply(trace.Event{HTTP: &trace.HTTP{Exchange: i + 1, Stage: trace.HTTPEnd}})
		apply(trace.Event{Stderr: &trace.Stderr{Bytes: []byte("what went wrong\n")}})
		apply(trace.Event{Noise: &trace.Noise{Bytes: []byte("Hello!\n"), Why: "not JSON"}})
		apply(trace.Event{Phase: &trace.Phase{Name: trace.PhaseReconnecting, Reason: "the stream ended"}})
	}
}

// TestWhatIsKeptDoesNotGrowWithWhatComes holds the fold against a server that
// never stops: with a call that is open all the time, and with none.
func TestWhatIsKeptDoesNotGrowWithWhatComes(t *testing.T) {
	for _, open := range []bool{false, true} {
		t.Run(fmt.Sprint("open call ", open), func(t *testing.T) {
			s := New()
			s.Rows.Bound(1 << 20)
			if open {
				s.Apply(trace.Event{Seq: 1, Act: &trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "flood"}})
				s.Apply(trace.Event{Seq: 2, Frame: &trace.Frame{Dir: trace.Out, Cause: trace.Cause{Call: 1, Why: trace.WhyCall},
					Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flood","_meta":{"progressToken":"t"}}}`)}})
			}
			flood(s, 0, 4_500)
			before := alive()
			flood(s, 4_500, 4_500)
			grown := alive() - before
			runtime.KeepAlive(s)
			limit := 1 << 20
			if open { // each time that the server asks for roots begins a round of the call
				limit += 4_500 * 2048
			}
			require.Less(t, grown, limit, "bytes kept of 67,500 further events")
			require.LessOrEqual(t, len(s.out)+len(s.in)+len(s.statuses)+len(s.carried), 6*keepDone)
			require.Equal(t, 9_000, s.Logged)
			require.Equal(t, 9_000, s.Changed)
		})
	}
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestWhatCallsReferToStaysWhenRowsAreGivenUp(t *testing.T) {
	s := New()
	s.Rows.Bound(1)
	seq := 0
	apply := func(e trace.Event) int {
		seq++
		e.Seq = seq
		s.Apply(e)
		return seq
	}
	probe := apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Cause: trace.Cause{Why: trace.WhyProbe}, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)}})
	found := apply(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)}})
	apply(trace.Event{Act: &trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "t"}})
	line := apply(trace.Event{HTTP: &trace.HTTP{Exchange: 7, Stage: trace.HTTPRequest, Method: "POST", URL: "http://x/"}})
	request := apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: 7, Cause: trace.Cause{Call: 1, Why: trace.WhyCall}, Bytes: []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}`)}})
	list := apply(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Cause: trace.Cause{Why: trace.WhyList}, Bytes: []byte(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)}})
	log := apply(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`)}})
	for range 2 * chunkRows {
		apply(trace.Event{Stderr: &trace.Stderr{Bytes: []byte("more\n")}})
	}
	require.Equal(t, chunkRows*2+1, s.Rows.Whole())
	require.Equal(t, "server/discover", s.Rows.Row(probe).Method)
	require.Equal(t, "server/discover", s.Rows.Row(found).Method)
	require.Equal(t, "http://x/", s.Rows.Row(line).Text[len("request "):])
	require.Equal(t, "t", s.Rows.Row(request).Name)
	require.Equal(t, "tools/list", s.Rows.Row(list).Method, "it waits for its answer")
	require.Equal(t, Row{Seq: log, Gone: true}, s.Rows.Row(log))

	answer := apply(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: 7, Bytes: []byte(`{"jsonrpc":"2.0","id":2,"result":{}}`)}})
	require.Equal(t, answer, s.Rows.Row(request).Pair)
	require.Equal(t, request, s.Rows.Row(answer).Pair)
	apply(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}`)}})
	require.True(t, s.Rows.Row(list).Gone)

	var up, down []int
	for r := range s.Rows.All() {
		require.Equal(t, r, s.Rows.Row(r.Seq))
		up = append(up, r.Seq)
	}
	for r := range s.Rows.Backward() {
		down = append([]int{r.Seq}, down...)
	}
	require.Equal(t, up, down)
	require.Equal(t, []int{probe, found, line, request, chunkRows*2 + 1}, up[:5])
}

// TestRowsComeBackAsTheyWereKept holds packing, whatever a server sends.
func TestRowsComeBackAsTheyWereKept(t *testing.T) {
	long := string(make([]byte, 5000))
	var r Rows
	var want []Row
	for i := range 3 * chunkRows {
		row := Row{
			At: 5, Part: PartFrame, Dir: trace.In, Kind: rpc.Failure, ID: rpc.ID(fmt.Sprint(i)), Method: fmt.Sprint("method ", i%5000), Name: "n\x00ä",
			Why: trace.WhyCall, Call: 3, Round: 2, Took: 9, Size: 1 << 40, Exchange: 8, Status: 404, Code: -32603, Text: fmt.Sprint("text ", i), Problem: long[:i%textBytes],
		}
		r.add(row)
		row.Seq = i + 1
		want = append(want, row)
	}
	for _, row := range want {
		require.Equal(t, row, r.Row(row.Seq))
	}
	require.Equal(t, Row{}, r.Row(0))
	require.Equal(t, Row{}, r.Row(len(want)+1))
	r.add(Row{Text: long})
	require.Len(t, r.Row(r.Len()).Text, textBytes)
	require.LessOrEqual(t, len(r.named), mostWords)
}
func TestARowKeepsALongErrorCode(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	seq := st.in(0, `{"jsonrpc":"2.0","id":1,"error":{"code":-9007199254740991,"message":"odd"}}`)
	require.Equal(t, -9007199254740991, st.s.Rows.Row(seq).Code)
}

// What the client refuses by itself gives the server nothing, so the round goes
// on; of many only the first are kept.
func TestAsksThatTheClientRefusedBeginNoRound(t *testing.T) {
	st := tell(t)
	st.era(trace.Legacy, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	c := st.s.Call(1)
	for i := range 2 * keepRefused {
		seq := st.in(0, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"sampling/createMessage","params":{}}`, i))
		require.Equal(t, trace.Asking, c.Status)
		answer := st.out(trace.Cause{Why: trace.WhyAnswer, Answers: seq}, 0, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","error":{"code":-32601,"message":"no"}}`, i))
		require.Equal(t, trace.Running, c.Status)
		require.Len(t, c.Rounds, 1)
		kept := i < keepRefused
		require.Equal(t, kept, st.s.Ask(trace.AskID{Frame: seq}) != nil)
		require.Equal(t, kept, st.s.Rows.Row(seq).Call == 1 && st.s.Rows.Row(answer).Call == 1)
		require.Equal(t, seq, st.s.Rows.Row(answer).Pair)
	}
	require.Equal(t, 2*keepRefused, c.Rounds[0].Refused)
	require.Len(t, c.Rounds[0].Asks, keepRefused)
	require.Len(t, st.s.Asks, keepRefused)
	require.Len(t, c.Frames, 1+2*keepRefused)

	seq := st.in(0, `{"jsonrpc":"2.0","id":"r","method":"sampling/createMessage","params":{}}`)
	st.add(trace.Event{Act: &trace.Act{Who: trace.Person, Kind: trace.ActReject, Ask: trace.AskID{Frame: seq}}})
	st.out(trace.Cause{Why: trace.WhyAnswer, Answers: seq}, 0, `{"jsonrpc":"2.0","id":"r","error":{"code":-1,"message":"the person says no"}}`)
	require.Len(t, c.Rounds, 2, "a person's no is an answer")
}

func TestWhatTheNewestProcessWroteIsToldApart(t *testing.T) {
	s := New()
	apply := func(e trace.Event) {
		e.Seq = s.Rows.Len() + 1
		s.Apply(e)
	}
	start := func() { apply(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting}}) }
	write := func(what string) { apply(trace.Event{Stderr: &trace.Stderr{Bytes: []byte(what)}}) }
	start()
	write("no config\n")
	require.Equal(t, "no config\n", string(s.Stderr.Latest()))

	start()
	require.Empty(t, s.Stderr.Latest())
	write("no config\n")
	require.Equal(t, "no config\n", string(s.Stderr.Latest()))
	require.Equal(t, "no config\nno config\n", string(s.Stderr.Bytes))

	for range 3 * tailKeep / 8 { // what is kept ends behind the start
		write("1234567\n")
	}
	require.Equal(t, s.Stderr.Bytes, s.Stderr.Latest())
}
