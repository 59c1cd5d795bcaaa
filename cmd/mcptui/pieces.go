package main

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"iter"

	"mcptui/client/rpc"
)

// pieceSize is about how much of a large text is decoded at a time, in bytes.
const pieceSize = 64 << 10

// pieces decodes a JSON string a piece at a time, so that a large one is never
// there twice. What is no string has no pieces.
func pieces(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(raw) < 2 || raw[0] != '"' {
			return
		}
		rest := raw[1 : len(raw)-1]
		for len(rest) > 0 {
			n := cut(rest)
			piece := rest[:n]
			rest = rest[n:]
			if bytes.IndexByte(piece, '\\') >= 0 {
				quoted := make([]byte, 0, n+2)
				quoted = append(append(append(quoted, '"'), piece...), '"')
				s, ok := rpc.String(quoted)
				if !ok {
					return // it was no JSON string
				}
				piece = []byte(s)
			}
			if !yield(piece) {
				return
			}
		}
	}
}

// cut is where the first piece of a text ends: within no escape, and between no
// halves of a character.
func cut(text []byte) int {
	if len(text) <= pieceSize+12 {
		return len(text)
	}
	at := pieceSize
	for at > 0 && text[at]&0xc0 == 0x80 { // not within a character
		at--
	}
	// An escape has up to six bytes, two of them are one character at most; the
	// backslash that begins it is not itself escaped.
	for i := max(0, at-12); i < at; i++ {
		if text[i] != '\\' || escapedAt(text, i) {
			continue
		}
		end := i + 2
		if text[i+1] == 'u' {
			end = i + 6
			first := text[i+2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), text[i+3]) >= 0
			if first && bytes.HasPrefix(text[end:], []byte(`\u`)) {
				end += 6 // the other half
			}
		}
		if end > at {
			return end
		}
		i = end - 1
	}
	return at
}

// escapedAt reports whether a byte is escaped: an odd number of backslashes
// stands before it.
func escapedAt(text []byte, i int) bool {
	n := 0
	for i--; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// squeezed takes the space out of JSON, and keeps a sum of what is left.
type squeezed struct {
	hash     hash.Hash
	inside   bool // a string
	escaping bool
}

func spaceless() *squeezed { return &squeezed{hash: sha256.New()} }

func (s *squeezed) Write(b []byte) {
	start := 0
	for i, c := range b {
		switch {
		case s.escaping:
			s.escaping = false
		case s.inside && c == '\\':
			s.escaping = true
		case c == '"':
			s.inside = !s.inside
		case !s.inside && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			s.hash.Write(b[start:i])
			start = i + 1
		}
	}
	s.hash.Write(b[start:])
}

func (s *squeezed) sum() [sha256.Size]byte { return [sha256.Size]byte(s.hash.Sum(nil)) }
