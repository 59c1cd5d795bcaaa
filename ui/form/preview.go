package form

import (
	"bytes"
	"encoding/json"
	"strings"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// drawJSON shows what will be sent beside the fields, the focused one in sight.
func (f *Form) drawJSON(s *draw.Screen, area draw.Rect) {
	area.Min.X += 2
	top, body := draw.CutTop(area, 1)
	raw := f.sends()
	if f.opt.Preview != nil {
		s.Text(top, s.Theme.Faint, "gives")
		s.Wrapped(body, s.Theme.Text, text.Clean(f.opt.Preview(raw)))
		return
	}
	s.Text(top, s.Theme.Faint, "sends, "+text.Size(int64(len(raw))))
	const most = 2000
	lines, more := draw.JSON(raw, s.Theme, most)
	from := 0
	if name := f.focusedMember(); name != "" && len(lines) > body.Dy() {
		want := text.CleanLine(name)
		for i, l := range lines {
			if len(l) > 2 && l[0].Text == "  " && l[1].Text == want {
				from = max(0, min(i-body.Dy()/2, len(lines)-body.Dy()))
				break
			}
		}
	}
	for y := range body.Dy() {
		if i := from + y; i < len(lines) {
			s.Line(draw.Row(body, y), lines[i])
		}
	}
	s.Cue(draw.Row(body, 0), from, true)
	if more && from+body.Dy() >= len(lines) {
		s.Text(draw.Row(body, body.Dy()-1), s.Theme.Faint, "… Ctrl+E shows all")
		return
	}
	s.Cue(draw.Row(body, body.Dy()-1), len(lines)-from-body.Dy(), false)
}

// drawLine shows what will be sent, as it is sent, below the fields: all of it
// where it fits, else the part round the focused field.
func (f *Form) drawLine(s *draw.Screen, area draw.Rect) draw.Rect {
	if area.Dy() < 4 {
		return area
	}
	raw := f.sends()
	most := max(1, min(4, area.Dy()/6))
	room := max(8, most*area.Dx()-6)
	lead := "─▶ "
	if f.opt.Preview != nil {
		raw = []byte(f.opt.Preview(raw))
	} else if len(raw) > room {
		if at := offset(raw, f.focusedMember()); at > room/2 {
			from := min(at-room/4, len(raw)-room)
			raw, lead = raw[from:], "─▶ …"
		}
	}
	str := lead + text.CleanLine(strings.ToValidUTF8(string(raw[:min(len(raw), 4*room)]), ""))
	var rows []string
	for str != "" && len(rows) < most {
		var row string
		row, str = s.Width.Cut(str, max(2, area.Dx()))
		if str != "" && len(rows) == most-1 {
			row = s.Width.Truncate(row+" …", area.Dx())
		}
		rows = append(rows, row)
	}
	rest, at := draw.CutBottom(area, len(rows))
	for y, r := range rows {
		s.Text(draw.Row(at, y), s.Theme.Faint, r)
	}
	return rest
}

// focusedMember returns the member of the whole that the focused row belongs
// to, as it is quoted in JSON, or "".
func (f *Form) focusedMember() string {
	r := f.current()
	if r == nil {
		return ""
	}
	var n *schema.Node
	for c := r.node; c.Parent != nil; c = c.Parent {
		if c.Parent.Field.Kind == schema.Object {
			n = c // the outermost one
		}
	}
	if n == nil {
		return ""
	}
	quoted, err := json.Marshal(n.Name)
	if err != nil { // strings always encode
		return ""
	}
	return string(quoted)
}

// offset returns where a member of the outermost object begins, or 0.
func offset(raw []byte, quoted string) int {
	if quoted == "" {
		return 0
	}
	depth, in := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			if !in && depth == 1 && bytes.HasPrefix(raw[i:], []byte(quoted+":")) {
				return i
			}
			in = !in
		case in:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return 0
}
