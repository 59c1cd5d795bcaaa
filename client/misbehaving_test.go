package client_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

const form = `{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}}}}}`

func asks(members string) string { return `{"resultType":"input_required",` + members + `}` }

// callAndAnswer calls a tool, gives every ask the same answer, and returns how it
// ended.
func callAndAnswer(t *testing.T, s *scripted, tool, answer string) client.Outcome {
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	require.NoError(t, c.Ready(ctx))
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `","arguments":{}}`)})
	require.NoError(t, err)
	for {
		var open *trace.AskID
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
			open = nil
			if waiting := s.Waiting(); len(waiting) > 0 {
				open = &waiting[0].ID
			}
			return open != nil || s.Call(call).Status.Final()
		}))
		if open == nil {
			o, err := c.Wait(ctx, call)
			require.NoError(t, err)
			return o
		}
		if err := c.Answer(*open, control.Reply{Result: json.RawMessage(answer)}, trace.Script); err != nil {
			require.ErrorIs(t, err, control.ErrNo) // it ended meanwhile
		}
	}
}

const accept = `{"action":"accept","content":{"v":"x"}}`

// Servers whose multi-round results break the rules, or nearly do.
func TestRoundsThatMisbehave(t *testing.T) {
	for name, c := range map[string]struct {
		result   string // of the first request; a retry is answered with done
		status   trace.Status
		note     string
		requests int
	}{
		"neither":        {`{"resultType":"input_required"}`, trace.Violated, "neither", 1},
		"empty map":      {asks(`"inputRequests":{}`), trace.Violated, "nothing to answer", 1},
		"null map":       {asks(`"inputRequests":null`), trace.Violated, "not an object", 1},
		"array map":      {asks(`"inputRequests":[` + form + `]`), trace.Violated, "not an object", 1},
		"state only":     {asks(`"requestState":"go"`), trace.Done, "", 2},
		"blank state":    {asks(`"inputRequests":{"k":` + form + `},"requestState":""`), trace.Done, "", 2},
		"number state":   {asks(`"requestState":7`), trace.Violated, "not a string", 1},
		"unknown type":   {`{"resultType":"maybe","content":[]}`, trace.Violated, "maybe", 1},
		"task":           {`{"resultType":"task","task":{"taskId":"t"}}`, trace.Violated, "tasks extension", 1},
		"vendor":         {asks(`"inputRequests":{"q":{"method":"vendor/askOracle"}}`), trace.Violated, "vendor/askOracle", 1},
		"no method":      {asks(`"inputRequests":{"q":{"params":{}}}`), trace.Violated, "names no method", 1},
		"no params":      {asks(`"inputRequests":{"q":{"method":"elicitation/create"}}`), trace.Violated, "without params", 1},
		"bad schema":     {asks(`"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"x","requestedSchema":"nope"}}}`), trace.Violated, "requestedSchema", 1},
		"nested schema":  {asks(`"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}}`), trace.Done, "", 2},
		"bad mode":       {asks(`"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"hologram","message":"x"}}}`), trace.Violated, "hologram", 1},
		"one good":       {asks(`"inputRequests":{"good":` + form + `,"bad":{"method":"vendor/x"}}`), trace.Violated, `"bad"`, 1},
		"undeclared":     {asks(`"inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}}`), trace.Violated, "sampling.tools", 1},
		"result is text": {`"done"`, trace.Violated, "not an object", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(func(m rpc.Message, _ string) []string {
				if rpc.Member(m.Params, "inputResponses") != nil || rpc.Member(m.Params, "requestState") != nil {
					return []string{result(m, `{"resultType":"complete","content":[]}`)}
				}
				return []string{result(m, c.result)}
			})
			o := callAndAnswer(t, s, "x", accept)
			require.Equal(t, c.status, o.Status, o.Note)
			require.Contains(t, o.Note, c.note)
			sent := s.requests("tools/call")
			require.Len(t, sent, c.requests)
			if c.requests == 2 {
				require.NotEqual(t, sent[0].ID, sent[1].ID)
			}
		})
	}
}

