//go:build linux || darwin

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestScripts runs the scripts below testdata/script on the real binary. Beside
// what testscript has, they know:
//
//	code N mcptui ARG...          runs it and holds its exit code to N
//	signal NAME N TEXT mcptui …   sends it a signal, or "INT,TERM" in turn, once it has
//	                              written TEXT to standard error, or the file of
//	                              "file:NAME" is there; likewise
//	serve ARG...                  runs "mcptui serve" in the background; $URL is where
//	peer KIND                     runs a server of another kind; $URL is where
//	json FILE PATH WANT           holds a member of a JSON document ("a.0.b") to its
//	                              JSON; without WANT it has to be there
//	sent FILE METHOD...           holds what the client sent in a recording to these
//	                              methods, in order; pages of one list count once.
//	                              Negated, that it sent none of them
//	gone FILE                     waits until the process whose id is in FILE has ended
func TestScripts(t *testing.T) {
	bin := ptytest.Binary(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("MCPTUI", bin)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":   runForCode,
			"serve":  runServer,
			"json":   checkJSON,
			"signal": runAndSignal,
			"peer":   startPeer,
			"gone":   waitGone,
			"sent":   checkSent,
		},
	})
}

func runForCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

func runServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serve ARG...")
	}
	cmd := exec.Command(ts.Getenv("MCPTUI"), append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	cmd.Dir = ts.Getenv("WORK")
	errs, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(errs)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "serving at "); ok {
			ts.Setenv("URL", url)
			return
		}
	}
	ts.Fatalf("the server did not say where it serves")
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && len(args) != 2 || neg && len(args) == 3 {
		ts.Fatalf("usage: json FILE PATH [WANT]")
	}
	got, err := member([]byte(ts.ReadFile(args[0])), args[1])
	if len(args) == 2 {
		if neg && err == nil {
			ts.Fatalf("%s of %s is there: %s", args[1], args[0], got)
		}
		if !neg {
			ts.Check(err)
		}
		return
	}
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if !bytes.Equal(compact(got), compact([]byte(args[2]))) {
		ts.Fatalf("%s of %s is %s, want %s", args[1], args[0], got, args[2])
	}
}

var signalNames = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT}

func runAndSignal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: signal NAME N TEXT COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	cmd := exec.Command(ts.Getenv("MCPTUI"), args[4:]...)
	cmd.Dir, cmd.Env = ts.Getenv("WORK"), append(os.Environ(), "PATH="+ts.Getenv("PATH"), "HOME="+ts.Getenv("HOME"))
	var out bytes.Buffer
	errs := &watched{want: args[2], seen: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &out, errs
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	seen := (<-chan struct{})(errs.seen)
	file, ofFile := strings.CutPrefix(args[2], "file:")
	if ofFile {
		over := make(chan struct{})
		defer close(over)
		seen = appears(ts.MkAbs(file), over)
	}
	select {
	case <-seen:
		for name := range strings.SplitSeq(args[0], ",") {
			if err := cmd.Process.Signal(signalNames[name]); !errors.Is(err, os.ErrProcessDone) { // its code tells, too
				ts.Check(err)
			}
		}
		err = <-ended
	case err = <-ended:
		if _, there := os.Stat(ts.MkAbs(file)); !errs.told && (!ofFile || there != nil) { // else it ended while we looked: its code tells
			ts.Fatalf("it ended (%v) without %q\nstderr:\n%s", err, args[2], errs.all.Bytes())
		}
	case <-time.After(ptytest.Patience):
		_ = cmd.Process.Kill()
		ts.Fatalf("it never wrote %q\nstderr:\n%s", args[2], errs.all.Bytes())
	}
	for name, content := range map[string][]byte{"out": out.Bytes(), "err": errs.all.Bytes()} {
		ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), name), content, 0o600))
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d (%v), want %d\nstdout:\n%s\nstderr:\n%s", got, err, want, out.Bytes(), errs.all.Bytes())
	}
}

// appears tells when a file is there, unless it is over before.
func appears(file string, over <-chan struct{}) <-chan struct{} {
	seen := make(chan struct{})
	go func() {
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			if _, err := os.Stat(file); err == nil {
				close(seen)
				return
			}
			select {
			case <-every.C:
			case <-over:
				return
			}
		}
	}()
	return seen
}

// watched tells once a text was written.
type watched struct {
	all  bytes.Buffer // not embedded: its ReadFrom would be taken for ours
	want string
	seen chan struct{}
	told bool
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.all.Write(b)
	if !w.told && bytes.Contains(w.all.Bytes(), []byte(w.want)) {
		w.told = true
		close(w.seen)
	}
	return n, err
}

func waitGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	for end := time.Now().Add(ptytest.Patience); !ptytest.Gone(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("process %d is still there", pid)
		}
	}
}

func checkSent(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] sent FILE METHOD...")
	}
	events, err := readRecording(ts.MkAbs(args[0]))
	ts.Check(err)
	var sent []string
	for _, e := range events {
		if e.Frame == nil || e.Frame.Dir != trace.Out {
			continue
		}
		if m := e.Frame.Message().Method; m != "" && (len(sent) == 0 || sent[len(sent)-1] != m) {
			sent = append(sent, m)
		}
	}
	if neg {
		if slices.ContainsFunc(sent, func(m string) bool { return slices.Contains(args[1:], m) }) {
			ts.Fatalf("it sent %q", sent)
		}
		return
	}
	if !slices.Equal(sent, args[1:]) {
		ts.Fatalf("it sent %q, want %q", sent, args[1:])
	}
}

func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }
