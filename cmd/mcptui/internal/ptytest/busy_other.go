//go:build darwin

package ptytest

func waiting(int) int  { return 0 }
func running(int) bool { return false }
func zombie(int) bool  { return false }
