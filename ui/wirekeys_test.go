package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

// TestTheWireJumpsBetweenRequestAnswerAndCall also closes a branch of the JSON
// beside it.
func TestTheWireJumpsBetweenRequestAnswerAndCall(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Catalogue()
	s.Book(3)
	m := at(s, 120, 36)
	key := func(code rune) { press(m, tea.KeyPressMsg{Code: code, Text: string(code)}) }
	special := func(code rune) { press(m, tea.KeyPressMsg{Code: code}) }
	key('3')
	request := m.sess.Calls[0].Rounds[0].Request
	answer := m.sess.Calls[0].Rounds[0].Response
	m.wire.Go(request)
	special(tea.KeyRight)
	require.Equal(t, answer, m.wire.Seq())
	special(tea.KeyLeft)
	require.Equal(t, request, m.wire.Seq())

	require.NoError(t, m.wire.SetFilter("dir:out", m.sess))
	special(tea.KeyRight)
	require.Equal(t, request, m.wire.Seq())
	require.Contains(t, m.draw().Plain(), "the filter hides the other end")
	require.NoError(t, m.wire.SetFilter("", m.sess))

	body, err := s.Log.Body(request)
	require.NoError(t, err)
	m.Update(bodyMsg{seq: request, body: body})
	special(tea.KeyTab)
	require.Contains(t, m.draw().Plain(), `"jsonrpc"`)
	special(tea.KeyLeft)
	m.draw()
	special(tea.KeyLeft)
	require.Contains(t, m.draw().Plain(), "{ … }")
	special(tea.KeyRight)
	require.Contains(t, m.draw().Plain(), `"jsonrpc"`)

	special(tea.KeyTab)
	special(tea.KeyEnter)
	require.Equal(t, atCall, m.place)
	require.Equal(t, 1, m.call)
}
