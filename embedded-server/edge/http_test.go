package edge_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
)

func b64(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }

func TestStandardHeadersMustAgreeWithTheBody(t *testing.T) {
	w := newWorld(t, edge.Options{})
	echo := call(1, "echo", noCaps, nil)
	for name, tt := range map[string]struct {
		body string
		h    header
		ok   bool
	}{
		"all there":              {echo, nil, true},
		"no version":             {echo, header{"MCP-Protocol-Version": ""}, false},
		"another version":        {echo, header{"MCP-Protocol-Version": "2025-11-25"}, false},
		"no method":              {echo, header{"Mcp-Method": ""}, false},
		"another method":         {echo, header{"Mcp-Method": "tools/list"}, false},
		"method in another case": {echo, header{"Mcp-Method": "Tools/Call"}, false},
		"no name":                {echo, header{"Mcp-Name": ""}, false},
		"another name":           {echo, header{"Mcp-Name": "plain"}, false},
		"base64 name":            {echo, header{"Mcp-Name": b64("echo")}, true},
		"base64 of another":      {echo, header{"Mcp-Name": b64("plain")}, false},
		"broken base64":          {echo, header{"Mcp-Name": "=?base64?!!?="}, false},
		"unicode name":           {call(1, "grüße", noCaps, nil), header{"Mcp-Name": b64("grüße")}, true},
		"unicode name as it is":  {call(1, "grüße", noCaps, nil), header{"Mcp-Name": "grüße"}, false},
		"uri of a resource":      {request(1, "resources/read", noCaps, object{"uri": "test://doc"}), nil, true},
		"another uri":            {request(1, "resources/read", noCaps, object{"uri": "test://doc"}), header{"Mcp-Name": "test://x"}, false},
		"no name where none is":  {request(1, "tools/list", noCaps, nil), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.post(tt.body, tt.h)
			if tt.ok {
				require.Equal(t, 200, r.status, r.body)
				return
			}
			require.Equal(t, 400, r.status, r.body)
			require.Equal(t, -32020, r.last().code(), r.body)
			require.Equal(t, "1", string(r.last().ID))
		})
	}
}

func TestRepeatedHeadersAreRefused(t *testing.T) {
	w := newWorld(t, edge.Options{})
	body := call(1, "echo", noCaps, nil)
	req, err := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
	require.NoError(t, err)
	for k, v := range headersFor(body) {
		req.Header.Set(k, v)
	}
	req.Header.Add("Mcp-Name", "plain")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, -32020, w.read(res, body).last().code())
}

