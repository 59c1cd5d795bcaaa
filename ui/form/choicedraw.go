package form

import (
	"strings"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// most entries that a line of choices may have.
const inOneLine = 6

func (c *choice) inline(s *draw.Screen, area draw.Rect, place func(int, draw.Rect)) {
	line, ends := c.oneLine(s)
	c.fitting = len(c.all) <= inOneLine && len(ends) > 0 && ends[len(ends)-1] <= area.Dx()
	if c.fitting && !c.isOpen {
		s.Line(area, line)
		x := area.Min.X
		for i, end := range ends {
			at := area
			at.Min.X, at.Max.X = x, min(area.Min.X+end, area.Max.X)
			place(i, at)
			x = at.Max.X + 2
		}
		return
	}
	mark := " ▾"
	if c.isOpen {
		mark = " ▴"
	}
	area, end := draw.CutRight(area, 2)
	s.Text(end, s.Theme.Faint, mark)
	s.Line(area, c.f.value(c.node, s.Theme))
}

// oneLine writes all entries side by side and returns where each one ends.
func (c *choice) oneLine(s *draw.Screen) (line draw.Line, ends []int) {
	if len(c.all) > inOneLine {
		return nil, nil
	}
	x := 0
	for i, e := range c.all {
		if i > 0 {
			line = line.With(s.Theme.Text, "  ")
			x += 2
		}
		m, st := c.mark(s, e)
		line = line.With(st, m+e.label)
		x += s.Width.Of(m + e.label)
		ends = append(ends, x)
	}
	return line, ends
}

func (c *choice) mark(s *draw.Screen, e entry) (string, draw.Style) {
	on := c.isChosen(e)
	st := s.Theme.Text
	if e.option < 0 {
		st = s.Theme.Faint
	}
	if on {
		st = s.Theme.Bold
	}
	switch {
	case c.multi() && e.option >= 0 && on:
		return "[x] ", st
	case c.multi() && e.option >= 0:
		return "[ ] ", st
	case on:
		return "(●) ", st
	}
	return "( ) ", st
}

func (c *choice) height(_, atMost int) int {
	if !c.isOpen {
		return 0
	}
	return min(1+max(1, len(c.all)), atMost, 12)
}

// below draws the filter and the entries that match it.
func (c *choice) below(s *draw.Screen, area draw.Rect, place func(int, draw.Rect)) {
	top, rest := draw.CutTop(area, 1)
	if rest.Empty() { // no room for both: the entries win
		top, rest = rest, top
	}
	found, all := c.counts()
	count := itoa(found) + " of " + itoa(all)
	if c.multi() {
		count += ", " + itoa(len(c.node.Chosen())) + " chosen · Space"
	}
	top.Min.X += s.Text(top, s.Theme.Key, "/ ")
	top, right := draw.CutRight(top, min(s.Width.Of(count)+1, top.Dx()/2))
	s.Text(right, s.Theme.Faint, " "+count)
	c.filter.show(s, top)
	if len(c.found) == 0 {
		s.Text(rest, s.Theme.Warn, "nothing matches; Backspace, or Esc to close")
		return
	}
	c.list.Draw(s, rest, draw.Source{Len: len(c.found), Row: func(i, _ int) draw.Line {
		e := c.all[c.found[i]]
		m, st := c.mark(s, e)
		return draw.L(st, m+e.label)
	}}, true)
	for y := range rest.Dy() {
		if i := c.list.Top + y; i < len(c.found) {
			place(c.found[i], draw.Row(rest, y))
		}
	}
	s.Cue(draw.Row(rest, 0), c.list.Above(), true)
	s.Cue(draw.Row(rest, rest.Dy()-1), c.list.Below(), false)
}

// counts are how many choices match the filter, and how many there are. To leave
// the field out, or null, is none of them.
func (c *choice) counts() (found, all int) {
	for _, e := range c.all {
		if e.option >= 0 {
			all++
		}
	}
	for _, i := range c.found {
		if c.all[i].option >= 0 {
			found++
		}
	}
	return found, all
}

// closeList closes what lies open and takes back what was chosen in it.
func (f *Form) closeList() {
	if f.completions.shown() {
		f.completions.list = nil
		return
	}
	if f.edit != nil {
		f.edit.undo()
	}
}

// value writes what a node holds, for its row.
func (f *Form) value(n *schema.Node, t *draw.Theme) draw.Line {
	switch n.State() {
	case schema.Unset:
		if n.Field.Required {
			return draw.L(t.Faint, "—")
		}
		return draw.L(t.Faint, "left out")
	case schema.Null:
		return draw.L(t.Word, "null")
	}
	all := ""
	if n.AsJSON() || n.Field.Kind == schema.String || n.Field.Kind == schema.JSON {
		all = n.Text()
	}
	if len(all) > longest {
		return draw.L(t.Faint, text.Size(int64(len(all)))+", "+text.Count(strings.Count(all, "\n")+1, "line"))
	}
	if n.AsJSON() {
		return draw.L(t.Text, clip(n.Text())).With(t.Faint, "  (as JSON)")
	}
	switch n.Field.Kind {
	case schema.String:
		return draw.L(t.String, bare(n.Text()))
	case schema.Integer, schema.Number:
		return draw.L(t.Number, clip(n.Text()))
	case schema.JSON:
		return draw.L(t.Text, clip(n.Text()))
	case schema.Boolean, schema.Choice, schema.MultiChoice:
		return f.chosen(n, t)
	case schema.Variant:
		for _, e := range f.entriesOf(n) {
			if e.option >= 0 && e.option == n.Variant() {
				return draw.L(t.Bold, e.label)
			}
		}
		return draw.L(t.Faint, "— choose one")
	case schema.Array:
		return draw.L(t.Faint, "["+itoa(len(n.Children()))+"]")
	}
	return nil
}

// bare is a text as it stands in its field, in quotes only where it would be
// taken for something else.
func bare(s string) string {
	switch {
	case s == "", s == "null", s == "left out", s == "—", strings.TrimSpace(s) != s:
		return `"` + clip(s) + `"`
	}
	return clip(s)
}

func (f *Form) chosen(n *schema.Node, t *draw.Theme) draw.Line {
	entries := f.entriesOf(n)
	label := func(option int) string {
		for _, e := range entries {
			if e.option == option {
				return e.label
			}
		}
		return "?"
	}
	at := n.Chosen()
	if n.Field.Kind != schema.MultiChoice {
		if len(at) == 0 {
			return draw.L(t.Faint, "— choose one")
		}
		return draw.L(t.String, label(at[0]))
	}
	line := draw.L(t.Punct, "[")
	for i, o := range at {
		if i == 20 {
			line = line.With(t.Faint, " … "+itoa(len(at))+" in all")
			break
		}
		if i > 0 {
			line = line.With(t.Punct, ", ")
		}
		line = line.With(t.String, label(o))
	}
	return line.With(t.Punct, "]")
}
