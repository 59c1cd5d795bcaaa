package rpc

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep JSON may nest; encoding/json, which others read the
// parts of a message with, sets the same limit.
const maxDepth = 10000

// valid reports what json.Valid reports, several times as fast: a debugger
// checks every byte that crosses the wire, and some messages are tens of
// megabytes. It does not recurse.
func valid(b []byte) bool {
	var stack nesting
	i := skipSpace(b, 0)
	for {
		// A value is due at i.
		if i >= len(b) {
			return false
		}
		opened := false
		switch c := b[i]; {
		case c == '"':
			i = validString(b, i)
		case c == '{' || c == '[':
			if !stack.push(c == '{') {
				return false
			}
			i = skipSpace(b, i+1)
			if i < len(b) && b[i] == c+2 { // the bracket that closes it
				stack.pop()
				i++
				break
			}
			if c == '{' {
				i = validKey(b, i)
			}
			opened = true
		case c == '-' || c >= '0' && c <= '9':
			i = validNumber(b, i)
		case c == 't':
			i = validWord(b, i, "true")
		case c == 'f':
			i = validWord(b, i, "false")
		case c == 'n':
			i = validWord(b, i, "null")
		default:
			return false
		}
		if i < 0 {
			return false
		}
		if opened {
			continue
		}
		// A value has ended: close what ends with it.
		for {
			i = skipSpace(b, i)
			if stack.depth == 0 {
				return i == len(b)
			}
			if i >= len(b) {
				return false
			}
			object := stack.object()
			if b[i] == ',' {
				i = skipSpace(b, i+1)
				if object {
					if i = validKey(b, i); i < 0 {
						return false
					}
				}
				break
			}
			if object && b[i] != '}' || !object && b[i] != ']' {
				return false
			}
			stack.pop()
			i++
		}
	}
}

// nesting remembers of every open bracket whether it is an object's.
type nesting struct {
	depth int
	words [maxDepth/64 + 1]uint64
}

func (n *nesting) push(object bool) bool {
	if n.depth == maxDepth {
		return false
	}
	n.depth++
	word, bit := n.depth/64, uint64(1)<<(n.depth%64)
	if object {
		n.words[word] |= bit
	} else {
		n.words[word] &^= bit
	}
	return true
}

func (n *nesting) pop() { n.depth-- }

func (n *nesting) object() bool { return n.words[n.depth/64]>>(n.depth%64)&1 == 1 }

// validKey checks a member's name with its colon, and returns where its value
// begins, or -1.
func validKey(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	if i = validString(b, i); i < 0 {
		return -1
	}
	if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
		return -1
	}
	return skipSpace(b, i+1)
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// validString returns the index behind the string that begins at i, or -1.
func validString(b []byte, i int) int {
	i++
	for {
		// Eight bytes at once, to the next quote, backslash or control character.
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote, slash := x^(lowBits*'"'), x^(lowBits*'\\')
			stop := ((x - lowBits*0x20) &^ x) | ((quote - lowBits) &^ quote) | ((slash - lowBits) &^ slash)
			if stop &= highBits; stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = validEscape(b, i); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default:
			i++
		}
	}
}

func validEscape(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if i+6 > len(b) {
			return -1
		}
		for _, c := range b[i+2 : i+6] {
			if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return -1
			}
		}
		return i + 6
	}
	return -1
}

func validNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	default:
		if i = validDigits(b, i); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i] == '.' {
		if i = validDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = validDigits(b, i)
	}
	return i
}

// validDigits returns the index behind at least one digit, or -1.
func validDigits(b []byte, i int) int {
	start := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func validWord(b []byte, i int, word string) int {
	if i+len(word) > len(b) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}
