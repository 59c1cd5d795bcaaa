package reentry_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest" // registers -update
	"mcptui/ui/internal/script"
	"mcptui/ui/reentry"
)

type m = map[string]any

func accept(content m) m { return m{"action": "accept", "content": content} }

func form(key, message, kind string) script.Want {
	return script.Want{Key: key, Method: "elicitation/create",
		Params: m{"message": message, "requestedSchema": m{"type": "object", "properties": m{"n": m{"type": kind}}}}}
}

// read returns the findings of the last call of a script.
func read(s *script.Script) (reentry.Facts, []reentry.Finding) {
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	f := reentry.Gather(sess, sess.Calls[len(sess.Calls)-1])
	return f, reentry.Read(f, s.Log)
}

// texts are the findings of some rules; of all but the time without any.
func texts(found []reentry.Finding, rules ...string) (out []string) {
	for _, f := range found {
		for _, r := range rules {
			if f.Rule == r {
				out = append(out, f.Text)
			}
		}
		if rules == nil && f.Rule != "time" {
			out = append(out, f.Text)
		}
	}
	return out
}

func ready(era trace.Era) *script.Script {
	s := script.New()
	s.Ready(era)
	return s
}

func logged(s *script.Script, text string) {
	s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"info","data":"`+text+`"}`), nil, nil))
}

func TestWhatIsWrittenInSeveralRounds(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		s := ready(era)
		c := s.Call("order", nil)
		logged(s, "looking up")
		s.Stderr("12:00:01 charged card\n12:00:01 once only\n")
		c.Progress(1, 3, "began")
		c.Asks(m{"a": 1}, form("n", "How many?", "integer"))
		s.Wait(time.Second)
		c.Answer("n", accept(m{"n": 1}))
		logged(s, "looking up")
		logged(s, "found it")
		s.Stderr("12:00:02 charged card\n")
		c.Progress(1, 3, "began")
		s.Noise("debug!", "not JSON")
		c.Done("done")
		_, found := read(s)
		require.Equal(t, []string{
			"log in rounds 1 and 2: info: looking up",
			"stderr in rounds 1 and 2: 12:00:01 charged card  (with other numbers)",
			"progress in rounds 1 and 2: 1/3 began",
		}, texts(found), "%s", era)
	}
}

func TestOneRoundRepeatsNothing(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("order", nil)
	logged(s, "tick")
	logged(s, "tick")
	c.Done("done")
	f, found := read(s)
	require.Empty(t, found)
	require.Equal(t, "one round so far: nothing was run again", reentry.Lines(f, found, draw.NewTheme(nil))[0].Plain())
}

func TestTimeBeforeEachAsk(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	_, found := read(s)
	require.Equal(t, []string{`the server's time: round 1 12 ms before it asks "when", round 2 9 ms before it asks "seats", round 3 8 ms before it asks "confirm", round 4 15 ms before its end; 44 ms in all, 32 ms of it after the first round`},
		texts(found, "time"))
}

func TestAsksDriftWithinACall(t *testing.T) {
	for _, c := range []struct {
		name   string
		second script.Want
		want   string
	}{
		{"another question", form("m", "Where?", "string"), ""},
		{"asked again as it was", form("n", "How many?", "integer"), ""},
		{"message", form("n", "How many, 2nd try?", "integer"), `ask "n" has another message in round 2 than in round 1: "How many?" became "How many, 2nd try?"`},
		{"schema", form("n", "How many?", "string"), `ask "n" has another schema in round 2 than in round 1: change /properties/n/type`},
		{"key", form("elicitation_2", "How many?", "integer"), `the same question has the key "n" in round 1 and "elicitation_2" in round 2: an answer to the one does not find the other`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ready(trace.Modern)
			call := s.Call("order", nil)
			call.Asks(m{"a": 1}, form("n", "How many?", "integer"))
			call.Answer("n", accept(m{"n": 1}))
			call.Asks(m{"a": 2}, c.second)
			_, found := read(s)
			if got := texts(found, "ask-drift"); c.want == "" {
				require.Empty(t, got)
			} else {
				require.Equal(t, []string{c.want}, got)
			}
		})
	}
}

