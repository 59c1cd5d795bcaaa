package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// story builds events by hand, a millisecond apart, and folds them.
type story struct {
	t      *testing.T
	events []trace.Event
	s      *Session
}

func tell(t *testing.T) *story {
	return &story{t: t, s: New()}
}

func (st *story) add(e trace.Event) int {
	e.Seq = len(st.events) + 1
	e.At = time.Duration(e.Seq) * time.Millisecond
	st.events = append(st.events, e)
	st.s.Apply(e)
	return e.Seq
}

func (st *story) era(era trace.Era, transport string) {
	st.add(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: transport, Target: "test"}})
	st.add(trace.Event{Phase: &trace.Phase{Name: trace.PhaseReady, Era: era, Version: "v"}})
}

func (st *story) call(id int, method, name string) {
	st.add(trace.Event{Act: &trace.Act{Who: trace.Person, Kind: trace.ActCall, Call: id, Method: method, Name: name}})
}

func (st *story) out(cause trace.Cause, exchange int, message string) int {
	return st.add(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: exchange, Cause: cause, Bytes: []byte(message)}})
}

func (st *story) in(exchange int, message string) int {
	return st.add(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: exchange, Bytes: []byte(message)}})
}

const (
	elicitAsk = `{"method":"elicitation/create","params":{"message":"When?","requestedSchema":{"type":"object"}}}`
	acceptAns = `{"action":"accept","content":{"date":"2026-12-04"}}`
)

func TestModernCallHasARoundForEachRequest(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "http")
	st.call(1, "tools/call", "book_table")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 3, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"book_table"}}`)
	asked := st.in(3, `{"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","requestState":"s1 \ud800","inputRequests":{"when":`+elicitAsk+`}}}`)

	c := st.s.Call(1)
	id := trace.AskID{Frame: asked, Key: "when"}
	require.Equal(t, trace.Asking, c.Status)
	require.Equal(t, []trace.AskID{id}, c.Rounds[0].Asks)
	require.Equal(t, `"s1 \ud800"`, string(c.Rounds[0].StateOut.Raw), "a state is kept as it was written")
	require.Equal(t, Owner{OfCall, 1, 1}, st.s.Ask(id).Owner)
	require.Equal(t, "When?", st.s.Ask(id).Message)
	require.Len(t, st.s.Waiting(), 1)

	st.add(trace.Event{Act: &trace.Act{Kind: trace.ActAnswer, Call: 1, Ask: id, Value: []byte(acceptAns)}})
	require.Equal(t, Staged, st.s.Ask(id).Status)
	retry := st.out(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 2, Retries: asked}, 4,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"book_table","inputResponses":{"when":`+acceptAns+`},"requestState":"s1 \ud800"}}`)
	require.Equal(t, Sent, st.s.Ask(id).Status)
	require.Equal(t, retry, st.s.Ask(id).Answer)
	require.JSONEq(t, acceptAns, string(st.s.Ask(id).Reply))

	end := st.in(4, `{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[]}}`)
	require.Equal(t, trace.Done, c.Status)
	require.Len(t, c.Rounds, 2)
	require.Equal(t, 1, c.Rounds[1].Parent)
	require.Equal(t, end, c.Rounds[1].Response)
	require.Equal(t, `"s1 \ud800"`, string(c.Rounds[1].StateIn.Raw))
	require.Equal(t, retry, st.s.Rows.Row(end).Pair)
	require.Equal(t, end, st.s.Rows.Row(retry).Pair)
}

