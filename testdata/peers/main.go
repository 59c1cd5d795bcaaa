// Command peers times programs side by side: each task is done by every program
// in turn, several times over, so that what else the machine does hits all of
// them alike. It prints medians and the ratio to the first program of the task.
//
// It reads one program a line from standard input: the task, the program's name
// and its command, separated by tabs. A command that begins with "eof " is a
// server of which only the time from the end of its input to its exit counts; one
// that has not ended after two seconds is ended.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

type program struct {
	name, command string
	wall, last    []time.Duration
	cpu           []time.Duration
	rss           []int64 // KiB, of the biggest process
	failed        string
}

type task struct {
	name     string
	programs []*program
}

func main() {
	n := flag.Int("n", 9, "how often each program does each task")
	flag.Parse()
	tasks, err := read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(2)
	}
	for _, t := range tasks {
		for i := range *n + 1 { // the first run warms the machine's caches and does not count
			for _, p := range t.programs {
				if p.failed == "" {
					p.run(i > 0)
				}
			}
		}
		t.print(*n)
	}
}

func read(r io.Reader) ([]*task, error) {
	var tasks []*task
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		parts := strings.SplitN(lines.Text(), "\t", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("%q is not task, program and command", lines.Text())
		}
		i := slices.IndexFunc(tasks, func(t *task) bool { return t.name == parts[0] })
		if i < 0 {
			i = len(tasks)
			tasks = append(tasks, &task{name: parts[0]})
		}
		tasks[i].programs = append(tasks[i].programs, &program{name: parts[1], command: parts[2]})
	}
	return tasks, lines.Err()
}

// run does the task once. Processes that the program leaves behind are ended,
// and do not count.
func (p *program) run(counts bool) {
	command, server := strings.CutPrefix(p.command, "eof ")
	cmd := exec.Command("sh", "-c", "exec "+command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.failed = err.Error()
		return
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		p.failed = err.Error()
		return
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		p.failed = err.Error()
		return
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer stuck.Stop()
	var said int
	last := begun
	b := make([]byte, 1<<16)
	if server {
		said = converse(in, out)
		begun = time.Now()
		last = begun
		// One that does not end by itself is ended, as its clients have to.
		defer time.AfterFunc(patience, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }).Stop()
	}
	_ = in.Close()
	for {
		n, err := out.Read(b)
		if said += n; n > 0 {
			last = time.Now()
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	if server && err != nil && time.Since(begun) >= patience {
		err = nil // it was told to
	}
	wall := time.Since(begun)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of it
	switch {
	case err != nil:
		tail := strings.TrimSpace(errs.String())
		p.failed = fmt.Sprintf("%v: %s", err, tail[max(0, len(tail)-200):])
	case said == 0:
		p.failed = "it printed nothing"
	case counts:
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		p.wall, p.last = append(p.wall, wall), append(p.last, last.Sub(begun))
		p.cpu = append(p.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		p.rss = append(p.rss, usage.Maxrss)
	}
}

// patience is how long a server is given to end at the end of its input.
const patience = 2 * time.Second

// converse talks to a server as a client with every capability does, up to its
// list of tools: some servers behave otherwise after that. It returns how much
// was said.
func converse(in io.Writer, out io.Reader) int {
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{},"sampling":{},"elicitation":{}},"clientInfo":{"name":"peers","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			return 0
		}
	}
	said := 0
	b := make([]byte, 1<<16)
	var all []byte
	for !bytes.Contains(all, []byte(`"id":2`)) {
		n, err := out.Read(b)
		said, all = said+n, append(all, b[:n]...)
		if err != nil {
			break
		}
	}
	return said
}

func median[T time.Duration | int64](of []T) T {
	s := slices.Clone(of)
	slices.Sort(s)
	return s[len(s)/2]
}

func (t *task) print(n int) {
	fmt.Printf("\n%s (median of %d, interleaved; peak is that of the biggest process, servers that were waited for included)\n", t.name, n)
	fmt.Printf("  %-22s %10s %10s %10s %10s %9s\n", "program", "last byte", "whole run", "CPU", "peak", "ratio")
	var first time.Duration
	for _, p := range t.programs {
		if p.failed != "" || len(p.wall) == 0 {
			fmt.Printf("  %-22s failed: %s\n", p.name, p.failed)
			continue
		}
		wall := median(p.wall)
		if first == 0 {
			first = wall
		}
		fmt.Printf("  %-22s %10s %10s %10s %7.1f MB %8.2fx\n", p.name, median(p.last).Round(time.Millisecond), wall.Round(time.Millisecond),
			median(p.cpu).Round(time.Millisecond), float64(median(p.rss))/1024, float64(wall)/float64(first))
	}
}
