package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

func TestCopyAsCurlHoldsNothingSecret(t *testing.T) {
	s := script.New()
	seq := s.Log.Append(trace.Event{HTTP: &trace.HTTP{Exchange: 1, Stage: trace.HTTPRequest, Method: "POST", URL: "https://example.com/mcp",
		Headers: []trace.Header{{Name: "Mcp-Method", Value: "tools/call"}, {Name: "Authorization", Value: "Bearer abcdefgh12345678"}, {Name: "Cookie", Value: "sid=1"}, {Name: "Content-Length", Value: "9"}}}})
	got := string(asCurl(s.Log, []int{seq}, []byte(`{"a":"it's"}`)))
	require.Equal(t, `curl -X POST https://example.com/mcp \
  -H 'Mcp-Method: tools/call' \
  -H "Authorization: Bearer $TOKEN" \
  --data-raw '{"a":"it'\''s"}'`, got)
}

func TestCopyAsACommand(t *testing.T) {
	s := script.New()
	m := at(s, 80, 24)
	m.sess.Conn.Transport, m.sess.Conn.Target = "stdio", "node server.js"
	require.Equal(t, `mcptui call book_table --args '{"n":1}' -- node server.js`,
		string(m.asCommand(&session.Call{Name: "book_table", Params: []byte(`{"name":"book_table","arguments":{"n":1}}`)})))
	m.sess.Conn.Transport, m.sess.Conn.Target = "http", "https://example.com/mcp"
	require.Equal(t, `mcptui call 'two words' https://example.com/mcp`,
		string(m.asCommand(&session.Call{Name: "two words", Params: []byte(`{"name":"two words"}`)})))
}