func TestInputRequiredWhereItIsNotAllowed(t *testing.T) {
	s := modern(nil)
	lists := s.answer
	s.answer = func(m rpc.Message) []string {
		switch m.Method {
		case "tools/list", "completion/complete":
			return []string{result(m, asks(`"inputRequests":{"who":`+form+`},"requestState":"s"`))}
		}
		return lists(m)
	}
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	require.NoError(t, c.Ready(ctx))
	call, err := c.Call(control.Request{Method: "completion/complete", Params: json.RawMessage(`{}`)})
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Violated, o.Status)
	require.Contains(t, o.Note, "input_required is not allowed on completion/complete")
	require.NotNil(t, o.Result, "what came stays in view")
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		require.Empty(t, s.Waiting())
		if l := s.Catalogue.Tools; l.Loaded {
			require.Contains(t, l.Error, "input_required is not allowed on tools/list")
		}
		for r := range s.Rows.All() {
			if strings.Contains(r.Text, "input_required is not allowed on tools/list") {
				return true
			}
		}
		return false
	}))
}

// Servers that never stop asking.
func TestRoundsWithoutEnd(t *testing.T) {
	for name, c := range map[string]struct {
		result   string
		answer   string
		note     string
		requests int
	}{
		"the same question":         {asks(`"inputRequests":{"again":` + form + `},"requestState":"same"`), accept, "after 10 rounds", 11},
		"asked again after decline": {asks(`"inputRequests":{"again":` + form + `}`), `{"action":"decline"}`, "after 10 rounds", 11},
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(func(m rpc.Message, _ string) []string { return []string{result(m, c.result)} })
			o := callAndAnswer(t, s, "loop", c.answer)
			require.Equal(t, trace.Limited, o.Status)
			require.Contains(t, o.Note, c.note)
			require.Len(t, s.requests("tools/call"), c.requests)
		})
	}
}

// The state comes back byte for byte, the latest one, with the latest answers.
func TestStateIsEchoedByteForByte(t *testing.T) {
	states := []string{
		`"a\"b\\c\/<>&\u0000\u0001\u007f\u2028 é\ud83d\ude00 lone:\ud800 {\"json\":1}  "`,
		`""`, `"\u00e9 and é"`, "", `"` + strings.Repeat("x", 1<<20) + `"`,
	}
	round := 0
	s := modern(func(m rpc.Message, _ string) []string {
		if round > 0 && string(rpc.Member(m.Params, "requestState")) != states[round-1] {
			return []string{fault(m, `{"code":-32602,"message":"altered"}`)}
		}
		if round > 0 && string(rpc.Member(m.Params, "inputResponses")) != fmt.Sprintf(`{"k%d":%s}`, round-1, accept) {
			return []string{fault(m, `{"code":-32602,"message":"not the answers of the latest round"}`)}
		}
		if round == len(states) {
			return []string{result(m, `{"content":[]}`)}
		}
		state := ""
		if states[round] != "" {
			state = `,"requestState":` + states[round]
		}
		round++
		return []string{result(m, asks(fmt.Sprintf(`"inputRequests":{"k%d":%s}%s`, round-1, form, state)))}
	})
	o := callAndAnswer(t, s, "exact", accept)
	require.Equal(t, trace.Done, o.Status, "%s %+v", o.Note, o.Error)
	ids := map[rpc.ID]bool{}
	for _, m := range s.requests("tools/call") {
		require.False(t, ids[m.ID], "the id %s was used twice", m.ID)
		ids[m.ID] = true
		require.Equal(t, `"exact"`, string(rpc.Member(m.Params, "name")))
		require.Equal(t, `{}`, string(rpc.Member(m.Params, "arguments")))
	}
}

