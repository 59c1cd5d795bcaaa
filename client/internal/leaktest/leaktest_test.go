package leaktest

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { Main(m) }

// What is left is seen as long as it is left, and no longer.
func TestWhatIsLeftIsSeen(t *testing.T) {
	for name, c := range map[string]struct {
		sees  string
		proc  bool
		leave func(t *testing.T) (end func())
	}{
		"a goroutine": {sees: "goroutine", leave: func(*testing.T) func() {
			stop := make(chan struct{})
			go func() { <-stop }()
			return func() { close(stop) }
		}},
		"a listener": {sees: "socket:", proc: true, leave: func(t *testing.T) func() {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			return func() { require.NoError(t, l.Close()) }
		}},
		"a pipe": {sees: "pipe:", proc: true, leave: func(t *testing.T) func() {
			r, w, err := os.Pipe()
			require.NoError(t, err)
			return func() { require.NoError(t, r.Close()); require.NoError(t, w.Close()) }
		}},
		"a file without a name": {sees: "(deleted)", proc: true, leave: func(t *testing.T) func() {
			f, err := os.CreateTemp("", "spill")
			require.NoError(t, err)
			require.NoError(t, os.Remove(f.Name()))
			return func() { require.NoError(t, f.Close()) }
		}},
		"a child": {sees: "sleep 60", proc: true, leave: func(t *testing.T) func() {
			cmd := exec.Command("sleep", "60")
			require.NoError(t, cmd.Start())
			return func() { require.NoError(t, cmd.Process.Kill()); require.Error(t, cmd.Wait()) }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.proc && !hasProc {
				t.Skip("needs /proc")
			}
			before := Take()
			end := c.leave(t)
			require.Contains(t, strings.Join(before.left(), "\n"), c.sees)
			end()
			before.Check(t)
		})
	}
}

// A child's child has another parent once the child is gone.
func TestAnOrphanIsSeen(t *testing.T) {
	if !hasProc {
		t.Skip("needs /proc")
	}
	before := Take()
	out, err := exec.Command("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!").Output()
	require.NoError(t, err)
	require.Contains(t, strings.Join(before.left(), "\n"), "sleep 60")
	require.NoError(t, exec.Command("kill", "-9", strings.TrimSpace(string(out))).Run())
	before.Check(t)
}

func TestFilesThatAreLeftAreSeen(t *testing.T) {
	dir := t.TempDir()
	require.Empty(t, files(dir))
	require.NoError(t, os.WriteFile(dir+"/kept", nil, 0o600))
	require.Equal(t, []string{"file: " + dir + "/kept"}, files(dir))
	require.Len(t, files(dir+"/none"), 1)
}
