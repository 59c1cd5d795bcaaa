package leaktest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hasProc tells whether the system shows its processes as files.
var hasProc = func() bool { _, err := os.Stat("/proc/self/fd"); return err == nil }()

// descriptors lists what this process holds open that somebody must close:
// sockets, pipes, handles of processes, and files that have no name any more.
func descriptors() (open []string) {
	names, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		return nil
	}
	for _, name := range names {
		target, err := os.Readlink(name)
		if err != nil {
			continue // the one that the listing itself used
		}
		for _, kind := range []string{"socket:", "pipe:", "anon_inode:[pidfd]"} {
			if strings.HasPrefix(target, kind) || strings.HasSuffix(target, " (deleted)") {
				open = append(open, target)
				break
			}
		}
	}
	return open
}

// processes lists the children of this process, and what carries its mark.
func processes() map[int]string {
	found := map[int]string{}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	self := os.Getpid()
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == self {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ")) // not ours to read, or gone: not ours
		if parent(dir) != self && !bytes.Contains(env, fmt.Appendf(nil, "%s=%d\x00", mark, self)) {
			continue
		}
		words, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil {
			continue // gone meanwhile
		}
		found[pid] = string(bytes.ReplaceAll(words, []byte{0}, []byte{' '}))
	}
	return found
}

// parent reads who started a process, 0 where that cannot be told.
func parent(dir string) int {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0
	}
	// "pid (name) state parent …", and the name may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	pid, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pid
}
