//go:build linux || darwin

package ptytest

import (
	"bytes"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// frames keeps a frame back until all of it is there, as a terminal does that knows
// synchronized output: a pseudo-terminal hands on what a program writes in pieces,
// and half a screen is none that a person would see, or a test should.
type frames struct{ held []byte }

// whole takes what was read and returns what may be shown of all that was.
func (f *frames) whole(b []byte) []byte {
	f.held = append(f.held, b...)
	n := len(f.held) - cutOff(f.held, ansi.SetModeSynchronizedOutput)
	if i := bytes.LastIndex(f.held, []byte(ansi.SetModeSynchronizedOutput)); i >= 0 &&
		!bytes.Contains(f.held[i:], []byte(ansi.ResetModeSynchronizedOutput)) {
		n = i
	}
	out := slices.Clone(f.held[:n])
	f.held = append(f.held[:0], f.held[n:]...)
	return out
}

// rest returns what was kept back: nothing more comes.
func (f *frames) rest() []byte { return f.held }

// cutOff returns how many bytes at the end of b are the beginning of a sequence.
func cutOff(b []byte, sequence string) int {
	for n := min(len(b), len(sequence)-1); n > 0; n-- {
		if bytes.HasSuffix(b, []byte(sequence[:n])) {
			return n
		}
	}
	return 0
}