func TestMirroredArguments(t *testing.T) {
	w := newWorld(t, edge.Options{})
	for name, tt := range map[string]struct {
		args string
		h    header
		ok   bool
	}{
		"none":               {`{}`, nil, true},
		"null":               {`{"region":null}`, nil, true},
		"text":               {`{"region":"eu"}`, header{"Mcp-Param-Region": "eu"}, true},
		"text, another case": {`{"region":"eu"}`, header{"mcp-param-REGION": "eu"}, true},
		"text missing":       {`{"region":"eu"}`, nil, false},
		"text differs":       {`{"region":"eu"}`, header{"Mcp-Param-Region": "us"}, false},
		"header alone":       {`{}`, header{"Mcp-Param-Region": "eu"}, false},
		"empty text":         {`{"region":""}`, header{"Mcp-Param-Region": "-"}, true},
		"base64":             {`{"region":" ü\n"}`, header{"Mcp-Param-Region": b64(" ü\n")}, true},
		"base64, unpadded":   {`{"region":"a"}`, header{"Mcp-Param-Region": "=?base64?YQ?="}, false},
		"looks like base64":  {`{"region":"=?base64?YQ==?="}`, header{"Mcp-Param-Region": b64("=?base64?YQ==?=")}, true},
		"bytes as they are":  {`{"region":"ü"}`, header{"Mcp-Param-Region": "ü"}, false},
		"integer":            {`{"count":42}`, header{"Mcp-Param-Count": "42"}, true},
		"integer by value":   {`{"count":42.0}`, header{"Mcp-Param-Count": "42"}, true},
		"integer differs":    {`{"count":42}`, header{"Mcp-Param-Count": "43"}, false},
		"large integer":      {`{"count":9007199254740993}`, header{"Mcp-Param-Count": "9007199254740992"}, false},
		"nested boolean":     {`{"deep":{"flag":true}}`, header{"Mcp-Param-Flag": "true"}, true},
		"nested, differs":    {`{"deep":{"flag":true}}`, header{"Mcp-Param-Flag": "True"}, false},
		"object":             {`{"region":{}}`, header{"Mcp-Param-Region": "{}"}, false},
		"unknown is ignored": {`{"x":1}`, header{"Mcp-Param-X": "2"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.post(call(1, "mirror", noCaps, object{"arguments": json.RawMessage(tt.args)}), tt.h)
			if tt.ok {
				require.Equal(t, "mirrored", r.last().text(), r.body)
				return
			}
			require.Equal(t, 400, r.status)
			require.Equal(t, -32020, r.last().code(), r.body)
		})
	}
	t.Run("not on lines", func(t *testing.T) {
		f := w.pipe().ask(call(1, "mirror", noCaps, object{"arguments": object{"region": "eu"}}))
		require.Equal(t, "mirrored", f.text())
	})
	t.Run("of a tool that has just come", func(t *testing.T) {
		w.server.AddTool(&mcp.Tool{Name: "zz", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("new"), nil })
		body := call(1, "zz", noCaps, object{"arguments": object{"a": "b"}})
		require.Equal(t, -32020, w.post(body).last().code())
		require.Equal(t, "new", w.post(body, header{"Mcp-Param-A": "b"}).last().text())
	})
}

func TestAcceptDecidesBetweenEventsAndJSON(t *testing.T) {
	w := newWorld(t, edge.Options{})
	progress := object{"_meta": object{"progressToken": "p"}}
	for name, tt := range map[string]struct {
		accept string
		events bool
	}{
		"both": {"application/json, text/event-stream", true}, "anything": {"*/*", true}, "not said": {"", true},
		"JSON only": {"application/json", false}, "events refused": {"application/json, text/event-stream;q=0", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.post(call(1, "work", noCaps, progress), header{"Accept": tt.accept})
			require.Equal(t, 200, r.status)
			require.Equal(t, "worked", r.last().text())
			if !tt.events {
				require.Equal(t, "application/json", r.header.Get("Content-Type"))
				require.Len(t, r.frames, 1, "notifications are dropped")
				return
			}
			require.Equal(t, "text/event-stream", r.header.Get("Content-Type"))
			require.Equal(t, "no", r.header.Get("X-Accel-Buffering"))
			require.Len(t, r.frames, 3)
		})
	}
	r := w.post(call(1, "work", noCaps, nil))
	require.Equal(t, "application/json", r.header.Get("Content-Type"), "nothing was notified")
	r = w.post(request(1, "subscriptions/listen", noCaps, object{"notifications": object{"toolsListChanged": true}}), header{"Accept": "application/json"})
	require.Equal(t, 406, r.status)
	require.Equal(t, -32600, r.last().code())
}

func TestProgressAndLogLevelOfTheRequest(t *testing.T) {
	w := newWorld(t, edge.Options{})
	for level, want := range map[string][]any{"": nil, "debug": {"at debug", "at error"}, "warning": {"at error"}, "emergency": nil} {
		m := object{}
		if level != "" {
			m["io.modelcontextprotocol/logLevel"] = level
		}
		r := w.post(call(1, "work", noCaps, object{"_meta": m}))
		var got []any
		for _, f := range r.frames[:len(r.frames)-1] {
			require.Equal(t, "notifications/message", f.Method)
			got = append(got, f.Params["data"])
		}
		require.Equal(t, want, got, "level %q", level)
	}
}

