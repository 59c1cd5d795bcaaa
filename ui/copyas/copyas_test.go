package copyas

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	_ "mcptui/ui/internal/screentest" // registers -update
)

func TestPretty(t *testing.T) {
	require.Equal(t, "{\n  \"a\": 1.50\n}", string(Pretty([]byte(`{"a":1.50}`))))
	require.Equal(t, "<html>", string(Pretty([]byte("<html>"))))
}

func TestCommand(t *testing.T) {
	schema := `{"properties":{"q":{"type":"string"},"n":{"type":["string","null"]}}}`
	http := []string{"https://example.com/mcp"}
	for _, c := range []struct {
		name, method, params, want string
		server                     []string
	}{
		{"text and others", "tools/call", `{"name":"search","arguments":{"q":"it's tea","n":"x","limit":5},"_meta":{"progressToken":1}}`,
			`mcptui call search 'q=it'\''s tea' 'n:="x"' limit:=5 https://example.com/mcp`, http},
		{"no arguments", "tools/call", `{"name":"greet","arguments":{}}`, `mcptui call greet https://example.com/mcp`, http},
		{"arguments left out", "tools/call", `{"name":"greet"}`, `mcptui raw tools/call '{"name":"greet"}'`, nil},
		{"a name with =", "tools/call", `{"name":"t","arguments":{"a=b":1,"q":"x"}}`, `mcptui call t --args '{"a=b":1,"q":"x"}'`, nil},
		{"a name that ends in a colon", "tools/call", `{"name":"t","arguments":{"a:":1}}`, `mcptui call t --args '{"a:":1}'`, nil},
		{"a tool like a flag", "tools/call", `{"name":"-x","arguments":{}}`, `mcptui raw tools/call '{"name":"-x","arguments":{}}'`, nil},
		{"a member twice", "tools/call", `{"name":"t","arguments":{"a":1,"a":2}}`, `mcptui raw tools/call '{"name":"t","arguments":{"a":1,"a":2}}'`, nil},
		{"more than a call", "tools/call", `{"name":"t","arguments":{},"task":{}}`, `mcptui raw tools/call '{"name":"t","arguments":{},"task":{}}'`, nil},
		{"a retry", "tools/call", `{"name":"t","arguments":{},"inputResponses":{},"requestState":"x"}`, `mcptui call t`, nil},
		{"arguments that are none", "tools/call", `{"name":"t","arguments":7}`, `mcptui raw tools/call '{"name":"t","arguments":7}'`, nil},
		{"prompt", "prompts/get", `{"name":"review","arguments":{"text":"a b"}}`, `mcptui prompt review 'text=a b' -- node 'my server.js'`, []string{"--", "node", "my server.js"}},
		{"prompt with a number", "prompts/get", `{"name":"review","arguments":{"n":1}}`, `mcptui raw prompts/get '{"name":"review","arguments":{"n":1}}'`, nil},
		{"resource", "resources/read", `{"uri":"demo://menu?x=1&y=2"}`, `mcptui read 'demo://menu?x=1&y=2'`, nil},
		{"list", "tools/list", `{"_meta":{}}`, `mcptui tools`, nil},
		{"page", "resources/templates/list", `{"cursor":"abc"}`, `mcptui templates --page abc`, nil},
		{"discover", "server/discover", `{"_meta":{}}`, `mcptui discover`, nil},
		{"any method", "x/y", `{"a":[1, 2]}`, `mcptui raw x/y '{"a":[1, 2]}'`, nil},
		{"no params", "ping", ``, `mcptui raw ping`, nil},
		{"params that are no object", "x/y", `[1]`, `mcptui raw x/y '[1]'`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, Command(c.method, []byte(c.params), []byte(schema), c.server))
		})
	}
}

