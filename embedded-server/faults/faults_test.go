package faults_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/edge"
	"mcptui/embedded-server/faults"
)

type object = map[string]any

func newEdge(t *testing.T) *edge.Edge {
	e := edge.New(faults.New("test", nil), edge.Options{Mangle: faults.Mangle})
	t.Cleanup(e.Close)
	return e
}

func call(id any, tool string, more object) string {
	p := object{"name": tool, "arguments": object{}, "_meta": object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": object{"elicitation": object{"form": object{}, "url": object{}}},
	}}
	for k, v := range more {
		p[k] = v
	}
	b, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": p})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// lines sends a line to a pipe and reads until a marker's answer, or the end.
func lines(t *testing.T, e *edge.Edge, line string) (got []string, ended bool) {
	t.Helper()
	p := e.Pipe(context.Background())
	defer p.Close()
	_, err := io.WriteString(p, line+"\n")
	require.NoError(t, err)
	r := bufio.NewReader(p)
	marked := false
	for {
		l, err := r.ReadString('\n')
		if l != "" {
			if strings.Contains(l, `"id":"marker"`) {
				return got, false
			}
			got = append(got, l)
		}
		if err != nil {
			return got, true
		}
		if !marked { // after the first line, so that the answers keep their order
			marked = true
			if _, err := io.WriteString(p, strings.Replace(call("marker", "none", nil), "tools/call", "server/discover", 1)+"\n"); err != nil {
				return got, true
			}
		}
	}
}

func post(t *testing.T, url, body string) (*http.Response, string, error) {
	t.Helper()
	var m struct {
		Method string
		Params struct{ Name string }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &m))
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": m.Method, "Mcp-Name": m.Params.Name,
	} {
		req.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res, string(b), err
}

func TestBytesAreBrokenOnEveryTransport(t *testing.T) {
	for tool, want := range map[string]struct {
		contains []string
		lacks    []string
		events   bool // over HTTP, as more than one message
		cut      bool
	}{
		"wrong_id":            {contains: []string{`"id":"somebody-else"`}, lacks: []string{`"id":7`}},
		"wrong_id_type":       {contains: []string{`"id":"7"`}, lacks: []string{`"id":7`}},
		"no_id":               {contains: []string{`"result"`}, lacks: []string{`"id"`}},
		"duplicate_answers":   {contains: []string{"This is the answer", "SECOND answer", "third answer"}, events: true},
		"cut":                 {contains: []string{`{"jsonrpc":"2.0","id":7,"re`}, lacks: []string{"}}\n"}, cut: true},
		"cut_before":          {lacks: []string{"jsonrpc"}, cut: true},
		"noise":               {contains: []string{"MyServer v1.2.3", "DEBUG", "This is the answer"}},
		"not_json":            {contains: []string{"},}"}},
		"both":                {contains: []string{`"result"`, `"error"`}},
		"unknown_result_type": {contains: []string{`"resultType":"perhaps"`}},
		"ask_for_nothing":     {contains: []string{`"result":{"resultType":"input_required"}`}},
		"empty_ask":           {contains: []string{`"inputRequests":{}`}, lacks: []string{"requestState"}},
		"unknown_ask":         {contains: []string{"vendor/askOracle", "elicitation/create"}},
		"broken_ask":          {contains: []string{`"requestedSchema":"text"`}},
	} {
		t.Run(tool, func(t *testing.T) {
			check := func(got string) {
				for _, s := range want.contains {
					require.Contains(t, got, s)
				}
				for _, s := range want.lacks {
					require.NotContains(t, got, s)
				}
			}
			e := newEdge(t)
			got, ended := lines(t, e, call(7, tool, nil))
			require.Equal(t, want.cut, ended)
			check(strings.Join(got, ""))

			ts := httptest.NewServer(e)
			defer ts.Close()
			res, body, err := post(t, ts.URL, call(7, tool, nil))
			if want.cut {
				require.Error(t, err, "the response is aborted")
				check(body)
				return
			}
			require.NoError(t, err)
			check(body)
			if want.events {
				require.Equal(t, "text/event-stream", res.Header.Get("Content-Type"))
				require.Equal(t, 3, strings.Count(body, "data: "))
			}
		})
	}
}

