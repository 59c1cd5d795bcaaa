package state_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func TestDiff(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []state.Change
	}{
		"nothing":           {`{"a":1}`, `{ "a" : 1 }`, nil},
		"escapes only":      {`{"a":"A"}`, `{"a":"\u0041"}`, nil},
		"order only":        {`{"a":1,"b":2}`, `{"b":2,"a":1}`, nil},
		"a number exactly":  {`{"a":1}`, `{"a":1.0}`, []state.Change{{"/a", state.Changed, raw("1"), raw("1.0")}}},
		"big numbers":       {`{"a":9007199254740993}`, `{"a":9007199254740992}`, []state.Change{{"/a", state.Changed, raw("9007199254740993"), raw("9007199254740992")}}},
		"added and removed": {`{"a":1}`, `{"b/c":{"d":2}}`, []state.Change{{"/a", state.Removed, raw("1"), nil}, {"/b~1c", state.Added, nil, raw(`{"d":2}`)}}},
		"in front":          {`[2,3]`, `[1,2,3]`, []state.Change{{"/0", state.Added, nil, raw("1")}}},
		"in the middle":     {`[1,2,3]`, `[1,9,3]`, []state.Change{{"/1", state.Changed, raw("2"), raw("9")}}},
		"another type":      {`{"a":[1]}`, `{"a":{"0":1}}`, []state.Change{{"/a", state.Changed, raw("[1]"), raw(`{"0":1}`)}}},
		"deep":              {`{"a":[{"b":null}]}`, `{"a":[{"b":0}]}`, []state.Change{{"/a/0/b", state.Changed, raw("null"), raw("0")}}},
		"text":              {`round=1`, `round=2;name=Ada`, []state.Change{{"/round", state.Changed, raw(`"1"`), raw(`"2"`)}, {"/name", state.Added, nil, raw(`"Ada"`)}}},
		"no payload":        {`waiting`, `{"a":1}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := state.Diff(state.Decode(token(t, c.before)), state.Decode(token(t, c.after)))
			require.Equal(t, c.want, got)
		})
	}
	require.Nil(t, state.Diff(nil, state.Decode(`"{}"`)))
}

func TestCompareOpaqueStates(t *testing.T) {
	r := random(64)
	a := base64.StdEncoding.EncodeToString(r[:48])
	b := base64.StdEncoding.EncodeToString(append(append([]byte{}, r[:24]...), r[40:64]...))
	c := state.Compare(state.Decode(token(t, a)), state.Decode(token(t, b)))
	require.False(t, c.Readable)
	require.Nil(t, c.Changes)
	require.Equal(t, 0, c.Growth())
	require.Equal(t, 32, c.Prefix)

	c = state.Compare(state.Decode(token(t, "waiting")), state.Decode(token(t, `{"a":1}`)))
	require.Equal(t, "plain text", c.FormatBefore)
	require.Equal(t, "JSON", c.FormatAfter)

	same := state.Decode(token(t, a))
	require.True(t, state.Compare(same, same).Same)
}
