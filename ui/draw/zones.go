package draw

import "image"

// Zones remembers what was drawn where, so that a click can be told. A part
// that can be clicked holds one, resets it at the start of its Draw and asks
// it when a click comes.
type Zones struct{ all []zone }

type zone struct {
	area Rect
	id   any
}

// Reset forgets everything.
func (z *Zones) Reset() { z.all = z.all[:0] }

// Add says that area now belongs to id; what is added later lies on top.
func (z *Zones) Add(area Rect, id any) {
	if !area.Empty() {
		z.all = append(z.all, zone{area, id})
	}
}

// Hit returns what lies at a cell, or nil.
func (z *Zones) Hit(x, y int) any {
	for i := len(z.all) - 1; i >= 0; i-- {
		if image.Pt(x, y).In(z.all[i].area) {
			return z.all[i].id
		}
	}
	return nil
}

// Button is one act of a row of buttons.
type Button struct {
	ID    any    // what [Zones.Hit] returns for it
	Label string // clean text
	Key   string // the key that does the same, shown behind the label
	Hot   bool   // has the focus
	Off   bool   // cannot be pressed now: drawn faint, no zone
}

// Buttons draws buttons from left to right, over as many rows as they need
// within area, and returns the rows used. On a narrow screen the keys go
// first. A hot button is marked with > <, not by colour alone.
func (s *Screen) Buttons(area Rect, zones *Zones, buttons []Button) int {
	if area.Empty() || len(buttons) == 0 {
		return 0
	}
	return s.layButtons(area, zones, buttons, s.keysFit(area, buttons))
}

// ButtonRows returns how many rows [Screen.Buttons] needs in that many columns.
func (s *Screen) ButtonRows(columns int, buttons []Button) int {
	if len(buttons) == 0 {
		return 0
	}
	area := Rect{Max: image.Pt(columns, len(buttons))}
	return s.layButtons(area, nil, buttons, s.keysFit(area, buttons))
}

// keysFit says whether the keys are shown: on one row, or where there is room
// for more.
func (s *Screen) keysFit(area Rect, buttons []Button) bool {
	rows := s.layButtons(area, nil, buttons, true)
	return rows == 1 || rows <= area.Dy() && area.Dx() >= 60
}

// layButtons draws only where zones is not nil; the rows that it returns may
// be more than area has.
func (s *Screen) layButtons(area Rect, zones *Zones, buttons []Button, keys bool) int {
	x, y := area.Min.X, area.Min.Y
	for _, b := range buttons {
		st, l, r := s.Theme.Button, "[ ", " ]"
		switch {
		case b.Off:
			st = s.Theme.Faint
		case b.Hot:
			st, l, r = s.Theme.Hot, "[>", "<]"
		}
		line := Line{{l + b.Label, st}}
		if keys && b.Key != "" {
			line = line.With(Faint(st), " "+b.Key)
		}
		line = line.With(st, r)
		w := s.Width.Of(line.Plain())
		if x > area.Min.X && x+w > area.Max.X {
			x, y = area.Min.X, y+1
		}
		at := Rect{Min: image.Pt(x, y), Max: image.Pt(min(x+w, area.Max.X), y+1)}.Intersect(area)
		if zones != nil && !at.Empty() {
			s.Line(at, line)
			if !b.Off {
				zones.Add(at, b.ID)
			}
		}
		x += w + 1
	}
	return y - area.Min.Y + 1
}
