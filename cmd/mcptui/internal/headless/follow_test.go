package headless

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// TestWhatWasParsedIsForgotten bounds what a follower costs beside the log: the
// parsed form of a frame lasts as long as whoever watches needs it.
func TestWhatWasParsedIsForgotten(t *testing.T) {
	log := trace.NewLog(time.Now)
	log.Append(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","method":"x"}`)}})
	var seen rpc.Message
	f := Follow(log, func(e trace.Event, _ *session.Session) { seen = e.Frame.Message() })
	f.Catch()
	require.Equal(t, "x", seen.Method)
	e, ok := log.Event(1)
	require.True(t, ok)
	require.False(t, e.Frame.Parsed())
	require.Equal(t, "x", e.Frame.Message().Method, "who asks later parses again")
	require.True(t, e.Frame.Parsed())
}
