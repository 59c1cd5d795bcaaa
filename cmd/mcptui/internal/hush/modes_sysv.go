//go:build unix && !(darwin || dragonfly || freebsd || netbsd || openbsd)

package hush

import "golang.org/x/sys/unix"

const get, set = unix.TCGETS, unix.TCSETS
