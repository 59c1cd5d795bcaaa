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
		if s := state(stat); s == 'R' || s == 'D' {
			return true
		}
	}
	return false
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool { return state(fmt.Sprintf("/proc/%d/stat", pid)) == 'Z' }

// state reads the state of a process or a thread; 0 where it is not there any more.
func state(stat string) byte {
	raw, err := os.ReadFile(stat)
	if err != nil {
		return 0
	}
	// It stands behind the name, which is in parentheses and may hold some.
	if _, s, ok := bytes.Cut(raw[bytes.LastIndexByte(raw, ')')+1:], []byte(" ")); ok && len(s) > 0 {
		return s[0]
	}
	return 0
}
