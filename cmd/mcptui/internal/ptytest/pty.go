//go:build linux || darwin

package ptytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Patience is how long the waiting methods wait before they fail the test: a wait
// that succeeds costs nothing, however long it might have been, and a machine may
// be very slow.
const Patience = 90 * time.Second

// Options says what to start, and on what terminal.
type Options struct {
	Bin     string   // default: mcptui, built once for the test binary
	Args    []string // without the program's name
	Env     []string // added to the test's own and TERM=xterm-256color
	Dir     string
	Columns int      // default 80
	Rows    int      // default 24
	Silent  bool     // the terminal answers no query
	Stdout  *os.File // instead of the terminal
}

// Process is the running program and its terminal.
type Process struct {
	Started time.Time

	t        testing.TB
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *term.State
	frames   frames
	read     chan struct{} // closed when nothing more can come from the terminal
	answers  chan struct{}
	exited   chan struct{} // closed when the program has been waited for
	leave    atomic.Bool   // the reader shall end though the terminal is open

	mu     sync.Mutex
	emu    *vt.Emulator
	raw    bytes.Buffer
	modes  map[ansi.Mode]bool // modes that the program switched from what they were
	hidden bool               // the cursor
	ended  bool               // tty closed, states taken
	after  *term.State
}

// Start starts the program. It is killed at the end of the test where it
// still runs.
func Start(t testing.TB, o Options) *Process {
	t.Helper()
	if o.Bin == "" {
		o.Bin = Binary(t)
	}
	if o.Columns == 0 {
		o.Columns, o.Rows = 80, 24
	}
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(o.Columns), Rows: uint16(o.Rows)}); err != nil {
		t.Fatalf("size the pseudo-terminal: %v", err)
	}
	p := &Process{
		t: t, pty: master, tty: tty, read: make(chan struct{}), answers: make(chan struct{}), exited: make(chan struct{}),
		emu: vt.NewEmulator(o.Columns, o.Rows), modes: map[ansi.Mode]bool{},
	}
	p.emu.SetCallbacks(vt.Callbacks{
		EnableMode:       func(m ansi.Mode) { p.mode(m, true) },
		DisableMode:      func(m ansi.Mode) { p.mode(m, false) },
		CursorVisibility: func(visible bool) { p.hidden = !visible },
	})
	// The emulator does not know the mode in which a frame is drawn as a whole: what
	// is not set is reset, and the program takes it up.
	if _, err := p.emu.WriteString(ansi.ResetModeSynchronizedOutput); err != nil {
		t.Fatalf("prepare the emulator: %v", err)
	}
	if p.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatalf("read the state of the pseudo-terminal: %v", err)
	}
	p.cmd = exec.Command(o.Bin, o.Args...)
	p.cmd.Dir = o.Dir
	p.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color"), o.Env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	if o.Stdout != nil {
		p.cmd.Stdout = o.Stdout
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.Started = time.Now()
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", o.Bin, err)
	}
	go p.readAll()
	go func() {
		defer close(p.answers)
		if o.Silent {
			_, _ = io.Copy(io.Discard, p.emu)
			return
		}
		_, _ = io.Copy(master, p.emu)
		_, _ = io.Copy(io.Discard, p.emu) // the terminal is gone; the emulator must not block
	}()
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait() // its state is read from ProcessState
	}()
	t.Cleanup(p.close)
	return p
}

func (p *Process) mode(m ansi.Mode, on bool) {
	switch m {
	case ansi.ModeTextCursorEnable, ansi.ModeAutoWrap: // on by default; the cursor has a callback of its own
		return
	case ansi.ModeAltScreen, ansi.ModeAltScreenSaveCursor: // asked for by name
		return
	}
	if on {
		p.modes[m] = true
	} else {
		delete(p.modes, m)
	}
}

