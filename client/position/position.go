// Package position says where in a text something stands, in the terms in which
// editors count: lines and columns from 1, columns in characters. It words no
// faults and reads no files.
package position

import (
	"bytes"
	"unicode/utf8"
)

// Of returns line and column of what stands at a byte offset. An offset outside
// of the text counts as its nearest end. A byte that is not UTF-8 counts as one
// character, and a byte order mark at the beginning as none.
func Of(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	line = 1 + bytes.Count(before, []byte("\n"))
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if line == 1 {
		before = bytes.TrimPrefix(before, []byte("\ufeff"))
	}
	return line, 1 + utf8.RuneCount(before)
}

// End returns the offset behind the last character that is not space: where a
// person would go on writing.
func End(text []byte) int { return len(bytes.TrimRight(text, " \t\r\n")) }