// Servers whose output is not what it should be.
func TestOutputThatMisbehaves(t *testing.T) {
	for name, c := range map[string]struct {
		lines  func(m rpc.Message) []string
		status trace.Status
		note   string
		noise  int
	}{
		"noise around the answer": {func(m rpc.Message) []string {
			return []string{"Server started\n", "\n", "\x1b[31mred\x1b[0m\n", `{"level":"info"}` + "\n", result(m, `{"content":[]}`)}
		}, trace.Done, "", 4},
		"a byte order mark": {func(m rpc.Message) []string { return []string{"\ufeff" + result(m, `{"content":[]}`)} }, trace.Done, "", 0},
		"CRLF": {func(m rpc.Message) []string {
			return []string{strings.ReplaceAll(result(m, `{"content":[]}`), "\n", "\r\n")}
		}, trace.Done, "", 0},
		"truncated": {func(m rpc.Message) []string { return []string{result(m, `{"content":[`)[:40] + "\n"} },
			trace.Violated, "not JSON", 0},
		"trailing comma":        {func(m rpc.Message) []string { return []string{result(m, `{"content":[],}`)} }, trace.Violated, "not JSON", 0},
		"a comment":             {func(m rpc.Message) []string { return []string{result(m, `{"content":[]/* none */}`)} }, trace.Violated, "not JSON", 0},
		"the same key twice":    {func(m rpc.Message) []string { return []string{result(m, `{"content":1,"content":[]}`)} }, trace.Done, "", 0},
		"a number out of range": {func(m rpc.Message) []string { return []string{result(m, `{"content":[],"n":1e99999}`)} }, trace.Done, "", 0},
		"100,000 arrays deep": {func(m rpc.Message) []string {
			return []string{result(m, `{"content":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`)}
		}, trace.Violated, "exceeded max depth", 0},
		"NaN": {func(m rpc.Message) []string { return []string{result(m, `{"content":[],"n":NaN}`)} }, trace.Violated, "not JSON", 0},
		"no jsonrpc": {func(m rpc.Message) []string {
			return []string{`{"id":` + string(m.ID) + `,"result":{"content":[]}}` + "\n"}
		}, trace.Done, "", 0},
		"no result": {func(m rpc.Message) []string { return []string{`{"jsonrpc":"2.0","id":` + string(m.ID) + "}\n"} }, trace.Violated, "no result", 0},
		"result and error": {func(m rpc.Message) []string {
			return []string{`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{},"error":{"code":-1,"message":"e"}}` + "\n"}
		}, trace.Failed, "", 0},
		"jsonrpc 1.0": {func(m rpc.Message) []string {
			return []string{`{"jsonrpc":"1.0","id":` + string(m.ID) + `,"result":{"content":[]}}` + "\n"}
		}, trace.Done, "", 0},
		"a text as result":         {func(m rpc.Message) []string { return []string{result(m, `"ok"`)} }, trace.Violated, "not an object", 0},
		"an object as content":     {func(m rpc.Message) []string { return []string{result(m, `{"content":{"type":"text","text":"x"}}`)} }, trace.Done, "", 0},
		"a text as error code":     {func(m rpc.Message) []string { return []string{fault(m, `{"code":"E_FAIL","message":"e"}`)} }, trace.Failed, "", 0},
		"a fraction as error code": {func(m rpc.Message) []string { return []string{fault(m, `{"code":-32000.5,"message":"e"}`)} }, trace.Failed, "", 0},
		"null result":              {func(m rpc.Message) []string { return []string{result(m, `null`)} }, trace.Violated, "not an object", 0},
		"error is text":            {func(m rpc.Message) []string { return []string{fault(m, `"broken"`)} }, trace.Failed, "", 0},
		"id as a string": {func(m rpc.Message) []string {
			return []string{`{"jsonrpc":"2.0","id":"` + string(m.ID) + `","result":{}}` + "\n"}
		}, trace.Violated, "the request had", 0},
		"error without id": {func(rpc.Message) []string {
			return []string{`{"jsonrpc":"2.0","error":{"code":-32600,"message":"?"}}` + "\n"}
		},
			trace.Failed, "has no id", 0},
		"no newline at the end": {func(m rpc.Message) []string { return []string{strings.TrimSpace(result(m, `{"content":[]}`)), hangUp} }, trace.Done, "", 0},
		"hung up":               {func(rpc.Message) []string { return []string{hangUp} }, trace.Lost, "not known", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(func(m rpc.Message, _ string) []string { return c.lines(m) })
			conn, ctx := dial(t, client.Options{Target: s.target(t)})
			require.NoError(t, conn.Ready(ctx))
			require.NoError(t, conn.Watch(ctx, func(s *session.Session) bool { return s.Catalogue.Tools.Loaded }))
			call, err := conn.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`)})
			require.NoError(t, err)
			o, err := conn.Wait(ctx, call)
			require.NoError(t, err)
			require.Equal(t, c.status, o.Status, o.Note)
			require.Contains(t, o.Note, c.note)
			noise := 0
			for _, e := range conn.Log().Since(0) {
				if e.Noise != nil {
					noise++
				}
			}
			require.Equal(t, c.noise, noise)
		})
	}
}

// The result of a call is the message that answers it, whatever else its frame
// holds.
func TestAnAnswerInABatch(t *testing.T) {
	for name, c := range map[string]struct {
		batch func(m rpc.Message) string
		end   trace.Status
	}{
		"after a notification": {func(m rpc.Message) string {
			return `[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}},` + strings.TrimSpace(result(m, `{"content":[],"mine":1}`)) + "]\n"
		}, trace.Done},
		"before another's answer": {func(m rpc.Message) string {
			return "[" + strings.TrimSpace(result(m, `{"content":[],"mine":1}`)) + `,{"jsonrpc":"2.0","id":9999,"result":{"content":[]}}]` + "\n"
		}, trace.Done},
		"an error": {func(m rpc.Message) string {
			return "[" + strings.TrimSpace(fault(m, `{"code":-32000,"message":"mine"}`)) + "]\n"
		}, trace.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			o := callAndAnswer(t, modern(func(m rpc.Message, _ string) []string { return []string{c.batch(m)} }), "x", accept)
			require.Equal(t, c.end, o.Status, o.Note)
			if c.end == trace.Failed {
				require.NotNil(t, o.Error)
				require.Equal(t, "mine", o.Error.Message)
				return
			}
			require.Equal(t, `{"content":[],"mine":1}`, string(o.Result))
		})
	}
}

// What nobody can tell the request of ends none, but a timeout mentions it.
func TestATimeoutMentionsWhatCameInstead(t *testing.T) {
	for name, line := range map[string]string{
		"noise":                "<html>Internal error</html>\n",
		"broken, and no id":    "{'jsonrpc':'2.0','id':2,'result':{}}\n",
		"JSON that is no call": `{"jsonrpc":"2.0"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(func(rpc.Message, string) []string { return []string{line} })
			// The clock stands still until what came has been seen: no request but the
			// call can be late, however slow the machine.
			var passed atomic.Int64
			log := trace.NewLog(func() time.Time { return time.Unix(passed.Load(), 0) })
			c, ctx := dial(t, client.Options{Target: s.target(t), Timeout: 100 * time.Millisecond, Log: log})
			require.NoError(t, c.Ready(ctx))
			call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`)})
			require.NoError(t, err)
			require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
				for r := range s.Rows.All() {
					if r.Part == session.PartNoise || r.Problem != "" {
						return true
					}
				}
				return false
			}))
			require.NoError(t, c.Hold(0, false)) // which the engine does behind what came
			passed.Store(3600)
			o, err := c.Wait(ctx, call)
			require.NoError(t, err)
			require.Equal(t, trace.TimedOut, o.Status, o.Note)
			require.Contains(t, o.Note, "; 1 line was no message: ")
		})
	}
}

func TestAnswersThatComeTwice(t *testing.T) {
	s := modern(func(m rpc.Message, _ string) []string {
		return []string{result(m, `{"content":[{"type":"text","text":"first"}]}`), result(m, `{"content":[]}`), fault(m, `{"code":1,"message":"third"}`)}
	})
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"dup"}`)})
	require.NoError(t, err)
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Contains(t, string(o.Result), "first")
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
		late := 0
		for r := range s.Rows.All() {
			if strings.Contains(r.Problem, "answered before") {
				late++
			}
		}
		return late == 2
	}))
}

