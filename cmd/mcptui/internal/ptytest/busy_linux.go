package ptytest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// waiting is the number of bytes that have been typed into a terminal and not
// been read.
func waiting(tty int) int {
	n, _ := unix.IoctlGetInt(tty, unix.TIOCINQ) // 0 where it cannot be told
	return n
}

// running reports whether a thread of a process runs, or waits for a processor.
func running(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is well-formed
	for _, stat := range threads {
		raw, err := os.ReadFile(stat)
		if err != nil {
			continue // the thread has ended
		}
		// The state stands behind the name, which is in parentheses and may hold some.
		if _, state, ok := bytes.Cut(raw[bytes.LastIndexByte(raw, ')')+1:], []byte(" ")); ok && state[0] == 'R' {
			return true
		}
	}
	return false
}
