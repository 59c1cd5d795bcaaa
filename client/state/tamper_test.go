package state_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

func TestDropAndPutLeaveTheRestAlone(t *testing.T) {
	params := []byte(`{"name":"a","arguments":{"n":1.50,"x":"\u00e9"},"requestState":"s","_meta":{"k":9007199254740993}}`)
	require.Equal(t, `{"name":"a","arguments":{"n":1.50,"x":"\u00e9"},"_meta":{"k":9007199254740993}}`, string(state.Drop(params)))
	require.Equal(t, `{"name":"a","arguments":{"n":1.50,"x":"\u00e9"},"requestState":"\ud83d","_meta":{"k":9007199254740993}}`,
		string(state.Put(params, `"\ud83d"`)))
}

func TestFlip(t *testing.T) {
	for _, c := range []struct {
		token string
		at    int
		want  string
	}{
		{`"abc"`, 0, `"2bc"`},
		{`"xyz"`, -1, `"xyj"`},
		{`"00ff"`, 1, `"08ff"`},
		{`"00ff"`, 3, `"00f7"`},
		{`"a.b"`, 1, `"a,b"`},
		{`"{\"a\":1}"`, 1, `"{xa\":1}"`},
		{`"x\ud83d\ude00y\ud83d"`, 1, `"xxy\ud83d"`},
		{`"x\ud83d\ude00y\ud83d"`, -1, `"x\ud83d\ude00yx"`},
		{`"日本"`, 1, `"日x"`},
	} {
		got, err := state.Flip(c.token, c.at)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		require.True(t, json.Valid([]byte(got)))
	}
	for _, bad := range []string{`abc`, `"abc`, `5`, `""`, `"\x"`} {
		_, err := state.Flip(bad, 0)
		require.Error(t, err, bad)
	}
	_, err := state.Flip(`"abc"`, 3)
	require.ErrorContains(t, err, "3 characters")
}

