package draw

// List is a scrolled list with a selected row. It renders only the rows that
// are visible, and each of them once for a key and a width, so that its cost
// does not depend on how long it is.
//
// The zero value is ready. The fields may be changed at any time; Draw puts
// them right.
type List struct {
	Cursor int  // the selected row
	Top    int  // the first visible row
	Follow bool // the selection stays on the last row

	n     int  // rows at the last Draw
	area  Rect // where it was drawn, for clicks
	width int
	cache map[any]Line
	old   map[any]Line // last generation: dropped when the cache is full
}

const cacheRows = 512

// Source is what a list shows.
type Source struct {
	Len int
	// Key names the content of row i: it changes when the row's text does.
	// Nil means that rows are rendered each time.
	Key func(i int) any
	// Row renders row i for a width in columns.
	Row func(i, width int) Line
}

// Draw draws the rows that fit. The selected row begins with > and is drawn
// in reverse where focus is true.
func (l *List) Draw(s *Screen, area Rect, src Source, focus bool) {
	l.fit(src.Len, area)
	width := area.Dx() - 2
	if width != l.width {
		l.width, l.cache, l.old = width, nil, nil
	}
	for y := range area.Dy() {
		i := l.Top + y
		if i >= src.Len {
			break
		}
		row := Row(area, y)
		line := l.line(src, i, width)
		if i == l.Cursor {
			st := s.Theme.Marked
			if focus {
				st = s.Theme.Selected
			}
			s.Fill(row, st)
			marked := make(Line, 0, len(line)+1)
			marked = append(marked, Run{Text: "> ", Style: st})
			for _, r := range line {
				r.Style.Attrs |= st.Attrs
				marked = append(marked, r)
			}
			s.Line(row, marked)
			continue
		}
		row.Min.X += 2
		s.Line(row, line)
	}
}

func (l *List) line(src Source, i, width int) Line {
	if src.Key == nil {
		return src.Row(i, width)
	}
	key := src.Key(i)
	if line, ok := l.cache[key]; ok {
		return line
	}
	line, ok := l.old[key]
	if !ok {
		line = src.Row(i, width)
	}
	if l.cache == nil || len(l.cache) >= cacheRows {
		l.old, l.cache = l.cache, make(map[any]Line, cacheRows)
	}
	l.cache[key] = line
	return line
}

func (l *List) fit(n int, area Rect) {
	l.n, l.area = n, area
	h := area.Dy()
	if l.Follow {
		l.Cursor = n - 1
	}
	l.Cursor = max(0, min(l.Cursor, n-1))
	if l.Cursor < l.Top {
		l.Top = l.Cursor
	}
	if h > 0 && l.Cursor >= l.Top+h {
		l.Top = l.Cursor - h + 1
	}
	l.Top = max(0, min(l.Top, n-h))
}

// Above and Below return how many rows are out of sight.
func (l *List) Above() int { return l.Top }

// Below returns how many rows are out of sight below.
func (l *List) Below() int { return max(0, l.n-l.Top-l.area.Dy()) }

// Move moves the selection by n rows; moving off the end stops following.
func (l *List) Move(n int) {
	l.Cursor = max(0, min(l.Cursor+n, l.n-1))
	l.Follow = false
}

// Page moves the selection by n pages.
func (l *List) Page(n int) { l.Move(n * max(1, l.area.Dy()-1)) }

// Wheel scrolls by n rows; the selection stays in view.
func (l *List) Wheel(n int) {
	h := l.area.Dy()
	l.Top = max(0, min(l.Top+n, l.n-h))
	l.Cursor = max(l.Top, min(l.Cursor, l.Top+h-1))
	l.Follow = false
}

// Click selects the row at a cell of the screen and says whether there is one.
func (l *List) Click(x, y int) bool {
	i := l.Top + y - l.area.Min.Y
	if x < l.area.Min.X || x >= l.area.Max.X || y < l.area.Min.Y || y >= l.area.Max.Y || i >= l.n {
		return false
	}
	l.Cursor, l.Follow = i, false
	return true
}