func TestErrorsAfterANotificationAreFramed(t *testing.T) {
	w := newWorld(t, edge.Options{})
	r := w.post(call(1, "ask", noCaps, object{"_meta": object{"progressToken": 1}}))
	require.Equal(t, 200, r.status, "the status had left before")
	require.Len(t, r.frames, 2)
	require.Equal(t, "notifications/progress", r.frames[0].Method)
	require.Equal(t, -32021, r.last().code())
	require.Equal(t, object{"elicitation": object{"form": object{}}}, r.last().Error.Data["requiredCapabilities"])

	r = w.post(call(1, "ask", canForm, object{"_meta": object{"progressToken": 1}}))
	require.Len(t, r.frames, 2)
	require.True(t, r.last().asks(), "an ask after a notification ends the stream")
}

func TestLastEventIDIsIgnoredInTheModernEra(t *testing.T) {
	w := newWorld(t, edge.Options{})
	require.Equal(t, 200, w.post(call(1, "echo", noCaps, nil), header{"Last-Event-ID": "7"}).status)
}

func TestMethodsOfHTTP(t *testing.T) {
	for _, tt := range []struct {
		era    edge.Era
		method string
		status int
		allow  string
	}{
		{edge.Modern, http.MethodGet, 405, "POST"},
		{edge.Modern, http.MethodDelete, 405, "POST"},
		{edge.Modern, http.MethodPut, 405, "POST"},
		{edge.Dual, http.MethodPut, 405, "POST, GET, DELETE"},
		{edge.Dual, http.MethodGet, 400, ""},
		{edge.Dual, http.MethodDelete, 400, ""},
	} {
		w := newWorld(t, edge.Options{Era: tt.era})
		res := w.send(context.Background(), tt.method, "")
		require.Equal(t, tt.status, res.StatusCode)
		require.Equal(t, tt.allow, res.Header.Get("Allow"))
		r := w.read(res, "")
		require.Equal(t, -32600, r.last().code(), "an error that can be read")
		res.Body.Close()
	}
}

func TestOriginAndHost(t *testing.T) {
	body := call(1, "echo", noCaps, nil)
	w := newWorld(t, edge.Options{Origins: []string{"http://localhost:6274"}, Hosts: []string{"mcp.test"}})
	own := w.url
	for name, tt := range map[string]struct {
		h  header
		ok bool
	}{
		"no origin":          {nil, true},
		"own origin":         {header{"Origin": own}, true},
		"listed origin":      {header{"Origin": "http://localhost:6274"}, true},
		"another port":       {header{"Origin": "http://localhost:6275"}, false},
		"foreign origin":     {header{"Origin": "http://evil.example"}, false},
		"origin of a file":   {header{"Origin": "null"}, false},
		"localhost":          {header{"Host": "localhost:80"}, true},
		"listed host":        {header{"Host": "mcp.test:1234"}, true},
		"foreign host":       {header{"Host": "evil.example"}, false},
		"rebound, same host": {header{"Host": "evil.example", "Origin": "http://evil.example"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.post(body, tt.h)
			if tt.ok {
				require.Equal(t, 200, r.status)
				return
			}
			require.Equal(t, 403, r.status)
			require.Equal(t, -32600, r.last().code())
			require.Empty(t, r.last().ID)
		})
	}
}

func TestBodyLimitAndType(t *testing.T) {
	w := newWorld(t, edge.Options{MaxBody: 1000})
	r := w.post(call(1, "echo", noCaps, object{"arguments": object{"x": strings.Repeat("y", 2000)}}))
	require.Equal(t, 413, r.status)
	require.Equal(t, -32600, r.last().code())
	require.Equal(t, 415, w.post(call(1, "echo", noCaps, nil), header{"Content-Type": "text/plain"}).status)
	require.Equal(t, 200, w.post(call(1, "echo", noCaps, nil), header{"Content-Type": "application/json; charset=utf-8"}).status)
}

