package ui_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

// bench is the UI on a real connection whose wire the test reads. Calls that
// only have to be there are made past the UI.
type bench struct {
	*screentest.Screen
	t     *testing.T
	log   *trace.Log
	conn  *client.Conn
	clock *clock
}

const ownToken, otherToken = "token-of-ada-0123456789", "token-of-bob-0123456789"

// newBench serves a profile inside the process, or over HTTP to two principals.
func newBench(t *testing.T, profile string, overHTTP bool, second []trace.Header) *bench {
	t.Helper()
	c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	o := embeddedserver.Options{Profile: profile, Version: "1.0.0", Now: c.Now, StateKeys: [][]byte{[]byte("a key that only the tests have...")}}
	if overHTTP {
		o.Tokens = map[string]string{ownToken: "ada", otherToken: "bob"}
	}
	srv, err := embeddedserver.New(o)
	require.NoError(t, err)
	var co client.Options
	if overHTTP {
		web := httptest.NewServer(srv.Handler())
		t.Cleanup(web.Close)
		co.Target.URL, co.Headers = web.URL, []trace.Header{{Name: "Authorization", Value: "Bearer " + ownToken}}
	} else {
		co.Target.Pipe = func(ctx context.Context) (io.ReadWriteCloser, error) { return srv.Pipe(ctx), nil }
	}
	t.Cleanup(srv.Close)
	return benchOn(t, co, c, second)
}

// benchOn is the UI on a server of the modern era.
func benchOn(t *testing.T, co client.Options, c *clock, second []trace.Header) *bench {
	t.Helper()
	b := &bench{t: t, log: trace.NewLog(c.Now), clock: c}
	co.Era, co.Log = trace.Modern, b.log
	var err error
	b.conn, err = client.Dial(context.Background(), co)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), screentest.Patience)
		defer cancel()
		require.NoError(t, b.conn.Close(ctx))
	})
	require.NoError(t, b.conn.Ready(context.Background()))
	b.Screen = screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: b.log, Control: b.conn, Start: c.Now(), Principal: second}), 150, 44)
	return b
}

func (b *bench) session() *session.Session {
	s := session.New()
	for _, e := range b.log.Since(0) {
		s.Apply(e)
	}
	return s
}

// until waits until the newest call is as it should be.
func (b *bench) until(what string, is func(*session.Session, *session.Call) bool) *session.Call {
	b.t.Helper()
	var c *session.Call
	require.Eventually(b.t, func() bool {
		s := b.session()
		if len(s.Calls) > 0 {
			c = s.Calls[len(s.Calls)-1]
		}
		return c != nil && is(s, c)
	}, screentest.Patience, 5*time.Millisecond, "the call never became %s", what)
	return c
}

func (b *bench) asking() *session.Call {
	return b.until("asking", func(s *session.Session, c *session.Call) bool {
		r := c.LastRound()
		return c.Status == trace.Asking && len(r.Asks) == 1 && s.Ask(r.Asks[0]).Status.Waiting()
	})
}

func (b *bench) became(status trace.Status) *session.Call {
	return b.until(string(status), func(_ *session.Session, c *session.Call) bool { return c.Status == status })
}

// ask begins a call and waits until it asks.
func (b *bench) ask(tool, args string) {
	b.t.Helper()
	id, err := b.conn.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `","arguments":` + args + `}`)})
	require.NoError(b.t, err)
	b.until("the newest", func(_ *session.Session, c *session.Call) bool { return c.ID == id })
	b.asking()
}

// answer accepts the one ask of the newest call.
func (b *bench) answer(content string) {
	b.t.Helper()
	asks := b.asking().LastRound().Asks
	require.NoError(b.t, b.conn.Answer(asks[0], control.Reply{Result: json.RawMessage(`{"action":"accept","content":` + content + `}`)}, trace.Person))
	b.until("answered", func(s *session.Session, c *session.Call) bool {
		return c.Status == trace.Holding || s.Ask(asks[0]).Status == session.Sent
	})
}

func (b *bench) hold() { require.NoError(b.t, b.conn.Hold(0, true)) }

