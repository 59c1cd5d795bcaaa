package inspect

import (
	"fmt"
	"strings"

	"mcptui/ui/draw"
	"mcptui/ui/keys"
)

// tree is which branches of a document are closed, and where the person stands
// in it. A branch is a line and those below it that are indented deeper, with
// the line that closes its bracket. It costs nothing until a branch is looked
// for.
type tree struct {
	on     bool // a line is selected
	at     int  // that line, as an index into the source
	closed map[int]bool
	from   []int // for each row on the screen, its line in the source
}

func depth(l draw.Line) int {
	s := l.Plain()
	return len(s) - len(strings.TrimLeft(s, " "))
}

// end returns the line behind the branch that begins at a line; ok is false
// where none does.
func end(source []draw.Line, i int) (after int, ok bool) {
	s := source[i].Plain()
	if !strings.HasSuffix(s, "{") && !strings.HasSuffix(s, "[") {
		return i + 1, false
	}
	d := depth(source[i])
	for j := i + 1; j < len(source); j++ {
		if depth(source[j]) <= d {
			if j == i+1 {
				return i + 1, false // deeper than lines are indented
			}
			return j + 1, true
		}
	}
	return len(source), len(source) > i+1 // cut short
}

// line returns a line as it is shown, and the next one that is.
func (t *tree) line(source []draw.Line, i int) (draw.Line, int) {
	if !t.closed[i] {
		return source[i], i + 1
	}
	after, ok := end(source, i)
	if !ok {
		return source[i], i + 1
	}
	line := append(draw.Line{}, source[i]...)
	style := line[len(line)-1].Style
	return line.With(style, " … "+strings.TrimSpace(source[after-1].Plain())).With(style, fmt.Sprintf("  (%d lines)", after-i-2)), after
}

// branch opens and closes branches, and moves between lines once one is
// selected. It says whether the intent meant something here.
func (d *Doc) branch(i keys.Intent) bool {
	t := &d.tree
	if len(t.from) == 0 {
		return false
	}
	switch {
	case i == keys.Left || i == keys.Right:
		if !t.on {
			return d.selectBranch()
		}
	case !t.on || i != keys.Up && i != keys.Down:
		if i == keys.First || i == keys.Last || i == keys.PageUp || i == keys.PageDown {
			t.on = false // scrolled away
		}
		return false
	}
	_, opens := end(d.source, t.at)
	switch {
	case i == keys.Up:
		d.step(-1)
	case i == keys.Down || i == keys.Right && opens && !t.closed[t.at]:
		d.step(1)
	case i == keys.Right && opens:
		delete(t.closed, t.at)
		d.again()
	case i == keys.Left && opens && !t.closed[t.at]:
		if t.closed == nil {
			t.closed = map[int]bool{}
		}
		t.closed[t.at] = true
		d.again()
	case i == keys.Left:
		for up := t.at - 1; up >= 0; up-- {
			if depth(d.source[up]) < depth(d.source[t.at]) {
				t.at = up
				break
			}
		}
	}
	d.reveal(d.rowOf(t.at))
	return true
}

// selectBranch selects the first branch in sight.
func (d *Doc) selectBranch() bool {
	for row := max(0, d.top); row < min(len(d.tree.from), d.top+max(1, d.area.Dy())); row++ {
		if _, ok := end(d.source, d.tree.from[row]); ok {
			d.tree.on, d.tree.at = true, d.tree.from[row]
			return true
		}
	}
	return false
}

// step selects the line above or below that is shown.
func (d *Doc) step(n int) {
	for row := d.rowOf(d.tree.at); row >= 0 && row < len(d.tree.from); row += n {
		if d.tree.from[row] != d.tree.at {
			d.tree.at = d.tree.from[row]
			return
		}
	}
}

// again lays the rows out anew.
func (d *Doc) again() {
	width := d.width
	d.rows, d.width = nil, 0
	d.layOut(d.counts, width)
}

// rowOf is the first row of a line, or of the branch that hides it.
func (d *Doc) rowOf(line int) int {
	lo, hi := 0, len(d.tree.from)
	for lo < hi {
		if mid := (lo + hi) / 2; d.tree.from[mid] < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(d.tree.from) || d.tree.from[lo] > line {
		lo--
	}
	return max(0, lo)
}

// reveal scrolls no further than a row needs.
func (d *Doc) reveal(row int) {
	h := max(1, d.area.Dy())
	d.top = max(min(d.top, row), row-h+1)
}

// seek goes to the next row that holds what is searched for, from a row on; where
// branches are closed, to the next line, and opens those that hide it. It says
// whether there is one.
func (d *Doc) seek(row, step int) bool {
	if len(d.tree.closed) == 0 {
		for ; row >= 0 && row < len(d.rows); row += step {
			if d.hit(d.rows[row].Plain()) {
				d.top = row
				return true
			}
		}
		return false
	}
	if row < 0 || row >= len(d.tree.from) {
		return false
	}
	line := d.tree.from[row]
	if step > 0 && row > 0 { // what a closed branch above hides comes next
		line = min(line, d.tree.from[row-1]+1)
	}
	for ; line >= 0 && line < len(d.source); line += step {
		if !d.hit(d.source[line].Plain()) {
			continue
		}
		for i := range d.tree.closed {
			if after, _ := end(d.source, i); i < line && line < after {
				delete(d.tree.closed, i)
			}
		}
		d.again()
		d.top = d.rowOf(line)
		return true
	}
	return false
}
