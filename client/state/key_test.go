package state_test

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

func newSHA256() hash.Hash { return sha256.New() }

func mustKey(t testing.TB, s string) state.Key {
	t.Helper()
	k, err := state.ParseKey(s)
	require.NoError(t, err)
	return k
}

func TestParseKey(t *testing.T) {
	for in, want := range map[string]string{
		"hex:6869":         "hi",
		"6869":             "hi",
		"DEADBEEF":         "\xde\xad\xbe\xef",
		"base64:aGk=":      "hi",
		"base64:aGk":       "hi",
		"aGk=":             "hi",
		"base64:-_8":       "\xfb\xff",
		"base64:+/8=":      "\xfb\xff",
		"text:hex:secret ": "hex:secret ",
	} {
		require.Equal(t, want, string(mustKey(t, in).Bytes), in)
	}
	for _, in := range []string{"", "hex:", "hex:abc", "abc", "text:", "base64:*", "@key.bin", "rot13:abcd", "not base64!"} {
		_, err := state.ParseKey(in)
		require.Error(t, err, in)
		if len(in) > 7 {
			require.NotContains(t, err.Error(), in)
		}
	}
	k := mustKey(t, "text:topsecret")
	require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", k, k, k, k), "topsecret")
}
