package text

import (
	"bytes"
	"unicode/utf8"
)

// Pager shows a document of any size through a window. A position is a byte
// offset into the raw document, never a row number, so that a step costs what
// is on the screen and not what lies above: a line of 60 MB is as cheap as
// one of 60 bytes. Rows are broken at the width, not between words.
type Pager struct {
	raw   []byte
	width Width
}

// Row is one row of the screen: the bytes From to To of the document, and how
// they look, cleaned.
type Row struct {
	From, To int
	Text     string
}

// A row that starts far inside a long line can only be found again from a
// place where rows begin. Lines longer than this are cut at its multiples, so
// going up reads no more than one such stretch.
const stretch = 4096

// NewPager returns a pager over raw, which it keeps and never changes.
func NewPager(raw []byte, width Width) *Pager { return &Pager{raw: raw, width: width} }

// Len returns the length of the document in bytes.
func (p *Pager) Len() int { return len(p.raw) }

// Rows returns up to n rows of at most columns, starting at offset from, which
// is 0 or was returned by this pager for the same width.
func (p *Pager) Rows(from, columns, n int) []Row {
	rows := make([]Row, 0, n)
	for len(rows) < n && (from < len(p.raw) || from == 0 && len(rows) == 0) {
		r := p.row(from, columns)
		rows = append(rows, r)
		if r.To == from { // an empty document
			break
		}
		from = r.To
	}
	return rows
}

// Down returns the offset n rows below from, at most that of the last row.
func (p *Pager) Down(from, columns, n int) int {
	for range n {
		to := p.row(from, columns).To
		if to >= len(p.raw) {
			return from
		}
		from = to
	}
	return from
}

// Up returns the offset n rows above from.
func (p *Pager) Up(from, columns, n int) int {
	var starts []int // row starts between an anchor and from
	for range n {
		if from <= 0 {
			return 0
		}
		if len(starts) == 0 {
			for at := p.anchor(from - 1); at < from; {
				starts = append(starts, at)
				at = p.row(at, columns).To
			}
		}
		from = starts[len(starts)-1]
		starts = starts[:len(starts)-1]
	}
	return from
}

// At returns the start of the row that shows the byte at offset.
func (p *Pager) At(offset, columns int) int {
	offset = max(0, min(offset, len(p.raw)-1))
	at := p.anchor(offset)
	for {
		to := p.row(at, columns).To
		if to > offset || to >= len(p.raw) || to == at {
			return at
		}
		at = to
	}
}

// End returns the offset from which the last n rows are shown.
func (p *Pager) End(columns, n int) int {
	return p.Up(p.At(len(p.raw), columns), columns, n-1)
}

// Find returns the offset of the first sub at or after from, or -1.
func (p *Pager) Find(sub []byte, from int) int {
	from = max(0, min(from, len(p.raw)))
	if i := bytes.Index(p.raw[from:], sub); i >= 0 {
		return from + i
	}
	return -1
}

// anchor returns the nearest place at or before offset where a row surely
// starts: the start of the line, or the start of the stretch in a long one.
func (p *Pager) anchor(offset int) int {
	lo := max(0, offset-2*stretch)
	if i := bytes.LastIndexByte(p.raw[lo:offset], '\n'); i >= 0 {
		line := lo + i + 1
		return max(line, p.cutAt(offset))
	}
	return max(p.cutAt(offset), 0)
}

// cutAt returns the last multiple of stretch at or before offset, moved back
// to the start of a character.
func (p *Pager) cutAt(offset int) int {
	cut := offset / stretch * stretch
	for c := p.rune(cut); ; c = p.rune(cut) {
		if c <= offset {
			return c
		}
		cut -= stretch
	}
}

// rune returns the start of the character that covers offset.
func (p *Pager) rune(offset int) int {
	for i := range utf8.UTFMax {
		at := offset - i
		if at < 0 {
			break
		}
		if at < len(p.raw) && utf8.RuneStart(p.raw[at]) {
			if _, n := utf8.DecodeRune(p.raw[at:]); at+n > offset {
				return at
			}
			break
		}
	}
	return offset
}

// row lays out the one row that starts at from.
func (p *Pager) row(from, columns int) Row {
	columns = max(columns, 1)
	limit := len(p.raw)
	if next := p.rune((from/stretch + 1) * stretch); next > from && next < limit {
		limit = next
	}
	// A character takes a column or more, but for marks, which Clean bounds;
	// the stretch bounds what is read in any case.
	window := p.raw[from:limit]
	eol := bytes.IndexByte(window, '\n')
	if eol >= 0 {
		window = window[:eol]
	}
	var (
		shown []byte
		used  int
		i     int
	)
	for i < len(window) {
		g := step(window[i:])
		c := cleanStep(g, used)
		w := p.width.Of(c)
		if used > 0 && used+w > columns {
			return Row{From: from, To: from + i, Text: string(shown)}
		}
		shown = append(shown, c...)
		used += w
		i += len(g)
	}
	to := from + i
	if eol >= 0 && i == eol {
		to++ // the newline belongs to the row that it ends
	}
	return Row{From: from, To: to, Text: string(shown)}
}

func step(b []byte) string {
	if len(b) == 1 || b[0] < 0x80 && b[1] < 0x80 {
		return string(b[:1])
	}
	if r, n := utf8.DecodeRune(b); r == utf8.RuneError && n <= 1 {
		return string(b[:1])
	}
	return cluster(string(b[:min(len(b), 512)]))
}

// cleanStep cleans one grapheme; a tab goes to its stop.
func cleanStep(g string, column int) string {
	if g == "\t" {
		return "    "[:tabStop-column%tabStop]
	}
	return CleanLine(g)
}
