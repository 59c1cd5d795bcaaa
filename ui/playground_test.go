package ui_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/client/trace"
	"mcptui/ui/internal/screentest"
)

// playground is a server on the TypeScript SDK v2. testdata/playground/run.sh
// installs it and runs these tests; else they are skipped.
type playground struct {
	args  []string // of node
	ahead string   // file with the milliseconds that its clock is ahead
}

func newPlayground(t *testing.T) playground {
	t.Helper()
	server := os.Getenv("MCPTUI_PLAYGROUND_SERVER")
	if server == "" {
		t.Skip("MCPTUI_PLAYGROUND_SERVER names no server: run testdata/playground/run.sh")
	}
	p := playground{ahead: filepath.Join(t.TempDir(), "ahead")}
	require.NoError(t, os.WriteFile(p.ahead, []byte("0"), 0o600))
	clock := fmt.Sprintf(`import fs from "node:fs"; const now = Date.now; Date.now = () => now() + Number(fs.readFileSync(%q, "utf8"));`, p.ahead)
	p.args = []string{"--import", "data:text/javascript," + strings.ReplaceAll(clock, " ", "%20"), server}
	return p
}

// bench is the UI on the server, over standard input and output.
func (p playground) bench(t *testing.T) *bench {
	return benchOn(t, client.Options{Target: client.Target{Command: "node", Args: p.args}}, &clock{now: time.Now()}, nil)
}

// web is the UI on the server over HTTP, where a second principal is known.
func (p playground) web(t *testing.T) *bench {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	node := exec.Command("node", append(p.args, "--http", fmt.Sprint(port))...)
	says, err := node.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, node.Start())
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
	})
	url, err := bufio.NewReader(says).ReadString('\n')
	require.NoError(t, err)
	return benchOn(t, client.Options{
		Target:  client.Target{URL: strings.TrimSpace(url)},
		Headers: []trace.Header{{Name: "Authorization", Value: "Bearer " + ownToken}},
	}, &clock{now: time.Now()}, []trace.Header{{Name: "Authorization", Value: "Bearer " + otherToken}})
}

// wizard stands with the answer to its first question.
func wizard(b *bench) {
	b.hold()
	b.ask("wizard", `{"topic":"pizza"}`)
	b.answer(`{"answer":"thin"}`)
}

func TestPlaygroundTellsEveryPresetApart(t *testing.T) {
	p := newPlayground(t)
	ahead := func(ms string) { require.NoError(t, os.WriteFile(p.ahead, []byte(ms), 0o600)) }
	ended := func(topic string) func(*bench) {
		return func(b *bench) {
			b.ask("wizard", `{"topic":"`+topic+`"}`)
			for _, answer := range []string{"thin", "large", "now"} {
				b.answer(`{"answer":"` + answer + `"}`)
			}
			b.became(trace.Done)
			ahead("5000") // two states of the same second would be the same
			wizard(b)
		}
	}
	refused := "refused with error -32602"
	went := `accepted: the server went on to ask for "q2"`
	expected := []attempt{
		{"state-drop", wizard, differs("requestState"), "", "● silent", `asks for "q1"`},
		{"state-flip", wizard, differs("requestState"), "", "✓ kept", refused},
		{"state-truncate", wizard, differs("requestState"), "", "✓ kept", refused},
		{"state-edit", wizard, differs("requestState"), "", "✓ kept", refused},
		{"state-round", func(b *bench) {
			b.ask("wizard", `{"topic":"pizza"}`)
			b.answer(`{"answer":"thin"}`)
			b.asking()
			b.hold()
			b.answer(`{"answer":"large"}`)
		}, differs("requestState"), "", "● silent", "an error of the tool"},
		// Its states are bound to no request: that of a call with other arguments is taken.
		{"state-call", ended("soup"), differs("requestState"), "", "✖ broken", went},
		{"state-tool", func(b *bench) { b.ask("signup", `{}`); wizard(b) }, differs("requestState"), "", "● silent", "the tool failed"},
		{"state-tool", func(b *bench) {
			b.ask("wizard", `{}`)
			b.hold()
			b.ask("signup", `{}`)
			b.answer(`{"name":"Ada","email":"a@example.org","plan":"pro","agree":true}`)
		}, differs("requestState"), "", "✖ broken", "served as if nothing were wrong"},
		{"state-finished", ended("pizza"), differs("requestState"), "", "● silent", ""},
		{"state-expired", wizard, nil, "good for another", "", ""},
		{"state-expired", func(b *bench) {
			wizard(b)
			ahead("660000")
			b.clock.pass(11 * time.Minute)
		}, same, "", "✓ kept", refused},
		{"answer-early", wizard, nil, "no later ask", "", ""},
		{"answer-early", ended("pizza"), becomes(`{"action":"accept","content":{"answer":"large"}}`, "inputResponses", "q2"), "", "✓ kept", `"q2" is asked for all the same`},
		{"answer-unknown", wizard, becomes(`{"action":"accept","content":{}}`, "inputResponses", "mcptui_unknown"), "", "✓ kept", "ignored"},
		{"answer-missing", wizard, becomes(`{}`, "inputResponses"), "", "● silent", ""},
		{"answer-type", wizard, becomes(`42`, "inputResponses", "q1", "content", "answer"), "", "✖ broken", "taken for an answer"},
		{"answer-number", wizard, becomes(`42`, "inputResponses", "q1"), "", "✓ kept", "refused with"},
		{"answer-null", wizard, becomes(`null`, "inputResponses", "q1"), "", "✓ kept", "refused with"},
		{"answer-array", wizard, becomes(`[]`, "inputResponses", "q1"), "", "✓ kept", "refused with"},
		{"answer-declined", wizard, becomes(`{"action":"decline","content":{"answer":"thin"}}`, "inputResponses", "q1"), "", "● silent", ""},
		{"arguments", wizard, differs("arguments"), "", "✖ broken", went},
		{"capabilities", wizard, becomes(`{}`, "_meta", "io.modelcontextprotocol/clientCapabilities"), "", "✓ kept", "refused with error -32021"},
		{"principal", wizard, nil, "no headers", "", ""},
		{"id-used", wizard, usedAgain, "", "● silent", ""},
		{"twice", wizard, same, "", "● silent", ""},
	}
	tried := map[string]bool{}
	for _, a := range expected {
		tried[a.preset] = true
		t.Run(a.preset, func(t *testing.T) {
			ahead("0")
			a.run(t, p.bench(t))
		})
	}
	for _, preset := range state.Presets() {
		require.True(t, tried[preset.ID], preset.ID)
	}
	t.Run("principal over HTTP", func(t *testing.T) {
		b := p.web(t)
		attempt{"principal", wizard, same, "", "✖ broken", went}.run(t, b)
		var with []string
		for _, e := range b.log.Since(0) {
			if e.HTTP != nil && e.HTTP.Stage == trace.HTTPRequest {
				for _, h := range e.HTTP.Headers {
					if h.Name == "Authorization" {
						with = append(with, h.Value)
					}
				}
			}
		}
		require.Equal(t, "Bearer "+otherToken, with[len(with)-1])
		require.Equal(t, "Bearer "+ownToken, with[len(with)-2])
	})
}

