// Package screentest runs a Bubble Tea program on a terminal emulator inside
// the test, so that a test types what a person types and reads what a person
// sees. Keys are raw bytes and go through the program's own decoder.
//
//	s := screentest.Start(t, model, 80, 24)
//	s.WaitFor("> name")
//	s.Type("Zoë", screentest.Tab, screentest.CtrlS)
//	s.WaitFor("sent")
//	s.Golden("sent")
//
// Wait for something that only the new screen has, then read: the screen is
// drawn by another goroutine. Nothing here reads the model.
//
// Goldens lie in testdata/TESTNAME/, pictures in docs/ at the root of the
// module; `go test ./ui/... -update` writes both. The flag is registered here,
// so each package below ui imports this one in its tests. For the real binary
// on a pseudo-terminal there is cmd/mcptui/internal/ptytest.
package screentest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
)

// Patience is how long the waiting methods wait before they fail the test: a wait
// that succeeds costs nothing, however long it might have been, and a machine may
// be very slow.
const Patience = time.Minute

// Screen is a program and the terminal it runs on.
type Screen struct {
	t       testing.TB
	program *tea.Program
	keys    *io.PipeWriter
	ended   chan struct{}
	err     error // of the program; read after ended

	mu  sync.Mutex // guards emu: vt.SafeEmulator leaves String unguarded
	emu *vt.Emulator
}

// Start runs m on a screen of columns × rows until the test ends. Environment
// entries such as "NO_COLOR=1" are added to TERM=xterm-256color.
func Start(t testing.TB, m tea.Model, columns, rows int, env ...string) *Screen {
	t.Helper()
	s := &Screen{t: t, emu: vt.NewEmulator(columns, rows), ended: make(chan struct{})}
	input, keys := io.Pipe()
	s.keys = keys
	env = append([]string{"TERM=xterm-256color"}, env...)
	profile := colorprofile.TrueColor
	for _, kv := range env {
		if strings.HasPrefix(kv, "NO_COLOR=") {
			profile = colorprofile.ASCII
		}
	}
	s.program = tea.NewProgram(m, tea.WithInput(input), tea.WithOutput(s), tea.WithWindowSize(columns, rows),
		tea.WithColorProfile(profile), tea.WithoutSignals(), tea.WithFPS(120), tea.WithEnvironment(env))
	answers := make(chan struct{})
	go func() { // the emulator answers queries as a real terminal does
		defer close(answers)
		_, _ = io.Copy(keys, s.emu)
	}()
	go func() {
		defer close(s.ended)
		_, s.err = s.program.Run()
		_ = input.Close() // keys typed from now on fail instead of blocking
	}()
	t.Cleanup(func() {
		s.program.Quit()
		<-s.ended
		if s.err != nil {
			t.Errorf("the program failed: %v", s.err)
		}
		_ = s.emu.InputPipe().(io.Closer).Close() // Emulator.Close races with its Read
		<-answers
	})
	return s
}

// Write takes the program's output. It plays the terminal driver, which turns
// each LF into CR LF.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.emu.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Keys, as a terminal sends them. Esc is the unambiguous form, which needs no
// timeout to be told from the start of a sequence.
const (
	Enter     = "\r"
	Tab       = "\t"
	ShiftTab  = "\x1b[Z"
	Esc       = "\x1b[27u"
	Backspace = "\x7f"
	Up        = "\x1b[A"
	Down      = "\x1b[B"
	Right     = "\x1b[C"
	Left      = "\x1b[D"
	PageUp    = "\x1b[5~"
	PageDown  = "\x1b[6~"
	Home      = "\x1b[H"
	End       = "\x1b[F"
	Delete    = "\x1b[3~"
	CtrlC     = "\x03"
	CtrlD     = "\x04"
	CtrlE     = "\x05"
	CtrlS     = "\x13"
	CtrlU     = "\x15"
	CtrlSpace = "\x00"
	F1        = "\x1bOP"
)

// Alt returns a key pressed with Alt.
func Alt(key string) string { return "\x1b" + key }

// Type sends keys, each whole.
func (s *Screen) Type(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		if _, err := io.WriteString(s.keys, k); err != nil {
			s.t.Fatalf("the program has ended; its last screen:\n%s", s.Text())
		}
	}
}

// Paste sends text as a terminal pastes it.
func (s *Screen) Paste(text string) { s.Type("\x1b[200~" + text + "\x1b[201~") }

// Send hands the program a message that does not come from the terminal.
func (s *Screen) Send(msg tea.Msg) { s.program.Send(msg) }

// Resize changes the size of the window. The terminal reports it among the keys, so
// that it comes after those that were typed before.
func (s *Screen) Resize(columns, rows int) {
	s.t.Helper()
	s.mu.Lock()
	s.emu.Resize(columns, rows)
	s.mu.Unlock()
	s.Type(fmt.Sprintf("\x1b[8;%d;%dt", rows, columns))
}

// Text returns the screen without styles, blanks at the ends cut.
func (s *Screen) Text() string {
	s.mu.Lock()
	raw := s.emu.String()
	s.mu.Unlock()
	lines := strings.Split(raw, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// WaitFor waits until every one of subs is on the screen at the same time.
func (s *Screen) WaitFor(subs ...string) {
	s.t.Helper()
	s.until("never appeared", func(text string) string {
		for _, sub := range subs {
			if !strings.Contains(text, sub) {
				return sub
			}
		}
		return ""
	})
}

// WaitForGone waits until the screen no longer holds sub.
func (s *Screen) WaitForGone(sub string) {
	s.t.Helper()
	s.until("stayed on the screen", func(text string) string {
		if strings.Contains(text, sub) {
			return sub
		}
		return ""
	})
}

// WaitEnd waits until the program has ended by itself.
func (s *Screen) WaitEnd() {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(Patience):
		s.t.Fatalf("the program did not end; its screen:\n%s", s.Text())
	}
}

func (s *Screen) until(what string, missing func(string) string) {
	s.t.Helper()
	end := time.Now().Add(Patience)
	for {
		text := s.Text()
		sub := missing(text)
		if sub == "" {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%q %s:\n%s", sub, what, text)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
