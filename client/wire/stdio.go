package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcptui/client/trace"
)

// Times of an orderly end. The specification (2026-07-28, transports/stdio,
// Shutdown) asks for the order, and leaves the times open.
const (
	flushTime   = 500 * time.Millisecond // for messages that still wait, a cancellation for example
	defaultWait = 500 * time.Millisecond // from closing the input to TERM
	killWait    = 2 * time.Second        // from TERM to KILL
	drainTime   = 300 * time.Millisecond // for output that a dead child has left in the pipes
	muteTime    = 2 * time.Second        // a child may live after it closed its output
)

// Stdio says how to start a server as a child.
type Stdio struct {
	Command  string
	Args     []string
	Env      []string      // "NAME=value", over the environment of this process
	Dir      string        // working directory, "" for this process's own
	MaxFrame int           // longest message that is kept whole, in bytes; 0 for 256 MB
	Wait     time.Duration // from closing the input to TERM; 0 for half a second
}

// Child is the transport to a server that runs as a child process.
type Child struct {
	how  Stdio
	emit Emit

	mu      sync.Mutex
	cmd     *exec.Cmd
	queue   *queue
	stdin   *os.File
	closing bool
	ended   chan struct{} // closed when nothing of the child is left
	exited  chan struct{} // closed when the child itself has ended
	hurry   chan struct{} // closed when the end must come at once
	rush    sync.Once
	killed  atomic.Bool // the whole group was sent KILL
}

// NewStdio returns the transport; Start starts the child.
func NewStdio(how Stdio, emit Emit) *Child {
	if how.MaxFrame <= 0 {
		how.MaxFrame = defaultMaxFrame
	}
	if how.Wait <= 0 {
		how.Wait = defaultWait
	}
	return &Child{how: how, emit: emit, ended: make(chan struct{}), exited: make(chan struct{}), hurry: make(chan struct{})}
}

// Start starts the child in a process group of its own. It does not wait for
// the child to say anything.
func (c *Child) Start(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd != nil || c.closing {
		return fmt.Errorf("start %s: %w", c.how.Command, ErrClosed)
	}
	c.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: "stdio", Target: c.target()}})
	cmd := exec.Command(c.how.Command, c.how.Args...)
	cmd.Dir = c.how.Dir
	if len(c.how.Env) > 0 {
		cmd.Env = append(cmd.Environ(), c.how.Env...)
	}
	ownGroup(cmd)
	pipes, err := newPipes()
	if err != nil {
		return fmt.Errorf("start %s: %w", c.how.Command, err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.childIn, pipes.childOut, pipes.childErr
	err = cmd.Start()
	pipes.closeChild()
	if err != nil {
		pipes.closeOurs()
		return startError(c.how, err)
	}
	c.cmd, c.stdin = cmd, pipes.in
	c.queue = newQueue(pipes.in, c.emit)
	c.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Reason: "started", Transport: "stdio", Target: c.target(), PID: cmd.Process.Pid}})

	out, errs := make(chan struct{}), make(chan struct{})
	spawn(c.emit, func() {
		defer close(out)
		// An error other than the end only comes of closing the pipe ourselves.
		_ = (&lineReader{emit: c.emit, max: c.how.MaxFrame}).run(pipes.out)
	})
	spawn(c.emit, func() { defer close(errs); c.drainStderr(pipes.err) })
	spawn(c.emit, func() {
		defer close(c.exited)
		_ = cmd.Wait() // the state tells what there is to tell
	})
	spawn(c.emit, func() { c.supervise(pipes, out, errs) })
	return nil
}

// drainStderr emits what the child says there, as it comes. Where more comes
// than fits, it is cut at a line end.
func (c *Child) drainStderr(from io.Reader) {
	chunk, kept := make([]byte, readSize), 0
	for {
		n, err := from.Read(chunk[kept:])
		n += kept
		kept = 0
		if n == len(chunk) && err == nil {
			if end := bytes.LastIndexByte(chunk, '\n'); end >= 0 {
				kept = n - end - 1
			}
		}
		if n > kept {
			c.emit(trace.Event{Stderr: &trace.Stderr{Bytes: bytes.Clone(chunk[:n-kept])}})
		}
		copy(chunk, chunk[n-kept:n])
		if err != nil {
			return
		}
	}
}

// supervise waits for the end of the child, whoever brings it about, and leaves
// nothing behind.
func (c *Child) supervise(pipes *pipes, out, errs <-chan struct{}) {
	defer close(c.ended)
	outEnded, mute := false, false
	select {
	case <-c.exited:
	case <-out:
		outEnded = true
		select {
		case <-c.exited:
		case <-time.After(muteTime):
			if !c.isClosing() {
				mute = true
				note(c.emit, "the server closed its standard output but runs on; nothing more can come from it, so it is ended")
			}
			spawn(c.emit, func() { c.terminate() })
			<-c.exited
		}
	}
	// What the child wrote before its end is still in the pipes. Something
	// that it started may hold them open for as long as it likes.
	deadline := time.After(drainTime)
	errEnded := false
	for held := false; !held && (!outEnded || !errEnded); {
		select {
		case <-ended(out, outEnded):
			outEnded = true
		case <-ended(errs, errEnded):
			errEnded = true
		case <-deadline:
			held = true
		}
	}
	if groupAlive(c.cmd) && !c.killed.Load() {
		c.phase(trace.PhaseClosing, "KILL sent to processes that the server left behind")
		killGroup(c.cmd)
	}
	c.queue.close()
	pipes.closeOurs()
	<-c.queue.done
	<-out
	<-errs
	c.emitExit(mute)
}