// What a server says of its era, and what is made of it.
func TestErasThatLie(t *testing.T) {
	discover := func(versions string) func(rpc.Message) []string {
		return func(m rpc.Message) []string {
			return []string{result(m, `{"resultType":"complete"`+versions+`,"capabilities":{"tools":{}}}`)}
		}
	}
	for name, c := range map[string]struct {
		discover func(m rpc.Message) []string
		refuses  string // the only version at which requests are served, "" for all
		era      trace.Era
		fails    string
		opened   int32
	}{
		"claims":      {discover(`,"supportedVersions":["2026-07-28"]`), "2025-11-25", trace.Legacy, "", 1},
		"old only":    {discover(`,"supportedVersions":["2025-11-25"]`), "", trace.Legacy, "", 1},
		"no versions": {discover(``), "", trace.Legacy, "", 1},
		"none at all": {discover(`,"supportedVersions":[]`), "", trace.Legacy, "", 1},
		"the future":  {discover(`,"supportedVersions":["2027-01-01"]`), "", trace.Legacy, "", 1},
		"retry loop":  {func(m rpc.Message) []string { return []string{unsupported(m, "2026-07-28")} }, "", "", "lists that very version", 1},
		"no id": {func(rpc.Message) []string {
			return []string{`{"jsonrpc":"2.0","error":{"code":-32600,"message":"no session"}}` + "\n"}
		}, "", trace.Legacy, "", 1},
		"closes": {func(rpc.Message) []string { return []string{hangUp} }, "", trace.Legacy, "", 2},
		"no _meta": {func(m rpc.Message) []string {
			return []string{fault(m, `{"code":-32602,"message":"unexpected _meta"}`)}
		}, "", trace.Legacy, "", 1},
		"initialize":    {func(m rpc.Message) []string { return []string{initializeResult(m)} }, "", trace.Legacy, "", 1},
		"listed legacy": {func(m rpc.Message) []string { return []string{unsupported(m, "2025-06-18")} }, "", trace.Legacy, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{}
			s.answer = func(m rpc.Message) []string {
				modern := rpc.Member(m.Params, "_meta", "io.modelcontextprotocol/protocolVersion") != nil
				switch {
				case m.Method == "server/discover":
					return c.discover(m)
				case m.Kind != rpc.Request:
					return nil
				case modern && c.refuses != "":
					return []string{unsupported(m, c.refuses)}
				case m.Method == "initialize":
					return []string{initializeResult(m)}
				case m.Method == "tools/list":
					return []string{result(m, `{"tools":[]}`)}
				}
				return []string{result(m, `{"content":[]}`)}
			}
			conn, ctx := dial(t, client.Options{Target: s.target(t)})
			err := conn.Ready(ctx)
			if c.fails != "" {
				var failed *client.Error
				require.ErrorAs(t, err, &failed)
				require.Contains(t, failed.Reason, c.fails)
				return
			}
			require.NoError(t, err)
			require.NoError(t, conn.Watch(ctx, func(s *session.Session) bool {
				return s.Conn.Phase == trace.PhaseReady && s.Conn.Era == c.era
			}))
			call, err := conn.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"ok"}`)})
			require.NoError(t, err)
			o, err := conn.Wait(ctx, call)
			require.NoError(t, err)
			require.Equal(t, trace.Done, o.Status, o.Note)
			require.Equal(t, c.opened, s.opened.Load())
		})
	}
}