// TestPlaygroundIsDebugged holds a retry, edits it by hand, answers the round
// again another way, runs the call again and compares, by keys alone.
func TestPlaygroundIsDebugged(t *testing.T) {
	p := newPlayground(t)
	b := p.bench(t)
	b.WaitFor("wizard")
	b.Type("i")
	b.WaitFor("retries are held")
	b.Type("/wizard")
	b.WaitFor("/wizard")
	b.Type(screentest.Enter)
	b.WaitFor("Call Ctrl+S")
	b.Type(screentest.CtrlS)
	b.WaitFor("(1/3) pizza?", "*Answer 1")
	b.Type("thin", screentest.CtrlS)

	// Held and edited: what leaves is what stands in the editor.
	b.WaitFor("held: the retry of round 1", "as a conforming client would send it", `"answer": "thin"`)
	typeAfter(b, `"answer": "thin`, "nest")
	b.WaitFor(`"answer": "thinnest"`, "change /inputResponses/q1/content/answer")
	b.Type(screentest.CtrlS)
	b.WaitFor("(2/3) pizza?")
	sent := b.requests()
	require.JSONEq(t, `{"q1":{"action":"accept","content":{"answer":"thinnest"}}}`, member("inputResponses")(sent[len(sent)-1]))

	b.Type(screentest.Esc, "i") // hold no more
	b.WaitFor("not held any more")
	b.Type("!", "large", screentest.CtrlS)
	b.WaitFor("(3/3) pizza?")
	b.Type("now", screentest.CtrlS)
	b.WaitFor("✓ done", "wizard done: thinnest, large, now")

	// Branch: round 2 answered another way makes the call a tree.
	b.ClickOn(" 2  │")
	b.Type("b")
	b.WaitFor("branch: round 2 answered again", "(2/3) pizza?", `─▶ {"answer":"large"}`)
	b.Type("st")
	b.WaitFor(`─▶ {"answer":"largest"}`)
	b.Type(screentest.CtrlS)
	b.WaitFor("Answer round 2 of wizard again?")
	b.Type("y")
	b.WaitFor("(3/3) pizza?", "from 2")
	b.Type("later", screentest.CtrlS)
	b.WaitFor("wizard done: thinnest, largest, later")
	sent = b.requests()
	state2 := func(i int) string { return string(rpc.Member(sent[i].Params, "requestState")) }
	require.Len(t, sent, 6)
	require.Equal(t, state2(2), state2(4), "the branch begins from the state that the round had")
	require.NotEqual(t, state2(3), state2(5))

	// Rerun: the same arguments and answers, and a comparison at the end. It was
	// said once already that the call has real effects; retries are still held.
	b.Type("r")
	for round := 1; round <= 3; round++ {
		b.WaitFor(fmt.Sprintf("held: the retry of round %d", round))
		b.Type(screentest.CtrlS)
	}
	b.WaitFor("call 1 wizard ─▶ call 2 wizard")
}

// typeAfter clicks behind a text of the editor and types.
func typeAfter(b *bench, text, keys string) {
	b.t.Helper()
	x, y := b.Find(text)
	b.Click(x+len(text), y)
	b.Type(keys)
}
