package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// TestFormsOfLiveServers fills in forms of real servers. testdata/live/forms.sh
// installs them and runs it; else it is skipped.
func TestFormsOfLiveServers(t *testing.T) {
	dir := os.Getenv("MCPTUI_LIVE_SERVERS")
	if dir == "" {
		t.Skip("MCPTUI_LIVE_SERVERS names no folder with servers: run testdata/live/forms.sh")
	}
	erase := func(n int) string { return strings.Repeat(Backspace, n) }
	for _, c := range []struct {
		name, file, tool string
		args             []string
		era              trace.Era
		keys             []string
		want             string
	}{
		{"everything", "node_modules/@modelcontextprotocol/server-everything/dist/index.js", "trigger-elicitation-request", []string{"stdio"}, trace.Legacy, []string{
			"Ada Lovelace", Tab, Right, Tab, Tab, "ada@example.org", Tab, "https://example.org/", Tab, "1815-12-10", Tab,
			erase(2), "7", Tab, Tab, "pho", Tab, " ", Down, " ", Tab, "green", Tab, " ", "sal", " ", Tab, "dog",
		}, `{"name":"Ada Lovelace","check":true,"firstLine":"It was a dark and stormy night.","email":"ada@example.org","homepage":"https://example.org/","birthdate":"1815-12-10","integer":7,"number":3.14,"untitledSingleSelectEnum":"Phoebe","untitledMultipleSelectEnum":["Guitar","Piano"],"titledSingleSelectEnum":"hero-2","titledMultipleSelectEnum":["fish-1","fish-2"],"legacyTitledEnum":"pet-2"}`},
		{"signup", "playground.mjs", "signup", nil, trace.Modern, []string{
			"Zoë", Tab, "z@example.org", Tab, Tab, Tab, "2026-12-04T18:30:00+01:00", Tab, erase(2), "41", Tab, Tab, Right, Tab, Tab,
			"eur", Tab, " ", Down, " ", Tab, " ", "type", " ", Tab, Alt("n"),
		}, `{"name":"Zoë","email":"z@example.org","at":"2026-12-04T18:30:00+01:00","age":41,"score":0.5,"agree":true,"plan":"pro","region":"eu","tags":["a","b"],"langs":["ts"],"legacyEnum":"x"}`},
	} {
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			t.Run(c.name, func(t *testing.T) {
				file := filepath.Join(dir, c.file)
				if _, err := os.Stat(file); err != nil {
					t.Skipf("the server is not there: %v", err)
				}
				log := trace.NewLog(time.Now)
				conn, err := client.Dial(context.Background(), client.Options{
					Target: client.Target{Command: "node", Args: append([]string{file}, c.args...)}, Era: c.era, AskRoots: true, Log: log,
				})
				require.NoError(t, err)
				t.Cleanup(func() {
					ctx, cancel := context.WithTimeout(context.Background(), Patience)
					defer cancel()
					require.NoError(t, conn.Close(ctx))
				})
				require.NoError(t, conn.Ready(context.Background()))
				sc := Start(t, ui.New(ui.Options{Settle: -1, Log: log, Control: conn}), size[0], size[1])
				sc.WaitFor("Tools")
				sc.Type("/" + c.tool)
				sc.WaitFor("/" + c.tool[:6])
				sc.Type(Enter)
				sc.WaitFor("asks you", "> ", "[ Send")
				sc.Type(c.keys...)
				sc.Type(CtrlS)
				sc.WaitFor("Result")
				var sent []string
				for _, e := range log.Since(0) {
					if e.Frame == nil || e.Frame.Dir != trace.Out {
						continue
					}
					m := rpc.Parse(e.Frame.Bytes)
					if v := rpc.Member(m.Result, "content"); v != nil {
						sent = append(sent, string(v))
					}
					for _, v := range rpc.Members(rpc.Member(m.Params, "inputResponses")) {
						sent = append(sent, string(rpc.Member(v, "content")))
					}
				}
				require.Equal(t, []string{c.want}, sent)
			})
		}
	}
}
