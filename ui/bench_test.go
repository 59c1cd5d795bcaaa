package ui

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

type deaf struct{ control.Controller }

// at returns a model over a script at a size.
func at(s *script.Script, columns, rows int) *Model {
	m := New(Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start})
	m.Update(tea.WindowSizeMsg{Width: columns, Height: rows})
	return m
}

// catchUp folds what is still to be fed.
func catchUp(m *Model, log Log) *Model {
	for {
		now, stop := context.WithCancel(context.Background())
		stop()
		events, _ := log.Next(now, m.sess.Rows.Len())
		if len(events) == 0 {
			m.noticed()
			return m
		}
		for _, e := range events {
			m.fold(e)
		}
	}
}

func press(m *Model, k tea.KeyPressMsg) tea.Cmd {
	_, cmd := m.Update(k)
	return cmd
}

// BenchmarkKey is what one key costs while the wire holds 100,000 events.
func BenchmarkKey(b *testing.B) {
	s := script.New()
	s.Ready(trace.Modern)
	for range 100000 {
		s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"info","data":"a line of a log"}`), nil, nil))
	}
	m := catchUp(at(s, 120, 36), s.Log)
	press(m, tea.KeyPressMsg{Code: '3', Text: "3"})
	for b.Loop() {
		press(m, tea.KeyPressMsg{Code: tea.KeyUp})
		m.View()
	}
}

// BenchmarkBatch is what a batch of 70 events costs then: 2,000 a second.
func BenchmarkBatch(b *testing.B) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Book(1)
	m := at(s, 120, 36)
	press(m, tea.KeyPressMsg{Code: tea.KeyEnter})
	for b.Loop() {
		before := m.sess.Rows.Len()
		for range 70 {
			s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"info","data":"a line of a log"}`), nil, nil))
		}
		m.Update(feedMsg{events: s.Log.Since(before)})
		m.View()
	}
}

// TestALargeResultIsOnTheScreenAtOnce bounds what is laid out, not the time.
func TestALargeResultIsOnTheScreenAtOnce(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	c := s.Call("huge", nil)
	s.Wait(time.Second)
	c.Done(strings.Repeat("line of a large result\n", 250_000))
	m := at(s, 120, 36)
	press(m, tea.KeyPressMsg{Code: tea.KeyEnter})
	seq := m.sess.Calls[0].Rounds[0].Response
	body, err := s.Log.Body(seq)
	require.NoError(t, err)
	require.True(t, json.Valid(body))
	m.Update(bodyMsg{seq: seq, body: body})
	begun := time.Now()
	require.Contains(t, m.draw().Plain(), "line of a large result")
	t.Log("drawn in", time.Since(begun), "of", len(body))
	press(m, tea.KeyPressMsg{Code: '4', Text: "4"})
	begun = time.Now()
	require.Contains(t, m.draw().Plain(), `"jsonrpc"`)
	t.Log("JSON drawn in", time.Since(begun))
}
