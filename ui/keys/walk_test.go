package keys

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// cursor is a list of 100 rows, 10 to a page.
type cursor int

func (c *cursor) Move(n int) { *c = cursor(max(0, min(int(*c)+n, 99))) }
func (c *cursor) Page(n int) { c.Move(10 * n) }

func TestWalk(t *testing.T) {
	for _, tt := range []struct {
		intent Intent
		at     cursor
		moves  bool
	}{
		{Up, 49, true}, {Down, 51, true}, {PageUp, 40, true}, {PageDown, 60, true},
		{First, 0, true}, {Last, 99, true}, {Open, 50, false}, {None, 50, false},
	} {
		at := cursor(50)
		require.Equal(t, tt.moves, Walk(&at, tt.intent), "%v", tt.intent)
		require.Equal(t, tt.at, at, "%v", tt.intent)
	}
}
