// Command startup measures how long mcptui takes from the start of its process
// to the first frame that lists the tools, through a pseudo-terminal, on a
// terminal that answers queries and on one that stays silent.
//
//	go build -o /tmp/mcptui ./cmd/mcptui && go run ./testdata/startup /tmp/mcptui
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	runs   = 9
	needle = "book_table"
	limit  = 150 * time.Millisecond
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: startup BINARY [ARG...]")
		os.Exit(2)
	}
	if info, err := os.Stat(os.Args[1]); err == nil {
		fmt.Printf("binary: %.1f MB\n", float64(info.Size())/1e6)
	}
	late := false
	for _, answering := range []bool{true, false} {
		var took []time.Duration
		for range runs {
			d, err := measure(answering)
			if err != nil {
				fmt.Fprintln(os.Stderr, "startup:", err)
				os.Exit(1)
			}
			took = append(took, d)
		}
		slices.Sort(took)
		median := took[runs/2]
		late = late || median > limit
		fmt.Printf("terminal answers queries: %-5v  min %v  median %v  max %v  (limit %v)\n", answering,
			took[0].Round(time.Millisecond), median.Round(time.Millisecond), took[runs-1].Round(time.Millisecond), limit)
	}
	if late {
		os.Exit(1)
	}
}

// measure runs the program once.
func measure(answering bool) (time.Duration, error) {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	begun := time.Now()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		return 0, fmt.Errorf("start: %w", err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = tty.Close()
		_ = cmd.Wait()
	}()
	screen := vt.NewEmulator(120, 36)
	if answering {
		go func() { _, _ = io.Copy(tty, screen) }() // ends when the terminal closes
	} else {
		go func() { _, _ = io.Copy(io.Discard, screen) }()
	}
	var seen bytes.Buffer
	buf := make([]byte, 64<<10)
	for {
		_ = tty.SetReadDeadline(time.Now().Add(10 * time.Second))
		n, err := tty.Read(buf)
		if err != nil {
			return 0, fmt.Errorf("%q never came: %w\n%s", needle, err, seen.String())
		}
		_, _ = screen.Write(buf[:n])
		text := screen.String()
		seen.Write(buf[:n])
		if bytes.Contains([]byte(text), []byte(needle)) {
			return time.Since(begun), nil
		}
	}
}
