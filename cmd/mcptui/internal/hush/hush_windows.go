package hush

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// Typing keeps a console from showing what is typed, until restore is called.
func Typing(terminal *os.File) (restore func() error, err error) {
	console := windows.Handle(terminal.Fd())
	var before uint32
	if err := windows.GetConsoleMode(console, &before); err != nil {
		return nil, fmt.Errorf("read the console's mode: %w", err)
	}
	if err := windows.SetConsoleMode(console, before&^windows.ENABLE_ECHO_INPUT); err != nil {
		return nil, fmt.Errorf("set the console's mode: %w", err)
	}
	return func() error {
		if err := windows.SetConsoleMode(console, before); err != nil {
			return fmt.Errorf("set the console's mode back: %w", err)
		}
		return nil
	}, nil
}