func TestLegacyCallHasItsRoundsInsideOneRequest(t *testing.T) {
	for _, tc := range []struct {
		name     string
		exchange int
		others   bool
		owner    OwnerKind
	}{
		{"on the stream of the call", 7, false, OfCall},
		{"on standard streams, the only call", 0, false, Inferred},
		{"on standard streams, one of two calls", 0, true, OfConnection},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := tell(t)
			st.era(trace.Legacy, "stdio")
			st.call(1, "tools/call", "book_table")
			st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, tc.exchange, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"book_table"}}`)
			if tc.others {
				st.call(2, "tools/call", "other")
				st.out(trace.Cause{Why: trace.WhyCall, Call: 2, Round: 1}, 0, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"other"}}`)
			}
			asked := st.in(tc.exchange, `{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"When?"}}`)
			a := st.s.Ask(trace.AskID{Frame: asked})
			require.Equal(t, tc.owner, a.Owner.Kind)
			require.Empty(t, a.SendsWith, "a legacy answer leaves at once")
			answer := st.out(trace.Cause{Why: trace.WhyAnswer, Call: a.Owner.Call, Answers: asked}, 0, `{"jsonrpc":"2.0","id":0,"result":`+acceptAns+`}`)
			require.Equal(t, Sent, a.Status)
			require.Equal(t, answer, a.Answer)
			end := st.in(tc.exchange, `{"jsonrpc":"2.0","id":4,"result":{"content":[],"isError":true}}`)

			c := st.s.Call(1)
			require.Equal(t, trace.ToolError, c.Status)
			if tc.owner == OfConnection {
				require.Len(t, c.Rounds, 1, "a wrong link is worse than none")
				return
			}
			require.Len(t, c.Rounds, 2)
			require.Equal(t, 0, c.Rounds[0].Response)
			require.Equal(t, 0, c.Rounds[1].Request)
			require.Equal(t, end, c.Rounds[1].Response)
		})
	}
}

func TestAsksThatNobodyAnswers(t *testing.T) {
	t.Run("the server cancels", func(t *testing.T) {
		st := tell(t)
		st.era(trace.Legacy, "stdio")
		st.call(1, "tools/call", "x")
		st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
		asked := st.in(0, `{"jsonrpc":"2.0","id":"a","method":"roots/list"}`)
		st.in(0, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
		require.Equal(t, Withdrawn, st.s.Ask(trace.AskID{Frame: asked}).Status)
		require.Equal(t, trace.Running, st.s.Call(1).Status)
	})
	t.Run("the call ends", func(t *testing.T) {
		st := tell(t)
		st.era(trace.Modern, "stdio")
		st.call(1, "tools/call", "x")
		st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
		asked := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":`+elicitAsk+`}}}`)
		st.add(trace.Event{Act: &trace.Act{Kind: trace.ActEnd, Call: 1, Status: trace.Cancelled, Note: "given up"}})
		require.Equal(t, Moot, st.s.Ask(trace.AskID{Frame: asked, Key: "k"}).Status)
		require.Equal(t, "given up", st.s.Call(1).Note)
		require.Empty(t, st.s.Waiting())
	})
	t.Run("a retry leaves one out", func(t *testing.T) {
		st := tell(t)
		st.era(trace.Modern, "stdio")
		st.call(1, "tools/call", "x")
		st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
		asked := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":`+elicitAsk+`,"b":`+elicitAsk+`}}}`)
		st.out(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 2, Retries: asked, Edited: true}, 0, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"inputResponses":{"a":`+acceptAns+`}}}`)
		require.Equal(t, Sent, st.s.Ask(trace.AskID{Frame: asked, Key: "a"}).Status)
		require.Equal(t, Moot, st.s.Ask(trace.AskID{Frame: asked, Key: "b"}).Status)
		require.True(t, st.s.Call(1).Rounds[1].Edited)
	})
}

func TestBranchesMakeATree(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	asked := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":`+elicitAsk+`}}}`)
	for i, id := range []string{"2", "3"} {
		st.out(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 2, Retries: asked}, 0, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"inputResponses":{"a":`+acceptAns+`}}}`)
		require.Equal(t, trace.Running, st.s.Call(1).Status)
		end := st.in(0, `{"jsonrpc":"2.0","id":`+id+`,"result":{"content":[]}}`)
		require.Equal(t, trace.Done, st.s.Call(1).Status)
		require.Equal(t, end, st.s.Call(1).Rounds[i+1].Response)
		require.Equal(t, 1, st.s.Call(1).Rounds[i+1].Parent)
	}
}

// TestABranchLeavesHistoryAsItWas answers a round again: nothing of what was
// there before the branch becomes another thing by it.
func TestABranchLeavesHistoryAsItWas(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	asked := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":`+elicitAsk+`,"b":`+elicitAsk+`}}}`)
	st.out(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 2, Retries: asked}, 0, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"inputResponses":{"a":`+acceptAns+`,"b":`+acceptAns+`}}}`)
	st.in(0, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	a, b := st.s.Ask(trace.AskID{Frame: asked, Key: "a"}), st.s.Ask(trace.AskID{Frame: asked, Key: "b"})
	wasA, wasB, rounds := *a, *b, []Round{*st.s.Call(1).Rounds[0], *st.s.Call(1).Rounds[1]}

	branch := st.out(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 3, Retries: asked}, 0, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"inputResponses":{"a":{"action":"decline"}}}}`)
	st.in(0, `{"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[]}}`)
	require.Equal(t, `{"action":"decline"}`, string(a.CarriedBy(branch)))
	require.Nil(t, b.CarriedBy(branch))
	require.Equal(t, acceptAns, string(a.CarriedBy(wasA.Answer)))
	wasA.Again = a.Again
	require.Equal(t, wasA, *a)
	require.Equal(t, wasB, *b)
	c := st.s.Call(1)
	require.Equal(t, rounds, []Round{*c.Rounds[0], *c.Rounds[1]})
	require.Equal(t, []trace.Status{trace.Asking, trace.Done, trace.ToolError}, []trace.Status{c.Rounds[0].Came, c.Rounds[1].Came, c.Rounds[2].Came})
	require.Equal(t, InputRequired, st.s.Rows.Row(asked).Text)
	require.Equal(t, trace.ToolError, c.Status)
}

