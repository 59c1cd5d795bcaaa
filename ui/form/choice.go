package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// entry is one line of a list of choices.
type entry struct {
	label  string // clean, unique within the list
	search string // lower case: the label and the value
	option int    // index of the option or variant, or one of those below
}

const (
	leaveOut = -1
	asNull   = -2
)

// entriesOf lists what can be chosen for a field. It is made once: the label
// of 300 options must not be cleaned for each key.
func (f *Form) entriesOf(n *schema.Node) []entry {
	fd := n.Field
	if e, ok := f.entries[fd]; ok {
		return e
	}
	var out []entry
	seen := map[string]bool{}
	put := func(label, value string, option int) {
		label = text.CleanLine(label)
		if seen[label] {
			label += " = " + text.CleanLine(value)
		}
		for seen[label] {
			label += "′"
		}
		seen[label] = true
		out = append(out, entry{label, strings.ToLower(label + " " + value), option})
	}
	if fd.Kind == schema.Variant {
		for i, v := range fd.Variants() {
			l := v.Label()
			if l == "" {
				l = v.Type
			}
			put(l, "variant "+itoa(i+1), i)
		}
	} else {
		for i, o := range fd.Options {
			put(o.Label, string(o.Value), i)
		}
	}
	if fd.Nullable {
		put("null", "null", asNull)
	}
	if optional(n) {
		put("left out", "", leaveOut)
	}
	f.entries[fd] = out
	return out
}

// choice is the editor of a row that is chosen: a line of choices where they
// fit into it, else a list that opens below, with a hosted field as its
// filter. While the list is open the highlighted entry is the chosen one (of a
// single choice), once the person moved or typed.
type choice struct {
	f       *Form
	node    *schema.Node
	all     []entry
	found   []int // entries that match the filter
	list    draw.List
	filter  *typed
	isOpen  bool
	moved   bool // something was typed or moved since it opened
	before  []byte
	state   schema.State
	fitting bool // all entries stand in the row itself
}

func (f *Form) choiceOf(n *schema.Node) input {
	return &choice{f: f, node: n, all: f.entriesOf(n)}
}

func (c *choice) multi() bool { return c.node.Field.Kind == schema.MultiChoice }

// isChosen says whether an entry is what the node holds.
func (c *choice) isChosen(e entry) bool {
	switch e.option {
	case leaveOut:
		return c.node.State() == schema.Unset
	case asNull:
		return c.node.State() == schema.Null
	}
	if c.node.State() != schema.Set {
		return false
	}
	if c.node.Field.Kind == schema.Variant {
		return c.node.Variant() == e.option
	}
	return slices.Contains(c.node.Chosen(), e.option)
}

// choose makes entry i of all the value, or toggles it in a multiple choice.
func (c *choice) choose(i int) {
	e, n := c.all[i], c.node
	switch {
	case e.option == leaveOut:
		n.Unset()
	case e.option == asNull:
		n.SetNull()
	case n.Field.Kind == schema.Variant:
		n.SetVariant(e.option)
	case c.multi():
		chosen := n.State() == schema.Set && slices.Contains(n.Chosen(), e.option)
		if most := n.Field.MaxItems; !chosen && most >= 0 && n.State() == schema.Set && len(n.Chosen()) >= most {
			c.f.changed()
			c.f.say("at most "+text.Count(most, "choice"), true)
			return
		}
		n.Toggle(e.option)
	default:
		n.Choose(e.option)
	}
	c.f.rebuild()
	c.f.changed()
}

func (c *choice) key(k tea.KeyPressMsg) bool {
	if c.isOpen {
		return c.keyOpen(k)
	}
	switch k.String() {
	case "left", "right":
		if c.multi() {
			return true
		}
		step := 1
		if k.String() == "left" {
			step = -1
		}
		c.step(step)
	case "space":
		if c.fitting && !c.multi() {
			c.step(1)
		} else {
			c.show()
		}
	case "enter":
		if c.fitting && !c.multi() {
			return false
		}
		c.show()
	case "backspace", "delete":
		if optional(c.node) {
			c.node.Unset()
			c.f.rebuild()
			c.f.changed()
		}
	default:
		if k.Text == "" || k.Mod&(tea.ModAlt|tea.ModCtrl) != 0 {
			return false
		}
		c.show()
		return c.keyOpen(k)
	}
	return true
}

// step goes to the next entry of a single choice, round the ends.
func (c *choice) step(by int) {
	at := slices.IndexFunc(c.all, c.isChosen)
	if at < 0 && by < 0 {
		at = 0
	}
	if len(c.all) > 0 {
		c.choose((at + by + len(c.all)) % len(c.all))
	}
}

