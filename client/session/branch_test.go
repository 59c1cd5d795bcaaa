package session

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// TestTheTimeBeforeABranchIsNotTheCallsTime ends a call, lets it lie, and answers one
// of its rounds again, as live sessions and recordings from before Since tell it.
func TestTheTimeBeforeABranchIsNotTheCallsTime(t *testing.T) {
	const s = time.Second
	for name, tt := range map[string]struct {
		branch      bool // the act is in the log
		since       time.Duration
		running     time.Duration // how long the call has taken at 25 s
		lasted      time.Duration // at its end
		person      time.Duration
		firstAnswer time.Duration
	}{
		"as it was noted":   {true, 18 * s, 10 * s, 11 * s, 4 * s, 2 * s},
		"nobody noted when": {true, 0, 6 * s, 7 * s, 0, 2 * s},
		"without the act":   {false, 0, 6 * s, 7 * s, 0, 2 * s},
	} {
		t.Run(name, func(t *testing.T) {
			sess, seq := New(), 0
			at := func(when time.Duration, e trace.Event) int {
				seq++
				e.Seq, e.At = seq, when
				sess.Apply(e)
				return seq
			}
			out := func(when time.Duration, cause trace.Cause, message string) int {
				return at(when, trace.Event{Frame: &trace.Frame{Dir: trace.Out, Cause: cause, Bytes: []byte(message)}})
			}
			in := func(when time.Duration, message string) int {
				return at(when, trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(message)}})
			}
			retry := func(when time.Duration, id string, asked int) int {
				return out(when, trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 2, Retries: asked},
					`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"inputResponses":{"a":`+acceptAns+`}}}`)
			}
			at(0, trace.Event{Phase: &trace.Phase{Name: trace.PhaseReady, Era: trace.Modern, Version: "v"}})
			at(0, trace.Event{Act: &trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "x"}})
			out(0, trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
			asked := in(0, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":`+elicitAsk+`}}}`)
			first := retry(2*s, "2", asked)
			c := sess.Call(1)
			require.Equal(t, 2*s, c.Lasted(2*s))
			in(3*s, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
			require.Equal(t, 3*s, c.Lasted(100*s), "it has ended")

			if tt.branch {
				at(22*s, trace.Event{Act: &trace.Act{Kind: trace.ActBranch, Call: 1, Round: 1, Since: tt.since}})
			}
			branch := retry(22*s, "3", asked)
			require.Equal(t, tt.running, c.Lasted(25*s))
			in(26*s, `{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`)
			require.Equal(t, tt.lasted, c.Lasted(100*s))
			a := sess.Ask(trace.AskID{Frame: asked, Key: "a"})
			require.Equal(t, tt.person, a.TookFor(branch))
			require.Equal(t, tt.firstAnswer, a.TookFor(first))
			require.Zero(t, a.TookFor(asked))

			retry(126*s, "4", asked) // once more, and nobody noted since when
			in(127*s, `{"jsonrpc":"2.0","id":4,"result":{"content":[]}}`)
			require.Equal(t, tt.lasted+s, c.Lasted(1000*s))
		})
	}
}
