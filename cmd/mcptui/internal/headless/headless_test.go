package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/ptytest"
	embeddedserver "mcptui/embedded-server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(ptytest.Patient{M: m}) }

var eras = []trace.Era{trace.Modern, trace.Legacy}

// dial connects to the built-in server.
func dial(t *testing.T, era trace.Era) (*client.Conn, *Follower) {
	t.Helper()
	server, err := embeddedserver.New(embeddedserver.Options{})
	require.NoError(t, err)
	conn, err := client.Dial(context.Background(), client.Options{
		Era: era, Lists: []string{}, AskRoots: true,
		Target: client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return server.Pipe(ctx), nil }},
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, conn.Close(context.Background()))
		server.Close()
		require.NoError(t, conn.Log().Free())
	})
	require.NoError(t, conn.Ready(t.Context()))
	return conn, Follow(conn.Log(), nil)
}

// by answers with a function.
type by func(*session.Ask) (string, error)

func (f by) Answer(_ context.Context, ask *session.Ask) (control.Reply, error) {
	result, err := f(ask)
	return control.Reply{Result: json.RawMessage(result)}, err
}

func call(tool string) control.Request {
	return control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `","arguments":{}}`), Who: trace.Script}
}

func TestACallIsAnsweredAndItsResultReadBack(t *testing.T) {
	for _, era := range eras {
		t.Run(string(era), func(t *testing.T) {
			conn, follow := dial(t, era)
			asked := 0
			r := Runner{Conn: conn, Follow: follow, Answer: by(func(ask *session.Ask) (string, error) {
				asked++
				require.Equal(t, session.Form, ask.Kind)
				return `{"action":"accept","content":{"name":"Ada"}}`, nil
			})}
			out, err := r.Run(t.Context(), call("greet"))
			require.NoError(t, err)
			require.Equal(t, trace.Done, out.Call.Status)
			require.Contains(t, string(out.Result), "Hello, Ada!")
			require.Equal(t, 1, asked)
			require.Nil(t, out.Unmet)

			doc, err := Rounds(conn.Log(), follow.Session, out.Call, func([]byte) json.RawMessage { return json.RawMessage(`"seen"`) })
			require.NoError(t, err)
			var rounds struct {
				Rounds []struct {
					Request, Response, Asks, RequestState, DecodedState json.RawMessage
					Answers                                             map[string]json.RawMessage
				}
				Result json.RawMessage
			}
			require.NoError(t, json.Unmarshal(bytes.Join(doc, nil), &rounds))
			require.Len(t, rounds.Rounds, 2)
			require.Contains(t, string(rounds.Result), "Hello, Ada!")
			require.Len(t, rounds.Rounds[0].Answers, 1)
			first, last := rounds.Rounds[0], rounds.Rounds[1]
			require.NotEqual(t, "null", string(first.Request))
			require.NotEqual(t, "null", string(last.Response))
			if era == trace.Legacy {
				require.Equal(t, "null", string(first.Response))
				require.Equal(t, "null", string(last.Request))
				require.Equal(t, "null", string(first.RequestState))
			} else {
				require.Equal(t, `"seen"`, string(first.DecodedState))
			}
		})
	}
}

func TestAnAskThatNobodyAnswersEndsTheCall(t *testing.T) {
	for _, era := range eras {
		t.Run(string(era), func(t *testing.T) {
			conn, follow := dial(t, era)
			r := Runner{Conn: conn, Follow: follow, Answer: by(func(*session.Ask) (string, error) { return "", ErrNoAnswer })}
			out, err := r.Run(t.Context(), call("greet"))
			require.NoError(t, err)
			require.ErrorIs(t, out.Cause, ErrNoAnswer)
			require.Len(t, out.Unmet, 1)
			var asks []struct {
				Key, Method string
				Params      json.RawMessage
			}
			require.NoError(t, json.Unmarshal(Asks(out.Unmet), &asks))
			require.Equal(t, "elicitation/create", asks[0].Method)
			require.Equal(t, era == trace.Modern, asks[0].Key == "who")
			require.Contains(t, string(asks[0].Params), "requestedSchema")
		})
	}
}

func TestARejectionEndsAModernCallAndIsToldToALegacyServer(t *testing.T) {
	reject := by(func(ask *session.Ask) (string, error) { return "", ErrRejected })
	conn, follow := dial(t, trace.Modern)
	r := Runner{Conn: conn, Follow: follow, Answer: reject}
	out, err := r.Run(t.Context(), call("plan_trip"))
	require.NoError(t, err)
	require.ErrorIs(t, out.Cause, ErrRejected)

	conn, follow = dial(t, trace.Legacy)
	r = Runner{Conn: conn, Follow: follow, Answer: reject}
	out, err = r.Run(t.Context(), call("dictate_letter"))
	require.NoError(t, err)
	require.Nil(t, out.Unmet)
	require.Equal(t, trace.ToolError, out.Call.Status, "the server decides what a refusal means")
}

func TestSteppingStopsAtTheFirstAsk(t *testing.T) {
	for _, era := range eras {
		t.Run(string(era), func(t *testing.T) {
			conn, follow := dial(t, era)
			r := Runner{Conn: conn, Follow: follow, Step: true, Answer: by(func(*session.Ask) (string, error) {
				t.Error("nothing is to be answered")
				return "", ErrNoAnswer
			})}
			out, err := r.Run(t.Context(), call("plan_trip"))
			require.NoError(t, err)
			require.True(t, out.Stepping)
			require.NotEmpty(t, out.Unmet)
			require.False(t, out.Call.Status.Final())
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	conn, follow := dial(t, trace.Modern)
	ctx, cancel := context.WithCancel(t.Context())
	r := Runner{Conn: conn, Follow: follow, Answer: by(func(*session.Ask) (string, error) {
		cancel()
		return "", ErrNoAnswer
	})}
	_, err := r.Run(ctx, call("greet"))
	require.ErrorIs(t, err, context.Canceled)
}
