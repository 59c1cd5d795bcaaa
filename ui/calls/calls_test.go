package calls

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func TestRowsSayHowCallsStand(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(3)
	s.Book(1)
	s.Wait(3 * time.Second)
	c := s.Call("slow", nil)
	c.Progress(2, 5, "baking")
	lost := s.Call("gone", nil)
	s.Act(trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: lost.ID, Status: trace.Lost, Note: "the server ended"})
	failed := s.Call("bad", nil)
	_ = failed
	s.Failure("13", -32602, "no")
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	found := []lint.Finding{{Severity: lint.Info}, {Severity: lint.Info}, {Severity: lint.Warning}, {Severity: lint.Error}}
	var v View
	screen := draw.NewScreen(100, 10, nil, text.Wc)
	v.Draw(screen, screen.Bounds(), sess, s.Log.Now(), func(call int) []lint.Finding { return found[:call-1] }, true)
	got := screen.Plain()
	for _, want := range []string{"✓ done", "◆ you: seats", "● 2 of 5 baking", "✖ lost: the server ended", "● 1", "● 2", "⚠ 3", "✖ 4"} {
		require.Contains(t, got, want)
	}
	require.Equal(t, 5, v.Selected(sess), "the newest")
	v.Do(keys.First)
	require.Equal(t, 1, v.Selected(sess))
}
