package ladder

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/text"
)

func fold(s *script.Script) *session.Session {
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	return sess
}

func drawn(s *script.Script, columns, rows int) string {
	sess := fold(s)
	screen := draw.NewScreen(columns, rows, nil, text.Wc)
	var v View
	v.Draw(screen, screen.Bounds(), sess, sess.Calls[0], s.Log.Now(), false)
	return screen.Plain()
}

func TestReSentAndNested(t *testing.T) {
	modern := script.New()
	modern.Ready(trace.Modern)
	modern.Book(3)
	text := drawn(modern, 80, 30)
	require.Contains(t, text, "tools/call 2 ─")
	require.Contains(t, text, "tools/call 3 again ─")
	require.Contains(t, text, "tools/call 5 again ─")
	require.Equal(t, 3, strings.Count(text, "input_required"))
	require.Contains(t, text, "you 4.2 s")
	require.NotContains(t, text, "elicitation/create")

	legacy := script.New()
	legacy.Ready(trace.Legacy)
	legacy.Book(3)
	text = drawn(legacy, 80, 30)
	require.Equal(t, 1, strings.Count(text, "─ tools/call"), "one request stays open")
	require.Equal(t, 3, strings.Count(text, "◀─ elicitation/create s-"))
	require.Equal(t, 3, strings.Count(text, "─ answer to s-"))
	require.NotContains(t, text, "again")
	require.Contains(t, text, "you 4.2 s")
}

func TestRoundsAreFourInBothEras(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		s := script.New()
		s.Ready(era)
		s.Book(3)
		sess := fold(s)
		rounds := map[int]bool{}
		for _, st := range Steps(sess, sess.Calls[0], s.Log.Now()) {
			rounds[st.Round] = true
		}
		require.Len(t, rounds, 4, string(era))
	}
}

func TestWhoIsWaitedFor(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	c := s.Call("slow", nil)
	s.Wait(3 * time.Second)
	sess := fold(s)
	last := func() Step {
		steps := Steps(sess, sess.Calls[0], s.Log.Now())
		return steps[len(steps)-1]
	}
	require.Equal(t, Server, last().Who)
	require.True(t, last().Live)
	require.Equal(t, 3*time.Second, last().Took)

	c.Progress(3, 10, "copying")
	sess = fold(s)
	require.Equal(t, "3 of 10 copying", last().Label)

	c.Asks(nil, script.When)
	s.Wait(5 * time.Second)
	sess = fold(s)
	require.Equal(t, You, last().Who)
	require.Equal(t, 5*time.Second, last().Took)
}

func TestHowCallsEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(*script.Script, *script.Call)
		want string
		tone Tone
	}{
		"result": {func(_ *script.Script, c *script.Call) { c.Done("ok") }, "result 2", Good},
		"cancelled": {func(s *script.Script, c *script.Call) {
			s.Act(trace.Act{Kind: trace.ActEnd, Call: c.ID, Status: trace.Cancelled, Note: "given up"})
		}, "cancelled: given up", Bad},
		"error": {func(s *script.Script, _ *script.Call) { s.Failure("2", -32602, "no") }, "error -32602 2", Bad},
	} {
		t.Run(name, func(t *testing.T) {
			s := script.New()
			s.Ready(trace.Modern)
			tt.end(s, s.Call("x", nil))
			sess := fold(s)
			steps := Steps(sess, sess.Calls[0], s.Log.Now())
			require.Equal(t, tt.want, steps[len(steps)-1].Label)
			require.Equal(t, tt.tone, steps[len(steps)-1].Tone)
		})
	}
}

func TestServerTextIsClean(t *testing.T) {
	s := script.New()
	s.Ready(trace.Legacy)
	c := s.Call("x\x1b[2J", nil)
	c.Asks(nil, script.Want{Key: "k", Method: "elicitation/create", Params: map[string]any{"message": "m"}})
	require.NotContains(t, drawn(s, 80, 20), "\x1b")
	require.Contains(t, drawn(s, 80, 20), "x␛[2J")
}

func TestNarrowLaddersFit(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(3)
	for _, columns := range []int{12, 20, 30, 38, 50, 120} {
		for _, line := range strings.Split(drawn(s, columns, 25), "\n") {
			require.LessOrEqual(t, text.Wc.Of(line), columns)
		}
	}
}

// TestABranchChangesNoRowBeforeIt answers the last question of a finished call
// another way, minutes later: while the branch runs, and once it has ended, the
// rows of what was before are what they were.
func TestABranchChangesNoRowBeforeIt(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(3)
	asked := 0
	for _, a := range fold(s).Asks {
		asked = a.Request
	}
	steps := func() []Step { sess := fold(s); return Steps(sess, sess.Calls[0], s.Log.Now()) }
	before := steps()
	s.Wait(160 * time.Second)
	s.Send(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 5, Retries: asked}, rpc.Encode("77", "tools/call",
		[]byte(`{"name":"book_table","inputResponses":{"confirm":{"action":"decline"}}}`), nil, nil))
	running := steps()
	require.Equal(t, before, running[:len(before)])
	s.Result("77", map[string]any{"resultType": "complete", "isError": true, "content": []any{}})
	ended := steps()
	require.Equal(t, before, ended[:len(before)])

	var branch []string
	for _, st := range ended[len(before):] {
		require.Equal(t, 5, st.Round)
		branch = append(branch, st.Label)
	}
	require.Equal(t, []string{"confirm: decline", "tools/call 77 again, from round 3", "result 77, isError"}, branch)
	text := drawn(s, 120, 40)
	require.Contains(t, text, "you 2.1 s")
	require.NotContains(t, text, "you 2m")
}

