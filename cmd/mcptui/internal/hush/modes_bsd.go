//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package hush

import "golang.org/x/sys/unix"

const get, set = unix.TIOCGETA, unix.TIOCSETA
