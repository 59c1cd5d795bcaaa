package wire

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// A server that takes nothing gets no more than so many answers and notifications;
// a request has an answer to wait for, and is taken.
func TestAServerThatTakesNoAnswers(t *testing.T) {
	answer := Message{Bytes: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`), Cause: trace.Cause{Why: trace.WhyAnswer}}
	t.Run("stdio", func(t *testing.T) {
		ev := collect()
		c := child(t, "deaf", ev)
		require.NoError(t, c.Start(t.Context()))
		big := request(1, string(make([]byte, 1<<20)))
		require.NoError(t, c.Send(big))
		ev.until(t, "the message that is stuck", func(e trace.Event) bool { return e.Frame != nil && e.Frame.Dir == trace.Out })
		for range mostUntaken {
			require.NoError(t, c.Send(answer))
		}
		require.ErrorIs(t, c.Send(answer), ErrFull)
		require.NoError(t, c.Send(request(2, "ping")))
		require.NoError(t, c.Close(t.Context()))
	})
	t.Run("http", func(t *testing.T) {
		release := make(chan struct{})
		s, ev := serve(t, func(w http.ResponseWriter, r *http.Request) {
			<-release
			w.WriteHeader(http.StatusAccepted)
		})
		s.most = 3
		s.Settled(trace.Legacy, "2025-11-25")
		for range s.most {
			require.NoError(t, s.Send(answer))
		}
		require.ErrorIs(t, s.Send(answer), ErrFull)
		require.NoError(t, s.Send(request(2, "ping")))
		close(release)
		ev.until(t, "the end of an answer", over)
		require.Eventually(t, func() bool { return s.Send(answer) == nil }, patience, time.Millisecond)
	})
}