func TestBearerTokens(t *testing.T) {
	w := newWorld(t, edge.Options{Tokens: map[string]string{"s3cret": "ada", "other": "bob"}})
	body := call(1, "who", noCaps, nil)
	r := w.post(body)
	require.Equal(t, 401, r.status)
	require.Equal(t, `Bearer realm="mcp"`, r.header.Get("WWW-Authenticate"))
	require.Equal(t, -32600, r.last().code())
	r = w.post(body, header{"Authorization": "Bearer wrong"})
	require.Equal(t, 401, r.status)
	require.Contains(t, r.header.Get("WWW-Authenticate"), `error="invalid_token"`)
	require.Equal(t, 401, w.post(body, header{"Authorization": "Basic s3cret"}).status)
	require.Equal(t, "ada", w.post(body, header{"Authorization": "Bearer s3cret"}).last().text())
	require.Equal(t, "bob", w.post(body, header{"Authorization": "bearer other"}).last().text())

	t.Run("a session belongs to its principal", func(t *testing.T) {
		ada, bob := header{"Authorization": "Bearer s3cret"}, header{"Authorization": "Bearer other"}
		h := header{sessionHeader: w.post(initialize(1, "2025-11-25"), ada).header.Get(sessionHeader)}
		who := legacyRequest(2, "tools/call", object{"name": "who", "arguments": object{}})
		require.Equal(t, "ada", w.post(who, h, ada).last().text())
		require.Equal(t, 404, w.post(who, h, bob).status)
		require.Equal(t, 401, w.post(who, h).status)
	})
}

func TestDisconnectCancelsInTheModernEra(t *testing.T) {
	w := newWorld(t, edge.Options{})
	for name, more := range map[string]object{"before anything was sent": nil, "of an event stream": {"_meta": object{"progressToken": 1}}} {
		t.Run(name, func(t *testing.T) {
			ctx, hangUp := context.WithCancel(context.Background())
			body := call(1, "slow", noCaps, more)
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(body))
			require.NoError(t, err)
			for k, v := range headersFor(body) {
				req.Header.Set(k, v)
			}
			done := make(chan struct{})
			var res *http.Response
			w.background(func() {
				defer close(done)
				res, _ = http.DefaultClient.Do(req) // fails where it is cancelled before the headers
			})
			<-w.began
			hangUp()
			require.Equal(t, "cancelled", <-w.ended)
			<-done
			if res != nil {
				res.Body.Close()
			}
		})
	}
}

// A body that never ends is answered and its connection closed; one that comes
// in time leaves no deadline behind for what is served afterwards.
func TestBodiesMustArriveInTime(t *testing.T) {
	w := newWorld(t, edge.Options{})
	w.edge.SetBodyLimit(50 * time.Millisecond)
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	require.NoError(t, err)
	all, err := io.ReadAll(conn)
	require.NoError(t, err, "the connection is closed")
	require.Contains(t, string(all), "408 Request Timeout")
	require.Contains(t, string(all), `"code":-32600`)

	const limit = 2 * time.Second // a slow machine sends a line in less
	w = newWorld(t, edge.Options{})
	w.edge.SetBodyLimit(limit)
	events, hangUp := w.stream(http.MethodPost, call(1, "slow", noCaps, object{"_meta": object{"progressToken": 1}}), nil)
	require.Equal(t, "notifications/progress", parseFrame(t, []byte(<-events)).Method)
	<-w.began
	time.Sleep(limit + limit/10)
	w.go_ <- struct{}{}
	require.Equal(t, "finished", <-w.ended)
	last := <-events
	require.Equal(t, "slept", parseFrame(t, []byte(last)).text())
	hangUp()
}
