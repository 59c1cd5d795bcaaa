//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// unread reports whether a stream is a pipe or a socket that nobody reads any more.
func unread(f *os.File) bool {
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = raw.Control(func(fd uintptr) {
		// The end of the reader is told whatever is asked for, but some systems look
		// only where something is asked for.
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if n, err := unix.Poll(fds, 0); err == nil && n > 0 {
			gone = fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
		}
	})
	return err == nil && gone
}