func TestResponsesThatDoNotFit(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	first := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	twice := st.in(0, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"again"}}`)
	text := st.in(0, `{"jsonrpc":"2.0","id":"1","result":{}}`)
	noise := st.add(trace.Event{Noise: &trace.Noise{Bytes: []byte("hello\n"), Why: "not JSON"}})

	require.Equal(t, trace.Done, st.s.Call(1).Status, "the first answer counts")
	require.Equal(t, first, st.s.Call(1).Rounds[0].Response)
	require.Contains(t, st.s.Rows.Row(twice).Problem, "answered before")
	require.Contains(t, st.s.Rows.Row(text).Problem, "no request with this id")
	require.Equal(t, "not JSON", st.s.Rows.Row(noise).Problem)
}

func TestALateResponseIsKeptWithItsCall(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	st.add(trace.Event{Act: &trace.Act{Kind: trace.ActEnd, Call: 1, Status: trace.TimedOut, Note: "60 s"}})
	late := st.in(0, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	require.Equal(t, trace.TimedOut, st.s.Call(1).Status)
	require.Equal(t, []int{late}, st.s.Call(1).Late)
}

func TestListsComeInPages(t *testing.T) {
	st := tell(t)
	st.era(trace.Legacy, "stdio")
	page := func(id, params, result string) {
		st.out(trace.Cause{Why: trace.WhyList}, 0, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/list"`+params+`}`)
		st.in(0, `{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`)
	}
	names := func() string {
		var out []string
		for _, it := range st.s.Catalogue.Tools.Items {
			out = append(out, it.Key())
		}
		return strings.Join(out, " ")
	}
	page("1", "", `{"tools":[{"name":"a"},7,{"title":"no name"}],"nextCursor":"n","ttlMs":0.50,"cacheScope":"private"}`)
	page("2", `,"params":{"cursor":"n"}`, `{"tools":[{"name":"b"},{"name":"a"}]}`)
	require.Equal(t, "a b a", names())
	require.Len(t, st.s.Catalogue.Tools.Rejected, 2, "a bad entry does not hide the good ones")
	st.in(0, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	require.True(t, st.s.Catalogue.Tools.Stale)
	page("3", "", `{"tools":[{"name":"c"}]}`)
	require.Equal(t, "c", names())
	require.False(t, st.s.Catalogue.Tools.Stale)
	page("4", "", `{"tools":{}}`)
	require.Contains(t, st.s.Catalogue.Tools.Error, "no array")
}

func TestServerIntroducesItself(t *testing.T) {
	for _, tc := range []struct{ name, method, result string }{
		{"modern", "server/discover", `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}}`},
		{"legacy", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"instructions":"i","serverInfo":{"name":"n","version":"1"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := tell(t)
			st.out(trace.Cause{Why: trace.WhyProbe}, 0, `{"jsonrpc":"2.0","id":1,"method":"`+tc.method+`"}`)
			st.in(0, `{"jsonrpc":"2.0","id":1,"result":`+tc.result+`}`)
			require.Equal(t, Implementation{Name: "n", Version: "1"}, st.s.Conn.Server)
			require.Equal(t, `{"tools":{}}`, string(st.s.Conn.Capabilities))
			require.Equal(t, "i", st.s.Conn.Instructions)
		})
	}
}

