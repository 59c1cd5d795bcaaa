package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui/internal/script"
)

// idle is a connection that nothing can be done to any more.
type idle struct{ control.Controller }

func (idle) Draft(int) (control.Draft, error) { return control.Draft{}, control.ErrNo }

// recorded writes events into a recording, and opens it.
func recorded(t *testing.T, began time.Time, events []trace.Event, mask trace.Mask) (file string, replay *trace.Log, start time.Time) {
	t.Helper()
	var b bytes.Buffer
	rec := trace.NewRecorder(&b, mask)
	rec.Start = began
	require.NoError(t, rec.WriteAll(events))
	file = b.String()
	read, err := trace.OpenRecording(&b)
	require.NoError(t, err)
	return file, trace.Replay(read.Events), read.Start
}

// drawn is a message that means nothing: what the screen needs is fetched.
type drawn struct{}

// walker goes through every screen of a session.
type walker struct {
	m       *Model
	screens []string
}

func (w *walker) do(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			if cmd != nil {
				w.do(cmd())
			}
		}
		return
	}
	if msg == nil {
		return
	}
	if _, cmd := w.m.Update(msg); cmd != nil {
		w.do(cmd())
	}
}

// see keeps what is on the screen, but for the status line and the footer: these
// say that it is a recording, and what can be done.
func (w *walker) see(where string) {
	lines := strings.Split(w.m.draw().Plain(), "\n")
	w.screens = append(w.screens, where+"\n"+strings.Join(lines[1:min(len(lines), 35)], "\n"))
}

func (w *walker) press(where string, keys ...rune) {
	for _, k := range keys {
		key := tea.KeyPressMsg{Code: k, Text: string(k)}
		if k < ' ' || k > 0xffff {
			key.Text = ""
		}
		w.do(key)
		w.see(where + " " + key.String())
	}
}

// walk returns every screen of a log: of each call with each tab and each row of
// its ladder, of the catalogue, of each event of the wire, as JSON and as bytes,
// of the findings and of the server.
func walk(log Log, k control.Controller, start time.Time) []string {
	w := &walker{m: New(Options{Settle: -1, Log: log, Control: k, Start: start, Timeout: time.Minute})}
	w.do(tea.WindowSizeMsg{Width: 120, Height: 36})
	w.see("start")
	for _, c := range w.m.sess.Calls {
		w.m.enterCall(c.ID)
		w.do(drawn{})
		where := fmt.Sprintf("call %d", c.ID)
		w.see(where)
		w.m.focus = paneList
		w.press(where, '1', '2', '3', '4', '5', '6', '7', '4', 'g')
		for range 30 {
			w.press(where+" ladder", 'j')
		}
		w.m.up()
	}
	w.press("calls", '1', 'j', 'k')
	w.press("catalogue", '2', 'j', 'j', 'j', 'j', 'j', 'j')
	w.press("wire", '3')
	for seq := range w.m.sess.Rows.Len() {
		w.m.wire.Go(seq + 1)
		w.do(drawn{})
		w.press(fmt.Sprintf("event %d", seq+1), tea.KeySpace, tea.KeySpace)
	}
	w.press("findings", '4', 'j', 'j', 'j')
	w.press("server", '5', tea.KeyPgDown, tea.KeyPgDown)
	return w.screens
}

// sameScreens holds that a recording of a log opens to the screens of the log,
// its clock standing at the last event.
func sameScreens(t *testing.T, log *trace.Log) {
	t.Helper()
	events := log.Since(0) // a connection may go on meanwhile
	_, replay, start := recorded(t, log.Start(), events, trace.Mask{})
	require.True(t, log.Start().Equal(start))
	live, opened := walk(trace.Replay(events), idle{}, log.Start()), walk(replay, nil, start)
	require.Greater(t, len(live), len(events))
	require.Len(t, opened, len(live))
	for i := range live {
		require.Equal(t, unmasked(live[i]), unmasked(opened[i]))
	}
}

// unmasked leaves out of a screen what a recording masks, and the blanks behind.
func unmasked(screen string) string {
	lines := strings.Split(strings.ReplaceAll(screen, secret, "***"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " │┃")
	}
	return strings.Join(lines, "\n")
}

// secret is the token that the connections of these tests send.
const secret = "abcdefgh12345678"

