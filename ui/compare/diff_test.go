package compare_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/compare"
	_ "mcptui/ui/internal/screentest" // registers -update
	"mcptui/ui/internal/script"
)

type m = map[string]any

func fold(s *script.Script) *session.Session {
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	return sess
}

// diff compares two places of a script and returns the differences that matter,
// as "group path: before > after".
func diff(t *testing.T, s *script.Script, a, b compare.Place) (told, quiet []string) {
	t.Helper()
	sess := fold(s)
	x, ok := compare.Gather(sess, a)
	require.True(t, ok)
	y, ok := compare.Gather(sess, b)
	require.True(t, ok)
	for _, d := range compare.Diff(x, y, s.Log) {
		line := d.Group + " " + d.Path + ": " + string(d.Before) + " > " + string(d.After)
		if d.Quiet {
			quiet = append(quiet, line)
			continue
		}
		told = append(told, line)
	}
	return told, quiet
}

func accept(content m) m { return m{"action": "accept", "content": content} }

func ready(era trace.Era) *script.Script {
	s := script.New()
	s.Ready(era)
	return s
}

// order plays a call that asks twice; what is given here can differ between two.
type order struct {
	item, message, schema, key, answer, text string
	state                                    m
}

func (o order) play(s *script.Script) {
	c := s.Call("order", m{"item": o.item})
	s.Wait(10 * time.Millisecond)
	c.Asks(o.state, script.Want{Key: o.key, Method: "elicitation/create",
		Params: m{"message": o.message, "requestedSchema": m{"type": "object", "properties": m{"n": m{"type": o.schema}}}}})
	s.Wait(time.Second)
	c.Answer(o.key, accept(m{"n": o.answer}))
	s.Wait(10 * time.Millisecond)
	c.Done(o.text)
}

var plain = order{item: "tea", message: "How many?", schema: "integer", key: "n", answer: "2", text: "ordered", state: m{"step": 1}}

func TestCallsDiffer(t *testing.T) {
	both := compare.Place{Call: 1}
	for _, c := range []struct {
		name   string
		change func(*order)
		modern []string
		legacy []string
	}{
		{"not at all", func(*order) {}, nil, nil},
		{"params", func(o *order) { o.item = "coffee" }, []string{`round 1: params /arguments/item: "tea" > "coffee"`}, nil},
		{"message", func(o *order) { o.message = "How many cups?" }, []string{`round 1: ask n /message: "How many?" > "How many cups?"`},
			[]string{`round 1: ask 1 /message: "How many?" > "How many cups?"`}},
		{"schema", func(o *order) { o.schema = "number" }, []string{`round 1: ask n /requestedSchema/properties/n/type: "integer" > "number"`},
			[]string{`round 1: ask 1 /requestedSchema/properties/n/type: "integer" > "number"`}},
		{"key", func(o *order) { o.key = "count" }, []string{`round 1: ask n key: n > count`}, []string{}},
		{"answer", func(o *order) { o.answer = "3" }, []string{`round 1: answer to n /content/n: "2" > "3"`},
			[]string{`round 1: answer to 1 /content/n: "2" > "3"`}},
		{"state", func(o *order) { o.state = m{"step": 2} }, []string{`round 1: state given /step: 1 > 2`}, []string{}},
		{"result", func(o *order) { o.text = "sold out" }, []string{`round 2: result /content/0/text: "ordered" > "sold out"`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
				want := c.modern
				if era == trace.Legacy && c.legacy != nil {
					want = c.legacy
				}
				s := ready(era)
				plain.play(s)
				s.Wait(time.Minute)
				other := plain
				c.change(&other)
				other.play(s)
				told, quiet := diff(t, s, both, compare.Place{Call: 2})
				require.ElementsMatch(t, want, told, "%s", era)
				require.Contains(t, quiet, "round 1: params /_meta/progressToken: 1 > 2")
			}
		})
	}
}

func TestTimesInAStateAreQuiet(t *testing.T) {
	s := ready(trace.Modern)
	plain.play(s)
	s.Wait(time.Minute)
	plain.play(s)
	told, quiet := diff(t, s, compare.Place{Call: 1}, compare.Place{Call: 2})
	require.Empty(t, told)
	require.Contains(t, quiet, "round 1: state given /exp: 1796127000 > 1796127061")
}

// TestTwoCrashesAreTheSame ends two calls for the same reason: only the ids of
// their requests differ, as they do from run to run.
func TestTwoCrashesAreTheSame(t *testing.T) {
	s := ready(trace.Modern)
	for _, note := range []string{"exited with code 7 during tools/call boom (id 2)", "exited with code 7 during tools/call boom (id 3)", "exited with code 9 during tools/call boom (id 4)"} {
		c := s.Call("boom", nil)
		s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: c.ID, Status: trace.Lost, Note: note})
	}
	told, quiet := diff(t, s, compare.Place{Call: 1}, compare.Place{Call: 2})
	require.Empty(t, told)
	require.Contains(t, quiet, "call why it ended: exited with code 7 during tools/call boom (id 2) > exited with code 7 during tools/call boom (id 3)")
	told, _ = diff(t, s, compare.Place{Call: 1}, compare.Place{Call: 3})
	require.Len(t, told, 1)
}

