package tamper

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
)

// TestOutcomeOfTwins folds a retry that was sent twice, whose answers come in
// either order or not at all.
func TestOutcomeOfTwins(t *testing.T) {
	const complete = `,"result":{"resultType":"complete","content":[]}}`
	for name, tt := range map[string]struct {
		after []trace.Event // what comes after both have left
		want  [2]state.Outcome
	}{
		"the second is answered first": {
			after: []trace.Event{in(`{"jsonrpc":"2.0","id":3` + complete)},
		},
		"the first is answered first": {
			after: []trace.Event{in(`{"jsonrpc":"2.0","id":2` + complete)},
		},
		"both are answered": {
			after: []trace.Event{in(`{"jsonrpc":"2.0","id":3` + complete), in(`{"jsonrpc":"2.0","id":2` + complete)},
		},
		"the call ends without either": {
			after: []trace.Event{{Act: &trace.Act{Kind: trace.ActEnd, Call: 1, Status: trace.TimedOut, Note: "60 s"}}},
			want:  [2]state.Outcome{{Lost: "60 s"}, {Lost: "60 s"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, seq := session.New(), 0
			for _, e := range append([]trace.Event{
				{Phase: &trace.Phase{Name: trace.PhaseReady, Era: trace.Modern, Version: "2026-07-28"}},
				{Act: &trace.Act{Who: trace.Person, Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "x"}},
				out(1, trace.WhyCall, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`),
				in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"ok":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}}`),
				out(2, trace.WhyRetry, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}`),
				out(3, trace.WhyRetry, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}`),
			}, tt.after...) {
				seq++
				e.Seq, e.At = seq, time.Duration(seq)*time.Millisecond
				s.Apply(e)
			}
			c := s.Call(1)
			require.Len(t, c.Rounds, 3)
			require.True(t, c.Status.Final())
			for i, want := range tt.want {
				require.Equal(t, want, Outcome(s, c, c.Round(i+2)), "round %d", i+2)
			}
		})
	}
}

func out(round int, why trace.Why, message string) trace.Event {
	return trace.Event{Frame: &trace.Frame{Dir: trace.Out, Cause: trace.Cause{Why: why, Call: 1, Round: round}, Bytes: []byte(message)}}
}

func in(message string) trace.Event {
	return trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(message)}}
}