func accepted(content string) json.RawMessage {
	return json.RawMessage(`{"action":"accept","content":` + content + `}`)
}

var everyAsk = []script.Want{
	script.When,
	{Key: "url", Method: "elicitation/create", Params: json.RawMessage(`{"mode":"url","message":"Sign in","url":"https://example.com/login","elicitationId":"e1"}`)},
	{Key: "think", Method: "sampling/createMessage", Params: json.RawMessage(`{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Say hello."}}]}`)},
	{Key: "dirs", Method: "roots/list"},
	{Key: "oracle", Method: "vendor/askOracle", Params: json.RawMessage(`{"question":"what next?"}`)},
}

func TestARecordingOpensToTheScreensOfTheScript(t *testing.T) {
	for name, play := range map[string]func(*script.Script){
		"asks":  func(s *script.Script) { s.Book(1) },
		"ended": func(s *script.Script) { s.Book(3) },
		"every kind of ask": func(s *script.Script) {
			c := s.Call("ask_all", map[string]any{"n": 1})
			s.Wait(time.Second)
			c.Asks(map[string]any{"a": 1}, everyAsk...)
			s.Wait(time.Second)
			c.Answer("when", accepted(`{"date":"2026-12-04"}`))
			s.Act(trace.Act{Kind: trace.ActLater, Call: c.ID})
		},
		"errors": func(s *script.Script) {
			_, id := s.Request(trace.Cause{Why: trace.WhyRaw}, "tools/call", map[string]any{"name": "none"})
			s.Failure(id, -32602, "Unknown tool: none")
			s.Failure(id, -32603, "the same id again")
			s.Result("99", map[string]any{"content": []any{}})
			s.Come([]byte(`{"jsonrpc":"2.0","id":7,`))
			s.Come([]byte("not \xff\xfe UTF-8 \x1b[31m"))
			s.Come([]byte(`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}]`))
			s.Noise("a banner \x1b[2J", "not JSON")
			s.Stderr("panic: \xff\n")
			c := s.Call("add", map[string]any{"a": 1})
			c.Done("late")
			c.Done("twice")
			code := 3
			s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: c.ID, Status: trace.Lost, Note: "the server ended"})
			s.Phase(trace.Phase{Name: trace.PhaseExited, Code: &code, Reason: "it exited"})
		},
		"progress and logs": func(s *script.Script) {
			c := s.Call("slow", nil)
			for i := range 5 {
				s.Wait(300 * time.Millisecond)
				c.Progress(i, 5, fmt.Sprintf("step %d", i))
				s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"warning","logger":"db","data":{"slow":true}}`), nil, nil))
				s.Stderr("a line\n")
			}
		},
		"held and dropped": func(s *script.Script) {
			c := s.Book(0)
			s.Act(trace.Act{Kind: trace.ActHold, Call: c.ID})
			s.Act(trace.Act{Kind: trace.ActHeld, Call: c.ID, Round: 1, Value: []byte(`{"name":"book_table","inputResponses":{}}`)})
			s.Act(trace.Act{Kind: trace.ActEdit, Call: c.ID, Round: 1, Value: []byte(`{"name":"other"}`)})
			s.Act(trace.Act{Kind: trace.ActDrop, Call: c.ID})
			s.Act(trace.Act{Kind: trace.ActEnd, Call: c.ID, Status: trace.Cancelled, Note: "the held retry was dropped"})
			s.Act(trace.Act{Kind: trace.ActNote, Note: "a note"})
			s.Act(trace.Act{Kind: trace.ActConsent, Note: "https://example.com/"})
		},
	} {
		for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
			t.Run(name+"/"+string(era), func(t *testing.T) {
				s := script.New()
				s.Ready(era)
				s.Catalogue()
				play(s)
				sameScreens(t, s.Log)
			})
		}
	}
}

// real opens a connection to the embedded server, over a pipe or HTTP.
func real(t *testing.T, era trace.Era, http bool, profile string) (*client.Conn, context.Context) {
	t.Helper()
	srv, err := embeddedserver.New(embeddedserver.Options{Version: "1.0.0", Profile: profile})
	require.NoError(t, err)
	target := client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return srv.Pipe(ctx), nil }}
	if http {
		ts := httptest.NewServer(srv.Handler())
		t.Cleanup(ts.Close)
		target = client.Target{URL: ts.URL}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c, err := client.Dial(ctx, client.Options{Target: target, Era: era, AskRoots: true, Headers: []trace.Header{{Name: "Authorization", Value: "Bearer " + secret}}})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, c.Close(ctx))
		srv.Close()
	})
	require.NoError(t, c.Ready(ctx))
	return c, ctx
}

// play calls a tool and answers what it asks, in order.
func play(t *testing.T, c *client.Conn, ctx context.Context, tool string, answers ...string) int {
	t.Helper()
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `","arguments":{}}`)})
	require.NoError(t, err)
	for _, answer := range answers {
		var open trace.AskID
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
			for _, a := range s.Waiting() {
				if a.Owner.Call == call {
					open = a.ID
				}
			}
			return open.Frame != 0
		}))
		require.NoError(t, c.Answer(open, control.Reply{Result: accepted(answer)}, trace.Person))
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return s.Ask(open).Status != session.Open }))
	}
	return call
}

