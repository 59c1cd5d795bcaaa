package flow

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// A server that asks for ever gets an error for what is too much, the log says how
// many, and neither the connection nor what is shown of it grows: with a call open
// and with none, with asks that wait, that are answered by rule beside one that
// waits, that it takes back, and that are refused for what they are.
func TestAServerThatAsksForEver(t *testing.T) {
	const half = 9000
	const form = `{"jsonrpc":"2.0","id":"%d","method":"elicitation/create","params":{"message":"a question, as long as many are","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`
	for _, c := range []struct {
		name  string
		first string // one ask that waits all the time
		flood []string
		kept  int // of the connection
		code  string
	}{
		{"asks that wait", "", []string{form}, mostAsks, "-32000"},
		{"roots, which are given at once", form, []string{`{"jsonrpc":"2.0","id":"%d","method":"roots/list"}`}, mostAsks, "-32000"},
		{"asks that are taken back", form, []string{form, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%d"}}`}, mostAsks, "-32000"},
		{"asks that are malformed", "", []string{`{"jsonrpc":"2.0","id":"%d","method":"elicitation/create","params":{"message":7,"requestedSchema":3}}`}, 0, "-32602"},
		{"asks that are not declared", "", []string{`{"jsonrpc":"2.0","id":"%d","method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}}`}, 0, "-32601"},
	} {
		for _, calls := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s, with %d calls", c.name, calls), func(t *testing.T) {
				s := connect(t, Config{Transport: Stdio, Lists: []string{}, Capabilities: []byte(`{"elicitation":{"form":{}},"roots":{}}`)}, trace.Legacy, `{}`)
				fold := s.fold
				fold.Rows.Bound(1 << 20)
				for range calls {
					_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
					require.NoError(t, err)
					s.take()
				}
				if c.first != "" {
					s.says(fmt.Sprintf(c.first, -1))
				}
				codes := map[string]int{}
				n := 0
				flood := func(count int) {
					for range count {
						n++
						for _, message := range c.flood {
							s.says(fmt.Sprintf(message, n))
						}
						for _, m := range s.sent {
							if failed := rpc.Parse(m.Bytes); failed.Kind == rpc.Failure {
								codes[string(rpc.Member(failed.Error, "code"))]++
							}
						}
						s.sent = s.sent[:0] // the other side keeps nothing
						s.acts = slices.DeleteFunc(s.acts, func(a trace.Act) bool { return !strings.Contains(a.Note, "goes on asking") })
					}
				}
				flood(half) // the fold knows many ids again before it forgets the oldest
				before := alive()
				flood(half)
				grown := alive() - before
				runtime.KeepAlive(s)
				require.Less(t, grown, 1<<20, "bytes kept of %d further asks", half)
				require.LessOrEqual(t, len(s.flow.inbox), mostAsks)
				require.LessOrEqual(t, len(s.flow.asks), mostAsks+keptAsks+1)
				require.LessOrEqual(t, len(fold.Asks), 4*mostAsks)
				for id, call := range s.flow.calls {
					require.Equal(t, call.status, fold.Call(id).Status)
					require.LessOrEqual(t, len(fold.Call(id).Rounds), 2)
				}
				if calls != 1 && c.kept > 0 && c.first != "" {
					return // each is settled, and of no call: there is room for the next
				}
				kept := c.kept
				if c.first != "" {
					kept-- // which it has filled
				}
				require.Equal(t, 2*half-kept, codes[c.code])
				if c.kept > 0 {
					said := notes(s.acts)
					require.Contains(t, said, "error -32000 (1 so far)")
					require.Contains(t, said, "(10000 so far)")
					require.Equal(t, 5, strings.Count(said, "goes on asking"))
				}
			})
		}
	}
}

// What waits is bounded by its size, too; a large ask alone is taken.
func TestLargeAsksThatWait(t *testing.T) {
	s := connect(t, Config{Transport: Stdio, Lists: []string{}, Capabilities: []byte(`{"elicitation":{"form":{}}}`)}, trace.Legacy, `{}`)
	s.flow.mostAsk = 1000
	ask := func(id, size int) {
		s.says(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{}}}}`, id, strings.Repeat("x", size)))
	}
	ask(1, 1000)
	require.Len(t, s.flow.inbox, 1)
	ask(2, 10)
	require.Len(t, s.flow.inbox, 1)
	require.Contains(t, string(s.sent[len(s.sent)-1].Bytes), `"code":-32000`)
	for _, a := range s.flow.inbox {
		require.NoError(t, s.flow.Answer(now, a.id, control.Reply{Result: []byte(`{"action":"cancel"}`)}, ""))
	}
	ask(3, 10)
	require.Len(t, s.flow.inbox, 1, "there is room again")
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// That a server takes no answers is told now and then, not for each.
func TestAnswersThatAServerDoesNotTake(t *testing.T) {
	s := connect(t, Config{Transport: Stdio, Lists: []string{}}, trace.Legacy, `{}`)
	for range 1000 {
		s.flow.Unsent(now, "", fmt.Errorf("send: %w", wire.ErrFull))
		s.take()
	}
	said := notes(s.acts)
	require.Equal(t, 4, strings.Count(said, "does not take what is sent"))
	require.Contains(t, said, "(1000 so far)")
}
