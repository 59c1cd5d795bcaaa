package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestScripts runs the scripts below testdata/script on the real binary. Beside
// what testscript has, they know:
//
//	code N mcptui ARG...   runs it and holds its exit code to N
//	serve ARG...           runs "mcptui serve" in the background; $URL is where
//	json FILE PATH WANT    holds a member of a JSON document ("a.0.b") to its JSON
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
			"code":  runForCode,
			"serve": runServer,
			"json":  checkJSON,
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
	if neg || len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	got, err := member([]byte(ts.ReadFile(args[0])), args[1])
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if !bytes.Equal(compact(got), compact([]byte(args[2]))) {
		ts.Fatalf("%s of %s is %s, want %s", args[1], args[0], got, args[2])
	}
}