func TestBytesAreBrokenInTheHandshakeEra(t *testing.T) {
	e := newEdge(t)
	p := e.Pipe(context.Background())
	defer p.Close()
	r := bufio.NewReader(p)
	ask := func(line string) string {
		_, err := io.WriteString(p, line+"\n")
		require.NoError(t, err)
		l, err := r.ReadString('\n')
		require.NoError(t, err)
		return l
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	tool := func(name string) string {
		return ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, name))
	}
	require.Contains(t, tool("wrong_id"), "somebody-else")
	require.Contains(t, tool("ask_for_nothing"), "Connect with that revision")
	require.Contains(t, tool("unknown_ask"), `"id":90001,"method":"vendor/askOracle"`)
	l, err := r.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, l, "This is the answer of unknown_ask")
	require.Contains(t, tool("endless_asks"), "Are you sure? (1)")
}

type outcome struct {
	Result struct {
		ResultType    string
		RequestState  string
		InputRequests map[string]struct {
			Method string
			Params any
		}
		Content []struct{ Text string }
	}
	Error *struct{ Message string }
}

// round calls a tool over HTTP and decodes what it says.
func round(t *testing.T, url, tool string, more object) outcome {
	t.Helper()
	_, body, err := post(t, url, call(1, tool, more))
	require.NoError(t, err)
	for _, line := range strings.Split(body, "\n") { // of an event stream the last message
		if d, ok := strings.CutPrefix(line, "data: "); ok {
			body = d
		}
	}
	var o outcome
	require.NoError(t, json.Unmarshal([]byte(body), &o), body)
	return o
}

func answerAll(o outcome) object {
	answers := object{}
	for k := range o.Result.InputRequests {
		answers[k] = object{"action": "accept", "content": object{"name": "x", "v": "x", "confirm": true}}
	}
	return object{"requestState": o.Result.RequestState, "inputResponses": answers}
}

func TestRoundsThatLeadNowhere(t *testing.T) {
	ts := httptest.NewServer(newEdge(t))
	defer ts.Close()
	t.Run("endless_asks", func(t *testing.T) {
		o := round(t, ts.URL, "endless_asks", nil)
		for range 20 {
			require.Equal(t, "input_required", o.Result.ResultType)
			o = round(t, ts.URL, "endless_asks", answerAll(o))
		}
		require.Equal(t, "Are you sure? (21)", o.Result.InputRequests["again"].Params.(object)["message"])
	})
	t.Run("state_only_rounds", func(t *testing.T) {
		o := round(t, ts.URL, "state_only_rounds", nil)
		for range 3 {
			require.Equal(t, "input_required", o.Result.ResultType)
			require.Nil(t, o.Result.InputRequests)
			o = round(t, ts.URL, "state_only_rounds", object{"requestState": o.Result.RequestState})
		}
		require.Equal(t, "Done after 3 rounds that asked for nothing.", o.Result.Content[0].Text)
	})
	t.Run("changed_keys", func(t *testing.T) {
		keys := map[string]bool{}
		o := round(t, ts.URL, "changed_keys", nil)
		for o.Result.ResultType == "input_required" {
			for k := range o.Result.InputRequests {
				keys[k] = true
			}
			o = round(t, ts.URL, "changed_keys", answerAll(o))
		}
		require.Len(t, keys, 3)
	})
	t.Run("undeclared_ask", func(t *testing.T) {
		o := round(t, ts.URL, "undeclared_ask", nil)
		require.Equal(t, "roots/list", o.Result.InputRequests["dirs"].Method)
		require.Equal(t, "sampling/createMessage", o.Result.InputRequests["think"].Method)
	})
	t.Run("bad_url_scheme", func(t *testing.T) {
		o := round(t, ts.URL, "bad_url_scheme", nil)
		p := o.Result.InputRequests["script"].Params.(object)
		require.Equal(t, "javascript:alert(document.cookie)", p["url"])
		require.Equal(t, "url", p["mode"])
	})
	for _, tool := range []string{"unknown_ask", "broken_ask"} {
		o := round(t, ts.URL, tool, nil)
		o = round(t, ts.URL, tool, answerAll(o))
		require.Contains(t, o.Result.Content[0].Text, "answers came back", "the second round of %s is a good one", tool)
	}
}

