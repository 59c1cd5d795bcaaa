//go:build linux || darwin

package hush

import (
	"io"
	"os"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
)

// TestNothingTypedIsShown types two lines, one of them hidden: what the terminal shows
// of both is the other.
func TestNothingTypedIsShown(t *testing.T) {
	master, tty, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	defer tty.Close()
	before, err := term.GetState(int(tty.Fd()))
	require.NoError(t, err)
	typed := func(text string) {
		_, err := io.WriteString(master, text+"\r")
		require.NoError(t, err)
		line := make([]byte, len(text)+1)
		_, err = io.ReadFull(tty, line)
		require.NoError(t, err)
		require.Equal(t, text+"\n", string(line), "lines are read as ever")
	}

	restore, err := Typing(tty)
	require.NoError(t, err)
	typed("hidden")
	require.NoError(t, restore())
	after, err := term.GetState(int(tty.Fd()))
	require.NoError(t, err)
	require.Equal(t, before, after)
	typed("shown")

	shown := make([]byte, len("shown\r\n"))
	_, err = io.ReadFull(master, shown)
	require.NoError(t, err)
	require.Equal(t, "shown\r\n", string(shown))
}

func TestWhatIsNoTerminalIsRefused(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	_, err = Typing(r)
	require.ErrorContains(t, err, "read the terminal's modes")
}
