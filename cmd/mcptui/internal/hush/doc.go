// Package hush keeps a terminal from showing what is typed. It reads nothing: who
// reads the terminal goes on as before, in lines.
package hush
