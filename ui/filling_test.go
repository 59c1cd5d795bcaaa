package ui_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

func TestTemplateVariablesAreCompletedAndPreviewed(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		sc := live(t, era, 80, 24)
		sc.Type("/room")
		sc.WaitFor("town://rooms/{room}")
		sc.Type(Enter)
		sc.WaitFor("─▶ town://rooms/", "room")
		sc.Type("g")
		sc.WaitFor("─▶ town://rooms/g")
		sc.Type(Tab)
		sc.WaitFor("─▶ town://rooms/garden") // the server's word
		sc.Type(CtrlS)
		sc.WaitFor("1 town://rooms/garden")
	})
}

func TestPromptArgumentsAreCompletedWithWhatTheOthersAre(t *testing.T) {
	sc := live(t, trace.Modern, 80, 24)
	sc.Type("/choose_dish", Enter)
	sc.WaitFor("course", "dish")
	sc.Type("d", Tab)
	sc.WaitFor("dessert")
}

func TestServersWithoutCompletionsAreNotAsked(t *testing.T) {
	s := ready(trace.Modern) // it declares none
	sc := start(t, s, 80, 24)
	sc.WaitFor("book_table")
	sc.Type("/review", Enter)
	sc.WaitFor("text")
	sc.Type("abc", Tab)
	sc.WaitFor("[>Call Ctrl+S<]") // Tab moves on
}

// shelf is a memory in memory.
type shelf struct {
	mu     sync.Mutex
	recent map[string][]json.RawMessage
	roots  *[]control.Root
}

func (s *shelf) Recent(entry string) []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recent[entry]
}

func (s *shelf) Remember(entry string, value json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent[entry] = append([]json.RawMessage{value}, s.recent[entry]...)
	return nil
}

func (s *shelf) Roots() ([]control.Root, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.roots == nil {
		return nil, false
	}
	return *s.roots, true
}

func (s *shelf) KeepRoots(roots []control.Root) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roots = &roots
	return nil
}

func TestRecentValuesComeBackAndSecretsAreNotKept(t *testing.T) {
	kept := &shelf{recent: map[string][]json.RawMessage{"tools/call form": {json.RawMessage(`{"city":"Lisbon"}`)}}}
	a := newAsker(t, trace.Modern)
	a.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}}`
	sc := a.open(80, 24, ui.Options{Memory: kept})
	sc.Type(Enter)
	sc.WaitFor("city")
	sc.Type("\x12")
	sc.WaitFor(`{"city":"Lisbon"}`)
	sc.Type("2", CtrlS)
	sc.WaitFor("1 form")
	require.Eventually(t, func() bool { // it is kept after it was sent
		return string(kept.Recent("tools/call form")[0]) == `{"city":"Lisbon2"}`
	}, Patience, time.Millisecond)

	b := newAsker(t, trace.Modern)
	b.tool = `{"name":"form","inputSchema":{"type":"object","properties":{"api_key":{"type":"string"}}}}`
	sc = b.open(80, 24, ui.Options{Memory: kept})
	sc.Type(Enter)
	sc.WaitFor("api_key")
	sc.Type("hunter2", CtrlS)
	sc.WaitFor("1 form")
	sc.Type("q")
	sc.WaitFor("[1 Calls]")
	require.NotContains(t, string(kept.Recent("tools/call form")[0]), "hunter2")
}

// heard is a controller that keeps what is set.
type heard struct {
	deaf
	set chan control.Setting
}

func (h heard) Set(s control.Setting) error { h.set <- s; return nil }

func TestCapabilitiesAreSwitched(t *testing.T) {
	h := heard{set: make(chan control.Setting, 1)}
	s := ready(trace.Modern)
	m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: h})
	sc := Start(t, m, 80, 24)
	sc.WaitFor("book_table")
	sc.Type(":", "capabilities")
	sc.WaitFor("capabilities: what this client declares")
	sc.Type(Enter)
	sc.WaitFor("What this client declares", "from the next request on", "elicitation.form", "roots")
	sc.Type(Right, Tab, Tab, Tab, Left, CtrlS)
	sc.WaitFor("declared from the next request on")
	require.JSONEq(t, `{"elicitation":{"url":{}},"sampling":{"tools":{}},"roots":{}}`, string((<-h.set).Capabilities))
}

func TestRootsAreEditedBeforeAnybodyAsks(t *testing.T) {
	h := heard{set: make(chan control.Setting, 1)}
	kept := &shelf{}
	s := ready(trace.Modern)
	sc := Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Control: h, Memory: kept, Here: "file:///srv"}), 80, 24)
	sc.WaitFor("book_table")
	sc.Type(":", "roots: what")
	sc.WaitFor("roots: what servers are told of")
	sc.Type(Enter)
	sc.WaitFor("The working directory is a suggestion.", "file:///srv")
	sc.Type(Tab, Tab, "/sub", CtrlS)
	sc.WaitFor("1 roots are set")
	require.Equal(t, []control.Root{{URI: "file:///srv/sub"}}, *(<-h.set).Roots)
	roots, ok := kept.Roots()
	require.True(t, ok)
	require.Equal(t, []control.Root{{URI: "file:///srv/sub"}}, roots)
}

func TestASamplerAnswersForReviewOnly(t *testing.T) {
	eras(t, func(t *testing.T, era trace.Era) {
		a := newAsker(t, era, rpc.Field{Name: "plan", Raw: []byte(`{"method":"sampling/createMessage","params":{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Plan it."}}]}}`)})
		fails := true
		sc := a.open(120, 36, ui.Options{Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			if fails {
				fails = false
				return nil, errors.New("no model here")
			}
			return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"A ` + string(rpc.Member(params, "maxTokens")) + `"},"model":"m"}`), nil
		}})
		sc.Type(Enter)
		sc.WaitFor("Plan it.")
		sc.ClickOn("[ Sampler ]")
		sc.WaitFor("no model here")
		sc.ClickOn("Sampler<]")
		sc.WaitFor(`"text": "A 9"`)
		require.Empty(t, a.answers("plan"), "nothing is sent before it was seen")
		sc.Type(CtrlS)
		sc.WaitFor("all is well")
		require.Equal(t, []string{`{"role":"assistant","content":{"type":"text","text":"A 9"},"model":"m"}`}, a.answers("plan"))
	})
}

func TestEveryKindOfContentOfAConversationIsShown(t *testing.T) {
	a := newAsker(t, trace.Legacy, rpc.Field{Name: "plan", Raw: []byte(`{"method":"sampling/createMessage","params":{"maxTokens":9,"includeContext":"thisServer","toolChoice":{"mode":"required"},"tools":[{"name":"look","inputSchema":{"type":"object"}}],"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"words"},{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"audio","mimeType":"audio/wav","data":"AAAAAAAA"}]},` +
		`{"role":"assistant","content":{"type":"tool_use","id":"u1","name":"look","input":{"at":"sea"}}},` +
		`{"role":"user","content":{"type":"tool_result","toolUseId":"u1","isError":true,"content":[{"type":"text","text":"fog"}]}}]}}`)})
	a.declares = `{"sampling":{"tools":{},"context":{}}}`
	sc := a.open(120, 60, ui.Options{})
	sc.Type(Enter)
	sc.WaitFor("words", "image image/png, 3 B", "audio audio/wav, 6 B", "uses the tool look u1", `"at": "sea"`, "the tool's result u1 ✖ failed", "fog", "includeContext", "toolChoice")
	sc.ClickOn("[ Canned ]")
	sc.WaitFor("This is a canned answer.")
	require.Empty(t, a.answers("plan"))
}
