package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// TestACallAloneIsSavedAsARecording books a table beside another call, and saves
// the one without the other.
func TestACallAloneIsSavedAsARecording(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	s.Act(trace.Act{Kind: trace.ActCall, Call: 2, Method: "tools/call", Name: "add", Value: []byte(`{"name":"add"}`)})
	_, id := s.Request(trace.Cause{Why: trace.WhyCall, Call: 2, Round: 1}, "tools/call", map[string]any{"name": "add"})
	s.Come(rpc.Encode(id, "", nil, []byte(`{"resultType":"complete","content":[]}`), nil))
	saved := make(chan []trace.Event, 1)
	sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start,
		Record: func(hint string, keep func(trace.Event) bool) (string, error) {
			events := s.Log.Since(0)
			if keep != nil {
				events = trace.Extract(events, keep)
			}
			saved <- events
			return "/tmp/" + hint, nil
		}}), 120, 36)
	sc.WaitFor("1 Calls", "2 Catalogue")
	sc.Type("1")
	sc.WaitFor("[1 Calls]", "book_table", "add")
	sc.Type("g", screentest.Enter)
	sc.WaitFor("Booked: a table for 4")
	sc.Type("W")
	sc.WaitFor("call 1 book_table, alone", "the whole session")
	sc.Type(screentest.Enter)
	sc.WaitFor("saved to /tmp/demo-call-1-20261201-1200")

	alone := session.New()
	for _, e := range <-saved {
		alone.Apply(e)
	}
	require.Len(t, alone.Calls, 1)
	require.Equal(t, trace.Modern, alone.Conn.Era)
	require.Equal(t, trace.Done, alone.Call(1).Status)
	require.Len(t, alone.Call(1).Rounds, 4)
	require.Len(t, alone.Asks, 3)

	sc.Type("W")
	sc.WaitFor("the whole session")
	sc.Type(screentest.Down, screentest.Enter)
	sc.WaitFor("saved to /tmp/demo-20261201-1200")
	require.Len(t, <-saved, s.Log.Len())
}