// TestWhereACallEndsTheReasonIsKept words an end in ever fewer columns: what names
// the call again goes before the reason does.
func TestWhereACallEndsTheReasonIsKept(t *testing.T) {
	for name, tt := range map[string]struct {
		call session.Call
		want []string
	}{
		"lost": {session.Call{Method: "tools/call", Name: "crash", Status: trace.Lost,
			Note: "tools/call crash (id 3): the server exited with code 3 before it answered; whether it was carried out is not known"},
			[]string{"lost: tools/call crash (id 3): the server exited with code 3 before it answered; whether it was carried out is not known",
				"lost: the server exited with code 3 before it answered; whether it was carried out is not known", "lost: exited with code 3", "exited with code 3"}},
		"without a name": {session.Call{Method: "ping", Status: trace.Failed, Note: "ping (id 4): HTTP 500"},
			[]string{"failed: ping (id 4): HTTP 500", "failed: HTTP 500"}},
		"limited":        {session.Call{Method: "tools/call", Name: "x", Status: trace.Limited, Note: "still asking"}, []string{"limited: still asking"}},
		"without a note": {session.Call{Status: trace.Cancelled}, []string{"cancelled"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, Ended(&tt.call)) })
	}
}

func TestPiecesOfStandardErrorAreNotCounted(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Call("loud", nil)
	s.Stderr("one\ntwo\n")
	s.Stderr("three\n")
	text := drawn(s, 80, 20)
	require.Contains(t, text, "stderr")
	require.NotContains(t, text, "2 stderr")
}

func TestTheRoundThatABranchComesFromIsNotCut(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(3)
	asked := 0
	for _, a := range fold(s).Asks {
		asked = a.Request
	}
	s.Send(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 5, Retries: asked}, rpc.Encode("77", "tools/call",
		[]byte(`{"name":"book_table","inputResponses":{"confirm":{"action":"decline"}}}`), nil, nil))
	for columns, want := range map[int]string{120: "tools/call 77 again, from round 3", 80: "tools/call 77 from 3", 58: "77 from 3", 50: "77 from 3"} {
		require.Contains(t, drawn(s, columns, 40), want, columns)
	}
}

// TestWhatTheServerAskedStandsBeforeItsAnswer: the client refuses an ask by itself,
// or the server does not wait for the answer; the ladder keeps the order.
func TestWhatTheServerAskedStandsBeforeItsAnswer(t *testing.T) {
	labels := func(s *script.Script) (out []string) {
		sess := fold(s)
		for _, st := range Steps(sess, sess.Calls[0], s.Log.Now()) {
			out = append(out, st.Label)
		}
		return out
	}
	begin := func() (*script.Script, *script.Call, int) {
		s := script.New()
		s.Ready(trace.Legacy)
		c := s.Call("x", nil)
		s.Wait(2 * time.Second)
		return s, c, s.Come(rpc.Encode("77", "elicitation/create", []byte(`{"message":"m","requestedSchema":null}`), nil, nil))
	}
	refuse := func(s *script.Script, ask int) {
		s.Send(trace.Cause{Why: trace.WhyAnswer, Answers: ask},
			rpc.Encode("77", "", nil, nil, rpc.EncodeError(-32602, "no schema")))
	}
	s, c, ask := begin()
	refuse(s, ask)
	before := []string{"x", "tools/call 2", "elicitation/create 77", "rejected: no schema"}
	require.Equal(t, append(before, "working"), labels(s))
	s.Wait(3 * time.Second)
	c.Done("ok")
	require.Equal(t, append(before, "result 2"), labels(s))
	sess := fold(s)
	steps := Steps(sess, sess.Calls[0], s.Log.Now())
	for i := 1; i < len(steps); i++ {
		require.True(t, i == 1 || steps[i].Seq > steps[i-1].Seq, "row %d", i)
	}
	require.Less(t, steps[2].Took, 3*time.Second)
	require.GreaterOrEqual(t, steps[2].Took, 2*time.Second)
	require.GreaterOrEqual(t, steps[4].Took, 3*time.Second)
	require.Less(t, steps[4].Took, 5*time.Second)
	require.Contains(t, drawn(s, 100, 20), "rejected: no schema")
	require.Contains(t, drawn(s, 50, 20), "rejected")

	s, c, _ = begin()
	c.Done("did not wait")
	require.Equal(t, []string{"x", "tools/call 2", "elicitation/create 77", "◆ form", "not answered", "result 2"}, labels(s))
}
