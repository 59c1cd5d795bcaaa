package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// marker is the environment variable by which a process that a case left behind
// is known.
const marker = "MCPTUI_MISBEHAVING_CASE"

// testCase is one command against one mode of one server.
type testCase struct {
	server string   // its number
	args   string   // of the server
	http   string   // path of its URL, where it is reached over HTTP, else ""
	do     string   // the command: words, SERVER put last
	flags  []string // that hold spaces
	answer string   // the answers file
	code   int
	say    []string      // what standard output and error must hold, together
	not    []string      // what they must not
	hears  []string      // what the server must have written to standard error, over HTTP
	never  []string      // what it must not have written there
	within time.Duration // 0 for 40 s
	stop   time.Duration // SIGINT after so long
	size   int           // of standard output at least, in bytes
	record []string      // what the recording must hold
	lint   []string      // what lint must find in it
}

func (c *testCase) name() string {
	parts := []string{c.server}
	for _, s := range []string{c.args, c.http, c.do} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

type runner struct {
	binary, servers, work string
	verbose               bool
	n                     int
}

// run runs one case and says what was wrong with it.
func (r *runner) run(ctx context.Context, file string, c testCase) (took time.Duration, wrong []string) {
	r.n++
	mark := marker + "=" + strconv.Itoa(os.Getpid()) + "." + strconv.Itoa(r.n)
	env := append(os.Environ(), mark, "NO_PROXY=*")
	within := c.within
	if within == 0 {
		within = 40 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, within+15*time.Second)
	defer cancel()

	serverArgs := append([]string{file}, strings.Fields(c.args)...)
	target := append([]string{"--", "node"}, serverArgs...)
	var heard *listener
	if c.http != "" {
		var err error
		if heard, err = listen(ctx, env, append(serverArgs, "--http", "0")); err != nil {
			return 0, []string{err.Error()}
		}
		defer heard.end()
		target = []string{heard.at(c.http)}
	}
	words := strings.Fields(c.do)
	if c.answer != "" {
		name := filepath.Join(r.work, "answers.yaml")
		if err := os.WriteFile(name, []byte(c.answer), 0o600); err != nil {
			return 0, []string{err.Error()}
		}
		words = append(words, "--answers", name)
	}
	recording := ""
	if c.record != nil || c.lint != nil {
		recording = filepath.Join(r.work, "recording.jsonl")
		words = append(words, "--record", recording)
		defer os.Remove(recording)
	}
	words = append(append(words, c.flags...), target...)

	cmd := exec.CommandContext(ctx, r.binary, words...)
	cmd.Env = env
	cmd.WaitDelay = 5 * time.Second
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, []string{err.Error()}
	}
	if c.stop > 0 {
		timer := time.AfterFunc(c.stop, func() { _ = cmd.Process.Signal(os.Interrupt) })
		defer timer.Stop()
	}
	err := cmd.Wait()
	took = time.Since(began)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		wrong = append(wrong, err.Error())
	}
	if took > within {
		wrong = append(wrong, fmt.Sprintf("took longer than %s", within))
	}
	heardText := ""
	if heard != nil {
		heard.end()
		heardText = heard.text()
	}
	wrong = append(wrong, c.judge(cmd.ProcessState.ExitCode(), out.String(), diag.String(), heardText)...)
	if recording != "" {
		wrong = append(wrong, r.recorded(ctx, recording, c)...)
	}
	wrong = append(wrong, leftovers(mark)...)
	if r.verbose || len(wrong) > 0 {
		wrong = append(wrong, clip("stdout", out.String()), clip("stderr", diag.String()))
		if heardText != "" {
			wrong = append(wrong, clip("server", heardText))
		}
	}
	return took, wrong
}

