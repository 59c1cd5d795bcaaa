//go:build !unix

package main

// suspends reports whether a shell with job control started the program: there is
// none here.
func suspends() bool { return false }