func TestHostileTextIsEverywhere(t *testing.T) {
	e := newEdge(t)
	got, _ := lines(t, e, strings.Replace(call(1, "", nil), "tools/call", "tools/list", 1))
	require.Contains(t, got[0], `\u001b]52;c;`, "in the list")
	ts := httptest.NewServer(e)
	defer ts.Close()
	o := round(t, ts.URL, "hostile_text", nil)
	require.Contains(t, o.Result.Content[0].Text, "\x1b[2J\x1b[H")
	require.Contains(t, o.Result.Content[0].Text, "\u202e")
	o = round(t, ts.URL, "hostile_text", object{"arguments": object{"kind": "bell"}})
	require.Equal(t, "ding\a", o.Result.Content[0].Text)
	require.Contains(t, round(t, ts.URL, "hostile_error", nil).Error.Message, "\x1b[31")
	o = round(t, ts.URL, "hostile_ask", nil)
	require.Len(t, o.Result.InputRequests, 1)
	require.Contains(t, o.Result.RequestState, "\x1b]0;pwned")
	require.Equal(t, "1 answers came back.", round(t, ts.URL, "hostile_ask", answerAll(o)).Result.Content[0].Text)
}

func TestTheLeakyRefundCanBeCheated(t *testing.T) {
	ts := httptest.NewServer(newEdge(t))
	defer ts.Close()
	o := round(t, ts.URL, "refund_leaky", nil)
	raw, err := base64.StdEncoding.DecodeString(o.Result.RequestState)
	require.NoError(t, err)
	require.JSONEq(t, `{"order":"A-17","amount":40,"reviewer":"nobody","refund":1}`, string(raw), "anyone can read it, and the refund is booked before the question is answered")

	cheated := answerAll(o)
	cheated["requestState"] = base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(raw), "40", "4000", 1)))
	require.Contains(t, round(t, ts.URL, "refund_leaky", cheated).Result.Content[0].Text, "Refunded: 4000.00", "anyone can change it")
	require.Contains(t, round(t, ts.URL, "refund_leaky", cheated).Result.Content[0].Text, "so far: 3", "and send it again")
	require.NotNil(t, round(t, ts.URL, "refund_leaky", object{"requestState": "%"}).Error)
}

func TestExactState(t *testing.T) {
	ts := httptest.NewServer(newEdge(t))
	defer ts.Close()
	_, body, err := post(t, ts.URL, call(1, "exact_state", nil))
	require.NoError(t, err)
	var raw struct {
		Result struct{ RequestState json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &raw))
	again := func(state string) string {
		line := strings.Replace(call(2, "exact_state", object{"requestState": "STATE"}), `"STATE"`, state, 1)
		_, body, err := post(t, ts.URL, line)
		require.NoError(t, err)
		return body
	}
	require.Contains(t, again(string(raw.Result.RequestState)), "byte for byte")
	var decoded string
	require.NoError(t, json.Unmarshal(raw.Result.RequestState, &decoded))
	reencoded, err := json.Marshal(decoded)
	require.NoError(t, err)
	require.Contains(t, again(string(reencoded)), "was changed")
}

func TestSlowAndOversized(t *testing.T) {
	ts := httptest.NewServer(newEdge(t))
	defer ts.Close()
	require.Equal(t, "This took 1 ms.", round(t, ts.URL, "slow", object{"arguments": object{"ms": 1}}).Result.Content[0].Text)
	o := round(t, ts.URL, "oversized", object{"arguments": object{"megabytes": 2}})
	require.Greater(t, len(o.Result.Content[0].Text), 2<<20-100)
}

func TestBytesAreBrokenInASession(t *testing.T) {
	ts := httptest.NewServer(newEdge(t))
	defer ts.Close()
	session := ""
	send := func(body string) (*http.Response, string, error) {
		req, err := http.NewRequest(http.MethodPost, ts.URL, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, "", err
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		return res, string(b), err
	}
	res, _, err := send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	require.NoError(t, err)
	session = res.Header.Get("Mcp-Session-Id")
	tool := func(name string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, name)
	}
	_, body, err := send(tool("duplicate_answers"))
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(body, "data: "), body)
	require.NotContains(t, body, "resultType")
	_, body, err = send(tool("wrong_id"))
	require.NoError(t, err)
	require.Contains(t, body, "somebody-else")
	_, _, err = send(tool("cut"))
	require.Error(t, err)
}
