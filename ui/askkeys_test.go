package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// TestAURLThatCannotBeOpenedIsNotAccepted presses the key that would accept: neither
// the footer nor the help offers it, and nothing is sent.
func TestAURLThatCannotBeOpenedIsNotAccepted(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		for _, url := range []string{"not a URL", "javascript:alert(1)", "https:///x", ""} {
			t.Run(url, func(t *testing.T) {
				a := newAsker(t, era, rpc.Field{Name: "it", Raw: fmt.Appendf(nil,
					`{"method":"elicitation/create","params":{"mode":"url","elicitationId":"e1","message":"Please connect.","url":%q}}`, url)})
				sc := a.open(100, 30, ui.Options{})
				sc.Type(Enter)
				sc.WaitFor("✖ not opened", "Alt+D decline")
				require.NotContains(t, sc.Text(), "Ctrl+S")
				require.NotContains(t, sc.Text(), "Ctrl+E")
				sc.Type(CtrlS)
				sc.WaitFor("Ctrl+S does nothing here")
				sc.Type(F1)
				sc.WaitFor("What applies here", "decline: tell the server no")
				require.NotContains(t, sc.Text(), "send; goes to the first error")
				sc.Type(Esc)
				sc.WaitForGone("What applies here")
				sc.Type(CtrlS, Alt("d"))
				sc.WaitFor("all is well")
				require.Equal(t, []string{`{"action":"decline"}`}, a.answers("it"))
			})
		}
	})
}

// TestWhatIsTakenUpAgainIsNotLater sets a question aside, and goes back to it: the
// list of calls, the title and the ladder say so only as long as nobody is at it.
func TestWhatIsTakenUpAgainIsNotLater(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, question("only"))
		sc := a.open(120, 30, ui.Options{})
		sc.Type(Enter)
		sc.WaitFor("The only question.")
		for range 2 {
			sc.Type(Esc)
			sc.WaitFor(", later", "set aside: ! comes back to it")
			require.Equal(t, 2, strings.Count(sc.Text(), "later"), "in the title and in the ladder")
			sc.Type("q")
			sc.WaitFor("[1 Calls]", ", later")
			sc.Type("!")
			sc.WaitFor("The only question.", "Esc later")
			require.Equal(t, 1, strings.Count(sc.Text(), "later"), "in the footer")
		}
	})
}
