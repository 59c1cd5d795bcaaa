package ui_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// TestALongPasteArrivesWhole pastes as a terminal does, with carriage returns,
// and looks at what the server got.
func TestALongPasteArrivesWhole(t *testing.T) {
	a := newAsker(t, trace.Modern, question("only"))
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`
	sc := a.open(80, 24, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("*text", "[ Call")
	sc.Type("first ")
	sc.WaitFor(`{"text":"first "}`)
	long := strings.Repeat("a line of 27 bytes, pasted\r", 3000)
	sc.Paste(long)
	sc.WaitFor("3001 lines", "kept whole", "Ctrl+E edits it")
	sc.Type(CtrlS)
	sc.WaitFor("The only question.")
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.came {
		if m.Method == "tools/call" {
			got := rpc.Text(m.Params, "arguments", "text")
			require.True(t, got == "first "+strings.ReplaceAll(long, "\r", "\n"), "%d bytes arrived", len(got))
			return
		}
	}
	t.Fatal("nothing was called")
}