// ended is the channel, or none once it has been seen closed.
func ended(c <-chan struct{}, seen bool) <-chan struct{} {
	if seen {
		return nil
	}
	return c
}

func (c *Child) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

func (c *Child) emitExit(mute bool) {
	state := c.cmd.ProcessState
	phase := &trace.Phase{Name: trace.PhaseExited, Transport: "stdio", PID: c.cmd.Process.Pid, Signal: signalOf(state)}
	if phase.Signal == "" {
		code := state.ExitCode()
		phase.Code = &code
	}
	switch {
	case mute:
		phase.Reason = "the server had closed its standard output"
	case c.isClosing():
		phase.Reason = "closed"
	default:
		phase.Reason = "the server ended by itself"
	}
	c.emit(trace.Event{Phase: phase})
}

func (c *Child) phase(name trace.PhaseName, reason string) {
	c.emit(trace.Event{Phase: &trace.Phase{Name: name, Reason: reason, Transport: "stdio", PID: c.cmd.Process.Pid}})
}

// terminate brings the child to its end in stages and returns when it is dead.
func (c *Child) terminate() {
	c.queue.drained(flushTime)
	c.queue.close()
	c.phase(trace.PhaseClosing, "standard input closed")
	_ = c.stdin.Close() // it may be closed already
	if c.wait(c.how.Wait) {
		return
	}
	c.phase(trace.PhaseClosing, "TERM sent to the process group")
	termGroup(c.cmd)
	if c.wait(killWait) {
		return
	}
	c.phase(trace.PhaseClosing, "KILL sent to the process group")
	c.killed.Store(true)
	killGroup(c.cmd)
	<-c.exited
}

func (c *Child) wait(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-c.hurry:
		return isClosed(c.exited)
	case <-timer.C:
		return false
	}
}

// Send queues one message.
func (c *Child) Send(m Message) error {
	c.mu.Lock()
	q, closing := c.queue, c.closing
	c.mu.Unlock()
	if q == nil || closing {
		return fmt.Errorf("send: %w", ErrClosed)
	}
	return q.send(m)
}

// Abort reports false: stdio has no way of its own to end a request.
func (c *Child) Abort(string) bool { return false }

// Settled changes nothing on stdio.
func (c *Child) Settled(trace.Era, string) {}

// Progress tells how far the writing has come.
func (c *Child) Progress() Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.queue == nil {
		return Progress{}
	}
	return c.queue.Progress()
}

// Close ends the child: input closed, TERM to its group, KILL, each after a
// wait and each a phase in the log. When the context ends it goes to KILL at
// once. It returns when the child and whatever was left of its group are gone.
func (c *Child) Close(ctx context.Context) error {
	c.mu.Lock()
	first := !c.closing
	c.closing = true
	started := c.cmd != nil
	c.mu.Unlock()
	if !started {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { c.rush.Do(func() { close(c.hurry) }) })
	defer stop()
	if first && !isClosed(c.exited) {
		c.terminate()
	}
	<-c.ended
	return nil
}

// target is what was started, as a line, with the values of the given
// environment left out where they occur in it.
func (c *Child) target() string {
	line := strings.Join(append([]string{c.how.Command}, c.how.Args...), " ")
	for _, pair := range c.how.Env {
		if name, value, ok := strings.Cut(pair, "="); ok && len(value) >= 8 {
			line = strings.ReplaceAll(line, value, "$"+name)
		}
	}
	return line
}

func startError(how Stdio, err error) error {
	switch {
	case how.Dir != "" && !isDir(how.Dir):
		return fmt.Errorf("start %s: the working directory %s does not exist; correct --cwd: %w", how.Command, how.Dir, err)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("start %s: no such program in PATH; check the spelling, or give its full path: %w", how.Command, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("start %s: no such file, or its interpreter is missing: %w", how.Command, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("start %s: not permitted to execute it; try chmod +x, or start it with its interpreter: %w", how.Command, err)
	}
	return fmt.Errorf("start %s: %w", how.Command, err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// pipes are the standard streams of a child, both ends of each.
type pipes struct {
	in, out, err                *os.File
	childIn, childOut, childErr *os.File
}

func newPipes() (*pipes, error) {
	p := &pipes{}
	var err error
	if p.childIn, p.in, err = os.Pipe(); err == nil {
		if p.out, p.childOut, err = os.Pipe(); err == nil {
			p.err, p.childErr, err = os.Pipe()
		}
	}
	if err != nil {
		p.closeChild()
		p.closeOurs()
		return nil, fmt.Errorf("make pipes: %w", err)
	}
	return p, nil
}

func (p *pipes) closeChild() { closeAll(p.childIn, p.childOut, p.childErr) }
func (p *pipes) closeOurs()  { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a second close is harmless
		}
	}
}
