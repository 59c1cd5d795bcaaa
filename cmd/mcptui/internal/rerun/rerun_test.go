package rerun

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/ptytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(ptytest.Patient{M: m}) }

func TestChangesOfMatchingFilesAreTold(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "src", "deep"), 0o700))
	w, err := New(dir, []string{"src/**/*.py", "one.txt"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	told, ended := make(chan string, 8), make(chan error, 1)
	go func() { ended <- w.Run(ctx, func(file string) { told <- file }) }()

	aside := t.TempDir()
	write := func(name string) string { // in one step, so that it is one change however slow the machine
		file, unsaved := filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(aside, "unsaved")
		require.NoError(t, os.WriteFile(unsaved, []byte(name), 0o600))
		require.NoError(t, os.Rename(unsaved, file))
		return file
	}
	write("src/other.txt")
	write("two.txt")
	want := write("src/deep/a.py")
	require.Equal(t, want, <-told, "files that match nothing are not told of")
	want = write("one.txt")
	require.Equal(t, want, <-told)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "src", "new"), 0o700))
	for done := false; !done; { // the new folder is watched a moment later
		want = write("src/new/b.py")
		select {
		case file := <-told:
			require.Equal(t, want, file)
			done = true
		case <-time.After(2 * Settle):
		}
	}
	cancel()
	require.NoError(t, <-ended)
}

func TestPatternsThatCannotBeWatched(t *testing.T) {
	_, err := New(t.TempDir(), []string{"src/[a"})
	require.ErrorContains(t, err, `--watch "src/[a" is no pattern`)
	_, err = New(t.TempDir(), []string{"missing/**/*.go"})
	require.ErrorContains(t, err, `--watch "missing/**/*.go"`)
}

// inner is a UI that keeps what it is told.
type inner struct{ keys *[]string }

func (inner) Init() tea.Cmd { return nil }
func (i inner) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		*i.keys = append(*i.keys, k.String())
	}
	return i, nil
}
func (inner) View() tea.View { return tea.NewView("first\nlast") }

func TestTheQuestionIsAskedOnce(t *testing.T) {
	var keys []string
	runs := 0
	var fails error
	var m tea.Model = NewModel(inner{&keys}, func() error { runs++; return fails })
	send := func(msg tea.Msg) {
		var cmd tea.Cmd
		m, cmd = m.Update(msg)
		for cmd != nil {
			msg := cmd()
			if msg == nil {
				return
			}
			m, cmd = m.Update(msg)
		}
	}
	agree := tea.KeyPressMsg{Code: 'r', Mod: tea.ModCtrl}
	send(tea.WindowSizeMsg{Width: 200, Height: 2})
	require.Equal(t, "first\nlast", m.View().Content)
	send(agree)
	require.Equal(t, []string{"ctrl+r"}, keys, "nothing was asked: the key is the UI's")

	send(Changed{"/x/server\x1b.py"})
	require.Contains(t, m.View().Content, "first\n")
	require.Contains(t, m.View().Content, "changed · Ctrl+R restarts the server")
	require.NotContains(t, m.View().Content, "\x1b.py")
	send(tea.KeyPressMsg{Code: 'y', Text: "y"})
	require.Equal(t, []string{"ctrl+r", "y"}, keys, "letters are the UI's, whatever is asked")
	require.Zero(t, runs)
	send(agree)
	require.Equal(t, 1, runs)
	require.Equal(t, "first\nlast", m.View().Content)
	fails = errors.New("it died")
	send(Changed{"/x/server.py"})
	require.Equal(t, 2, runs, "asked once")
	require.Contains(t, m.View().Content, "not run again: it died")
	send(tea.KeyPressMsg{Code: 'j', Text: "j"})
	require.Equal(t, "first\nlast", m.View().Content)
}

// server restarts by writing phases into its log.
type server struct {
	log   *trace.Log
	after []trace.Phase
	reran []int
}

func (s *server) Restart() error {
	for _, p := range s.after {
		s.log.Append(trace.Event{Phase: &p})
	}
	return nil
}

func (s *server) Rerun(call int) (int, error) { s.reran = append(s.reran, call); return call + 1, nil }

func TestTheLastCallRunsAgainOnceTheServerIsBack(t *testing.T) {
	log := trace.NewLog(func() time.Time { return time.Unix(0, 0) })
	s := &server{log: log, after: []trace.Phase{{Name: trace.PhaseExited}, {Name: trace.PhaseStarting}, {Name: trace.PhaseReady}}}
	a := &Again{Log: log, Server: s}
	log.Append(trace.Event{Phase: &trace.Phase{Name: trace.PhaseReady}})
	require.NoError(t, a.Run(t.Context()))
	require.Empty(t, s.reran, "there was no call")
	for i := range 3 {
		log.Append(trace.Event{Act: &trace.Act{Kind: trace.ActCall, Call: i + 1, Method: "tools/call"}})
	}
	require.NoError(t, a.Run(t.Context()))
	require.Equal(t, []int{3}, s.reran)
	s.after = []trace.Phase{{Name: trace.PhaseExited}, {Name: trace.PhaseFailed, Reason: "exit code 1"}}
	require.ErrorContains(t, a.Run(t.Context()), "did not come back: exit code 1")
	require.Equal(t, []int{3}, s.reran)
	log.Close()
	require.NoError(t, log.Free())
}
