package ui_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

// liveLog runs the UI on a real connection, and hands out its log.
func liveLog(t *testing.T, era trace.Era, columns, rows int) (*screentest.Screen, *trace.Log) {
	t.Helper()
	sc, log := liveProfile(t, "demo", era, columns, rows)
	sc.WaitFor("book_table", "weather")
	return sc, log
}

// liveProfile is liveLog on a profile of the embedded server.
func liveProfile(t *testing.T, profile string, era trace.Era, columns, rows int) (*screentest.Screen, *trace.Log) {
	t.Helper()
	c := &clock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	log := trace.NewLog(c.Now)
	srv, err := embeddedserver.New(embeddedserver.Options{Version: "1.0.0", Profile: profile})
	require.NoError(t, err)
	conn, err := client.Dial(context.Background(), client.Options{
		Target: client.Target{Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return srv.Pipe(ctx), nil }}, Era: era, Log: log,
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), screentest.Patience)
		defer cancel()
		require.NoError(t, conn.Close(ctx))
		srv.Close()
	})
	require.NoError(t, conn.Ready(context.Background()))
	return screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: log, Control: conn, Start: c.Now()}), columns, rows), log
}

func palette(sc *screentest.Screen, words string) {
	sc.Type(":")
	sc.WaitFor("┏ Do")
	sc.Type(words, screentest.Enter)
}

func TestARequestIsSentAgainAsItWas(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc, log := liveLog(t, era, 120, 36)
		call(sc, "add")
		sc.WaitFor("Call Ctrl+S")
		sc.Type("4", screentest.Tab, "5", screentest.CtrlS)
		sc.WaitFor("✓ done")
		palette(sc, "again as it was")
		sc.WaitFor("2 add", "✓ done") // it only reads: nothing is asked before
		sent := frames(log, "tools/call")
		require.Len(t, sent, 2)
		bare := func(m rpc.Message) string {
			meta := rpc.With(rpc.Member(m.Params, "_meta"), rpc.Field{Name: "progressToken"})
			return string(rpc.With(m.Params, rpc.Field{Name: "_meta", Raw: meta}))
		}
		require.JSONEq(t, bare(sent[0]), bare(sent[1]))
		require.NotEqual(t, sent[0].ID, sent[1].ID)
		require.JSONEq(t, string(sent[1].ID), string(rpc.Member(sent[1].Params, "_meta", "progressToken")))
	})
}

func TestARequestIsSentAgainEdited(t *testing.T) {
	sc, log := liveLog(t, trace.Modern, 120, 36)
	call(sc, "add")
	sc.WaitFor("Call Ctrl+S")
	sc.Type("4", screentest.Tab, "5", screentest.CtrlS)
	sc.WaitFor("✓ done")
	palette(sc, "again edited")
	sc.WaitFor("tools/call again, edited", `"method": "tools/call"`)
	sc.Golden("form")
	clearAll(sc)
	sc.Paste(`{"method":"tools/call","params":{"name":"add","arguments":{"a":1e2,"b":7}},"meta":{"x":1},"headers":{"X":3}}`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("the header X is not a string")
	clearAll(sc)
	sc.Paste(`{"method":"tools/call","params":{"name":"add","arguments":{"a":1e2,"b":7}},"meta":{"x":1}}`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("2 add", "✓ done", "107")
	sent := frames(log, "tools/call")[1]
	require.Equal(t, `{"a":1e2,"b":7}`, string(rpc.Member(sent.Params, "arguments")))
	require.Equal(t, "1", string(rpc.Member(sent.Params, "_meta", "x")))
}

// A retry can be sent again: it goes on from the state that it carried.
func TestARetryIsSentAgain(t *testing.T) {
	sc, log := liveLog(t, trace.Modern, 120, 36)
	call(sc, "greet")
	sc.WaitFor("*")
	sc.Type("Ada", screentest.CtrlS)
	sc.WaitFor("✓ done", "Ada")
	palette(sc, "again as it was")
	sc.WaitFor("2 greet", "✓ done", "Ada")
	sent := frames(log, "tools/call")
	require.Len(t, sent, 3)
	require.Equal(t, string(rpc.Member(sent[1].Params, "requestState")), string(rpc.Member(sent[2].Params, "requestState")))
	require.JSONEq(t, string(rpc.Member(sent[1].Params, "inputResponses")), string(rpc.Member(sent[2].Params, "inputResponses")))
}

func TestAnyRequest(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			sc, log := liveLog(t, trace.Modern, size.columns, size.rows)
			palette(sc, "raw method")
			sc.WaitFor("Any request", `"tools/list"`)
			sc.Golden("form")
			clearAll(sc)
			sc.Paste(`{"method":"no/such","params":{"a":[1]}}`)
			sc.Type(screentest.Esc)
			sc.WaitForGone("Any request")
			palette(sc, "any request") // what was typed is still there
			sc.WaitFor("no/such")
			sc.Type(screentest.CtrlS)
			sc.WaitFor("✖ error -32601")
			sent := frames(log, "no/such")
			require.Len(t, sent, 1)
			require.Equal(t, "[1]", string(rpc.Member(sent[0].Params, "a")))
		})
	}
}

func TestAnyNotification(t *testing.T) {
	sc, log := liveLog(t, trace.Legacy, 120, 36)
	palette(sc, "any request")
	sc.WaitFor("Any request")
	clearAll(sc)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("✖ not JSON")
	sc.Paste(`{"method":"notifications/odd","params":{"a":1}}`)
	sc.Type(screentest.CtrlS)
	sc.WaitFor("notifications/odd was sent")
	require.Eventually(t, func() bool { return len(frames(log, "notifications/odd")) == 1 }, screentest.Patience, time.Millisecond, "it never left")
	require.Equal(t, `{"a":1}`, string(frames(log, "notifications/odd")[0].Params))
}

func TestQuitAsksOnceWhereARequestWasEdited(t *testing.T) {
	sc, _ := liveLog(t, trace.Modern, 80, 24)
	palette(sc, "any request")
	sc.WaitFor("Any request")
	sc.Type(" ", screentest.CtrlC)
	sc.WaitFor("A request was edited. Quit all the same?")
	sc.Type("y")
	sc.WaitEnd()
}

func TestARequestOfTheWireIsSentAgain(t *testing.T) {
	sc, log := liveLog(t, trace.Modern, 120, 36)
	sc.Type("3")
	sc.WaitFor("[3 Wire]")
	sc.Type("/", "method:resources/list dir:in", screentest.Enter)
	sc.WaitFor("1 of ")
	palette(sc, "again as it was resources/list") // the response is selected: its request is meant
	sc.WaitFor("1 resources/list", "✓ done")
	require.Len(t, frames(log, "resources/list"), 2)
}

func TestNothingIsSentFromARecording(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log}), 120, 36)
	sc.WaitFor("✓ done")
	sc.Type(":", "again")
	sc.WaitFor("┏ Do")
	require.NotContains(t, sc.Text(), "send again")
}

// clearAll empties the JSON editor.
func clearAll(sc *screentest.Screen) {
	for range 60 {
		sc.Type(screentest.Down)
	}
	sc.Type(screentest.End)
	for range 60 {
		sc.Type(screentest.CtrlU, screentest.Backspace)
	}
}
