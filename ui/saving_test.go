package ui_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// saved remembers what was saved.
type saved struct {
	mu   sync.Mutex
	hint string
	body []byte
}

func (s *saved) save(hint string, body []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hint, s.body = hint, body
	return "/tmp/" + hint, nil
}

func (s *saved) last() (string, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hint, s.body
}

func withSave(t *testing.T, s *script.Script, columns, rows int) (*screentest.Screen, *saved) {
	t.Helper()
	kept := &saved{}
	m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start, Save: kept.save})
	return screentest.Start(t, m, columns, rows), kept
}

// picture is a call whose result holds an image and a link.
func picture() *script.Script {
	s := ready(trace.Modern)
	s.Act(trace.Act{Kind: trace.ActCall, Call: 1, Method: "tools/call", Name: "draw", Value: []byte(`{"name":"draw"}`)})
	_, id := s.Request(trace.Cause{Why: trace.WhyCall, Call: 1, Round: 1}, "tools/call", map[string]any{"name": "draw"})
	s.Come(rpc.Encode(id, "", nil, []byte(`{"resultType":"complete","content":[{"type":"image","mimeType":"image/png","data":"aGVsbG8="},`+
		`{"type":"resource_link","uri":"demo://menu","name":"menu"},{"type":"resource_link","uri":"demo://wine\u001b[2J","name":"wine"}]}`), nil))
	return s
}

func TestBinaryContentIsSaved(t *testing.T) {
	sc, kept := withSave(t, picture(), 80, 24)
	sc.WaitFor("✓ done")
	sc.Type(screentest.Enter)
	sc.WaitFor("▸ image image/png, 6 B")
	sc.Type("4", "w")
	sc.WaitFor("Save", "image-1.png  image/png  6 B", "the response, as it crossed the wire")
	sc.Type(screentest.Enter)
	sc.WaitFor("saved to /tmp/image-1.png")
	_, body := kept.last()
	require.Equal(t, "hello", string(body))
	sc.Type("w")
	sc.WaitFor("the response, as it crossed the wire")
	sc.Type(screentest.Down, screentest.Enter)
	sc.WaitFor("saved to /tmp/response-")
	_, body = kept.last()
	require.Contains(t, string(body), `"resource_link"`)
}

func TestAMessageIsSavedAsItCame(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(3)
	sc, kept := withSave(t, s, 120, 36)
	sc.WaitFor("✓ done")
	sc.Type("3", "G", "w")
	sc.WaitFor("saved to /tmp/message-")
	hint, body := kept.last()
	raw, err := s.Log.Body(s.Log.Len())
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("message-%d.json", s.Log.Len()), hint)
	require.Equal(t, string(raw), string(body))
}

func TestCopyOffersForms(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			s := ready(trace.Modern)
			s.Book(3)
			sc := start(t, s, size.columns, size.rows)
			sc.WaitFor("✓ done")
			sc.Type(screentest.Enter)
			sc.WaitFor("Booked: a table for 4")
			sc.Type("3")
			sc.WaitFor(`"jsonrpc"`)
			sc.Type("y")
			sc.WaitFor("as a mcptui command", "the answers of the call, as a file for --answers")
			sc.Golden("forms")
			sc.Type("command", screentest.Enter)
			sc.WaitFor("as a mcptui command is in the clipboard (4")
		})
	}
}
