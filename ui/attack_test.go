package ui

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

// Colours are all that a frame may tell the terminal.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// Whatever a server writes into any place that is shown must not reach the
// terminal as anything but text.
func TestNothingOfAServerReachesTheTerminal(t *testing.T) {
	const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202eabc\r\n\x1b[1;1Hx"
	q := string(rpc.Quote(evil))
	s := script.New()
	s.Ready(trace.Legacy)
	s.List("tools/list", "tools", `{"name":`+q+`,"title":`+q+`,"description":`+q+`,"inputSchema":{"type":"object","properties":{`+q+`:{"type":"string","description":`+q+`}}}}`, `{"title":`+q+`}`)
	s.List("resources/list", "resources", `{"name":`+q+`,"uri":`+q+`}`)
	c := s.Call(evil, map[string]any{evil: evil})
	s.Stderr(evil)
	s.Noise(evil, evil)
	s.Come([]byte(evil))
	s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"error","logger":`+q+`,"data":`+q+`}`), nil, nil))
	s.Come(rpc.Encode("", evil, nil, nil, nil))
	s.Come(rpc.Encode(rpc.ID(q), "elicitation/create", []byte(`{"mode":`+q+`,"message":`+q+`}`), nil, nil))
	c.Asks(nil, script.Want{Key: "k", Method: "elicitation/create", Params: map[string]any{"message": evil,
		"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{evil: map[string]any{"type": "string", "title": evil, "description": evil, "enum": []string{evil}}}}}},
		script.Want{Key: "u", Method: "elicitation/create", Params: map[string]any{"mode": "url", "message": evil, "url": "https://example.com/" + evil}},
		script.Want{Key: "s", Method: "sampling/createMessage", Params: map[string]any{"systemPrompt": evil, "maxTokens": 1, "messages": []any{map[string]any{"role": evil, "content": map[string]any{"type": "text", "text": evil}}}}})
	s.Call("x", nil).Done(evil)
	s.Failure("77", -1, evil)
	m := New(Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Server: evil})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})

	shown := 0
	look := func() {
		for _, seq := range m.needed() {
			if seq != 0 {
				e, _ := s.Log.Event(seq)
				body, _ := s.Log.Body(seq)
				m.Update(bodyMsg{seq: seq, event: e, body: body})
			}
		}
		v := m.View()
		for _, r := range v.WindowTitle + colour.ReplaceAllString(v.Content, "") {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				require.Failf(t, "not clean", "%q on the screen:\n%s", r, m.draw().Plain())
			}
		}
		if strings.Contains(v.Content, "owned") {
			shown++
		}
	}
	type keys = tea.KeyPressMsg
	look()
	for tab := '1'; tab <= '5'; tab++ {
		press(m, keys{Code: tab, Text: string(tab)})
		for range 14 {
			look()
			press(m, keys{Code: tea.KeyUp})
		}
	}
	for range 4 { // each ask
		press(m, keys{Code: '!', Text: "!"})
		look()
		press(m, keys{Code: tea.KeyEscape})
		for tab := '1'; tab <= '7'; tab++ {
			press(m, keys{Code: tab, Text: string(tab)})
			look()
		}
	}
	press(m, keys{Code: '!', Text: "!"})
	press(m, keys{Code: tea.KeyEscape})
	press(m, keys{Code: ':', Text: ":"})
	look()
	require.Greater(t, shown, 40, "the attacks were on the screens")
}