func TestProgressAndLogsFindTheirCall(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "long_job")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 0, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"p1"}}}`)
	st.in(0, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1.50,"total":3,"message":"m"}}`)
	st.in(0, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":2,"total":3}}`)
	lost := st.in(0, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}`)
	st.in(0, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"a":1}}}`)
	st.add(trace.Event{Stderr: &trace.Stderr{Bytes: []byte("oops\n"), Dropped: 3}})

	c := st.s.Call(1)
	require.Equal(t, "2", c.Last.Progress)
	require.Equal(t, 2, c.Last.Count)
	require.Contains(t, st.s.Rows.Row(lost).Problem, "progress token")
	require.Equal(t, `{"a":1}`, st.s.Logs[0].Text)
	require.Len(t, c.Rounds[0].Notes, 5)
	require.EqualValues(t, 8, st.s.Stderr.Total)
	require.EqualValues(t, 3, st.s.Stderr.Dropped)
}

func TestTheSameEventsGiveTheSameSession(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "http")
	st.call(1, "tools/call", "x")
	st.out(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	st.in(1, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":`+elicitAsk+`}}}`)
	again := New()
	for _, e := range st.events {
		again.Apply(e)
	}
	require.Equal(t, st.s, again)
}

func TestARerunNamesTheCallThatItRepeats(t *testing.T) {
	st := tell(t)
	st.era(trace.Modern, "stdio")
	st.call(1, "tools/call", "x")
	st.add(trace.Event{Act: &trace.Act{Kind: trace.ActCall, Call: 2, Method: "tools/call", Name: "x", Again: 1}})
	require.Equal(t, 0, st.s.Call(1).Again)
	require.Equal(t, 1, st.s.Call(2).Again)
}

func TestWhoseRetriesAreHeld(t *testing.T) {
	st := tell(t)
	hold := func(call int, on bool) {
		kind := trace.ActRelease
		if on {
			kind = trace.ActHold
		}
		st.add(trace.Event{Act: &trace.Act{Kind: kind, Call: call}})
	}
	held := func() []bool { return []bool{st.s.Call(1).Hold, st.s.Call(2).Hold} }
	st.call(1, "tools/call", "a")
	st.call(2, "tools/call", "b")
	hold(0, true)
	require.Equal(t, []bool{true, true}, held())
	hold(1, false)
	hold(0, true)
	require.Equal(t, []bool{false, true}, held(), "what one call was told stands")
	hold(0, false)
	require.Equal(t, []bool{false, false}, held())
}

// A transport logs the end of a server when it sees it; that the connection came
// about may be concluded, and logged, a moment later.
func TestWhatHasEndedIsNotReadyAgainBeforeItStarts(t *testing.T) {
	s := New()
	seq := 0
	apply := func(p trace.Phase) {
		seq++
		s.Apply(trace.Event{Seq: seq, Phase: &p})
	}
	apply(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
	apply(trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself"})
	apply(trace.Phase{Name: trace.PhaseProbing, Reason: "server/discover"})
	apply(trace.Phase{Name: trace.PhaseReady, Era: trace.Modern, Version: "v"})
	require.Equal(t, trace.PhaseExited, s.Conn.Phase)
	require.Equal(t, "the server ended by itself", s.Conn.Reason)
	require.Equal(t, trace.Modern, s.Conn.Era)

	apply(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
	require.Equal(t, trace.PhaseStarting, s.Conn.Phase)
	apply(trace.Phase{Name: trace.PhaseReady, Era: trace.Legacy})
	require.Equal(t, trace.PhaseReady, s.Conn.Phase)
}

func TestTailTellsProcessesApart(t *testing.T) {
	var tail Tail
	parts := func() (out []string) {
		for _, p := range tail.Parts() {
			out = append(out, string(p))
		}
		return out
	}
	tail.start()
	require.Empty(t, parts())
	tail.add([]byte("one\n"), 0)
	tail.start()
	require.Empty(t, tail.Latest(), "the newest wrote nothing yet")
	require.Equal(t, []string{"one\n"}, parts())
	tail.start()
	tail.add([]byte("two\n"), 0)
	require.Equal(t, []string{"one\n", "two\n"}, parts())
	require.Equal(t, "two\n", string(tail.Latest()))
	tail.start()
	tail.add(bytes.Repeat([]byte("x"), 3*tailKeep), 0)
	require.Len(t, parts(), 1)
	require.Equal(t, string(tail.Bytes), string(tail.Latest()))
	require.Len(t, tail.starts, 1)
}
