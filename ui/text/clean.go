// Package text is the one place where text of a server or a file becomes text
// of the screen. Whatever is drawn and was not written in our own source has
// been through [Clean] or [CleanLine]; colour is added after that.
//
// Nothing is dropped. A character that a terminal would obey, or that a person
// could not see, is shown as an escape:
//
//	C0 and DEL               their control picture: ESC is ␛, CR is ␍
//	C1, bidi, zero-width,    \u009b, \u202e, \U000e0041
//	tags, private, unassigned
//	a byte that is no UTF-8  \xff
//	marks without end        the first eight, then <+192 marks>
//
// A text that holds such a picture or escape in plain letters looks the same:
// the bytes themselves are in the raw view, which is not this package's work.
//
// The package also measures, cuts and wraps by display width ([Width]), pages
// through documents too large to lay out ([Pager]), and words durations, sizes
// and counts. It knows nothing of colours, rectangles or keys.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	maxMarks   = 8  // combining marks that one character may carry
	maxCluster = 24 // code points in one grapheme, joined emoji included
	tabStop    = 4

	zwj  = '\u200d'
	vs15 = '\ufe0e'
	vs16 = '\ufe0f'
)

// Clean makes s safe to draw over several lines: newlines stay, tabs become
// spaces up to the next stop of four, everything else is as the package
// comment says. Text that needs no change is returned as it is.
func Clean(s string) string { return clean(s, true) }

// CleanLine is [Clean] for a text that gets one line: newlines and tabs are
// shown as ␊ and ␉.
func CleanLine(s string) string { return clean(s, false) }

func clean(s string, multi bool) string {
	i := plain(s, multi)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	line := strings.LastIndexByte(s[:i], '\n') + 1
	col := i - line // counted in graphemes: near enough for tab stops
	for i < len(s) {
		c := s[i]
		switch {
		case c == '\n' && multi:
			b.WriteByte('\n')
			col, i = 0, i+1
			continue
		case c == '\t' && multi:
			n := tabStop - col%tabStop
			b.WriteString("    "[:n])
			col, i = col+n, i+1
			continue
		case c < 0x20:
			b.WriteRune(0x2400 + rune(c))
			i++
		case c == 0x7f:
			b.WriteRune(0x2421)
			i++
		case c < 0x7f && (i+1 == len(s) || s[i+1] < 0x80):
			b.WriteByte(c) // nothing can join it
			i++
		default:
			i += writeCluster(&b, s[i:])
		}
		col++
	}
	return b.String()
}

// plain returns the index of the first byte that needs a closer look. The
// byte before one above ASCII is held back, since a mark may belong to it.
func plain(s string, multi bool) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80:
			return max(i-1, 0)
		case c == 0x7f, c < 0x20 && (c != '\n' || !multi):
			return i
		}
	}
	return len(s)
}

// writeCluster writes the grapheme at the start of s and returns its length
// in bytes.
func writeCluster(b *strings.Builder, s string) int {
	if r, n := utf8.DecodeRuneInString(s); r == utf8.RuneError && n <= 1 {
		fmt.Fprintf(b, `\x%02x`, s[0])
		return 1
	}
	c := cluster(s)
	var (
		prev         rune
		count, marks int
		broken       bool // an escape was written: later marks would sit on it
	)
	for i, r := range c {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(c[i:]); n == 1 {
				return i // a bad byte is the next call's
			}
		}
		count++
		if count > maxCluster {
			fmt.Fprintf(b, "<+%d code points>", utf8.RuneCountInString(c[i:]))
			return len(c)
		}
		next, _ := utf8.DecodeRuneInString(c[i+size:])
		if i+size == len(c) {
			next = -1
		}
		switch {
		case isMark(r):
			marks++
			if marks > maxMarks {
				n := 0
				for _, m := range c[i:] {
					if !isMark(m) {
						break
					}
					n++
				}
				if n == utf8.RuneCountInString(c[i:]) {
					fmt.Fprintf(b, "<+%d marks>", n)
					return len(c)
				}
				escape(b, r)
				broken = true
			} else if i == 0 || broken || hidden(r) {
				escape(b, r)
				broken = true
			} else {
				b.WriteRune(r)
			}
		case r == zwj && i > 0 && !broken && next > 0 && !isMark(next) && !hidden(next):
			b.WriteRune(r) // it joins two that are shown
			marks = 0
		case (r == vs15 || r == vs16) && i > 0 && !broken && takesVariation(prev, next):
			b.WriteRune(r)
		case hidden(r):
			escape(b, r)
			broken = true
		case i == 0 && ansi.WcWidth.StringWidth(string(r)) == 0:
			escape(b, r) // it would land on whatever stands before
			broken = true
		case broken && i > 0 && ansi.WcWidth.StringWidth(string(r)) == 0:
			escape(b, r)
		default:
			b.WriteRune(r)
			broken, marks = false, 0
		}
		prev = r
	}
	return len(c)
}

// cluster returns the grapheme at the start of s, which is not empty.
func cluster(s string) string {
	c, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if c == "" { // never seen; a zero step would loop for ever
		_, n := utf8.DecodeRuneInString(s)
		return s[:n]
	}
	return c
}

func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) && !isVariation(r) }

func isVariation(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// takesVariation says whether a text or emoji selector after prev changes how
// prev is drawn: after symbols, and in the keycaps of digits.
func takesVariation(prev, next rune) bool {
	if prev < 0x80 {
		return next == 0x20e3
	}
	return unicode.In(prev, unicode.So, unicode.Sm, unicode.Po, unicode.Sk)
}

// hidden says whether r has no picture of its own: control and format
// characters, line and paragraph separators, private and unassigned code
// points, and letters and marks that are blank by definition.
func hidden(r rune) bool {
	switch {
	case r < 0x80:
		return r < 0x20 || r == 0x7f
	case !unicode.IsGraphic(r), isVariation(r):
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5,
		r >= 0x180b && r <= 0x180f, r == 0x3164, r == 0xffa0, r == 0x16fe4:
		return true
	}
	return false
}

func escape(b *strings.Builder, r rune) {
	switch {
	case r < 0x20:
		b.WriteRune(0x2400 + r)
	case r == 0x7f:
		b.WriteRune(0x2421)
	case r > 0xffff:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}
