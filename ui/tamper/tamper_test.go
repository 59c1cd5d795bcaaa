package tamper

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/client/trace"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

func with(t *testing.T) With {
	t.Helper()
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(3)
	c := s.Call("greet", nil)
	c.Asks(map[string]any{"req": "x"}, script.When)
	s.Book(2)
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	call := sess.Calls[2]
	retry := sess.Rows[call.Rounds[2].Request-1]
	events := s.Log.Since(retry.Seq - 1)
	params := rpc.Peek(events[0].Frame.Bytes).Params
	return With{Session: sess, Call: call, Draft: control.Draft{Call: call.ID, Params: params, ID: []byte("9"), Clean: params}}
}

func TestEveryPresetChangesTheRetryOrSaysWhyNot(t *testing.T) {
	names := map[string]bool{}
	for _, p := range Presets {
		t.Run(p.Name, func(t *testing.T) {
			require.False(t, names[p.Name])
			names[p.Name] = true
			w := with(t)
			before, err := json.Marshal(w.Draft)
			require.NoError(t, err)
			d, err := p.Apply(w)
			if err != nil {
				require.Contains(t, []string{"as another principal", "hold it past its expiry"}, p.Name, err.Error())
				return
			}
			after, err := json.Marshal(d)
			require.NoError(t, err)
			require.NotEqual(t, string(before), string(after))
			require.True(t, json.Valid(d.Params))
		})
	}
}

func TestWhatIsOnTheWire(t *testing.T) {
	w := with(t)
	apply := func(name string) control.Draft {
		for _, p := range Presets {
			if p.Name == name {
				d, err := p.Apply(w)
				require.NoError(t, err)
				return d
			}
		}
		t.Fatal(name)
		return control.Draft{}
	}
	before := rpc.Member(w.Draft.Params, "requestState")
	require.Nil(t, rpc.Member(apply("drop the state").Params, "requestState"))
	flipped := rpc.Member(apply("flip one byte of the state").Params, "requestState")
	require.Len(t, flipped, len(before))
	require.NotEqual(t, before, flipped)
	edited := state.Decode(string(rpc.Member(apply("edit the payload of the state").Params, "requestState")))
	require.NotEmpty(t, state.Diff(state.Decode(string(before)), edited))
	require.NotNil(t, rpc.Member(apply("answer something that was not asked").Params, "inputResponses", "never_asked"))
	require.Equal(t, "{}", string(rpc.Member(apply("leave an answer out").Params, "inputResponses")))
	require.Equal(t, "null", string(rpc.Member(apply("answer with null").Params, "inputResponses", "seats")))
	require.Equal(t, `"decline"`, string(rpc.Member(apply("decline, with content").Params, "inputResponses", "seats", "action")))
	require.NotEqual(t, string(rpc.Member(w.Draft.Params, "arguments")), string(rpc.Member(apply("change an argument").Params, "arguments")))
	require.True(t, apply("twice at once").Twice)
	require.NotEqual(t, "9", string(apply("an id that was used before").ID))
}

func TestJudging(t *testing.T) {
	verdicts := func(name string) [3]Outcome {
		for _, p := range Presets {
			if p.Name == name {
				return [3]Outcome{p.Judge(Came{Refused: true}), p.Judge(Came{Asked: true}), p.Judge(Came{Done: true})}
			}
		}
		t.Fatal(name)
		return [3]Outcome{}
	}
	require.Equal(t, [3]Outcome{Kept, Kept, Broken}, verdicts("flip one byte of the state"))
	require.Equal(t, [3]Outcome{Broken, Kept, Kept}, verdicts("answer something that was not asked"))
	require.Equal(t, [3]Outcome{Broken, Kept, Open}, verdicts("leave an answer out"))
	require.Equal(t, [3]Outcome{Open, Open, Open}, verdicts("drop the state"))
	require.Equal(t, [3]Outcome{Kept, Broken, Kept}, verdicts("declare no capabilities"))
}