func TestEveryFlipChangesTheDecodedBytes(t *testing.T) {
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		for _, n := range []int{16, 32, 33} {
			s := enc.EncodeToString(random(n))
			for i := range s {
				if s[i] == '=' {
					continue
				}
				got, err := state.Flip(token(t, s), i)
				require.NoError(t, err)
				b, err := enc.DecodeString(got[1 : len(got)-1])
				require.NoError(t, err, "still base64")
				require.NotEqual(t, random(n), b, "position %d", i)
			}
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		token string
		keep  int
		want  string
	}{
		{`"abcdef"`, 3, `"abc"`},
		{`"abcdef"`, -1, `"abcde"`},
		{`"abcdef"`, 0, `""`},
		{`"a\ud83d\ude00b"`, 2, `"a\ud83d\ude00"`},
		{`"a\"b"`, 1, `"a"`},
		{`"日本"`, 1, `"日"`},
	} {
		got, err := state.Truncate(c.token, c.keep)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := state.Truncate(`"ab"`, 5)
	require.Error(t, err)
	require.Equal(t, 3, state.Length(`"a\ud83d\ude00\n"`))
}

// TestEditKeepsLayersAndSignature writes another payload into each readable
// format, and reads it back.
func TestEditKeepsLayersAndSignature(t *testing.T) {
	const before, after = `{"step":1,"amount":10}`, `{"step":1,"amount":99.25}`
	plain := base64.StdEncoding.EncodeToString([]byte(before))
	for name, value := range map[string]string{
		"JSON":           before,
		"JSON string":    string(token(t, before)),
		"base64":         plain,
		"base64url":      b64u([]byte(before)),
		"hex":            hex.EncodeToString([]byte(before)),
		"gzip":           b64u(gzipped(t, before)),
		"zlib":           b64u(zlibbed(t, before)),
		"nested":         b64u([]byte(base64.StdEncoding.EncodeToString(gzipped(t, before)))),
		"seal":           "v2." + b64u([]byte(before)) + "." + b64u(mac(newSHA256, keyA, "v2."+b64u([]byte(before)))),
		"seal, hex mac":  before + "|" + hex.EncodeToString(mac(newSHA256, keyA, before)),
		"mac first":      hex.EncodeToString(mac(newSHA256, keyA, before)) + ":" + b64u([]byte(before)),
		"zipped seal":    b64u(zlibbed(t, before)) + "." + b64u(mac(newSHA256, keyA, b64u(zlibbed(t, before)))),
		"JWS":            jws(keyA, `{"alg":"HS256"}`, before),
		"Rails":          rails(keyA, before),
		"Django":         django(keyA, before, "1xXC1E"),
		"Flask":          flask(t, keyA, before),
		"PASETO, public": "v4.public." + b64u(append([]byte(before), random(64)...)),
	} {
		t.Run(name, func(t *testing.T) {
			in := token(t, value)
			got, err := state.Editable(in)
			require.NoError(t, err)
			require.Equal(t, before, string(got))

			out, err := state.Edit(in, raw(after))
			require.NoError(t, err)
			d, was := state.Decode(out, keyA), state.Decode(in, keyA)
			require.Equal(t, after, string(d.Payload))
			require.Equal(t, was.Chain(), d.Chain())
			require.NotEqual(t, state.Verified, d.Signature.Status)
			require.Equal(t, was.Signature.Algorithm, d.Signature.Algorithm)

			back, err := state.Edit(out, raw(before))
			require.NoError(t, err)
			require.Equal(t, before, string(state.Decode(back).Payload))
		})
	}
}

func TestEditText(t *testing.T) {
	got, err := state.Editable(`"mrtr:deploy:1"`)
	require.NoError(t, err)
	require.Equal(t, `"mrtr:deploy:1"`, string(got))
	out, err := state.Edit(`"mrtr:deploy:1"`, raw(`"mrtr:deploy:2"`))
	require.NoError(t, err)
	require.Equal(t, `"mrtr:deploy:2"`, out)

	out, err = state.Edit(`"round=1;name=Ada"`, raw(`{"round":"7","name":"Ada"}`))
	require.NoError(t, err)
	require.Equal(t, `"round=7;name=Ada"`, out)
	_, err = state.Edit(`"round=1"`, raw(`[]`))
	require.Error(t, err)
}

func TestEncryptedStatesCannotBeEdited(t *testing.T) {
	for _, s := range []string{fernetToken, jwe(t, keyA, `{"a":1}`), b64u(random(48)), "34626636-96cf-44dc-a440-33632cc7ccab"} {
		_, err := state.Edit(token(t, s), raw(`{}`))
		require.True(t, errors.Is(err, state.ErrNotEditable), s)
		_, err = state.Editable(token(t, s))
		require.ErrorIs(t, err, state.ErrNotEditable)
	}
}

func TestNudge(t *testing.T) {
	for in, want := range map[string][2]string{
		`{"exp":1796161600,"p":{"paid":false,"n":1}}`: {`{"exp":1796161600,"p":{"paid":true,"n":1}}`, "/p/paid"},
		`{"exp":1796161600,"data":{"n":[1,2.50]}}`:    {`{"exp":1796161600,"data":{"n":[2,2.50]}}`, "/data/n/0"},
		`{"asked":"who"}`: {`{"asked":"whp"}`, "/asked"},
		`"mrtr:deploy:1"`: {`"mrtr:deploy:2"`, ""},
		`"ready!"`:        {`"ready!x"`, ""},
	} {
		got, path, ok := state.Nudge(raw(in))
		require.True(t, ok)
		require.Equal(t, want, [2]string{string(got), path})
	}
	for _, in := range []string{`{}`, `[]`, `{"exp":1796161600}`, `null`, `{"a":""}`} {
		_, _, ok := state.Nudge(raw(in))
		require.False(t, ok, in)
	}
}

func TestMiddleLiesInThePayload(t *testing.T) {
	seal := sealV1(keyK, `{"p":{"n":1},"exp":1796161600}`)
	at := state.Middle(token(t, seal))
	require.Greater(t, at, 3)
	require.Less(t, at, len(seal)-44)
	out, err := state.Flip(token(t, seal), at)
	require.NoError(t, err)
	require.NotEqual(t, state.Verified, state.Decode(out, keyK).Signature.Status)
	require.Equal(t, 3, state.Middle(`"abcdefg"`))
}