// requests are the tools/call requests that left, the newest last.
func (b *bench) requests() (out []rpc.Message) {
	for _, e := range b.log.Since(0) {
		if e.Frame != nil && e.Frame.Dir == trace.Out {
			body, err := b.log.Body(e.Seq)
			require.NoError(b.t, err)
			if m := rpc.Peek(body); m.Method == "tools/call" {
				out = append(out, m)
			}
		}
	}
	return out
}

// held opens the newest call, whose retry stands.
func (b *bench) held() {
	b.t.Helper()
	b.WaitFor("1 Calls", "2 Catalogue")
	b.Type("1")
	b.WaitFor("[1 Calls]", "held, send or drop")
	b.Type("G", screentest.Enter)
	b.WaitFor("held: the retry of round", "as a conforming client would send it")
}

// tamper chooses a preset for the retry that stands.
func (b *bench) tamper(p state.Preset) {
	b.t.Helper()
	b.Type(screentest.Esc, "T", p.Title)
	b.WaitFor("> "+p.Title, string(p.Demand))
	b.Type(screentest.Enter)
}

// attempt is one preset on one server.
type attempt struct {
	preset  string
	ready   func(*bench) // makes what the preset needs; the retry stands then
	sent    func(t *testing.T, clean, sent rpc.Message)
	notHere string // what the screen says where the preset does not apply
	verdict string
	because string
}

func member(path ...string) func(rpc.Message) string {
	return func(m rpc.Message) string { return string(rpc.Member(m.Params, path...)) }
}

// differs checks that a member of the params is another one, and no other is.
func differs(name string) func(*testing.T, rpc.Message, rpc.Message) {
	return func(t *testing.T, clean, sent rpc.Message) {
		require.NotEqual(t, member(name)(clean), member(name)(sent))
		for k, v := range rpc.Members(clean.Params) {
			if k != name {
				require.Equal(t, string(v), member(k)(sent), k)
			}
		}
	}
}

// becomes checks what a member of the params is.
func becomes(want string, path ...string) func(*testing.T, rpc.Message, rpc.Message) {
	return func(t *testing.T, clean, sent rpc.Message) {
		require.Equal(t, want, member(path...)(sent))
		require.NotEqual(t, want, member(path...)(clean))
	}
}

func same(t *testing.T, clean, sent rpc.Message) {
	require.Equal(t, string(clean.Params), string(sent.Params))
}

func (a attempt) run(t *testing.T, b *bench) {
	p, ok := state.PresetByID(a.preset)
	require.True(t, ok)
	a.ready(b)
	b.held()
	c := b.became(trace.Holding)
	clean := rpc.Message{Params: c.Clean, ID: c.LastRound().ID}
	round := len(c.Rounds) + 1
	before := len(b.requests())
	b.tamper(p)
	if a.notHere != "" {
		b.WaitFor("✖ "+p.Title, a.notHere)
		require.Len(t, b.requests(), before)
		return
	}
	b.WaitFor(p.Title+": ", map[state.Demand]string{state.Silent: "the specification is silent"}[p.Demand], string(p.Demand))
	b.Type(screentest.CtrlS)
	b.WaitForGone("held: the retry")
	b.ClickOn("6 Findings")
	b.WaitFor("[6 Findings]", a.verdict+"  round "+string(rune('0'+round))+": "+p.Title, a.because)
	sent := b.requests()
	if a.preset == "twice" {
		require.Len(t, sent, before+2)
	} else {
		require.Len(t, sent, before+1)
	}
	a.sent(t, clean, sent[before])
}

// usedAgain checks that the id is that of the request which is sent again.
func usedAgain(t *testing.T, clean, sent rpc.Message) {
	same(t, clean, sent)
	require.Equal(t, string(clean.ID), string(sent.ID))
}

// lapsed lets a held retry stand until its state has lapsed.
func lapsed(standing func(*bench)) func(*bench) {
	return func(b *bench) {
		standing(b)
		b.clock.pass(11 * time.Minute)
	}
}
