package ui_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// caller hands on what is called, and makes nothing of it.
type caller struct {
	control.Controller
	came chan control.Request
}

func (c caller) Call(r control.Request) (int, error) { c.came <- r; return 1, nil }

// TestArgumentsOfASchemaThatNamesNone calls tools whose schemas name no member: by
// Enter, and by e with a member of the person's own.
func TestArgumentsOfASchemaThatNamesNone(t *testing.T) {
	const (
		calls  = "calls" // Enter calls at once
		asks   = "asks"  // Enter opens a form
		add    = "add"   // e opens a form
		closed = "closed"
	)
	for _, tc := range []struct{ schema, enter, edit string }{
		{`{"type":"object"}`, calls, add},
		{`{}`, calls, add},
		{`true`, calls, add},
		{`{"type":"object","properties":{}}`, calls, add},
		{`{"type":"object","additionalProperties":true}`, calls, add},
		{`{"type":"object","additionalProperties":{}}`, calls, add},
		{`{"type":"object","additionalProperties":{"type":"number"}}`, asks, add},
		{`{"type":"object","minProperties":1}`, asks, add},
		{`{"type":"object","additionalProperties":false}`, calls, closed},
		{`{"type":"object","properties":{},"additionalProperties":false}`, calls, closed},
	} {
		t.Run(tc.schema, func(t *testing.T) {
			s := script.New()
			s.Ready(trace.Modern)
			s.List("tools/list", "tools", `{"name":"anything","inputSchema":`+tc.schema+`}`)
			k := caller{came: make(chan control.Request, 1)}
			sc := startWith(t, s, k, 100, 30)
			sc.WaitFor("anything")
			sent := func(want string) {
				t.Helper()
				select {
				case r := <-k.came:
					require.JSONEq(t, want, string(rpc.Member(r.Params, "arguments")))
				case <-time.After(screentest.Patience):
					require.Fail(t, "nothing was called", sc.Text())
				}
				sc.WaitFor("the call begins") // its screen has opened
			}
			sc.Type(screentest.Enter)
			if tc.enter == asks {
				sc.WaitFor("[ Call")
				sc.Type(screentest.Esc)
				sc.WaitFor("[2 Catalogue]")
			} else {
				sent(`{}`)
				sc.Type(screentest.Esc, "2") // back from where its call would be
				sc.WaitFor("[2 Catalogue]")
			}
			sc.Type("e")
			if tc.edit == closed {
				sc.WaitFor("it takes no arguments")
				return
			}
			sc.WaitFor("[ Call", "name, then Enter")
			sc.Type("\x05") // as JSON
			sc.WaitFor("{}")
			sc.Type("\x1b[3~\x1b[3~")
			sc.WaitForGone("{}")
			sc.Paste(`{"n":7}`)
			sc.WaitFor(`"n":7`)
			sc.Type(screentest.CtrlS)
			sent(`{"n":7}`)
		})
	}
}
