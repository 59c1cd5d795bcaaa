package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// marker is the environment variable by which a process that a server left
// behind is known.
const marker = "MCPTUI_SERVERS_RUN"

const (
	stepTime  = 60 * time.Second // of one command
	startTime = 20 * time.Second // of a server that listens
)

type runner struct {
	binary, cache, work, answers string
	n                            int
}

type verdict struct {
	era, why string
	passed   int
	wrong    []string
}

func (r *runner) installed(s server) bool {
	file := s.command[0]
	if file == "node" {
		file = s.command[1]
		if _, err := exec.LookPath("node"); err != nil {
			return false
		}
		if _, err := os.Stat(filepath.Join(r.cache, "npm", "installed-1")); err != nil {
			return false
		}
	}
	_, err := os.Stat(filepath.Join(r.cache, file))
	return err == nil
}

// try discovers a server, lists what it has, and runs its steps.
func (r *runner) try(ctx context.Context, s server) (v verdict) {
	r.n++
	mark := marker + "=" + strconv.Itoa(os.Getpid()) + "." + strconv.Itoa(r.n)
	env := append(os.Environ(), mark, "NO_PROXY=*")
	command := r.words(s)
	target := append([]string{"--"}, command...)
	if s.url != "" {
		port, err := freePort()
		if err != nil {
			return verdict{wrong: []string{err.Error()}}
		}
		for i := range command {
			command[i] = strings.ReplaceAll(command[i], "PORT", port)
		}
		end, err := listen(ctx, command, append(env, "PORT="+port, "CONFORMANCE_ADDR=127.0.0.1:"+port), append(s.also, s.fixed(port)))
		if err != nil {
			return verdict{wrong: []string{err.Error()}}
		}
		defer end()
		target = []string{"http://127.0.0.1:" + s.fixed(port) + s.url}
	}

	said, code, err := r.command(ctx, env, append([]string{"discover"}, target...))
	v.era, v.why = found(`(?m)^era +(.*)$`, said), found(`(?m)^  ready: (.*)$`, said)
	v.note("discover", code, 0, err, said, nil)
	if v.era != "" && !strings.HasPrefix(v.era, s.era) {
		v.wrong = append(v.wrong, "discover: the era is "+v.era+", not "+s.era)
	}
	for _, list := range strings.Fields(s.lists) {
		said, code, err := r.command(ctx, env, append([]string{list}, target...))
		v.note(list, code, 0, err, said, nil)
	}
	for _, step := range s.steps {
		words := append([]string{}, step.do...)
		if step.asks {
			words = append(words, "--answers", r.answers)
		}
		said, code, err := r.command(ctx, env, append(words, target...))
		v.note(strings.Join(step.do, " "), code, step.code, err, said, step.say)
	}
	v.wrong = append(v.wrong, leftBehind(mark, s.url != "")...)
	return v
}

func found(pattern, in string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(in); m != nil {
		return m[1]
	}
	return ""
}

func (v *verdict) note(what string, code, want int, err error, said string, say []string) {
	var wrong []string
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	if code != want {
		wrong = append(wrong, fmt.Sprintf("exit code %d, not %d", code, want))
	}
	for _, s := range say {
		if !strings.Contains(said, s) {
			wrong = append(wrong, fmt.Sprintf("does not say %q", s))
		}
	}
	if len(wrong) == 0 {
		v.passed++
		return
	}
	if len(said) > 500 {
		said = said[:200] + " … " + said[len(said)-300:]
	}
	v.wrong = append(v.wrong, fmt.Sprintf("%s: %s: %q", what, strings.Join(wrong, ", "), said))
}

func (r *runner) command(ctx context.Context, env, words []string) (said string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary, words...)
	cmd.Env, cmd.WaitDelay = env, 5*time.Second
	cmd.Dir = filepath.Join(r.cache, "npm")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	return string(out), cmd.ProcessState.ExitCode(), err
}

// words is a server's command, with what is installed put in.
func (r *runner) words(s server) []string {
	words := append([]string{}, s.command...)
	for i, w := range words {
		if full := filepath.Join(r.cache, w); i < 2 && w != "node" && (i == 0 || words[0] == "node") {
			words[i] = full
		}
		if w == "FOLDER" {
			words[i] = r.work
		}
	}
	return words
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// listen starts a server and waits until it listens on all its ports; end ends it
// with all its children.
func listen(ctx context.Context, command, env, ports []string) (end func(), err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait()
	}()
	end = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-done:
		case <-time.After(2 * time.Second):
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-done
	}
	for limit := time.Now().Add(startTime); time.Now().Before(limit); time.Sleep(50 * time.Millisecond) {
		for len(ports) > 0 {
			c, err := net.Dial("tcp", "127.0.0.1:"+ports[0])
			if err != nil {
				break
			}
			c.Close()
			ports = ports[1:]
		}
		if len(ports) == 0 {
			return end, nil
		}
		select {
		case <-done:
			return nil, fmt.Errorf("the server does not listen: %s", said.String())
		default:
		}
	}
	end()
	return nil, fmt.Errorf("the server does not listen within %s: %s", startTime, said.String())
}

// leftBehind names the processes of stdio servers that still run.
func leftBehind(mark string, listens bool) (out []string) {
	if listens {
		return nil // the server itself still runs
	}
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
