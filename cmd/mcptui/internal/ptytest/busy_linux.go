package ptytest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// waiting is the number of bytes that were written at the other end of a terminal and
// have not been read at this one.
func waiting(end int) int {
	n, _ := unix.IoctlGetInt(end, unix.TIOCINQ) // 0 where it cannot be told
	return n
}

// running reports whether a thread of a process runs, or waits for a processor or a
// disk.
func running(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is well-formed
	for _, stat := range threads {
		raw, err := os.ReadFile(stat)
		if err != nil {
			continue // the thread has ended
		}
		// The state stands behind the name, which is in parentheses and may hold some.
		if _, state, ok := bytes.Cut(raw[bytes.LastIndexByte(raw, ')')+1:], []byte(" ")); ok && (state[0] == 'R' || state[0] == 'D') {
			return true
		}
	}
	return false
}
