package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width says how the terminal counts columns. The zero value is [Wc], which
// holds until the terminal reports that it clusters graphemes (mode 2027).
type Width uint8

// The two ways of counting that terminals have.
const (
	Wc       Width = iota // the sum over code points, as wcwidth has it
	Grapheme              // one width for each grapheme cluster (mode 2027)
)

// Method returns the counting method as the libraries below know it.
func (w Width) Method() ansi.Method {
	if w == Grapheme {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// Next returns the first grapheme of s and its width in columns; s must not be
// empty.
func (w Width) Next(s string) (grapheme string, columns int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		if s[0] < 0x20 || s[0] == 0x7f {
			return s[:1], 0
		}
		return s[:1], 1
	}
	g, n := ansi.FirstGraphemeCluster(s, w.Method())
	if g == "" {
		return s[:1], 0
	}
	return g, n
}

// Of returns how many columns the clean text s takes.
func (w Width) Of(s string) int {
	n := 0
	for len(s) > 0 {
		g, c := w.Next(s)
		n += c
		s = s[len(g):]
	}
	return n
}

// Cut splits the clean text s so that head takes at most columns; it reads no
// further than that.
func (w Width) Cut(s string, columns int) (head, tail string) {
	i, n := 0, 0
	for i < len(s) {
		g, c := w.Next(s[i:])
		if n+c > columns {
			break
		}
		n += c
		i += len(g)
	}
	return s[:i], s[i:]
}

// Truncate returns s where it fits into columns, else its start and an
// ellipsis.
func (w Width) Truncate(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	head, tail := w.Cut(s, columns)
	if tail == "" {
		return s
	}
	head, _ = w.Cut(head, columns-1)
	return head + "…"
}

// TruncateLeft is [Width.Truncate] that keeps the end of s.
func (w Width) TruncateLeft(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	n := w.Of(s)
	if n <= columns {
		return s
	}
	drop := n - columns + 1
	for s != "" && drop > 0 {
		g, c := w.Next(s)
		drop -= c
		s = s[len(g):]
	}
	return "…" + s
}

// Pad returns s truncated or filled with spaces to exactly columns.
func (w Width) Pad(s string, columns int) string {
	s = w.Truncate(s, columns)
	return s + strings.Repeat(" ", max(0, columns-w.Of(s)))
}

// Wrap breaks the clean text s into rows of at most columns, between words
// where it can. It stops after maxRows rows (0: no limit) and then says more;
// its cost is bounded by the rows that it returns.
func (w Width) Wrap(s string, columns, maxRows int) (rows []string, more bool) {
	columns = max(columns, 1)
	for {
		line, rest, found := strings.Cut(s, "\n")
		for {
			if maxRows > 0 && len(rows) == maxRows {
				return rows, true
			}
			row, tail := w.wrapRow(line, columns)
			rows = append(rows, row)
			if tail == "" {
				break
			}
			line = tail
		}
		if !found {
			return rows, false
		}
		s = rest
	}
}

// wrapRow takes one row off the front of line. A row that is broken at a
// blank loses that blank; a word wider than the row is broken inside.
func (w Width) wrapRow(line string, columns int) (row, tail string) {
	head, tail := w.Cut(line, columns)
	if tail == "" {
		return head, ""
	}
	if head == "" { // one grapheme wider than the row: it is cut when drawn
		g, _ := w.Next(line)
		return g, line[len(g):]
	}
	if tail[0] == ' ' {
		return head, strings.TrimLeft(tail, " ")
	}
	if i := strings.LastIndexByte(head, ' '); i > 0 && strings.TrimLeft(head[:i], " ") != "" {
		return head[:i], line[i+1:]
	}
	return head, tail
}
