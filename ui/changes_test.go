package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// relisted is a server whose tools changed after it told so.
func relisted() *script.Script {
	s := ready(trace.Modern)
	s.Come(rpc.Encode("", "notifications/subscriptions/acknowledged", []byte(`{"notifications":{"toolsListChanged":true}}`), nil, nil))
	s.Wait(3 * time.Second)
	s.Come(rpc.Encode("", "notifications/tools/list_changed", []byte(`{}`), nil, nil))
	changed := append([]string{`{"name":"cancel_table","description":"Cancels a table.","inputSchema":{"type":"object"}}`},
		script.Tools[1:]...)
	changed[2] = strings.Replace(changed[2], "Adds two numbers.", "Adds up.", 1)
	s.List("tools/list", "tools", changed...)
	return s
}

func TestWhatChangedInAList(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			sc := start(t, relisted(), size.columns, size.rows)
			sc.WaitFor("cancel_table")
			palette(sc, "what changed in the tools")
			sc.WaitFor("the tools ─▶ at 3.0 s: 3 differences", "+ tools cancel_table", "- tools greet", "~ tools add/description")
			sc.Golden("comparison")
			sc.Type(screentest.Esc, "5", "G")
			sc.WaitFor("changes that it told of", "notifications/tools/list_changed", "the tools changed: 1 new, 1 gone, 1 changed")
			sc.Golden("server")
		})
	}
}

func TestAChangeIsToldWhenItComes(t *testing.T) {
	s := ready(trace.Legacy)
	sc := start(t, s, 80, 24)
	sc.WaitFor("book_table")
	s.List("tools/list", "tools", script.Tools...)
	s.List("resources/list", "resources")
	sc.WaitFor("the resources changed: 1 gone; the palette shows what changed")
	sc.Type("5")
	sc.WaitFor("[5 Server]")
	require.NotContains(t, sc.Text(), "the tools changed", "the same list again is no change")
}

// reader reads resources out of a script.
type reader struct {
	deaf
	s *script.Script
}

func (r reader) Call(q control.Request) (int, error) {
	n := 1
	for _, e := range r.s.Log.Since(0) {
		if e.Act != nil && e.Act.Kind == trace.ActCall {
			n++
		}
	}
	uri := rpc.Text(q.Params, "uri")
	r.s.Act(trace.Act{Kind: trace.ActCall, Call: n, Method: q.Method, Name: uri, Value: q.Params})
	_, id := r.s.Request(trace.Cause{Why: trace.WhyCall, Call: n, Round: 1}, q.Method, []byte(q.Params))
	r.s.Result(id, map[string]any{"contents": []any{map[string]any{"uri": uri, "text": "Soup of the day."}}})
	return n, nil
}

func TestResourceLinksAreFollowed(t *testing.T) {
	s := picture()
	sc := startWith(t, s, reader{s: s}, 80, 24)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("▸ image image/png, 6 B", "demo://menu", "Enter reads what the links lead to")
	sc.Type(screentest.Tab, screentest.Enter)
	sc.WaitFor("┏ Read", "demo://menu  menu", "demo://wine␛[2J  wine")
	sc.Golden("links")
	sc.Type(screentest.Down, screentest.Enter)
	sc.WaitFor("2 demo://wine", "Soup of the day.")
	sent := frames(s.Log, "resources/read")
	require.Len(t, sent, 1)
	require.Equal(t, `{"uri":"demo://wine\u001b[2J"}`, string(sent[0].Params))
	sc.ClickOn("Soup of the day.")
	sc.Type(screentest.Enter)
	sc.WaitFor("this result links to nothing")
}

func TestStructuredContentAgainstItsSchema(t *testing.T) {
	tool := `{"name":"forecast","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"degrees":{"type":"number"}},"required":["degrees"]}}`
	for _, c := range []struct{ name, result, want string }{
		{"fits", `{"content":[],"structuredContent":{"degrees":21}}`, "✓ it fits the output schema of the tool"},
		{"wrong type", `{"content":[],"structuredContent":{"degrees":"warm"}}`, "✖ structuredContent breaks the output schema"},
		{"missing", `{"content":[{"type":"text","text":"warm"}]}`, "✖ tool \"forecast\" declares an output schema"},
		{"not held to it", `{"content":[{"type":"text","text":"no"}],"isError":true}`, "✖ the tool says that it failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := script.New()
			s.Ready(trace.Legacy)
			s.List("tools/list", "tools", tool)
			s.Act(trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "forecast", Value: []byte(`{"name":"forecast"}`)})
			_, id := s.Request(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, "tools/call", map[string]any{"name": "forecast"})
			s.Come(rpc.Encode(id, "", nil, []byte(c.result), nil))
			sc := start(t, s, 120, 36)
			sc.WaitFor("forecast")
			sc.Type(screentest.Enter)
			sc.WaitFor("Result", c.want)
			if c.name == "wrong type" {
				sc.WaitFor("/result/structuredContent/degrees")
			}
			if c.name == "not held to it" {
				require.NotContains(t, sc.Text(), "output schema")
			}
		})
	}
}
