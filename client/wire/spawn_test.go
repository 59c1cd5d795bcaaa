package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

func TestAPanicInATransportIsAnEvent(t *testing.T) {
	got := make(chan trace.Event, 1)
	spawn(func(e trace.Event) int { got <- e; return 1 }, func() { panic("boom") })
	e := <-got
	require.Equal(t, trace.PhaseFailed, e.Phase.Name)
	require.Contains(t, e.Phase.Reason, "boom")
	require.Contains(t, e.Phase.Stack, "TestAPanicInATransportIsAnEvent")
}
