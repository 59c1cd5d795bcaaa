// Package leaktest finds what tests leave behind: goroutines, child processes and
// what those started, open sockets and pipes, temporary files. It is for tests of
// packages that start any of these, and is no part of the product.
//
// Goroutines and temporary files are looked for on every system, the rest where
// /proc tells of it; elsewhere that is said, and the check is as good as it can be.
package leaktest

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience bounds how long what is on its way out may take. Nothing waits for it
// that has left nothing behind.
const patience = time.Minute

// mark is the environment variable that children inherit, so that what they
// start is found even once it has another parent.
const mark = "MCPTUI_LEAKTEST"

// Main runs a package's tests, and ends the process, with failure where a test
// failed or something of the tests is left. TestMain calls it. In a process that
// the tests started it only runs: what that leaves is for the first to find.
func Main(m *testing.M) {
	if os.Getenv(mark) != "" {
		os.Exit(m.Run())
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "leaktest")
	if err != nil {
		fmt.Fprintln(os.Stderr, "leaktest:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	for name, value := range map[string]string{"TMPDIR": dir, "TMP": dir, "TEMP": dir, mark: fmt.Sprint(os.Getpid())} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, "leaktest:", err)
			return 1
		}
	}
	if !hasProc {
		fmt.Fprintln(os.Stderr, "leaktest: SKIPPED: without /proc neither sockets nor processes are looked for")
	}
	before := Take()
	code := m.Run()
	if code != 0 {
		return code // a test that failed may well have left something
	}
	left := before.wait(func() []string { return append(before.left(), files(dir)...) })
	if len(left) > 0 {
		fmt.Fprintf(os.Stderr, "leaktest: left behind by the tests:\n%s\n", strings.Join(left, "\n"))
		return 1
	}
	return 0
}

// Snapshot is what there was at one moment, and is nobody's fault.
type Snapshot struct {
	goroutines goleak.Option
	open       map[string]bool
	processes  map[int]bool
}

// Take notes what there is now.
func Take() *Snapshot {
	s := &Snapshot{goroutines: goleak.IgnoreCurrent(), open: map[string]bool{}, processes: map[int]bool{}}
	for _, target := range descriptors() {
		s.open[target] = true
	}
	for pid := range processes() {
		s.processes[pid] = true
	}
	return s
}

// Check fails the test where something is left that was not there when the
// snapshot was taken. Nothing else may run meanwhile, as tests in parallel do.
func (s *Snapshot) Check(t testing.TB) {
	t.Helper()
	if left := s.wait(s.left); len(left) > 0 {
		t.Errorf("left behind:\n%s", strings.Join(left, "\n"))
	}
}

// wait asks until nothing is left, or patience ends.
func (s *Snapshot) wait(look func() []string) (left []string) {
	pause := time.Millisecond
	for end := time.Now().Add(patience); ; pause = min(2*pause, 100*time.Millisecond) {
		if left = look(); len(left) == 0 || time.Now().After(end) {
			return left
		}
		time.Sleep(pause)
	}
}

func (s *Snapshot) left() (left []string) {
	for _, target := range descriptors() {
		if !s.open[target] {
			left = append(left, "open: "+target)
		}
	}
	for pid, words := range processes() {
		if !s.processes[pid] {
			left = append(left, fmt.Sprintf("process %d: %s", pid, words))
		}
	}
	sort.Strings(left)
	if len(left) > 0 {
		return left // goroutines may well wait for these
	}
	if err := goleak.Find(s.goroutines); err != nil {
		left = append(left, err.Error())
	}
	return left
}

// files lists what lies in a folder.
func files(dir string) (left []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	for _, e := range entries {
		left = append(left, "file: "+filepath.Join(dir, e.Name()))
	}
	return left
}
