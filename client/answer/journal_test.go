package answer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJournalReadsAsItLooks(t *testing.T) {
	var j Journal
	require.True(t, j.Empty())
	for _, e := range []struct {
		ask  Ask
		sent string
	}{
		{form("when", "", anything), `{"action":"accept","content":{"date":"2026-12-04","note":"a\nb\n","n":1.50,"yes":"no","big":12345678901234567890}}`},
		{form("seats", "", anything), `{"action":"decline"}`},
		{form("when", "", anything), `{"action":"cancel"}`},
		{url("pay", ""), `{"action":"accept"}`},
		{sampling("plan", ""), `{"role":"assistant","content":{"type":"text","text":"A plan."},"model":"mcptui","stopReason":"endTurn"}`},
		{sampling("other", ""), `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","stopReason":"endTurn"}`},
		{Ask{"dirs", Roots, nil}, `{"roots":[{"uri":"file:///a"}]}`},
		{form("odd", "", anything), `{"action":"accept","content":{},"_meta":{"k":null}}`},
		{form("", "", anything), `{"action":"accept","content":{}}`},
	} {
		require.NoError(t, j.Add(e.ask, json.RawMessage(e.sent)))
	}
	require.NoError(t, j.Add(sampling("", ""), nil))
	var b strings.Builder
	_, err := j.WriteTo(&b)
	require.NoError(t, err)
	require.Equal(t, `answers:
  when:
    - accept:
        date: "2026-12-04"
        note: |
          a
          b
        n: 1.50
        "yes": "no"
        big: 12345678901234567890
    - cancel
  seats: decline
  pay:
    accept: {}
  plan:
    text: A plan.
  other:
    text: x
    model: m
  dirs:
    roots:
      - uri: file:///a
  odd:
    result:
      action: accept
      content: {}
      _meta:
        k: null
order:
  - accept: {}
  - reject
`, b.String())
}

func TestWhatIsSavedAnswersTheSame(t *testing.T) {
	texts := []string{"", " ", "no", "~", "1", "1.0", "0x1F", "2026-12-04", "a: b", "# c", "<<", "- x", "a\nb", "a\n\nb\n\n", "\n", " \n x", "tab\there", "\r\n", "\u0000\u0007\u001b[31m",
		"\u0085\u2028\u2029", "\ufeffbom", "\u007f", "🙂 é 漢", "\\u0041", "'", "\"", "{}", "[x", "*a", "&a", "!t", "%d", "@x", "`", "null", "true", "=", "---", "..."}
	content := map[string]any{"n": json.Number("1e400"), "m": json.Number("-0"), "i": json.Number("123456789012345678901234567890"), "l": []any{nil, true, []any{}, map[string]any{}}}
	for _, text := range texts {
		content["k"+text] = text
		content[text] = []any{text, map[string]any{text: text}}
	}
	sent := Accept(encode(content))
	for _, ask := range []Ask{form("key", "", anything), form("", "", anything), form("<<", "", anything), form("\u001b", "", anything)} {
		var j Journal
		require.NoError(t, j.Add(ask, sent))
		var out strings.Builder
		n, err := j.WriteTo(&out)
		require.NoError(t, err)
		require.EqualValues(t, out.Len(), n)
		b, err := Parse("saved", []byte(out.String()))
		require.NoError(t, err, out.String())
		reply, err := b.Answer(ask)
		require.NoError(t, err)
		require.Equal(t, string(sent), string(reply.Result), out.String())
	}
}
