package ui

import (
	"runtime"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

// TestMemoryIsFlatWhileAServerFloods holds all that the program keeps of what
// comes, the log included, while the wire is followed.
func TestMemoryIsFlatWhileAServerFloods(t *testing.T) {
	s := script.New()
	s.Log = trace.NewLog(s.Now, trace.Memory(3<<20), trace.SpillDir(t.TempDir()))
	s.Ready(trace.Modern)
	s.Catalogue()
	s.Call("flood", nil)
	m := at(s, 120, 36)
	m.sess.Rows.Bound(1 << 20)
	press(m, tea.KeyPressMsg{Code: '3', Text: "3"})
	feedMe := func(from, count int) {
		for n := from; n < from+count; n += 500 {
			before := m.sess.Rows.Len()
			flood(s, n, 500)
			m.Update(feedMsg{events: s.Log.Since(before)})
			m.View()
		}
	}
	feedMe(1, 20_000)
	before := heap()
	feedMe(20_001, 20_000)
	grown := heap() - before
	runtime.KeepAlive(m)
	require.Less(t, grown, float64(2<<20), "bytes kept of 20,000 further frames")
	require.Contains(t, m.draw().Plain(), "on disk", "what is not in memory is said")
	require.NoError(t, s.Log.Free())
}

// TestABurstIsFoldedInSlices: what waits, waits for one slice and not for all.
func TestABurstIsFoldedInSlices(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	m := at(s, 120, 36)
	before := m.sess.Rows.Len()
	flood(s, 1, 3*sliceEvents)
	s.Come(append([]byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"`), append(make([]byte, 2*sliceBytes), `"}}`...)...))
	s.Come([]byte(`{"jsonrpc":"2.0","method":"last"}`))
	var msg tea.Msg = feedMsg{events: s.Log.Since(before)}
	slices := 0
	for m.sess.Rows.Len() < s.Log.Len() {
		had := m.sess.Rows.Len()
		cmd := m.fed(msg.(feedMsg))
		require.LessOrEqual(t, m.sess.Rows.Len()-had, sliceEvents)
		slices++
		if m.sess.Rows.Len() < s.Log.Len() {
			msg = cmd()
		}
	}
	require.Equal(t, 5, slices, "and nothing behind a large frame in one go with it")
	require.Equal(t, "last", m.sess.Rows.Row(s.Log.Len()).Method)
}

// TestALongLogIsShownFromItsBeginning: the first frame does not wait for all of it.
func TestALongLogIsShownFromItsBeginning(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	flood(s, 1, 10_000)
	m := at(s, 120, 36)
	require.Less(t, m.sess.Rows.Len(), 5000)
	require.NotZero(t, m.sess.Rows.Len())
	require.Equal(t, s.Log.Len(), catchUp(m, s.Log).sess.Rows.Len())
}
