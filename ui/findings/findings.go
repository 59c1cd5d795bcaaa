// Package findings shows what is wrong with what crossed the wire: one row a
// finding, those of the server first and the worst of them on top, and in full beside it what the specification says. It
// judges nothing itself.
package findings

import (
	"cmp"
	"fmt"
	"slices"

	"mcptui/client/lint"
	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// View is the list and what the selected finding says. The zero value is ready.
type View struct {
	list draw.List
	all  []lint.Finding // the server's first, worst first
	seen []lint.Finding
	doc  inspect.Doc
}

// Sync takes in what was found. The selected finding stays selected.
func (v *View) Sync(found []lint.Finding) {
	if slices.Equal(found, v.seen) {
		return
	}
	before, had := v.Selected()
	v.seen = slices.Clone(found)
	v.all = slices.Clone(found)
	slices.SortStableFunc(v.all, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(rank(a.Against), rank(b.Against)), a.Severity.Rank()-b.Severity.Rank())
	})
	if had {
		v.list.Cursor = max(0, slices.IndexFunc(v.all, func(f lint.Finding) bool {
			f.Call, f.Again = before.Call, before.Again // which can become known later
			return f == before
		}))
	}
}

// rank puts what the server did before what the client did, on purpose mostly.
func rank(by lint.Side) int {
	if by == lint.Client {
		return 1
	}
	return 0
}

// Selected returns the selected finding.
func (v *View) Selected() (lint.Finding, bool) {
	if v.list.Cursor < 0 || v.list.Cursor >= len(v.all) {
		return lint.Finding{}, false
	}
	return v.all[v.list.Cursor], true
}

// Do moves, and says whether the intent meant something here.
func (v *View) Do(i keys.Intent) bool {
	return keys.Walk(&v.list, i)
}

// Click selects the finding at a cell.
func (v *View) Click(x, y int) bool { return v.list.Click(x, y) }

// Wheel scrolls.
func (v *View) Wheel(n int) { v.list.Wheel(n) }

// Draw draws the list above what the selected finding says.
func (v *View) Draw(s *draw.Screen, area draw.Rect, focus bool) {
	t := s.Theme
	top, bottom := draw.CutBottom(area, min(9, area.Dy()/2))
	pane := draw.Pane{Title: "Findings", Right: Count(v.all), Focus: focus}
	inner := pane.Inner(top)
	if len(v.all) == 0 {
		s.Text(inner, t.Good, "✓ nothing found so far")
	}
	v.list.Draw(s, inner, draw.Source{Len: len(v.all), Row: func(i, width int) draw.Line { return Line(s, v.all[i]) }}, focus)
	pane.Above, pane.Below = v.list.Above(), v.list.Below()
	pane.Draw(s, top)

	detail := draw.Pane{Title: "What the specification says"}
	if f, ok := v.Selected(); ok {
		v.doc.Lines(f, 0, func() []draw.Line { return Says(f, t) })
		v.doc.Draw(s, detail.Inner(bottom))
	}
	detail.Draw(s, bottom)
}

// Count words how many findings there are of each severity.
func Count(all []lint.Finding) string {
	n := map[lint.Severity]int{}
	for _, f := range all {
		n[f.Severity]++
	}
	out := ""
	for _, sev := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		if n[sev] > 0 {
			if out != "" {
				out += ", "
			}
			out += text.Count(n[sev], string(sev))
		}
	}
	return out
}

// Worst is the sign of the gravest severity among findings.
func Worst(t *draw.Theme, found []lint.Finding) (string, draw.Style) {
	worst := lint.Info
	for _, f := range found {
		if f.Severity.Rank() < worst.Rank() {
			worst = f.Severity
		}
	}
	return inspect.Sign(t, worst)
}

// Line is a finding on one row.
func Line(s *draw.Screen, f lint.Finding) draw.Line {
	mark, st := inspect.Sign(s.Theme, f.Severity)
	line := draw.L(st, mark+" ").With(s.Theme.Faint, fmt.Sprintf("%5d ", f.Frame))
	if f.Call != 0 {
		line = line.With(s.Theme.Faint, fmt.Sprintf("call %d ", f.Call))
	}
	if f.Against == lint.Client {
		line = line.With(s.Theme.Client, "client: ")
	}
	line = line.With(s.Theme.Text, text.CleanLine(f.Message))
	if f.Again > 0 {
		line = line.With(s.Theme.Faint, fmt.Sprintf(" ×%d", f.Again+1))
	}
	return line
}

// Says lays a finding out in full.
func Says(f lint.Finding, t *draw.Theme) []draw.Line {
	mark, st := inspect.Sign(t, f.Severity)
	out := []draw.Line{draw.L(st, mark+" "+text.CleanLine(f.Message))}
	if f.Against == "" && f.Section.Title == "" { // of the recording's file, of which no specification speaks
		return append(out, draw.L(t.Faint, text.CleanLine(fmt.Sprintf("%s, of the recording itself, behind event %d  (%s)", f.Severity, f.Frame, f.Rule))))
	}
	where := fmt.Sprintf("%s, against the %s, event %d", f.Severity, f.Against, f.Frame)
	if f.Path != "" {
		where += " at " + f.Path
	}
	if f.Again > 0 {
		where += ", and again after " + text.Count(f.Again, "restart")
	}
	out = append(out, draw.L(t.Faint, text.CleanLine(where+"  ("+f.Rule+")")))
	return append(out, draw.L(t.Text, text.CleanLine(f.Section.String())), draw.L(t.Link, text.CleanLine(f.Section.URL())))
}
