package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// completions are what a server offers for the text of the focused field.
type completions struct {
	asked string // the text that was last asked for, or filled in
	wait  bool   // an answer is under way
	list  []string
	at    int // the highlighted one, -1 for none
}

func (c *completions) shown() bool { return len(c.list) > 0 }

// completing takes the keys of completion. Tab asks where the text is new, and
// moves on where it is not, so that it never holds anyone back.
func (f *Form) completing(intent keys.Intent, k tea.KeyPressMsg) (tea.Cmd, bool) {
	c := &f.completions
	r := f.current()
	t, ok := f.edit.(*typed)
	if f.opt.Complete == nil || !ok || r == nil || r.kind != field || t.lines {
		return nil, false
	}
	if c.shown() {
		switch {
		case k.String() == "down":
			c.at = min(c.at+1, len(c.list)-1)
			return nil, true
		case k.String() == "up":
			c.at = max(c.at-1, 0)
			return nil, true
		case c.at >= 0 && (k.String() == "enter" || intent == keys.NextField):
			f.fill(r.node, c.list[c.at])
			return nil, true
		case intent == keys.NextField:
			return nil, false
		}
	}
	fresh := intent == keys.NextField && r.node.Touched() && t.value() != c.asked
	if intent != keys.Complete && !fresh {
		return nil, false
	}
	c.asked, c.wait, c.list = t.value(), true, nil
	f.say("asking the server for completions …", false)
	return f.opt.Complete(r.node.Name, t.value(), f.draft), true
}

// SetCompletions takes the answer to Options.Complete. An answer that comes too
// late for the text as it stands is left out of account.
func (f *Form) SetCompletions(name, value string, values []string, err error) {
	c := &f.completions
	r := f.current()
	t, ok := f.edit.(*typed)
	if !ok || r == nil || r.node == nil || r.node.Name != name || t.value() != value || !c.wait {
		return
	}
	c.wait = false
	f.say("", false)
	switch {
	case err != nil:
		f.say("no completions: "+text.CleanLine(err.Error()), true)
	case len(values) == 0:
		f.say("the server knows no completion", false)
	case len(values) == 1:
		f.fill(r.node, values[0])
	default:
		if p := common(values); len(p) > len(value) && strings.HasPrefix(p, value) {
			f.fill(r.node, p)
		}
		c.list, c.at = values, -1
	}
}

// fill makes value the text of the field.
func (f *Form) fill(n *schema.Node, value string) {
	n.SetText(value)
	f.edit = f.typedOf(n, nil)
	f.changed()
	f.completions = completions{asked: value}
}

// common returns the longest start that all values share.
func common(values []string) string {
	p := []rune(values[0])
	for _, v := range values[1:] {
		q := []rune(v)
		n := 0
		for n < len(p) && n < len(q) && p[n] == q[n] {
			n++
		}
		p = p[:n]
	}
	return string(p)
}

func (c *completions) draw(s *draw.Screen, area draw.Rect) {
	top := max(0, c.at-area.Dy()+1)
	for y := range area.Dy() {
		i := top + y
		if i >= len(c.list) {
			break
		}
		mark, st := "  ", s.Theme.Text
		if i == c.at {
			mark, st = "> ", s.Theme.Selected
		}
		s.Text(draw.Row(area, y), st, mark+clip(c.list[i]))
	}
	s.Cue(draw.Row(area, area.Dy()-1), len(c.list)-top-area.Dy(), false)
}