func (p *Process) readAll() {
	defer close(p.read)
	defer func() {
		p.mu.Lock()
		_, _ = p.emu.Write(p.frames.rest())
		p.mu.Unlock()
	}()
	b := make([]byte, 1<<16)
	fd := []unix.PollFd{{Fd: int32(p.pty.Fd()), Events: unix.POLLIN}}
	for {
		// A blocked read would keep the terminal open: look before reading.
		if n, err := unix.Poll(fd, 20); n == 0 || errors.Is(err, unix.EINTR) {
			if p.leave.Load() {
				return
			}
			continue
		}
		n, err := p.pty.Read(b)
		p.mu.Lock()
		p.raw.Write(b[:n])
		_, _ = p.emu.Write(p.frames.whole(b[:n]))
		p.mu.Unlock()
		if err != nil {
			return // EIO: no one has the other end open any more
		}
	}
}

func (p *Process) close() {
	select {
	case <-p.exited:
	default:
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
	p.finish()
	_ = p.emu.InputPipe().(io.Closer).Close()
	<-p.answers
	_ = p.pty.Close()
}

// finish takes the terminal's state, closes our copy of the program's end and
// reads what is left.
func (p *Process) finish() {
	p.mu.Lock()
	done := p.ended
	p.ended = true
	if !done {
		p.after, _ = term.GetState(int(p.tty.Fd()))
	}
	p.mu.Unlock()
	if done {
		return
	}
	_ = p.tty.Close()
	select {
	case <-p.read:
	case <-time.After(2 * time.Second): // a child of the program holds the terminal
		p.leave.Store(true)
		<-p.read
	}
}

// PID returns the program's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Type sends keys, as bytes. What has just opened takes none, and says so: that
// is waited for.
func (p *Process) Type(keys ...string) {
	p.t.Helper()
	p.settle()
	for _, k := range keys {
		if _, err := io.WriteString(p.pty, k); err != nil {
			p.t.Fatalf("type %q: %v", k, err)
		}
	}
}

// settle waits until nothing on the screen says that it takes no keys yet.
func (p *Process) settle() {
	p.t.Helper()
	p.until("stayed on the screen", func(text string) string {
		text = strings.NewReplacer("just opened: press again", "", "just shown: press again", "").Replace(text) // of a key before
		for _, sign := range []string{"just opened", "just shown"} {
			if strings.Contains(text, sign) {
				return sign
			}
		}
		return ""
	})
}

// Resize changes the terminal's size; the kernel tells the program.
func (p *Process) Resize(columns, rows int) {
	p.t.Helper()
	p.mu.Lock()
	p.emu.Resize(columns, rows)
	p.mu.Unlock()
	if err := pty.Setsize(p.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		p.t.Fatalf("size the pseudo-terminal: %v", err)
	}
}

// Signal sends the program a signal.
func (p *Process) Signal(sig os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Fatalf("signal %v: %v", sig, err)
	}
}

// HangUp closes the terminal under the program, as closing a window does: the
// kernel sends SIGHUP and every read and write fails.
func (p *Process) HangUp() {
	p.leave.Store(true)
	<-p.read
	_ = p.tty.Close()
	_ = p.pty.Close()
}

// Text returns the screen without styles, blanks at the ends cut.
func (p *Process) Text() string {
	p.mu.Lock()
	raw := p.emu.String()
	p.mu.Unlock()
	lines := strings.Split(raw, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Raw returns every byte that the program has written to the terminal.
func (p *Process) Raw() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.raw.Bytes())
}

var build struct {
	sync.Once
	path string
	err  error
}

// Binary builds mcptui once for this test binary and returns its path.
func Binary(t testing.TB) string {
	t.Helper()
	build.Do(func() {
		dir, err := os.MkdirTemp("", "mcptui-pty-")
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "mcptui")
		out, err := exec.Command("go", "build", "-o", build.path, "mcptui/cmd/mcptui").CombinedOutput()
		if err != nil {
			build.err = fmt.Errorf("build mcptui: %w\n%s", err, out)
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.path
}

// Clean removes what Binary built; call it at the end of TestMain.
func Clean() {
	if build.path != "" {
		_ = os.RemoveAll(filepath.Dir(build.path))
	}
}
