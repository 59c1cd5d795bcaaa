package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

var seeds = []string{
	request(1, "server/discover", noCaps, nil), request("x", "tools/list", canAll, object{"cursor": "x"}),
	call(1, "ask", canForm, object{"inputResponses": object{"who": object{"action": "accept", "content": object{"name": "n"}}}, "requestState": "s"}),
	call(1, "mirror", noCaps, object{"arguments": object{"region": "eu"}}),
	request(1, "resources/read", noCaps, object{"uri": "test://doc"}), request(1, "prompts/get", noCaps, object{"name": "rhyme"}),
	request(1, "completion/complete", noCaps, object{"ref": object{"type": "ref/prompt", "name": "rhyme"}, "argument": object{"name": "a", "value": ""}}),
	initialize(1, "2025-03-26"), initialize(1, "2024-11-05"), legacyRequest(2, "tools/list", nil), legacyRequest(nil, "notifications/cancelled", object{"requestId": 2}),
	`[` + legacyRequest(2, "ping", nil) + `,7]`, `[]`, `{}`, `null`, `"x"`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":null}`, "\xff", `{"a":1,"a":2}`, "{\"jsonrpc\":",
}

// quiet are methods that a fuzz run must not call: they wait.
func waits(b []byte) bool {
	return bytes.Contains(b, []byte("slow")) || bytes.Contains(b, []byte("subscriptions"))
}

// whole checks that text is one JSON-RPC message of a server, or a batch of
// them.
func whole(t *testing.T, b []byte) {
	t.Helper()
	if len(b) > 0 && b[0] == '[' {
		var all []json.RawMessage
		require.NoError(t, json.Unmarshal(b, &all), "%q", b)
		require.NotEmpty(t, all)
		for _, one := range all {
			whole(t, one)
		}
		return
	}
	var m struct {
		Version string `json:"jsonrpc"`
		Method  string
		Result  json.RawMessage
		Error   *struct {
			Code    int
			Message string
		}
	}
	require.NoError(t, json.Unmarshal(b, &m), "%q", b)
	require.Equal(t, "2.0", m.Version)
	require.True(t, (m.Method != "") != ((m.Result != nil) != (m.Error != nil)), "%q", b)
	if m.Error != nil {
		require.NotZero(t, m.Error.Code, "%q", b)
		require.NotContains(t, m.Error.Message, "hunter2")
	}
}

// Whatever is posted, the answer is a status and, where there is a body, a
// message.
func FuzzHTTP(f *testing.F) {
	for _, s := range seeds {
		for _, v := range []string{modern, "2025-11-25", ""} {
			f.Add([]byte(s), v, "tools/call", "ask", "session")
		}
	}
	w := newWorld(f, edge.Options{MaxBody: 1 << 16})
	handshake := httptest.NewRecorder()
	w.edge.ServeHTTP(handshake, httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(initialize(1, "2025-03-26"))))
	id := handshake.Header().Get(sessionHeader)
	f.Fuzz(func(t *testing.T, body []byte, version, method, name, session string) {
		if waits(body) {
			t.Skip()
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // a call that asks waits for its answer
		defer cancel()
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", bytes.NewReader(body)).WithContext(ctx)
		r.Header = http.Header{"Mcp-Method": {method}, "Mcp-Name": {name}, "Mcp-Param-Region": {name}, "Accept": {"application/json"}}
		if version != "" {
			r.Header.Set("MCP-Protocol-Version", version)
		}
		if session == "session" && version != modern {
			r.Header.Set(sessionHeader, id)
		}
		rec := httptest.NewRecorder()
		w.edge.ServeHTTP(rec, r)
		require.GreaterOrEqual(t, rec.Code, 200)
		if rec.Body.Len() > 0 {
			whole(t, rec.Body.Bytes())
		}
	})
}

// watched collects output, and is an input that ends once the marker's answer
// is in the output.
type watched struct {
	bytes.Buffer
	seen chan struct{}
	once sync.Once
}

func (w *watched) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(`"id":"marker"`)) {
		w.once.Do(func() { close(w.seen) })
	}
	return w.Buffer.Write(b)
}

func (w *watched) Read([]byte) (int, error) {
	select {
	case <-w.seen:
	case <-time.After(patience):
	}
	return 0, io.EOF
}

// Whatever comes on a line, every line that goes out is a message, and the
// stream still serves.
func FuzzStdio(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
		f.Add([]byte(initialize(0, "2025-03-26") + "\n" + s))
	}
	f.Add([]byte(strings.Join(seeds, "\n")))
	f.Add([]byte("\r\n \n" + strings.Repeat("x", 70_000) + "\n"))
	w := newWorld(f, edge.Options{MaxBody: 1 << 16})
	w.edge.SetDrain(0)
	f.Fuzz(func(t *testing.T, in []byte) {
		if waits(in) || bytes.Contains(in, []byte("marker")) {
			t.Skip()
		}
		out := &watched{seen: make(chan struct{})}
		marker := "\n" + request("marker", "server/discover", noCaps, nil) + "\n"
		require.NoError(t, w.edge.ServeStdio(context.Background(), io.MultiReader(bytes.NewReader(in), strings.NewReader(marker), out), out))
		served := false
		for _, line := range bytes.Split(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("\n")) {
			whole(t, line)
			served = served || bytes.Contains(line, []byte(`"id":"marker"`))
		}
		require.True(t, served, "%q", out.Bytes())
	})
}
