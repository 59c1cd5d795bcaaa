package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

func TestCopyAsCurlHoldsNothingSecret(t *testing.T) {
	s := script.New()
	seq := s.Log.Append(trace.Event{HTTP: &trace.HTTP{Exchange: 1, Stage: trace.HTTPRequest, Method: "POST", URL: "https://example.com/mcp",
		Headers: []trace.Header{{Name: "Mcp-Method", Value: "tools/call"}, {Name: "Authorization", Value: "Bearer abcdefgh12345678"}, {Name: "Cookie", Value: "sid=1"}, {Name: "Content-Length", Value: "9"}}}})
	got, err := asCurl(s.Log, []int{seq}, []byte(`{"a":"it's"}`), false)
	require.NoError(t, err)
	require.Equal(t, `curl -sS -N -X POST https://example.com/mcp \
  -H 'Mcp-Method: tools/call' \
  -H 'Authorization: Bearer '"$TOKEN" \
  -H 'Cookie: '"$COOKIE" \
  --data-raw '{"a":"it'\''s"}'`, string(got))
	_, err = asCurl(s.Log, nil, nil, false)
	require.ErrorContains(t, err, "not in the log")
}

func TestCopyAsACommand(t *testing.T) {
	s := script.New()
	m := at(s, 80, 24)
	command := func(params string) string {
		got, err := m.asCommand("tools/call", "book_table").make([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`))
		require.NoError(t, err)
		return string(got)
	}
	m.sess.Conn.Transport, m.sess.Conn.Target = "stdio", "node server.js"
	require.Equal(t, `mcptui call book_table n:=1 -- node server.js`, command(`{"name":"book_table","arguments":{"n":1}}`))
	m.sess.Conn.Transport, m.sess.Conn.Target = "http", "https://example.com/mcp"
	require.Equal(t, `mcptui call 'two words' https://example.com/mcp`, command(`{"name":"two words","arguments":{}}`))
	m.opts.Words = []string{"--", "node", "my server.js"}
	require.Equal(t, `mcptui call 'two words' -- node 'my server.js'`, command(`{"name":"two words","arguments":{}}`))
}

func TestCopyAnswersAsAFile(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(2)
	m := at(s, 80, 24)
	file, err := m.asAnswers(m.sess.Call(1))(nil)
	require.NoError(t, err)
	require.Equal(t, "answers:\n  when:\n    accept:\n      date: \"2026-12-04\"\n  seats:\n    accept:\n      area: inside\n      seats: 4\n", string(file))
	s = script.New()
	s.Ready(trace.Modern)
	s.Book(0)
	m = at(s, 80, 24)
	require.Nil(t, m.asAnswers(m.sess.Call(1)))
}