func (c *testCase) judge(code int, out, diag, heard string) (wrong []string) {
	if code != c.code {
		wrong = append(wrong, fmt.Sprintf("exit code %d, not %d", code, c.code))
	}
	if len(out) < c.size {
		wrong = append(wrong, fmt.Sprintf("%d bytes of output, not %d", len(out), c.size))
	}
	if strings.Contains(diag, "panic: ") && strings.Contains(diag, "mcptui/client") {
		wrong = append(wrong, "it panicked")
	}
	all := out + "\n" + diag
	for _, s := range c.say {
		if !strings.Contains(all, s) {
			wrong = append(wrong, fmt.Sprintf("does not say %q", s))
		}
	}
	for _, s := range c.not {
		if strings.Contains(all, s) {
			wrong = append(wrong, fmt.Sprintf("says %q", s))
		}
	}
	for _, s := range c.hears {
		if !strings.Contains(heard, s) {
			wrong = append(wrong, fmt.Sprintf("the server did not hear %q", s))
		}
	}
	for _, s := range c.never {
		if strings.Contains(heard, s) {
			wrong = append(wrong, fmt.Sprintf("the server heard %q", s))
		}
	}
	return wrong
}

// recorded judges what was recorded.
func (r *runner) recorded(ctx context.Context, file string, c testCase) (wrong []string) {
	kept, err := os.ReadFile(file)
	if err != nil {
		return []string{err.Error()}
	}
	for _, s := range c.record {
		if !bytes.Contains(kept, []byte(s)) {
			wrong = append(wrong, fmt.Sprintf("the recording does not hold %q", s))
		}
	}
	if c.lint == nil {
		return wrong
	}
	found, err := exec.CommandContext(ctx, r.binary, "lint", file).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		wrong = append(wrong, err.Error())
	}
	for _, s := range c.lint {
		if !bytes.Contains(found, []byte(s)) {
			wrong = append(wrong, fmt.Sprintf("lint does not find %q: %s", s, clip("it says", string(found))))
		}
	}
	return wrong
}

func clip(what, s string) string {
	const most = 700
	if len(s) > most {
		s = s[:most/2] + " … " + s[len(s)-most/2:]
	}
	return fmt.Sprintf("%s %q", what, s)
}

// leftovers names the processes that still carry the mark.
func leftovers(mark string) (out []string) {
	for range 20 { // those that were told to end may need a moment
		out = out[:0]
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range environs {
			if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte(mark+"\x00")) {
				words, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
				out = append(out, "left behind: "+string(bytes.ReplaceAll(words, []byte{0}, []byte{' '})))
			}
		}
		if len(out) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return out
}

// listener is a server that was started for one case.
type listener struct {
	cmd   *exec.Cmd
	base  string
	lines bytes.Buffer
	done  chan struct{}
	ended bool
}

var listening = regexp.MustCompile(`listening (https?://[^/\s]+)`)

func listen(ctx context.Context, env, args []string) (*listener, error) {
	l := &listener{cmd: exec.CommandContext(ctx, "node", args...), done: make(chan struct{})}
	l.cmd.Env = env
	l.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := l.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := l.cmd.Start(); err != nil {
		return nil, err
	}
	base := make(chan string, 1)
	go l.read(stderr, base)
	select {
	case l.base = <-base:
		return l, nil
	case <-l.done:
	case <-time.After(20 * time.Second):
	}
	l.end()
	return nil, fmt.Errorf("the server does not listen: %s", l.text())
}

func (l *listener) read(from io.Reader, base chan<- string) {
	defer close(l.done)
	for in := bufio.NewReader(from); ; {
		line, err := in.ReadString('\n')
		l.lines.WriteString(line)
		if m := listening.FindStringSubmatch(line); m != nil {
			base <- m[1]
		}
		if err != nil {
			return
		}
	}
}

// at is the URL of a path; LOCALHOST before it stands for the host's name
// instead of its number.
func (l *listener) at(path string) string {
	if rest, named := strings.CutPrefix(path, "LOCALHOST"); named {
		return strings.Replace(l.base, "127.0.0.1", "localhost", 1) + rest
	}
	return l.base + path
}

func (l *listener) end() {
	if l.ended {
		return
	}
	l.ended = true
	_ = syscall.Kill(-l.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-l.done:
	case <-time.After(3 * time.Second):
	}
	_ = syscall.Kill(-l.cmd.Process.Pid, syscall.SIGKILL)
	<-l.done
	_ = l.cmd.Wait()
}

// text is what the server wrote, once it has ended.
func (l *listener) text() string {
	<-l.done
	return l.lines.String()
}
