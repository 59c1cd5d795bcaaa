package ask

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/ui/keys"
)

// TestTheGuardEndsWithAPause holds a key down for longer than the guard lasts:
// nothing gets through until it was let go.
func TestTheGuardEndsWithAPause(t *testing.T) {
	var now time.Duration
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"s":{"type":"string"}}}}`), with())
	require.Equal(t, Send, p.Do(keys.Send), "without a clock nothing is guarded")
	p.Watch(func() time.Duration { return now }, 500*time.Millisecond)
	require.Equal(t, Send, p.Do(keys.Send))
	require.Empty(t, p.Swallowed())

	p.Opened()
	require.True(t, p.Seen())
	for range 40 {
		now += 30 * time.Millisecond
		require.Equal(t, None, p.Do(keys.Send))
		require.Equal(t, None, p.Key(keyPress("x")))
		require.NotZero(t, p.Settling())
		require.Equal(t, "just opened: press again", p.Swallowed())
		require.Empty(t, p.Swallowed(), "it is said once a key")
	}
	require.Equal(t, Later, p.Do(keys.Later), "what loses nothing is always taken")
	now += 499 * time.Millisecond
	require.NotZero(t, p.Settling())
	now += time.Millisecond
	require.Zero(t, p.Settling())
	require.Equal(t, Send, p.Do(keys.Send))
	require.False(t, p.Changed())

	p.Fail(errors.New("no"))
	require.Equal(t, None, p.Do(keys.Decline))
	require.Equal(t, "just shown: press again", p.Swallowed())
	require.Equal(t, "no", p.Problem(), "it is still there to be read")
}