func TestOneRoundMore(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	s.Book(1)
	told, _ := diff(t, s, compare.Place{Call: 1}, compare.Place{Call: 2})
	require.Contains(t, told, "round 3: there is one : asks confirm elicitation/create > ")
	require.Contains(t, told, "call outcome: done > asking")
	require.Contains(t, told, "call rounds: 4 > 2")
}

func TestRoundsDiffer(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(2)
	told, _ := diff(t, s, compare.Place{Call: 1, Round: 1}, compare.Place{Call: 1, Round: 2})
	require.Contains(t, told, `answers sent :  > {"when":{"action":"accept","content":{"date":"2026-12-04"}}}`)
	require.Contains(t, told, "ask when key: when > seats")
	require.Contains(t, told, `state given /answers:  > {"when":{"action":"accept","content":{"date":"2026-12-04"}}}`)
	_, ok := compare.Gather(fold(s), compare.Place{Call: 1, Round: 9})
	require.False(t, ok)
}

// A call that was answered twice is compared along its newest branch.
func TestBranchesCompare(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("order", nil)
	c.Asks(m{"step": 1}, script.Seats)
	first := s.Log.Len()
	c.Answer("seats", accept(m{"seats": 2}))
	c.Done("two")
	s.Send(trace.Cause{Why: trace.WhyRetry, Call: 1, Round: 3, Retries: first}, rpc.Encode("77", "tools/call",
		[]byte(`{"name":"order","inputResponses":{"seats":{"action":"decline"}}}`), nil, nil))
	s.Failure("77", -32602, "no")
	told, _ := diff(t, s, compare.Place{Call: 1, Round: 2}, compare.Place{Call: 1, Round: 3})
	require.Contains(t, told, `answers sent /seats/action: "accept" > "decline"`)
	require.Contains(t, told, `error :  > {"code":-32602,"message":"no"}`)
}

func TestHeadersDifferWithoutTellingSecrets(t *testing.T) {
	s := ready(trace.Modern)
	exchange := func(n int, token, region string, status int) {
		s.Act(trace.Act{Kind: trace.ActCall, Call: n, Method: "tools/call", Name: "t"})
		s.Log.Append(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPRequest, Method: "POST", URL: "http://h/mcp", Headers: []trace.Header{
			{Name: "Authorization", Value: "Bearer " + token}, {Name: "mcp-param-region", Value: region}, {Name: "Same", Value: "x"}}}})
		s.Log.Append(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Exchange: n, Cause: trace.Cause{Why: trace.WhyCall, Call: n, Round: 1},
			Bytes: rpc.Encode(rpc.NumberID(100+n), "tools/call", []byte(`{"name":"t"}`), nil, nil)}})
		s.Log.Append(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPResponse, Status: status, Headers: []trace.Header{{Name: "Date", Value: token}}}})
	}
	exchange(1, "first-secret", "eu", 200)
	exchange(2, "second-secret", "us", 403)
	told, quiet := diff(t, s, compare.Place{Call: 1}, compare.Place{Call: 2})
	require.Equal(t, []string{
		"round 1: http status: 200 > 403",
		"round 1: headers sent Authorization: Bearer *** > Bearer *** (another one)",
		"round 1: headers sent Mcp-Param-Region: eu > us",
	}, told)
	require.Contains(t, quiet, "round 1: headers got Date: first-secret > second-secret")
}

type lost struct{ *trace.Log }

func (lost) Body(int) ([]byte, error) { return nil, errors.New("gone") }

func TestABodyThatCannotBeReadIsNamed(t *testing.T) {
	s := ready(trace.Modern)
	plain.play(s)
	sess := fold(s)
	x, _ := compare.Gather(sess, compare.Place{Call: 1})
	rows := compare.Diff(x, x, lost{s.Log})
	require.NotEmpty(t, rows)
	require.Equal(t, "gone", string(rows[0].After))
}

func TestLists(t *testing.T) {
	rows := compare.Lists("tools",
		[]compare.Entry{entry("add", `{"name":"add","title":"Add"}`), entry("old", `{"name":"old"}`), entry("same", `{}`)},
		[]compare.Entry{entry("same", `{}`), entry("add", `{"name":"add","title":"Sum"}`), entry("new", `{"name":"new"}`)})
	var got []string
	for _, d := range rows {
		got = append(got, string(d.Op)+" "+d.Path)
	}
	require.Equal(t, []string{"change add/title", "remove old", "add new"}, got)
	require.Equal(t, state.Added, compare.JSON("x", nil, []byte(`1`))[0].Op)
}

func entry(key, raw string) compare.Entry { return compare.Entry{Key: key, Raw: []byte(raw)} }