func TestAsksDriftBetweenRuns(t *testing.T) {
	for _, c := range []struct {
		name       string
		first, now script.Want
		args       m
		want       string
	}{
		{"no drift", form("n", "How many?", "integer"), form("n", "How many?", "integer"), nil, ""},
		{"other arguments", form("n", "How many?", "integer"), form("n", "How few?", "integer"), m{"x": 1}, ""},
		{"key", form("ask-81", "How many?", "integer"), form("ask-82", "How many?", "integer"), nil,
			`round 1 asks by the key "ask-82", the same round of call 1 by "ask-81", with the same arguments and answers`},
		{"message", form("n", "How many?", "integer"), form("n", "How few?", "integer"), nil,
			`ask "n" has another message in round 1 than in the same round of call 1: "How many?" became "How few?"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ready(trace.Modern)
			call := s.Call("order", nil)
			call.Asks(nil, c.first)
			call.Answer(c.first.Key, accept(m{"n": 1}))
			call.Done("done")
			call = s.Call("order", any2(c.args))
			call.Asks(nil, c.now)
			_, found := read(s)
			if got := texts(found, "ask-drift"); c.want == "" {
				require.Empty(t, got)
			} else {
				require.Equal(t, []string{c.want}, got)
			}
		})
	}
}

func any2(args m) any {
	if args == nil {
		return nil
	}
	return args
}

// What follows on another answer is free to differ.
func TestRunsPartWhereTheAnswersDo(t *testing.T) {
	s := ready(trace.Modern)
	for _, n := range []int{1, 2} {
		c := s.Call("order", nil)
		c.Asks(nil, form("n", "How many?", "integer"))
		c.Answer("n", accept(m{"n": n}))
		c.Asks(nil, form("n", strings.Repeat("And? ", n), "integer"))
	}
	_, found := read(s)
	for _, text := range texts(found, "ask-drift") {
		require.NotContains(t, text, "call 1")
	}
}

func TestStates(t *testing.T) {
	big := strings.Repeat("x", 9000)
	for _, c := range []struct {
		name   string
		states []any
		rule   string
		want   string
		warn   bool
	}{
		{"changes and does not grow", []any{m{"step": 1}, m{"step": 2}}, "state-same", "", false},
		{"the same", []any{m{"step": 1}, m{"step": 1}}, "state-same", "round 2 gives back the state that it was given, byte for byte", true},
		{"grows", []any{m{"a": ""}, m{"a": "xxxxxx"}, m{"a": "xxxxxxxxxxxx"}}, "state-growth", "the state grows in each round: ", false},
		{"grows out of hand", []any{m{"a": ""}, m{"a": big}}, "state-growth", "the state grows in each round: ", true},
		{"grows, then not", []any{m{"a": ""}, m{"a": "xxxxxx"}, m{"a": ""}}, "state-growth", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ready(trace.Modern)
			call := s.Call("order", nil)
			for i, st := range c.states {
				if i > 0 {
					call.Answer("n", accept(m{"n": i}))
				}
				call.Asks(st, form("n", "How many?", "integer"))
			}
			_, found := read(s)
			got := texts(found, c.rule)
			if c.want == "" {
				require.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			require.Contains(t, got[0], c.want)
			for _, f := range found {
				if f.Rule == c.rule {
					require.Equal(t, c.warn, f.Warn)
				}
			}
		})
	}
}

func TestAStateThatOnlyMovesItsTime(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("order", nil)
	c.Asks(m{"step": 1}, form("n", "How many?", "integer"))
	s.Wait(time.Minute)
	c.Answer("n", accept(m{"n": 1}))
	c.Asks(m{"step": 1}, form("n", "How many?", "integer"))
	_, found := read(s)
	require.Equal(t, []string{"round 2 gives a state that says the same as the one it was given, but for its times, though answers came with it"}, texts(found, "state-same"))
}

// A counter in the first state says that something was done before the ask.
func TestCountedBeforeTheAsk(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second m
		want          bool
	}{
		{"counts on", m{"refund": 1}, m{"refund": 2}, true},
		{"stays", m{"refund": 1}, m{"refund": 1}, false},
		{"random", m{"id": 81243}, m{"id": 99182}, false},
		{"goes back", m{"left": 5}, m{"left": 4}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ready(trace.Modern)
			for _, st := range []m{c.first, c.second} {
				s.Call("refund", nil).Asks(st, form("ok", "Refund?", "boolean"))
				s.Wait(30 * time.Second)
			}
			_, found := read(s)
			require.Equal(t, c.want, len(texts(found, "counted")) == 1, texts(found))
		})
	}
}

func TestLinesAreClean(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("order", nil)
	s.Stderr("\x1b]0;x\a\n")
	c.Asks(nil, form("\x1b[2J", "a", "integer"))
	c.Answer("\x1b[2J", accept(m{"n": 1}))
	s.Stderr("\x1b]0;x\a\n")
	c.Done("done")
	f, found := read(s)
	var all strings.Builder
	for _, l := range reentry.Lines(f, found, draw.NewTheme(nil)) {
		all.WriteString(l.Plain())
	}
	require.NotContains(t, all.String(), "\x1b")
	require.Contains(t, all.String(), "␛]0;x")
}
