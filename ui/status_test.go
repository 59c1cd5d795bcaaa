package ui

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

// TestNoNameHidesHowTheConnectionStands gives a server names of any length, of
// letters of any width.
func TestNoNameHidesHowTheConnectionStands(t *testing.T) {
	letters := []string{"a", "W", " ", "表", "한", "é", "👩‍👩‍👧", "🇫🇷", "\u202e", "\x1b[2K", "\t", "ـ", "ﷺ"}
	random := rand.New(rand.NewPCG(1, 2))
	long := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	for i, phase := range []trace.PhaseName{trace.PhaseExited, trace.PhaseFailed, trace.PhaseReconnecting, trace.PhaseClosing, trace.PhaseReady} {
		for _, transport := range []string{"stdio", "http", "in-process"} {
			code := 7
			s := script.New()
			s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: transport})
			_, id := s.Request(trace.Cause{Why: trace.WhyInitialize}, "initialize", map[string]any{})
			s.Result(id, map[string]any{"protocolVersion": long(i * 30), "capabilities": map[string]any{},
				"serverInfo": map[string]any{"name": long([]int{1, 80, 300}[random.IntN(3)]), "version": long(random.IntN(200))}})
			s.Phase(trace.Phase{Name: trace.PhaseReady, Era: trace.Legacy, Version: long(i * 30)})
			s.Come([]byte("not JSON")) // a finding at the right end
			want := []string{"legacy", transport, "✖ "}
			if phase != trace.PhaseReady {
				p := trace.Phase{Name: phase}
				want = append(want, string(phase))
				if phase == trace.PhaseExited && transport == "stdio" {
					p.Code, want = &code, append(want, "✖ exited, code 7")
				}
				s.Phase(p)
			}
			for width := 40; width <= 200; width++ {
				first, _, _ := strings.Cut(at(s, width, 12).draw().Plain(), "\n")
				for _, w := range want {
					if w == transport && width < 44 && (phase == trace.PhaseReconnecting || phase == trace.PhaseClosing) {
						continue // which passes
					}
					require.Contains(t, first, w, "%d columns: %s", width, first)
				}
			}
		}
	}
}

func TestAShortNameStandsInFull(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.Come(rpc.Encode("", "notifications/message", nil, nil, nil))
	for _, width := range []int{40, 80, 200} {
		first, _, _ := strings.Cut(at(s, width, 12).draw().Plain(), "\n")
		require.Contains(t, first, " demo ", "%d columns", width)
		require.Contains(t, first, "modern", "%d columns", width)
	}
	first, _, _ := strings.Cut(at(s, 80, 12).draw().Plain(), "\n")
	require.Contains(t, first, " demo 1.0.0  modern 2026-07-28  in-process")
}
