//go:build unix

package hush

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Typing keeps a terminal from showing what is typed, until restore is called. Lines
// and signals from keys stay as they are.
func Typing(terminal *os.File) (restore func() error, err error) {
	fd := int(terminal.Fd())
	before, err := unix.IoctlGetTermios(fd, get)
	if err != nil {
		return nil, fmt.Errorf("read the terminal's modes: %w", err)
	}
	hidden := *before
	hidden.Lflag &^= unix.ECHO | unix.ECHONL
	if err := unix.IoctlSetTermios(fd, set, &hidden); err != nil {
		return nil, fmt.Errorf("set the terminal's modes: %w", err)
	}
	return func() error {
		if err := unix.IoctlSetTermios(fd, set, before); err != nil {
			return fmt.Errorf("set the terminal's modes back: %w", err)
		}
		return nil
	}, nil
}
