package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const columns, rows = 120, 36

// terminal is the program on a pseudo-terminal, with a screen that is read.
type terminal struct {
	cmd   *exec.Cmd
	tty   *os.File
	mu    sync.Mutex
	emu   *vt.Emulator
	wrote chan struct{} // has a token where the screen changed since it was looked at
	done  chan struct{}
}

func start(args []string, env ...string) (*terminal, error) {
	t := &terminal{cmd: exec.Command(args[0], args[1:]...), emu: vt.NewEmulator(columns, rows), wrote: make(chan struct{}, 1), done: make(chan struct{})}
	t.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color"), env...)
	tty, err := pty.StartWithSize(t.cmd, &pty.Winsize{Cols: columns, Rows: rows})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	t.tty = tty
	go func() { _, _ = io.Copy(tty, t.emu) }() // the answers to queries; ends with the terminal
	go func() {
		defer close(t.done)
		buf := make([]byte, 64<<10)
		for {
			n, err := tty.Read(buf)
			t.mu.Lock()
			_, _ = t.emu.Write(buf[:n])
			t.mu.Unlock()
			select {
			case t.wrote <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return t, nil
}

func (t *terminal) close() {
	_ = t.cmd.Process.Signal(os.Interrupt)
	ended := time.AfterFunc(5*time.Second, func() { _ = t.cmd.Process.Kill() })
	_ = t.cmd.Wait()
	ended.Stop()
	_ = t.tty.Close()
	<-t.done
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emu.String()
}

// until waits until the screen is as it should be, and returns when it was.
func (t *terminal) until(what string, is func(screen string) bool) (time.Time, error) {
	end := time.After(30 * time.Second)
	for {
		if is(t.text()) {
			return time.Now(), nil
		}
		select {
		case <-t.wrote:
		case <-t.done:
			return time.Time{}, fmt.Errorf("the program ended before %s:\n%s", what, t.text())
		case <-end:
			return time.Time{}, fmt.Errorf("%s never came:\n%s", what, t.text())
		}
	}
}

// still waits until nothing more is drawn.
func (t *terminal) still() {
	for {
		select {
		case <-t.wrote:
		case <-t.done:
			return
		case <-time.After(50 * time.Millisecond):
			return
		}
	}
}

func (t *terminal) shows(sub string) (time.Time, error) {
	return t.until(strconv.Quote(sub), func(s string) bool { return strings.Contains(s, sub) })
}

// press sends keys and returns how long it took until the screen was as it
// should be.
func (t *terminal) press(keys string, is func(screen string) bool) (time.Duration, error) {
	begun := time.Now()
	if _, err := io.WriteString(t.tty, keys); err != nil {
		return 0, err
	}
	at, err := t.until("what "+strconv.Quote(keys)+" does", is)
	return at.Sub(begun), err
}

// usage is what a process takes.
type usage struct {
	now, peak int // resident kilobytes
	cpu       time.Duration
}

func (u usage) String() string {
	return fmt.Sprintf("%d MB resident now, %d MB at most, %v of CPU", u.now/1024, u.peak/1024, u.cpu.Round(10*time.Millisecond))
}

// takes reads what the program takes, from /proc.
func (t *terminal) takes() usage {
	var u usage
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	for _, line := range strings.Split(string(status), "\n") {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		switch f[0] {
		case "VmRSS:":
			u.now, _ = strconv.Atoi(f[1])
		case "VmHWM:":
			u.peak, _ = strconv.Atoi(f[1])
		}
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.cmd.Process.Pid))
	if _, rest, ok := strings.Cut(string(stat), ") "); ok {
		if f := strings.Fields(rest); len(f) > 13 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			u.cpu = time.Duration(user+system) * 10 * time.Millisecond
		}
	}
	return u
}
