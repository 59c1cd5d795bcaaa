//go:build unix

package main

import "golang.org/x/sys/unix"

// suspends reports whether a shell with job control started the program. The group of
// a session's leader is not stopped by SIGTSTP, and nobody could continue it.
func suspends() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}
