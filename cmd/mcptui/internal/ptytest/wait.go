//go:build linux || darwin

package ptytest

import (
	"errors"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// WaitFor waits until every one of subs is on the screen at the same time.
func (p *Process) WaitFor(subs ...string) {
	p.t.Helper()
	p.until("never appeared", func(text string) string {
		for _, sub := range subs {
			if !strings.Contains(text, sub) {
				return sub
			}
		}
		return ""
	})
}

// WaitForGone waits until the screen no longer holds sub.
func (p *Process) WaitForGone(sub string) {
	p.t.Helper()
	p.until("stayed on the screen", func(text string) string {
		if strings.Contains(text, sub) {
			return sub
		}
		return ""
	})
}

func (p *Process) until(what string, missing func(string) string) {
	p.t.Helper()
	end := time.Now().Add(Patience)
	for {
		text := p.Text()
		sub := missing(text)
		if sub == "" {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("%q %s:\n%s", sub, what, text)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Busy reports whether the program has keys to read, or a thread that runs or wants
// to, or whether something that it has written is not on the screen yet. Where the
// system does not tell, it is never busy.
func (p *Process) Busy() bool {
	p.mu.Lock()
	unread := len(p.frames.rest())
	if !p.ended {
		unread += waiting(int(p.tty.Fd())) + waiting(int(p.pty.Fd()))
	}
	p.mu.Unlock()
	return unread > 0 || running(p.PID())
}

// Wait waits until the program has ended and returns its exit code: 128 and
// the number of the signal where a signal killed it.
func (p *Process) Wait() int {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(Patience):
		p.t.Fatalf("the program did not end; its screen:\n%s", p.Text())
	}
	p.finish()
	state := p.cmd.ProcessState
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}

// RequireRestored fails the test unless the terminal is as the program found
// it: the main screen, a visible cursor, no mode left on, the line discipline
// as before. Call it after Wait.
func (p *Process) RequireRestored() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.t.Fatal("RequireRestored before Wait")
	}
	if p.emu.IsAltScreen() {
		p.t.Error("the alternate screen was not left")
	}
	if p.hidden {
		p.t.Error("the cursor is still hidden")
	}
	for m := range p.modes {
		p.t.Errorf("terminal mode %d is still on", m.Mode())
	}
	if !reflect.DeepEqual(p.before, p.after) {
		p.t.Errorf("the line discipline differs: before %+v, after %+v", p.before, p.after)
	}
	// The emulator does not know the keyboard protocols: count them.
	raw := p.raw.String()
	if on, off := strings.Count(raw, "\x1b[>1u")+strings.Count(raw, "\x1b[>3u"), strings.Count(raw, "\x1b[<1u")+strings.Count(raw, "\x1b[<u"); on > off {
		p.t.Errorf("the keyboard protocol was pushed %d times and popped %d times", on, off)
	}
}

// RequireGone waits until no process has the id, as for a child that the
// program must not leave behind.
func RequireGone(t testing.TB, pid int) {
	t.Helper()
	end := time.Now().Add(Patience)
	for !Gone(pid) {
		if time.Now().After(end) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Gone reports whether no process has the id, or one that has ended: nobody may have
// asked how yet, as where it outlived its parent and the system has no one to ask.
func Gone(pid int) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid)
}
