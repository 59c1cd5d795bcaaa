package inspect

import "mcptui/ui/draw"

// EndKept wraps lines into an area. Where they are too many, what follows the
// first one is left out: what a server wrote last says why it ended.
func EndKept(s *draw.Screen, lines []draw.Line, area draw.Rect) (rows []draw.Line) {
	first := 0
	for i, l := range lines {
		rows = append(rows, Wrap(s.Width, l, area.Dx())...)
		if i == 0 {
			first = min(len(rows), area.Dy()/2)
		}
	}
	if over := len(rows) - area.Dy(); over > 0 {
		rows = append(rows[:first:first], rows[first+over:]...)
	}
	return rows
}