// show opens the list with the chosen entry in sight.
func (c *choice) show() {
	c.isOpen, c.moved = true, false
	c.before, _ = c.node.JSON()
	c.state = c.node.State()
	c.filter = &typed{f: c.f}
	c.filter.build("", "type to filter")
	c.match()
	at := slices.IndexFunc(c.all, c.isChosen)
	if at < 0 || c.all[at].option == leaveOut {
		at = 0
	}
	c.list = draw.List{Cursor: at}
	c.list.Top = max(0, c.list.Cursor-2)
}

func (c *choice) match() {
	c.found = c.found[:0]
	want := strings.ToLower(c.filter.value())
	for i, e := range c.all {
		if want == "" || strings.Contains(e.search, want) {
			c.found = append(c.found, i)
		}
	}
}

// unmatched is the error of sending while a choice is being looked for that is
// not there: the value before it is not what the person has just typed.
func (f *Form) unmatched() error {
	c, ok := f.edit.(*choice)
	if !ok || !c.isOpen || len(c.found) > 0 {
		return nil
	}
	return fmt.Errorf("%q is none of the choices; Esc goes back to the value before", text.CleanLine(c.filter.value()))
}

func (c *choice) keyOpen(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "up":
		c.highlight(-1)
	case "down":
		c.highlight(1)
	case "pgup":
		c.highlight(-max(1, c.listRows()-1))
	case "pgdown":
		c.highlight(max(1, c.listRows()-1))
	case "enter":
		if !c.multi() && len(c.found) > 0 {
			c.choose(c.found[c.cursor()])
		}
		c.isOpen = false
		c.f.move(1)
	case "space":
		if !c.multi() {
			return c.letter(k)
		}
		if len(c.found) > 0 {
			c.choose(c.found[c.cursor()])
		}
	default:
		return c.letter(k)
	}
	return true
}

func (c *choice) letter(k tea.KeyPressMsg) bool {
	before := c.filter.value()
	if !c.filter.key(k) {
		return false
	}
	if c.filter.value() == before {
		return true
	}
	c.match()
	c.list.Cursor, c.list.Top = 0, 0
	c.list.Cursor = c.nearest()
	c.moved = true
	c.follow()
	return true
}

// nearest returns the entry that the filter most likely means: the one that it
// says whole, else one that begins with it, else the first that has it.
func (c *choice) nearest() int {
	want := strings.ToLower(c.filter.value())
	best, rank := 0, 0
	for at, i := range c.found {
		switch label := strings.ToLower(c.all[i].label); {
		case label == want:
			return at
		case rank == 0 && strings.HasPrefix(label, want):
			best, rank = at, 1
		}
	}
	return best
}

// highlight moves the highlighted entry.
func (c *choice) highlight(by int) {
	if len(c.found) == 0 {
		return // huh would go to -1 here
	}
	c.list.Cursor = max(0, min(c.list.Cursor+by, len(c.found)-1))
	c.moved = true
	c.follow()
}

func (c *choice) cursor() int { return max(0, min(c.list.Cursor, len(c.found)-1)) }

// follow makes the highlighted entry the value; without one the value is what
// it was before.
func (c *choice) follow() {
	if c.multi() || c.node.Field.Kind == schema.Variant {
		return
	}
	if len(c.found) == 0 {
		c.restore()
		return
	}
	c.choose(c.found[c.cursor()])
}

func (c *choice) restore() {
	switch {
	case c.state == schema.Unset:
		c.node.Unset()
	case c.before != nil:
		_ = c.node.Load(c.before) // it came from there
	}
	c.f.rebuild()
	c.f.changed()
}

func (c *choice) undo() {
	if c.isOpen && c.moved {
		c.restore()
	}
	c.isOpen = false
}

func (c *choice) close() {
	if c.isOpen && c.moved && c.node.Field.Kind == schema.Variant && len(c.found) > 0 {
		c.choose(c.found[c.cursor()])
	}
	c.isOpen = false
}

func (c *choice) open() bool { return c.isOpen }

func (c *choice) paste(s string) {
	if !c.isOpen {
		c.show()
	}
	before := c.filter.value()
	c.filter.paste(strings.TrimSpace(s))
	if c.filter.value() != before {
		c.match()
		c.list.Cursor, c.list.Top, c.moved = c.nearest(), 0, true
		c.follow()
	}
}

func (c *choice) press(i int) {
	switch {
	case i < 0 && c.isOpen:
		c.close()
	case i < 0 && !c.fitting:
		c.show()
	case i >= 0 && i < len(c.all):
		c.moved = true
		c.choose(i)
		if c.isOpen && !c.multi() {
			c.isOpen = false
		}
	}
}

func (c *choice) wheel(n int) { c.list.Wheel(n) }

// listRows is how many entries were in sight.
func (c *choice) listRows() int { return c.f.view.list.Dy() - 1 }