func finished(t *testing.T, c *client.Conn, ctx context.Context, call int) {
	t.Helper()
	require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return s.Call(call) != nil && s.Call(call).Status.Final() }))
}

func TestARecordingOpensToTheScreensOfTheConnection(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		for _, http := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/http %v", era, http), func(t *testing.T) {
				c, ctx := real(t, era, http, "demo")
				call := play(t, c, ctx, "book_table", `{"date":"2026-12-24"}`, `{"seats":2,"area":"inside"}`, `{"ok":true}`)
				finished(t, c, ctx, call)
				if era == trace.Modern { // another answer to the first round, and one that breaks its state
					d, err := c.Branch(call, 1)
					require.NoError(t, err)
					require.NoError(t, c.Send(d))
					require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return s.Call(call).Status == trace.Asking }))
					finished(t, c, ctx, play(t, c, ctx, "no_such_tool"))
					require.NoError(t, c.Hold(0, true))
					held := play(t, c, ctx, "greet", `{"name":"Ada"}`)
					require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return s.Call(held).Status == trace.Holding }))
					d, err = c.Draft(held)
					require.NoError(t, err)
					d.Params = rpc.With(d.Params, rpc.Field{Name: "requestState", Raw: []byte(`"v1.tampered"`)})
					require.NoError(t, c.Send(d))
					finished(t, c, ctx, held)
				}
				c.Sync()
				sameScreens(t, c.Log())
			})
		}
	}
}

// TestARecordingHoldsNoSecret looks for what must not be in a file: the token of
// a header, and with answers masked what was typed and the states that carry it.
func TestARecordingHoldsNoSecret(t *testing.T) {
	for _, era := range []trace.Era{trace.Modern, trace.Legacy} {
		t.Run(string(era), func(t *testing.T) {
			c, ctx := real(t, era, true, "demo")
			call := play(t, c, ctx, "book_table", `{"date":"2026-12-24"}`, `{"seats":2,"area":"inside"}`, `{"ok":true}`)
			finished(t, c, ctx, call)
			c.Sync()
			var states []string
			require.NoError(t, c.Watch(ctx, func(s *session.Session) bool {
				for _, r := range s.Call(call).Rounds {
					if r.StateOut != nil {
						text, _ := rpc.String(r.StateOut.Raw)
						states = append(states, text)
					}
				}
				return true
			}))
			file, _, _ := recorded(t, c.Log().Start(), c.Log().Since(0), trace.Mask{})
			require.NotContains(t, file, secret)
			require.Contains(t, file, "Bearer ***")
			require.Contains(t, file, "2026-12-24")
			for _, state := range states {
				require.Contains(t, file, state)
			}

			file, replay, start := recorded(t, c.Log().Start(), c.Log().Since(0), trace.Mask{Answers: true})
			sent := file
			for _, line := range strings.Split(file, "\n") {
				if strings.Contains(line, `"dir":"in"`) { // the server may say again what it was told
					sent = strings.ReplaceAll(sent, line, "")
				}
			}
			require.NotContains(t, sent, "2026-12-24")
			for _, state := range states {
				require.NotContains(t, file, state)
			}
			screens := walk(replay, nil, start)
			require.Contains(t, strings.Join(screens, "\n"), "✓ done")

			file, _, _ = recorded(t, c.Log().Start(), c.Log().Since(0), trace.Mask{Off: true})
			require.Contains(t, file, secret)
		})
	}
}
