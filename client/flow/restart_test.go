package flow

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Nothing that waits to be sent when the person restarts or reconnects is sent by
// itself after that, whatever it waits for. A retry stands, with the person's
// edits, and leaves when the person sends it; of a call that no server has begun
// to carry out it is said that it has to be run again.
func TestNothingLeavesByItselfAfterARestart(t *testing.T) {
	const (
		call   = `{"name":"t","arguments":{}}`
		asks   = `"result":{"resultType":"input_required","inputRequests":{"r":{"method":"elicitation/create","params":{"message":"x","requestedSchema":{}}}},"requestState":"one"}`
		state  = `"result":{"resultType":"input_required","requestState":"one"}`
		edited = `{"name":"t","requestState":"two"}`
	)
	later := trace.Header{Name: "Retry-After", Value: "5"}
	begin := func(t *testing.T, s *server) Send {
		_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(call)})
		require.NoError(t, err)
		s.take()
		if calls := s.requests("tools/call"); len(calls) > 0 {
			return calls[0]
		}
		return Send{}
	}
	asked := func(t *testing.T, s *server) trace.AskID {
		s.answer(begin(t, s), asks)
		for id := range s.flow.asks {
			return id
		}
		require.Fail(t, "nothing was asked")
		return trace.AskID{}
	}
	answer := func(t *testing.T, s *server, id trace.AskID) {
		require.NoError(t, s.flow.Answer(now, id, control.Reply{Result: []byte(`{"action":"decline"}`)}, ""))
		s.take()
	}
	restart := func(t *testing.T, s *server) {
		require.NoError(t, s.flow.Restart(now))
		s.take()
		s.flow.Opened(now, nil)
		s.take()
	}
	change := func(t *testing.T, s *server, twice bool) {
		d, err := s.flow.Draft(now, 1)
		require.NoError(t, err)
		d.Params, d.Twice = []byte(edited), twice
		require.NoError(t, s.flow.Send(now, d))
		s.take()
	}
	for _, c := range []struct {
		name      string
		transport string
		era       trace.Era
		wait      func(*testing.T, *server) // brings something to where it waits
		want      string                    // what the standing retry has in it; "" where the call has ended
		twice     bool
	}{
		{name: "the pause of a round that only gives a state", transport: Stdio, wait: func(t *testing.T, s *server) {
			s.answer(begin(t, s), state)
		}, want: `"requestState":"one"`},
		{name: "the same over HTTP", transport: HTTP, wait: func(t *testing.T, s *server) {
			s.answer(begin(t, s), state)
		}, want: `"requestState":"one"`},
		{name: "a retry behind the list of tools", transport: HTTP, wait: func(t *testing.T, s *server) {
			id := asked(t, s)
			require.NoError(t, s.flow.Refresh(now))
			s.take()
			answer(t, s, id)
		}, want: `"action":"decline"`},
		{name: "a retry that waits for the connection", transport: Stdio, wait: func(t *testing.T, s *server) {
			id := asked(t, s)
			restart(t, s)
			answer(t, s, id)
		}, want: `"action":"decline"`},
		{name: "an edited retry that waits for the connection", transport: Stdio, wait: func(t *testing.T, s *server) {
			require.NoError(t, s.flow.Hold(now, 0, true))
			answer(t, s, asked(t, s))
			restart(t, s)
			change(t, s, false)
		}, want: edited},
		{name: "one that is to be sent twice", transport: Stdio, wait: func(t *testing.T, s *server) {
			require.NoError(t, s.flow.Hold(now, 0, true))
			answer(t, s, asked(t, s))
			restart(t, s)
			change(t, s, true)
		}, want: edited, twice: true},
		{name: "a retry that was put off", transport: HTTP, wait: func(t *testing.T, s *server) {
			answer(t, s, asked(t, s))
			s.refuses(s.last("tools/call"), 429, later, false)
		}, want: `"action":"decline"`},
		{name: "an edited retry that was put off", transport: HTTP, wait: func(t *testing.T, s *server) {
			require.NoError(t, s.flow.Hold(now, 0, true))
			answer(t, s, asked(t, s))
			change(t, s, false)
			s.refuses(s.last("tools/call"), 503, later, false)
		}, want: edited},
		{name: "a call that was put off", transport: HTTP, wait: func(t *testing.T, s *server) {
			s.refuses(begin(t, s), 429, later, false)
		}},
		{name: "a call behind the list of tools", transport: HTTP, wait: func(t *testing.T, s *server) {
			require.NoError(t, s.flow.Refresh(now))
			s.take()
			begin(t, s)
		}},
		{name: "a call that waits for the connection", transport: Stdio, wait: func(t *testing.T, s *server) {
			restart(t, s)
			begin(t, s)
		}},
		{name: "a call whose session is begun anew", transport: HTTP, era: trace.Legacy, wait: func(t *testing.T, s *server) {
			s.refuses(begin(t, s), 404, trace.Header{}, true)
			require.Equal(t, stageInitializing, s.flow.stage)
		}},
		{name: "a call whose version is changed", transport: HTTP, wait: func(t *testing.T, s *server) {
			s.answer(begin(t, s), `"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}`)
			require.Equal(t, stageInitializing, s.flow.stage)
		}},
		{name: "a list that was put off", transport: HTTP, wait: func(t *testing.T, s *server) {
			require.NoError(t, s.flow.Refresh(now))
			s.take()
			s.refuses(s.last(toolsList), 429, later, false)
			begin(t, s)
		}},
	} {
		for how, again := range map[string]func(*Flow, time.Duration) error{"restarted": (*Flow).Restart, "reconnected": (*Flow).Reconnect} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				era := trace.Modern
				if c.era != "" {
					era = c.era
				}
				s := connect(t, Config{Transport: c.transport, Capabilities: []byte(`{"elicitation":{"form":{}}}`)}, era, `{"tools":{}}`)
				s.answer(s.last(toolsList), `"result":{"tools":[{"name":"t"}]}`)
				c.wait(t, s)
				before, said := len(s.sent), len(s.acts)

				require.NoError(t, again(s.flow, now))
				s.take()
				s.flow.Opened(now, nil)
				s.take()
				s.handshake(t, era, `{"tools":{}}`)
				s.answer(s.last(toolsList), `"result":{"tools":[{"name":"t"}]}`)
				for at, ok := s.flow.Next(); ok && at < now+time.Hour; at, ok = s.flow.Next() {
					s.flow.Tick(at)
					s.take()
				}
				lists := 0
				for _, m := range s.sent[before:] {
					require.Zero(t, m.Cause.Call, "%s", m.Bytes)
					if rpc.Parse(m.Bytes).Method == toolsList {
						lists++
					}
				}
				require.Equal(t, 1, lists, "the list is fetched once")
				require.Contains(t, notes(s.acts[said:]), how)

				d, err := s.flow.Draft(now, 1)
				if c.want == "" {
					require.Error(t, err)
					require.True(t, s.flow.calls[1].status.Final())
					require.Contains(t, notes(s.acts[said:]), "run the call again")
					_, err = s.flow.Rerun(now, 1)
					require.NoError(t, err)
					s.take()
					require.Equal(t, 2, s.last("tools/call").Cause.Call)
					return
				}
				require.NoError(t, err)
				require.Equal(t, trace.Holding, s.flow.calls[1].status)
				require.NoError(t, s.flow.Send(now, d))
				s.take()
				after := s.sent[before:]
				sent := 0
				for _, m := range after {
					if m.Cause.Call == 1 {
						sent++
						require.Contains(t, string(m.Bytes), c.want)
						require.Equal(t, c.want == edited, m.Cause.Edited)
					}
				}
				require.Equal(t, map[bool]int{false: 1, true: 2}[c.twice], sent)
			})
		}
	}
}

func notes(acts []trace.Act) string {
	var out []string
	for _, a := range acts {
		out = append(out, a.Note)
	}
	return strings.Join(out, "\n")
}