var request = &trace.HTTP{Method: "POST", URL: "https://ada:hunter22@example.com/mcp?token=abcdefgh", Headers: []trace.Header{
	{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/event-stream"},
	{Name: "Mcp-Method", Value: "tools/call"}, {Name: "Mcp-Param-Who", Value: "=?base64?WsOr?="},
	{Name: "Authorization", Value: "Bearer abcdefgh12345678"}, {Name: "X-Api-Key", Value: "k-12345678"}, {Name: "Cookie", Value: "sid=12345678"},
	{Name: "Content-Length", Value: "9"}, {Name: "Accept-Encoding", Value: "gzip"},
}}

func TestCurl(t *testing.T) {
	body := []byte(`{"a":"it's","echo":"abcdefgh12345678","access_token":"zzzzzzzz"}`)
	require.Equal(t, `curl -sS -N -X POST 'https://ada:***@example.com/mcp?token=***' \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  -H 'Mcp-Method: tools/call' \
  -H 'Mcp-Param-Who: =?base64?WsOr?=' \
  -H 'Authorization: Bearer '"$TOKEN" \
  -H 'X-Api-Key: '"$X_API_KEY" \
  -H 'Cookie: '"$COOKIE" \
  --data-raw '{"a":"it'\''s","echo":"***","access_token":"***"}'`, Curl(request, body, false))

	all := Curl(request, body, true)
	for _, s := range []string{"hunter22", "token=abcdefgh", "Bearer abcdefgh12345678", "k-12345678", "sid=12345678", `"access_token":"zzzzzzzz"`} {
		require.Contains(t, all, s)
		require.NotContains(t, Curl(request, body, false), s)
	}
	require.NotContains(t, Curl(&trace.HTTP{Method: "GET", URL: "http://h/mcp"}, nil, false), "--data-raw")
}

// What a shell makes of a command is what went in.
func TestAShellReadsWordsBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	for _, s := range []string{"", "plain", "a b", "it's", `"$HOME" ` + "`id`" + ` \n`, "--flag", "new\nline", "ü🙂", "a;b|c&d>e", "*?[x]", "~", "!", "#x", "{a,b}", "a=b"} {
		out, err := exec.Command(sh, "-c", `printf %s `+Word(s)).Output()
		require.NoError(t, err)
		require.Equal(t, s, string(out))
	}
	words := func(program, line string) []string {
		out, err := exec.Command(sh, "-c", program+"() { for w; do printf '%s\\n' \"$w\"; done; }\n"+line).Output()
		require.NoError(t, err)
		return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	}
	line := Command("tools/call", []byte(`{"name":"a b","arguments":{"q":"$(x)'\"","n":{"k":[1,null]}}}`), []byte(`{"properties":{"q":{"type":"string"}}}`), []string{"--", "node", "s p.js"})
	require.Equal(t, []string{"call", "a b", `q=$(x)'"`, `n:={"k":[1,null]}`, "--", "node", "s p.js"}, words("mcptui", line))
	got := words("curl", "TOKEN=secret; X_API_KEY='k k'; COOKIE=c\n"+Curl(request, []byte(`{"a":"b c"}`), false))
	require.Contains(t, got, "Authorization: Bearer secret")
	require.Contains(t, got, "X-Api-Key: k k")
	require.Contains(t, got, `{"a":"b c"}`)
}

func FuzzCommand(f *testing.F) {
	f.Add("tools/call", `{"name":"t","arguments":{"a":"b"}}`, `{"properties":{"a":{"type":"string"}}}`)
	f.Add("prompts/get", `{"name":"t","arguments":[]}`, ``)
	f.Add("x", `{`, `[`)
	f.Fuzz(func(t *testing.T, method, params, schema string) {
		got := Command(method, []byte(params), []byte(schema), nil)
		require.True(t, strings.HasPrefix(got, "mcptui "))
		if json.Valid([]byte(params)) {
			require.Zero(t, strings.Count(strings.ReplaceAll(got, `'\''`, ""), "'")%2, got)
		}
	})
}
