package form

import (
	"strings"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// block is the focused row with all that belongs to it.
type block struct {
	editor int // lines of the editor below the row
	words  []draw.Line
	window int // lines of words that are in sight
}

func (b block) height() int { return 1 + b.editor + b.window }

func (f *Form) drawRows(s *draw.Screen, area draw.Rect, focus bool) {
	v := &f.view
	h := area.Dy()
	if h <= 0 {
		return
	}
	f.nameColumns(s, area.Dx())
	var b block
	if f.focus < len(f.rows) {
		b = f.blockOf(s, area)
	}
	total := len(f.rows)
	if f.focus < len(f.rows) {
		total += b.height() - 1
	}
	if !v.free { // the focused row in sight, with a row to spare where there is one
		from, to := min(f.focus, len(f.rows)), min(f.focus, len(f.rows))+b.height()
		spare := 0
		if h > b.height()+2 {
			spare = 1
		}
		if f.focus >= len(f.rows) {
			from, to, spare = total-1, total, 0
		}
		if to+spare > v.top+h {
			v.top = to + spare - h
		}
		if from-spare < v.top {
			v.top = from - spare
		}
	}
	v.top = max(0, min(v.top, total-h))

	line := 0 // of all lines of the form
	for i := range f.rows {
		n := 1
		if i == f.focus {
			n = b.height()
		}
		if line+n > v.top && line < v.top+h {
			at := draw.Row(area, line-v.top)
			if i == f.focus {
				f.drawBlock(s, area, line-v.top, i, b, focus)
			} else {
				f.drawRow(s, at, i, false)
				f.view.zones.Add(at, rowZone(i))
			}
		}
		line += n
	}
	s.Cue(draw.Row(area, 0), v.top, true)
	s.Cue(draw.Row(area, h-1), total-v.top-h, false)
}

// nameColumns gives the names the room that they need, up to a third and what they
// are indented by, but never more than half.
func (f *Form) nameColumns(s *draw.Screen, width int) {
	most, deepest := 6, 0
	for i, r := range f.rows {
		if i == 300 { // enough for a width
			break
		}
		deepest = max(deepest, r.depth)
		most = max(most, 2*r.depth+s.Width.Of(f.foldMark(r)+text.Wc.Truncate(label(r), 40)))
	}
	f.view.cols = min(most, max(8, min(width*3/10+2*deepest, width/2)))
}

// blockOf measures the focused row.
func (f *Form) blockOf(s *draw.Screen, area draw.Rect) block {
	h := area.Dy()
	b := block{words: f.words(s, area.Dx()-4)}
	if f.edit != nil {
		b.editor = min(f.edit.height(area.Dx()-4, max(1, min(10, h*2/3))), max(0, h-1))
	}
	if n := len(f.completions.list); n > 0 {
		b.editor = min(n, 6, max(0, h-1))
	}
	room := max(0, h-1-b.editor)
	if len(f.rows) > 3 { // the neighbours stay in sight
		room = min(room, max(1, h/2))
	}
	b.window = min(len(b.words), room)
	f.view.scrolled = max(0, min(f.view.scrolled, len(b.words)-b.window))
	f.view.hidden = len(b.words) - b.window - f.view.scrolled
	return b
}

// words are what is said of the focused field: what is wrong, what it takes,
// and its description in full.
func (f *Form) words(s *draw.Screen, width int) (lines []draw.Line) {
	width = max(width, 8)
	r := f.rows[f.focus]
	put := func(st draw.Style, str string) {
		rows, _ := s.Width.Wrap(str, width, 1000)
		for _, row := range rows {
			lines = append(lines, draw.L(st, row))
		}
	}
	if r.kind == addItem {
		put(s.Theme.Faint, "Enter adds an item to "+text.CleanLine(r.node.Field.Label()))
		return lines
	}
	if r.kind == addMember {
		put(s.Theme.Faint, "a member that the schema does not name")
		return lines
	}
	if p := f.shown(f.focus); p != nil {
		for _, p := range append([]schema.Problem{*p}, f.problems[r.node][min(1, len(f.problems[r.node])):]...) {
			put(problemStyle(s.Theme, p), "✖ "+text.CleanLine(p.Message))
		}
	}
	put(s.Theme.Faint, f.detail(r.node))
	if r.kind == field && f.edit != nil && r.node.AsJSON() {
		words := "typed as JSON"
		if endsEmpty(r.node) {
			words += "; empty it for an ordinary field"
		}
		put(s.Theme.Warn, words)
	}
	if r.kind == field && f.edit == nil {
		put(s.Theme.Warn, "kept whole, and too long to type in here: Ctrl+E edits it")
	}
	if w := f.secret(r.node); w != "" {
		put(s.Theme.Warn, "⚠ seems to ask for something secret ("+text.CleanLine(w)+")")
	}
	if d := r.node.Field.Description; d != "" {
		put(s.Theme.Text, text.Clean(d))
	}
	if n := r.node.Field.Note; n != "" {
		put(s.Theme.Faint, text.Clean(n))
	}
	for _, x := range f.schema.Findings {
		if x.Place != "" && x.Place == r.node.Field.Place {
			put(s.Theme.Warn, "schema: "+text.CleanLine(x.Message))
		}
	}
	return lines
}

func problemStyle(t *draw.Theme, p schema.Problem) draw.Style {
	if p.Kind == schema.Unchecked {
		return t.Warn
	}
	return t.Bad
}

func (f *Form) secret(n *schema.Node) string {
	if !n.Field.Secret {
		return ""
	}
	for _, s := range f.schema.Secrets() {
		if s.Path == n.Path() {
			return s.Word
		}
	}
	return "secret"
}

// detail says what a field takes, in a line.
func (f *Form) detail(n *schema.Node) string {
	fd := n.Field
	parts := []string{}
	if n.Name != "" && n.Name != fd.Label() {
		parts = append(parts, text.CleanLine(n.Name))
	}
	add := func(s string) {
		if s != "" {
			parts = append(parts, text.CleanLine(s))
		}
	}
	add(fd.Type)
	add(fd.Range())
	if fd.Format != "" {
		add("format " + fd.Format)
	}
	if fd.Pattern != "" {
		add("pattern " + clip(fd.Pattern))
	}
	switch {
	case fd.Required:
		add("required")
	case fd.Conditional:
		add("optional, or required by another field")
	case n.Optional():
		add("optional")
	}
	if fd.ReadOnly {
		add("read-only")
	}
	if fd.Old {
		add("deprecated")
	}
	if n.Unknown() {
		add("not in the schema")
	}
	if fd.Default != nil {
		add("default " + clip(string(fd.Default)))
	}
	if len(fd.Examples) > 0 && n.Text() == "" {
		add("e.g. " + clip(string(fd.Examples[0])))
	}
	switch n.State() {
	case schema.Null:
		add("now null, Alt+N changes that")
	case schema.Unset:
		if !fd.Required {
			add("now left out")
		}
	case schema.Set:
		if fd.Kind == schema.String && n.Text() == "" && optional(n) {
			add("now empty text, Alt+N leaves it out")
		}
	}
	return strings.Join(parts, " · ")
}

func (f *Form) drawBlock(s *draw.Screen, area draw.Rect, y, i int, b block, focus bool) {
	clipped := func(y, n int) draw.Rect { // n lines at y, as far as they are in area
		r := area
		r.Min.Y, r.Max.Y = area.Min.Y+y, area.Min.Y+y+n
		return r.Intersect(area)
	}
	if y >= 0 {
		at := draw.Row(area, y)
		f.view.zones.Add(at, rowZone(i))
		f.drawRow(s, at, i, focus)
	}
	below := clipped(y+1, b.editor)
	below.Min.X += 4
	place := func(entry int, at draw.Rect) { f.view.zones.Add(at, optionZone{i, entry}) }
	switch {
	case below.Dy() < b.editor: // scrolled away by the wheel
	case len(f.completions.list) > 0:
		f.completions.draw(s, below)
	case b.editor > 0:
		f.view.list = below
		f.edit.below(s, below, place)
	}
	for k := range b.window {
		at := clipped(y+1+b.editor+k, 1)
		at.Min.X += 4
		s.Line(at, b.words[f.view.scrolled+k])
	}
	if b.window > 0 && len(b.words) > b.window {
		first, last := clipped(y+1+b.editor, 1), clipped(y+b.editor+b.window, 1)
		s.Cue(first, f.view.scrolled, true)
		s.Cue(last, f.view.hidden, false)
	}
}

// foldMark stands before the name of a group: whether it is open.
func (f *Form) foldMark(r row) string {
	switch {
	case r.kind != group || r.node.Field.Kind == schema.Variant:
		return ""
	case f.collapsed[r.node] || r.node.State() != schema.Set:
		return "▸ "
	}
	return "▾ "
}

// drawRow draws the one line of a row: mark, name, value, problem, type.
func (f *Form) drawRow(s *draw.Screen, at draw.Rect, i int, focus bool) {
	r := f.rows[i]
	t := s.Theme
	name, mark := t.Text, "  "
	if i == f.focus {
		name, mark = t.Bold, "> "
	}
	need := " "
	if r.kind <= group && r.node.Field.Required && r.node.Parent != nil && r.node.Parent.Field.Kind == schema.Object {
		need = "*"
	}
	left, rest := draw.CutLeft(at, 2+1+f.view.cols+1)
	indent := strings.Repeat("  ", min(r.depth, f.view.cols/4))
	if r.kind > group {
		name = draw.Faint(name)
	}
	left.Max.X--
	s.Line(left, draw.L(t.Key, mark).With(t.Ask, need).With(name, indent+f.foldMark(r)+label(r)))

	if at.Dx() >= 72 && r.kind <= group {
		kind := text.CleanLine(r.node.Field.Type)
		if rg := r.node.Field.Range(); rg != "" {
			kind += " · " + text.CleanLine(rg)
		}
		var right draw.Rect
		rest, right = draw.CutRight(rest, min(s.Width.Of(kind)+1, 30))
		s.Text(draw.Inset(right, 0, 0), t.Faint, " "+kind)
	}
	if p := f.shown(i); p != nil {
		say := " ✖ " + text.CleanLine(p.Message)
		n := min(s.Width.Of(say), rest.Dx()/2)
		if i == f.focus {
			n, say = 2, " ✖" // in full below
		}
		var right draw.Rect
		rest, right = draw.CutRight(rest, n)
		s.Text(right, problemStyle(t, *p), say)
	}
	if i == f.focus && f.edit != nil && focus {
		f.edit.inline(s, rest, func(entry int, at draw.Rect) { f.view.zones.Add(at, optionZone{i, entry}) })
		return
	}
	switch r.kind {
	case field:
		s.Line(rest, f.value(r.node, t))
	case group:
		line := f.value(r.node, t)
		if r.node.Field.Kind == schema.Object && r.node.State() == schema.Set {
			line = draw.L(t.Faint, "{"+itoa(len(r.node.Children()))+"}")
		}
		s.Line(rest, line)
	}
}
