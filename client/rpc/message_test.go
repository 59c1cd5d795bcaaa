package rpc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryKindOfMessageIsNamedAndItsFaultsWithIt(t *testing.T) {
	for _, c := range []struct {
		raw   string
		kind  Kind
		rules string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a"}`, Request, ""},
		{`{"jsonrpc":"2.0","method":"a"}`, Notification, ""},
		{`{"jsonrpc":"2.0","id":"x","result":{}}`, Result, ""},
		{`{"jsonrpc":"2.0","id":null,"error":{}}`, Failure, ""},
		{`{"jsonrpc":"2.0","error":{}}`, Failure, "id-missing"},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, Failure, "both"},
		{`{"jsonrpc":"2.0","id":1}`, Invalid, "neither"},
		{`{"id":1,"result":null}`, Result, "jsonrpc"},
		{`{"jsonrpc":"1.0","id":1,"result":null}`, Result, "jsonrpc"},
		{`{"jsonrpc":"2.0","id":1.0,"result":{}}`, Result, "id-fraction"},
		{`{"jsonrpc":"2.0","id":1e3,"result":{}}`, Result, "id-fraction"},
		{`{"jsonrpc":"2.0","id":null,"result":{}}`, Result, "id-type"},
		{`{"jsonrpc":"2.0","id":[1],"result":{}}`, Result, "id-type"},
		{`{"jsonrpc":"2.0","id":9,"id":1,"result":{}}`, Result, "duplicate-member"},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, Invalid, "method-type neither"},
		{"\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`, Result, "bom"},
		{`[{"jsonrpc":"2.0","method":"a"}]`, Batch, "batch"},
		{`42`, Invalid, "not-object"},
		{``, NotJSON, "json"},
		{`<!DOCTYPE html>`, NotJSON, "json"},
		{`{"jsonrpc":"2.0","id":1,"result":{},}`, NotJSON, "json"},
		{`{"jsonrpc":"2.0","id":1,"result":{"x":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}}`, NotJSON, "json"},
	} {
		m := Parse([]byte(c.raw))
		require.Equal(t, c.kind, m.Kind, "%.80s", c.raw)
		var rules []string
		for _, p := range m.Problems {
			rules = append(rules, p.Rule)
		}
		require.Equal(t, c.rules, strings.Join(rules, " "), "%.80s", c.raw)
	}
}

func TestABrokenMessageStillTellsWhoItMayBeFor(t *testing.T) {
	for _, raw := range []string{
		`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"te`,
		`{"jsonrpc":"2.0","id":7,"result":{"x":NaN}}`,
		`{"jsonrpc":"2.0","id":7,"result":{},}`,
	} {
		m := Parse([]byte(raw))
		require.Equal(t, NotJSON, m.Kind)
		require.Equal(t, ID("7"), m.ID, raw)
		require.Positive(t, m.Problems[0].Offset, "where it breaks")
		require.Equal(t, ID("7"), Peek([]byte(raw)).ID)
	}
	require.Equal(t, ID("1"), Parse([]byte(`{"jsonrpc":"2.0","id":999,"id":1,"result":{}}`)).ID, "the last one counts")
}

func TestPartsAreTheVeryBytesThatCame(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{ "n":9007199254740993, "e":1E400, "s":"\ud800\u0000" , "dup":1,"dup":2}}`)
	m := Parse(raw)
	require.Equal(t, `{ "n":9007199254740993, "e":1E400, "s":"\ud800\u0000" , "dup":1,"dup":2}`, string(m.Result))
	require.Equal(t, `"\ud800\u0000"`, string(Member(m.Result, "s")))
	require.Equal(t, "2", string(Member(m.Result, "dup")))
	require.Nil(t, Member(m.Result, "s", "deeper"))
	require.Equal(t, `{"a":1,"b":{"x":[1, 2]},"d":4}`, string(With([]byte(`{"a":1, "b":0,"c":3}`), Field{"b", []byte(`{"x":[1, 2]}`)}, Field{"c", nil}, Field{"d", []byte("4")})))
}

func TestReadError(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"code":-32601,"message":"no","data":{"a":1}}`: true, `{"code":"E","message":"m"}`: false, `{"code":-1.5,"message":"m"}`: false, `"it broke"`: false, `{"code":1}`: false,
	} {
		_, ok := ReadError([]byte(raw))
		require.Equal(t, want, ok, raw)
	}
	e, _ := ReadError([]byte(`{"code":-32601,"message":"no","data":{"a":1}}`))
	require.Equal(t, ErrorBody{-32601, "no", []byte(`{"a":1}`)}, e)
}

func TestEncodeWritesMessagesThatParseBack(t *testing.T) {
	raw := Encode(NumberID(3), "tools/call", Object(Field{"name", Quote("a\"<b>\u2028")}, Field{"none", nil}), nil, nil)
	require.Equal(t, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a\"<b>\u2028"}}`, string(raw))
	m := Parse(raw)
	require.Equal(t, Request, m.Kind)
	require.Empty(t, m.Problems)
	failure := Parse(Encode("7", "", nil, nil, EncodeError(-1, "no")))
	require.True(t, failure.IsResponse())
	require.Equal(t, `{"code":-1,"message":"no"}`, string(failure.Error))
}

// TestHeadIsThePrefix cuts a text with every kind of character at every byte.
func TestHeadIsThePrefix(t *testing.T) {
	raw := []byte(`"a\n\"é漢😀\u00e9\ud83d\ude00\\\/\ud83d x` + strings.Repeat(`\ud83d\ude00z`, 3) + `"`)
	whole, ok := String(raw)
	require.True(t, ok)
	for most := range len(raw) + 3 {
		head, cut := Head(raw, most)
		require.True(t, strings.HasPrefix(whole, head), "%d: %q", most, head)
		require.Equal(t, most < len(raw)-2, cut, most)
		if cut {
			require.GreaterOrEqual(t, len(head)*6, most-12, most)
		} else {
			require.Equal(t, whole, head)
		}
	}
	for _, raw := range []string{"", "7", `{"a":"` + strings.Repeat("x", 30) + `"}`, `"\u12` + strings.Repeat("x", 30) + `"`} {
		s, _ := Head([]byte(raw), 10)
		require.Empty(t, s, raw)
	}
}
