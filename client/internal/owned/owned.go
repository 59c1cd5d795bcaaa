// Package owned starts goroutines that have an owner: a panic in one of them is
// handed to it, and does not end the program with the terminal in disorder. No
// other code of the client or the UI may use a bare go statement; a test of this
// package holds that.
package owned

import "runtime/debug"

// Go runs f in a goroutine. A panic of f goes to crashed, with the stack of
// where it happened; crashed must not panic.
func Go(crashed func(cause any, stack []byte), f func()) {
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				crashed(cause, debug.Stack())
			}
		}()
		f()
	}()
}
